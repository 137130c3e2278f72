"""What reports say of documents and test chains that they would edit, and of a kit's models."""

TABLE: dict[str, tuple[str, str]] = {
    # Hazards that the code shows.
    "predicted": ("{hazard} {name} in {scope}", "{scope} 中的 {hazard} {name}"),
    "predicted-more": ("{first}, and {more} more", "{first}，另有 {more} 处"),
    # Headlines of a pull request, and subjects of its commits and patches.
    "headline-shared": (
        "Prepare the switch for dynamic-to-static training",
        "为动转静训练准备开关",
    ),
    "headline-switch": ("Add a switch for dynamic-to-static training", "为动转静训练添加开关"),
    "headline-fix": ("Fix: {what}", "修复：{what}"),
    "headline-fixes": (
        "Fix: {what} (and {more:more repair|more repairs})",
        "修复：{what}，另有 {more} 项修复",
    ),
    "headline-completes": ("Complete dynamic-to-static training", "完善动转静训练"),
    "headline-completes-in": (
        "Complete dynamic-to-static training in {files}",
        "完善{files}中的动转静训练",
    ),
    "headline-passes-on": (
        "Pass on the switch for dynamic-to-static training in {files}",
        "在{files}中传递动转静训练的开关",
    ),
    "headline-prepares": (
        "Prepare dynamic-to-static training in {what}",
        "为{what}准备动转静训练",
    ),
    "headline-prepares-short": ("Prepare static training in {what}", "为{what}准备动转静训练"),
    "headline-completes-short": (
        "Complete static training in {files}",
        "完善{files}中的动转静训练",
    ),
    "headline-passes-on-short": (
        "Pass on the switch for static training in {files}",
        "在{files}中传递动转静训练的开关",
    ),
    # Of a part of the kit, where each has a pull request of its own.
    "headline-of-part": ("{what} ({part})", "{what}（{part}）"),
    "headline-core": ("core", "核心部分"),
    "headline-in-part": ("Support dynamic-to-static training in {part}", "{part} 支持动转静训练"),
    "headline-in-part-short": ("Support static training in {part}", "{part} 支持动转静训练"),
    "headline-trainers": ("{count:trainer|trainers}", " {count} 个训练器"),
    "headline-files": ("{name} and {more:more file|more files}", " {name} 和另外 {more} 个文件"),
    "headline-extends": ("Extend dynamic-to-static training", "扩大动转静训练范围"),
    "headline-extends-configs": (
        "Extend dynamic-to-static training: {before} → {after} configs",
        "扩大动转静训练范围：{before} → {after} 个配置",
    ),
    "headline-extends-trainers": (
        "Extend dynamic-to-static training to {count:more trainer|more trainers}",
        "动转静训练新增 {count} 个训练器",
    ),
    "headline-new": ("Support dynamic-to-static training", "支持动转静训练"),
    "headline-new-configs": (
        "Support dynamic-to-static training: {after} of {total} configs",
        "支持动转静训练：{total} 个配置中的 {after} 个",
    ),
    # Where a hook stands, and what is said of those that the kit has.
    "hook-stands": ("The hook stands {where}.", "转换放在{where}。"),
    "hooks-stand": ("Each hook stands {where}.", "转换放在{where}。"),
    "hook-moves": (
        "The kit's call moves here from line {line}. {about}",
        "套件原有的调用由第 {line} 行移到这里。{about}",
    ),
    # Documents of the kit's.
    "no-document": ("this revision has no such document", "此版本没有该文档"),
    "no-known-document": (
        "no training document of this kit is known to list options",
        "未发现本套件有列出选项的训练文档",
    ),
    "no-list-of-options": (
        "the place where the document lists its options was not found",
        "没有找到文档列出选项的位置",
    ),
    "no-such-switch": (
        "no hook has the switch `{switch}` that the line would tell of",
        "没有转换使用该行要说明的开关 `{switch}`",
    ),
    "tells-of-switch": ("tells of the switch", "说明该开关"),
    # TIPC chains.
    "chain": (
        "the chain that trains this model statically",
        "以静态图训练该模型的 TIPC 链条",
    ),
    "chain-off": (
        "the kit has switched the chain of this model off by itself",
        "套件自己关闭了该模型的链条",
    ),
    "empty-line": (
        "an empty line stands above the section's place, and TIPC would read a wrong line",
        "该段位置之前有空行，TIPC 会读错行",
    ),
    "line-taken": ("line {line} is taken: {text}", "第 {line} 行已被占用：{text}"),
    "no-line": (
        "the file has no line {line}, where the chain belongs",
        "文件没有链条所在的第 {line} 行",
    ),
    "no-norm-train": (
        "it has no norm_train command that a switch could be added to",
        "它没有可以加开关的 norm_train 命令",
    ),
    "no-option": (
        "no other config shows the value, and the hook names no command line option",
        "其他配置中没有该值，转换也没有对应的命令行选项",
    ),
    "other-switch": (
        "the kit's other configs switch on by `{shown}`, but the hooks by `{switches}`",
        "套件的其他配置用 `{shown}` 打开开关，而转换用 `{switches}`",
    ),
    "reads-no-chain": (
        "{file} reads no {key} chain, so a line here would do nothing",
        "{file} 不读取 {key} 链条，在此加一行不起作用",
    ),
    # Speed.
    "speed-tally": (
        "Static steps against dynamic ones, timed in turn (once a config, mode and Paddle): "
        "{counts}.",
        "静态图与动态图轮流计时的结果（每个配置、模式和 Paddle 版本各一次）：{counts}。",
    ),
    "speed-count-faster": ("{count} faster", "{count} 次更快"),
    "speed-count-same": ("{count} as fast", "{count} 次同速"),
    "speed-count-slower": ("{count} slower", "{count} 次更慢"),
    "speed-count-unclear": ("{count} unclear", "{count} 次快慢未明"),
    "speed-slower": (
        "`{config}` in {mode} on Paddle {paddle} is {speed}: {why}",
        "`{config}`（{mode}，Paddle {paddle}）{speed}：{why}",
    ),
    "speed-timed": (
        "`{config}` in {mode} on Paddle {paddle}: {speed}",
        "`{config}`（{mode}，Paddle {paddle}）：{speed}",
    ),
}
