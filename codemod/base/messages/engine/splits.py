"""What the engine says of layers that cannot be split."""

TABLE: dict[str, tuple[str, str]] = {
    # Layers that cannot be split, and statements that must stay dynamic.
    "already-has": ("it has a {name} already", "它已有 {name}"),
    "binds-self": ("its {method} binds {name} again", "它的 {method} 重新绑定了 {name}"),
    "catches-errors": ("catches errors", "捕获异常"),
    "decorated": ("its {method} is decorated", "它的 {method} 带有装饰器"),
    "defines-class": ("defines a class", "定义类"),
    "defines-function": ("defines a function", "定义函数"),
    "deletes": ("deletes", "删除变量"),
    "enters-context": ("enters a context", "进入上下文"),
    "first-parameter": (
        "the first parameter of its {method} is not called {name}",
        "它的 {method} 的第一个参数不叫 {name}",
    ),
    "hands-on": ("hands {name} on", "把 {name} 传出"),
    "holds-lambda": ("holds a lambda", "含有 lambda"),
    "imports": ("imports", "导入模块"),
    "inherited": ("{name} inherits from it", "{name} 继承自它"),
    "inherits": ("it inherits from {base}", "它继承自 {base}"),
    "keeps": ("keeps {name} on {owner}", "把 {name} 存到 {owner} 上"),
    "late-attribute": (
        "reads {name}, which changes outside __init__",
        "读取在 __init__ 之外改变的 {name}",
    ),
    "looks-round": (
        "its {method} looks at its own names by {name}",
        "它的 {method} 用 {name} 查看自身的变量",
    ),
    "looks-up": ("looks up in {name}", "在 {name} 中查表"),
    "nothing-dynamic": (
        "nothing that its {method} uses must stay dynamic",
        "它的 {method} 没有用到必须保持动态的内容",
    ),
    "not-split": ("{scope}: not split: {why}", "{scope}：不拆分：{why}"),
    "private-name": ("reads the private name {name}", "读取私有名称 {name}"),
    "raises": ("raises", "抛出异常"),
    "reads-value": ("reads a value out of a tensor", "从张量中取出数值"),
    "static-net": (
        "its {method} builds a static graph already, by paddle.static.nn",
        "它的 {method} 已用 paddle.static.nn 构建静态图",
    ),
    "statement-of": (
        "its {method} has a {kind} in line {line}",
        "它的 {method} 第 {line} 行有 {kind}",
    ),
    "table-at-run-time": (
        "it adds a table under a name that is made up at run time",
        "它以运行时拼出的名称添加查找表",
    ),
    "table-by-setattr": ("it sets a table by setattr", "它用 setattr 设置查找表"),
    "table-made-or-read": ("makes or reads a table", "构造或读取查找表"),
    "undefined-attribute": (
        "uses {name}, which the class does not define",
        "使用类中没有定义的 {name}",
    ),
    "uses": ("uses {name}", "使用 {name}"),
    "worth-no-program": (
        "no part of its {method} is worth a program of its own",
        "它的 {method} 没有值得单独成为一个程序的部分",
    ),
    "worth-no-program-for": (
        "no part of its {method} is worth a program of its own: line {line} {why}",
        "它的 {method} 没有值得单独成为一个程序的部分：第 {line} 行{why}",
    ),
    "option-spread": (
        "{place} hands every option on as a keyword, and refuses one that it does not know",
        "{place} 处把全部选项作为关键字参数传出，遇到不认识的选项会报错",
    ),
    "option-compared": (
        "{place} compares all options at once, and with one more they would differ",
        "{place} 处把全部选项整体比较，多一个选项结果就不同",
    ),
    "option-listed": (
        "{place} makes something of the list of all options, which one more would change",
        "{place} 处用到全部选项的列表，多一个选项结果就不同",
    ),
    "option-library": (
        "{place} makes its parser by {library}, which may take options from elsewhere too",
        "{place} 处的解析器由 {library} 生成，选项还可能来自别处",
    ),
    "option-prefix": (
        "{place} makes a parser whose options do not begin with `-`",
        "{place} 处的解析器，其选项不以 `-` 开头",
    ),
    "option-parents": (
        "{place} makes a parser that shares its options with another",
        "{place} 处的解析器与另一个解析器共用选项",
    ),
    "option-fixed-list": (
        "{place} parses a list that stands in the code, so that nobody could give the option",
        "{place} 处解析的是写在代码里的列表，用户无法给出选项",
    ),
    "option-commands": (
        "{place} makes a parser with commands, each of which has options of its own",
        "{place} 处的解析器带有子命令，每个子命令有自己的选项",
    ),
    "option-taken": (
        "{place} has an option of that name with another meaning, or one that is on by default",
        "{place} 处已有同名选项，含义不同，或默认为开",
    ),
    "config-spread": (
        "{place} hands every key of the config on as a keyword, and refuses one that it does not "
        "know",
        "{place} 处把配置的全部键作为关键字参数传出，遇到不认识的键会报错",
    ),
    "config-compared": (
        "{place} compares all keys of the config at once, and with one more they would differ",
        "{place} 处把配置的全部键整体比较，多一个键结果就不同",
    ),
    "variable-name-taken": (
        "{place} has a thing of its own under the name `os`",
        "{place} 里 `os` 这个名字另有所指",
    ),
    "config-rebound": (
        "`{name}` is no longer the config where the hook would stand",
        "在转换该放的位置，`{name}` 已不是配置",
    ),
    "nothing-read": (
        "no config that could carry the switch is read in this scope",
        "此作用域内没有读取可以承载开关的配置",
    ),
    "with-variable": (
        "{placed} The switch is the environment variable {variable}: {why}.",
        "{placed}开关是环境变量 {variable}：{why}。",
    ),
}
