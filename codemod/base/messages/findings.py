"""What `check` finds, and what to do about it."""

TABLE: dict[str, tuple[str, str]] = {
    # Hooks that are missing, or that leave cases out.
    "not-hooked": (
        "{scope} trains {target} and never makes it static.",
        "{scope} 训练 {target}，但从未将其转为静态图。",
    ),
    "hooked-in-part": (
        "{scope} does not make {target} static in every case.",
        "{scope} 并非在所有情况下都将 {target} 转为静态图。",
    ),
    "unplaced": (
        "{scope} trains {target} and has no hook. {why}",
        "{scope} 训练 {target}，但没有转换。{why}",
    ),
    "config-blocked": (
        "{model} reaches no hook that serves: {why}.",
        "{model} 到达不了可用的转换：{why}。",
    ),
    # Hooks that go wrong.
    "own-fault": (
        "The kit's own switch or hook goes wrong here: {why}.",
        "套件自带的开关或转换在此出错：{why}。",
    ),
    "on-wrapper": (
        "The hook comes after the wrap at line {line} and is given the wrapper {target}: "
        "calling it raises.",
        "转换位于第 {line} 行的多卡封装之后，转换的是封装对象 {target}，调用它会报错。",
    ),
    "after-wrap": (
        "The hook comes after the wrap at line {line}; it acts only because to_static changes "
        "the wrapped layer in place.",
        "转换位于第 {line} 行的多卡封装之后；它之所以生效，只因 to_static 就地修改了被封装的层。",
    ),
    "copied": (
        "{target} is copied after it was hooked at {hook}: where that is a deepcopy, Paddle 2.6 "
        "turns the original and the copy back to dynamic, silently.",
        "{target} 在 {hook} 转换之后被复制：若为 deepcopy，Paddle 2.6 会把原对象和副本都变回"
        "动态图，且不报错。",
    ),
    "decorated": (
        "{scope} is decorated with to_static, and the forward of {net} comes to it: training "
        "runs it static, whatever the switch says.",
        "{scope} 带有 to_static 装饰器，而 {net} 的 forward 会执行到它：无论开关如何设置，"
        "训练都以静态图运行它。",
    ),
    "hooked-twice": (
        "{target} was hooked at line {line}, and {callee} hooks it again at {again}: the first "
        "spec is replaced.",
        "{target} 已在第 {line} 行转换，{callee} 又在 {again} 再次转换：前一个 InputSpec 被替换。",
    ),
    "spec-length": (
        "{callee} is called with {fed} arguments, and the spec at line {line} names {length}: "
        "arguments without a tensor raise, in both modes.",
        "调用 {callee} 时传入 {fed} 个参数，而第 {line} 行的 InputSpec 列出 {length} 个：缺少张量的"
        "参数在两种模式下都会报错。",
    ),
    "flag-type-bool": (
        "`type=bool` makes every value true, `--to_static False` too.",
        "`type=bool` 会把任何取值都当作真，`--to_static False` 也不例外。",
    ),
    "hazard": (
        "{scope}: {detail}; made static it {effect} ({configs}).",
        "{scope}：{detail}；转为静态图后{effect}（{configs}）。",
    ),
    "trains-wrong": ("trains on other numbers, silently", "训练数值会改变，且不报错"),
    "fails": ("is expected to fail", "预计会失败"),
    "so-many": ("{number} configs", "{number} 个配置"),
    # What `check --exec` saw.
    "exec-differs": (
        "By its code this config {read}; run with {way}, {said}.",
        "按代码判断，该配置{read}；以 {way} 运行时，{said}。",
    ),
    "is-blocked": ("is blocked: {why}", "受阻：{why}"),
    "reaches": ("reaches a hook", "可到达转换"),
    "way-differs": ("With {way}, {said} ({configs}).", "使用 {way} 时，{said}（{configs}）。"),
    "such-as": ("{number} configs, such as {config}", "{number} 个配置，例如 {config}"),
    "hook-reached": ("the hook is reached at {where}", "在 {where} 到达转换"),
    "hook-reached-somewhere": ("the hook is reached", "到达了转换"),
    "trains-without": ("training begins without the hook", "未经转换就开始训练"),
    "ended": ("the script ends before it trains", "脚本在训练之前就结束了"),
    "raised-at": ("{message} at {where}", "在 {where} 处报错 {message}"),
    "raised": ("{message}", "报错 {message}"),
    "rehearsal-refused": ("{scope}: {why}.", "{scope}：{why}。"),
    # TIPC chains.
    "tipc-blocked": (
        "The chain claims static training with {config}, which reaches no hook that serves: {why}.",
        "该链条声称以 {config} 做静态图训练，而它到达不了可用的转换：{why}。",
    ),
    "tipc-not-read": (
        "`{line}` is where {parser} does not look for it.",
        "`{line}` 所在的位置，{parser} 不会读取。",
    ),
    "tipc-no-script": (
        "The chain claims static training, but its command is `{command}`.",
        "该链条声称做静态图训练，但其命令是 `{command}`。",
    ),
    "tipc-script-missing": (
        "The chain claims static training by {script}, which is not here.",
        "该链条声称由 {script} 做静态图训练，而该文件不存在。",
    ),
    "tipc-no-config": (
        "The chain claims static training with {config}, which is not here.",
        "该链条声称以 {config} 做静态图训练，而该文件不存在。",
    ),
    "tipc-no-code": (
        "{script} runs no code that makes a model static: `{value}` does nothing.",
        "{script} 不运行任何将模型转为静态图的代码：`{value}` 不起作用。",
    ),
    "tipc-no-gate": (
        "`{value}` names nothing that {script} reads; the hook asks for {gates}.",
        "`{value}` 不是 {script} 会读取的选项；转换所读取的是 {gates}。",
    ),
    "tipc-no-option": (
        "`{value}` follows a command that does not end with its list of options.",
        "`{value}` 接在并非以选项列表结尾的命令之后。",
    ),
    "tipc-unused": (
        "{name} is set and never used: the static chain trains dynamically.",
        "{name} 赋值后从未使用：静态图链条实际以动态图训练。",
    ),
    # Comments that suppress.
    "bad-suppression": (
        "The suppression {why}, so it has no effect.",
        "该抑制注释{why}，因此无效。",
    ),
    "names-no-kind": ("names no kind", "没有写明种类"),
    "names-unknown": (
        "names {kinds}, which does not exist",
        "写明的种类 {kinds} 不存在",
    ),
    "gives-no-reason": ("gives no reason", "没有说明理由"),
    # What to do.
    "apply-inserts": ("`codemod apply` inserts the hook.", "`codemod apply` 会插入转换。"),
    "after-apply": ("After `codemod apply`: {why}", "执行 `codemod apply` 之后：{why}"),
    "apply-mends": ("`codemod apply` mends it.", "`codemod apply` 会修正。"),
    "apply-fixes": ("`codemod apply` fixes it.", "`codemod apply` 会解决。"),
    "fix-proved": ("A fix is proved: {command}", "已有经过证明的修复：{command}"),
    "hook-before-wrap": ("Move the hook before the wrap.", "把转换移到多卡封装之前。"),
    "hook-after-copy": ("Hook after the copy.", "在复制之后再转换。"),
    "hook-once": ("Hook it in one place.", "只在一处转换。"),
    "take-decorator-off": (
        "Take the decorator off, and make the method static where it is exported.",
        "去掉装饰器，在导出处再将该方法转为静态图。",
    ),
    "derive-spec": (
        "`codemod spec` derives the spec from what is fed.",
        "`codemod spec` 会根据实际输入推导 InputSpec。",
    ),
    "read-the-word": (
        "Use action='store_true', or a function that reads the word.",
        "改用 action='store_true'，或使用解析该词的函数。",
    ),
    "hook-sees-to-it": ("The kit's hook sees to it.", "套件的转换已处理此问题。"),
    "write-suppression": (
        "Write `# codemod: ignore[KIND] the reason`.",
        "写成 `# codemod: ignore[KIND] 理由`。",
    ),
    # Speed.
    "slow-static": (
        "Timed in {runs}: {cause}",
        "计时（{runs}）发现：{cause}",
    ),
    "slow-spec": (
        "`codemod spec` looks for the InputSpec that makes it one program.",
        "可用 `codemod spec` 寻找使其成为一个程序的 InputSpec。",
    ),
    "slow-dense": (
        "Leave the look-up of the table dynamic: hook what follows it.",
        "让查表保持动态图，只转换其后的部分。",
    ),
}
