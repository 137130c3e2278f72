"""What the engine says of a hook's place, its gate, and why there is none."""

TABLE: dict[str, tuple[str, str]] = {
    # Where a hook stands, and what became of it.
    "after": ("after {steps:and}", "{steps}之后"),
    "after-since": ("after {steps:and} ({why})", "{steps}之后（{why}）"),
    "model-built": ("the model is built", "模型构建"),
    "model-built-and-copied": ("the model is built and copied", "模型构建并复制"),
    "model-taken": ("the trainer takes the model over", "训练器接管模型"),
    "model-taken-and-copied": (
        "the trainer takes the model over and copies it",
        "训练器接管模型并复制",
    ),
    "model-copied": ("it is copied", "模型复制"),
    "layers-converted": ("its layers are converted", "各层改写"),
    "layers-changed": ("its layers are changed", "各层改动"),
    "model-peeked": ("it is called without gradients", "不求梯度的调用"),
    "since-copied": (
        "a later deepcopy would undo the hook on Paddle 2.6",
        "在 Paddle 2.6 上，后面的 deepcopy 会使转换失效",
    ),
    "since-peeked": (
        "a program first traced there gives none",
        "首次在那里追踪的程序没有梯度",
    ),
    "before-forward": ("before its first forward", "首次前向计算之前"),
    "before-wrap": (
        "before it is wrapped for several cards (hooking the wrapper raises)",
        "多卡封装之前（转换封装后的对象会报错）",
    ),
    "file-unchangeable": (
        "A file it needs cannot be changed: {why}.",
        "所需的一个文件无法修改：{why}。",
    ),
    "moved": ("Moved from line {line}. {about}", "由第 {line} 行移来。{about}"),
    "no-config": (
        "No config of the kit that could carry the switch is read in this scope.",
        "此作用域内没有读取可以承载开关的套件配置。",
    ),
    "not-placed": ("Not placed: {why}.", "没有插入：{why}。"),
    "not-placed-in": ("Not placed: in {file} {why}.", "没有插入：{file} 中{why}。"),
    "placed": ("{where!c}.", "放在{where}。"),
    "present": ("This model is hooked here already.", "此处已对该模型调用 to_static。"),
    "taken-over": (
        "Where the trainer takes over the model that it builds.",
        "放在训练器接管其所构建的模型之处。",
    ),
    "where-received": ("where the trainer receives the model", "训练器接收模型之处"),
    # Why there is no place for it.
    "built-where-wrapped": (
        "the call that wraps the model at line {line} also builds it: it has no name before",
        "第 {line} 行封装模型的调用同时构建了模型，此前模型没有名字",
    ),
    "built-where-wrapped-in": (
        "the call that wraps the model at line {line} (in {scope}) also builds it: "
        "it has no name before",
        "第 {line} 行（{scope} 中）封装模型的调用同时构建了模型，此前模型没有名字",
    ),
    "changed-late": (
        "{place} changes the layers of the model, or looks through them, after line {first} calls "
        "or wraps it",
        "{place} 在第 {first} 行调用或封装模型之后才改动或遍历模型的各层",
    ),
    "peeked-late": (
        "{place} calls the model in training mode without gradients, after line {first} calls or "
        "wraps it and before it is called with them: a program first traced there gives none "
        "(Paddle 2.6.2 aborts, 3.3.1 is silent)",
        "{place} 在第 {first} 行调用或封装模型之后、首次求梯度的调用之前，以训练模式不求梯度地调用"
        "模型：首次在那里追踪的程序没有梯度（Paddle 2.6.2 会中止，3.3.1 不报错）",
    ),
    "copied-late": (
        "the model is copied at line {line}, not before it is called or wrapped at line {first}",
        "模型在第 {line} 行才被复制，而第 {first} 行已经调用或封装了模型",
    ),
    "no-anchor": (
        "nothing like {anchor!r} stands in {files}",
        "{files} 中没有形如 `{anchor}` 的代码",
    ),
    "no-position": (
        "no position lies after the build and copies",
        "模型构建和复制之后没有合适的位置",
    ),
    "no-position-before": (
        "no position lies after the build and copies and before line {line}",
        "模型构建和复制之后、第 {line} 行之前没有合适的位置",
    ),
    "made-elsewhere": (
        "line {line} calls or wraps the model, and this scope does not make it",
        "第 {line} 行调用或封装模型，而此作用域没有构建它",
    ),
    "used-before-made": (
        "the model is called or wrapped at line {line}, before this scope makes it",
        "模型在第 {line} 行就被调用或封装，而此作用域在其后才构建模型",
    ),
    # Names that a change would use.
    "bound-on-some-ways": (
        "`{name}` is bound on some ways to it only",
        "`{name}` 只在到达此处的部分路径上有定义",
    ),
    "made-local": (
        "the change would make `{name}` a local name, which is read before it is bound",
        "改动会使 `{name}` 成为局部变量，而它在赋值之前就被读取",
    ),
    "star-import": (
        "`{name}` is bound by a star import at most, and the file does not use it",
        "`{name}` 至多来自星号导入，而该文件没有使用它",
    ),
    "unbound": ("`{name}` is not bound there", "`{name}` 在该处没有定义"),
    # Why a trainer is left alone.
    "abstained": ("{scope}: {why}", "{scope}：{why}"),
    "partner": (
        "{scope} optimizes `{name}` too, and no place for its hook was found: it stays dynamic",
        "{scope} 也优化 `{name}`，但没有找到它的转换位置：它保持动态执行",
    ),
    "handled-elsewhere": (
        "{place} copies, changes or wraps the model of an object that it is given, and the order "
        "in which such functions are called is not followed",
        "{place} 复制、改动或封装传入对象的模型，而这类函数的调用顺序没有追溯",
    ),
    "paths-collide": (
        "from {first} the hook belongs in the method at {one}, from {second} in the one at "
        "{other}: no place comes before the first wrap and call on both paths",
        "从 {first} 起转换应位于 {one} 的方法，从 {second} 起应位于 {other} 的方法："
        "没有一处在两条路径上都先于首次封装和调用",
    ),
    "order-unknown": (
        "{place} copies, changes or wraps the model in a class derived from another, and no call "
        "that makes an object of it was found to show when",
        "{place} 在派生关系中的另一个类里复制、改动或封装模型，"
        "而没有找到创建其对象的调用来表明在何时",
    ),
    "accumulated": (
        "{place} adds to the gradients of line {line}, with an input that needs a gradient in one "
        "of the two only: in AST the second program's trace clears what the first backward gave",
        "{place}在第 {line} 行的梯度之上累加，而两处的输入只有一处需要梯度："
        "AST 追踪第二个程序时会清掉第一次反向得到的梯度",
    ),
    "backward-twice": (
        "{place} goes back through what line {line} went back through already "
        "(retain_graph=True): in AST the second pass raises, for a program keeps its tensors "
        "for one",
        "{place}对第 {line} 行已反向过的计算图再次反向（retain_graph=True）："
        "AST 的程序只为一次反向保留张量，第二次反向会报错",
    ),
    "changing-number": (
        "{place} hands the model {numbers:and}, which the loop changes: each number would trace "
        "a program of its own (AST), or the model would run dynamically after some of them (SOT)",
        "{place}把循环中变化的 {numbers:and} 传给模型：每个数值都会追踪出一个新程序（AST），"
        "或在若干个数值之后改为动态执行（SOT）",
    ),
    "file-has": ("the file has {text!r}", "文件中有 `{text}`"),
    "file-lacks": ("the file lacks {text!r}", "文件中没有 `{text}`"),
    "fluid": (
        "written for paddle.fluid, before paddle.jit.to_static existed",
        "为 paddle.fluid 编写，当时还没有 paddle.jit.to_static",
    ),
    "gradient-of-gradient": (
        "{place} differentiates a gradient, and a static model gives its weights none there: "
        "its penalty would train nothing, or raise",
        "{place}对梯度再求导，而静态的模型在那里不给权重梯度：梯度惩罚不起作用，或者报错",
    ),
    "kept-by-forward": (
        "{place} reads `{name}` for the loss, which forward keeps as an attribute: after a "
        "full-graph trace it is a symbolic value, and the loss raises",
        "{place}的 loss 读取前向计算存为属性的 `{name}`：整图追踪之后它是符号值，loss 会报错",
    ),
    "no-signature": (
        "paddle.Model reads the signature of its network's forward unless it is given `inputs`, "
        "and a hooked forward has none (TypeError: unsupported callable); given `inputs`, or with "
        "`net.forward.__signature__ = inspect.signature(Net.forward)` on the static net before "
        "paddle.Model takes it, it trains with the same losses (measured on Paddle 2.6.2 and "
        "3.3.1)",
        "除非给出 `inputs`，paddle.Model 会读取网络 forward 的签名，而转换后的 forward 没有签名"
        "（TypeError: unsupported callable）；给出 `inputs`，或在 paddle.Model 接收静态网络之前"
        "设置 `net.forward.__signature__ = inspect.signature(Net.forward)`，"
        "即可训练，且 loss 相同（在 Paddle 2.6.2 和 3.3.1 上测得）",
    ),
    "other-method": (
        "the loss comes from {method}(...), and a hook covers forward only",
        "loss 来自 {method}(...)，而转换只覆盖 forward",
    ),
    "traced-without-gradients": (
        "{place} calls the model in training mode under no_grad, and a program first traced there "
        "gives no gradients (Paddle 2.6.2 aborts, 3.3.1 is silent)",
        "{place}在 no_grad 下以训练模式调用模型，而首次在那里追踪的程序没有梯度"
        "（Paddle 2.6.2 会中止，3.3.1 不报错）",
    ),
    # Files that train and have no hook of their own.
    "base-has-hook": (
        "{name} is derived from {base}, and {hook} has the hook",
        "{name} 继承自 {base}，而 {hook} 已有转换",
    ),
    "base-off": (
        "{name} does not hand {switch} on to {base}, so that the hook in {hook} stays off",
        "{name} 没有把 {switch} 传给 {base}，因此 {hook} 处的转换始终关闭",
    ),
    "base-passed-over": (
        "{name} has its own {method} and does not call {base}'s, where the hook stands ({hook})",
        "{name} 自己定义了 {method}，没有调用 {base} 的同名方法，而转换在后者中（{hook}）",
    ),
    "base-replaced": (
        "{name} makes {target} anew after {base}, so that the hook in {hook} is lost",
        "{name} 在 {base} 之后重新构建 {target}，因此 {hook} 处的转换失效",
    ),
    "callers-hook": (
        "{scope} wraps what it is given: the hook belongs to its callers",
        "{scope} 封装的是传入的模型：应在其调用者处转换",
    ),
    "cover-left-out": (
        "its model would be hooked by {hook}, and that hook is left out",
        "其模型应由 {hook} 转换，而该处没有插入转换",
    ),
    "derived-elsewhere": (
        "{name} is derived from {base}, which is not in this repository",
        "{name} 继承自 {base}，后者不在本仓库中",
    ),
    "differentiates-for-others": (
        "{scope} is what others call to differentiate: no model is trained here",
        "{scope} 供其他代码求导时调用：这里不训练模型",
    ),
    "engine-has-hook": (
        "it is run by {file}, where {scope} has the hook",
        "由 {file} 运行，其中的 {scope} 已有转换",
    ),
    "evaluates-only": (
        "it wraps a model, but nothing in it updates weights: it evaluates only",
        "它封装了模型，但没有更新权重的代码：只做评估",
    ),
    "given-model": (
        "it is given its model by {hook}, which has the hook",
        "它的模型由 {hook} 传入，那里已有转换",
    ),
    "left-alone-by-rule": (
        "the rule of this kit leaves it alone: it is not part of dynamic training",
        "本套件的规则不处理它：它不属于动态图训练",
    ),
    "left-alone-tests": (
        "tests and documents are left alone",
        "不处理测试和文档",
    ),
    "not-python": ("not readable as Python: {why}", "无法按 Python 读取：{why}"),
    "optimizer-from": (
        "the optimizer comes from {call} in line {line}, and what it updates was not followed to a "
        "model that is built and called for the loss",
        "优化器来自第 {line} 行的 {call}，没有由它更新的参数追溯到构建并为 loss 而调用的模型",
    ),
    "optimizer-unclear": (
        "the optimizer gets {parameters:and}, which was not followed to a model that is built and "
        "called for the loss",
        "优化器得到的是 {parameters:and}，没有由此追溯到构建并为 loss 而调用的模型",
    ),
    "origin-unclear": (
        "no optimizer is built here, and its model was not followed to where it is built",
        "这里不构建优化器，也没有追溯到模型在何处构建",
    ),
    "graph-objects": (
        "it trains on graphs of {library}, which its forward may receive beside tensors: no static "
        "mode has been measured on such objects",
        "它在 {library} 的图上训练，forward 可能收到图对象：静态图模式没有在图对象上测量过",
    ),
    "object-of-forward": (
        "{place} reads {read!r} of an object that forward is given: in AST the object's tensors "
        "are constants of the program, those of the first call where the object is kept, and each "
        "new object is a program of its own",
        "{place}读取传给 forward 的对象的 `{read}`：AST 会把对象中的张量当作程序的常量，"
        "对象不变时一直是第一次调用的张量，而每个新对象都是一个新程序",
    ),
    "written-by-forward": (
        "{place} writes weights or buffers in the forward, which stand still in static mode",
        "{place}在 forward 中写权重或缓冲区，静态图模式下它们不变",
    ),
    "graph-classes": (
        "{place} builds its model with {library}, whose graphs a forward may receive beside "
        "tensors: no static mode has been measured on such objects",
        "{place} 用 {library} 构建模型，forward 可能收到图对象：静态图模式没有在图对象上测量过",
    ),
    "another-net": (
        "line {line} makes a net of {builder}, which runs another part of it from step to step: "
        "each would trace a program of its own",
        "第 {line} 行用 {builder} 构建网络，它每一步运行不同的部分：每个部分都会追踪出一个新程序",
    ),
    "pytorch": ("it trains with PyTorch", "它用 PyTorch 训练"),
    "updates-nothing": (
        "it takes gradients, but nothing in it updates weights: it does not train",
        "它求梯度，但没有更新权重的代码：不是训练",
    ),
    # Edits that change a line of the kit's.
    "argument-on-line": ("the call stands on one line", "该调用写在一行之内"),
    "field-clash": (
        "a parser refuses one field name in two dataclasses; the trainer's takes this one's place",
        "解析器不接受两个数据类有同名字段，由训练器的字段取代",
    ),
    "parameter-last": (
        "the new parameter goes last, on the line that closes the signature",
        "新参数放在最后，位于结束函数签名的那一行",
    ),
    # Why a file, or a place in it, cannot be rewritten.
    "argument-calls": (
        "{name}(...) is called {count} times there",
        "该处调用了 {count} 次 {name}(...)",
    ),
    "elements-of-list": (
        "elements can be added to a list or tuple only",
        "只能向列表或元组添加元素",
    ),
    "if-and-elif": (
        "nothing can stand between an `if` and its `elif`",
        "`if` 与其 `elif` 之间不能插入语句",
    ),
    "indentation": (
        "LibCST cannot write in its indentation: {said}",
        "LibCST 无法按其缩进写入：{said}",
    ),
    "libcst-parse": ("LibCST cannot parse it: line {line}", "LibCST 无法解析：第 {line} 行"),
    "libcst-read": ("LibCST cannot read it: {said}", "LibCST 无法读取：{said}"),
    "lines-not-ours": (
        "the result would change lines that are not ours",
        "结果会改动不属于本次修改的行",
    ),
    "lost-statements": (
        "statements that nobody touches were moved or lost",
        "不应改动的语句被移动或丢失",
    ),
    "no-block": ("no block {name!r} where one was expected", "应有的语句块 `{name}` 不存在"),
    "not-byte-for-byte": (
        "LibCST does not give this file back byte for byte",
        "LibCST 不能逐字节还原该文件",
    ),
    "on-header-line": (
        "the block stands on the line of its header",
        "语句块与其头部写在同一行",
    ),
    "outside-block": ("a position lies outside its block", "插入位置在语句块之外"),
    "parameter-of-function": (
        "a parameter can be added to a function only",
        "只能给函数添加参数",
    ),
    "part-on-lines": (
        "a part can be taken out of a method in lines of its own only",
        "只能从逐行书写的方法中抽出一部分",
    ),
    "plain-docstring": (
        "the docstring is not a plain string",
        "文档字符串不是普通字符串",
    ),
    "several-beside-move": (
        "several statements stand on one line beside what moves",
        "要移动的语句与其他语句写在同一行",
    ),
    "several-on-line": (
        "several statements stand on one line in the method",
        "方法中有多条语句写在同一行",
    ),
    "unparsable-result": (
        "the result would not parse: line {line}",
        "修改结果无法解析：第 {line} 行",
    ),
    "unwritable": (
        "it cannot be written in its encoding: {said}",
        "无法以原编码写入：{said}",
    ),
    # What an edit does to its file, which is named beside the clause.
    "edit-parameter": ("the parameter `{name}={default}` is added", "新增参数 `{name}={default}`"),
    "edit-passes": ("`{callee}` is given `{name}={value}`", "向 `{callee}` 传入 `{name}={value}`"),
    "edit-docstring": ("the docstring tells of `{name}`", "文档字符串说明 `{name}`"),
    "edit-elements": ("the list gets {elements}", "列表新增 {elements}"),
    "edit-reads": ("`{old}` becomes `{new}`", "`{old}` 改为 `{new}`"),
    "edit-extracts": (
        "a part of `forward` becomes the method `{name}`",
        "`forward` 的一部分成为方法 `{name}`",
    ),
    "edit-moves": ("the kit's `{code}` moves down", "套件的 `{code}` 移到后面"),
    "edit-removes": ("the kit's `{code}` is taken out", "删去套件的 `{code}`"),
    "edit-replaces": (
        "`{code}` takes the place of the kit's `{old}`",
        "以 `{code}` 取代套件的 `{old}`",
    ),
    "edit-replaces-lines": (
        "lines that begin with `{code}` take the place of the kit's `{old}`",
        "以 `{code}` 开头的几行取代套件的 `{old}`",
    ),
    "edit-wraps": (
        "`{code}` is put around the kit's `{old}`",
        "套件的 `{old}` 外面加上 `{code}`",
    ),
    "edit-else": (
        "the kit's `{old}` goes into the `else` of `{code}`",
        "套件的 `{old}` 移入 `{code}` 的 `else`",
    ),
    "edit-hook": ("the hook is inserted, beginning with `{code}`", "插入转换，以 `{code}` 开头"),
    "edit-adds": ("`{code}` is added", "新增 `{code}`"),
    "edit-adds-lines": (
        "lines that begin with `{code}` are added",
        "新增以 `{code}` 开头的几行",
    ),
}
