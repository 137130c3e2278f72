"""What the audit says of a kit's code, and why a place in it has no fix."""

TABLE: dict[str, tuple[str, str]] = {
    # Why a config reaches no hook.
    "need": ("{why} ({key})", "{why}（{key}）"),
    "refused": ("{why} ({key})", "{why}（{key}）"),
    "refused-value": ("{why} ({key}: {value})", "{why}（{key}: {value}）"),
    "need-value": ("{why} ({key}: {value})", "{why}（{key}: {value}）"),
    "behind": (
        "the one that it comes to makes training fail or go wrong: {why} ({key})",
        "所执行到的转换会使训练失败或出错：{why}（{key}）",
    ),
    "behind-value": (
        "the one that it comes to makes training fail or go wrong: {why} ({key}: {value})",
        "所执行到的转换会使训练失败或出错：{why}（{key}: {value}）",
    ),
    "no-hook": ("no hook in {hooks}", "{hooks} 中没有转换"),
    "no-trainer": ("no trainer of the kit runs it", "套件的训练器不运行它"),
    "own-loop": (
        "its own training loop is none that the rule knows",
        "其自有训练循环不在规则之内",
    ),
    # Fixes that are not offered, and places that have none.
    "another-thing": (
        "{name} is another thing in this function",
        "{name} 在该函数中另有所指",
    ),
    "asked-by-name": (
        "it is not asked of a module by name",
        "不是通过模块名调用的",
    ),
    "cannot-rewrite": ("It cannot be rewritten: {why}", "无法改写：{why}"),
    "changes-numbers": (
        "{method}() changes the numbers that the view shares with another tensor",
        "{method}() 会改变该视图与另一个张量共享的数值",
    ),
    "default-not-literal": (
        "a default of the forward above is more than a literal",
        "父类 forward 的某个默认值不是字面量",
    ),
    "except-no-assertion": (
        "its except does not catch an assertion",
        "其 except 不捕获断言异常",
    ),
    "forward-unnamed": (
        "the forward above does not name what it takes either",
        "父类的 forward 也没有列出参数名",
    ),
    "held-elsewhere": (
        "it is not seen that nothing else holds {name}",
        "无法确认没有其他地方持有 {name}",
    ),
    "held-unseen": (
        "it is not seen who else holds what {method}() is called on",
        "无法确认还有谁持有调用 {method}() 的张量",
    ),
    "layer-makes": (
        "a layer makes {name}, whose last operation may read another tensor",
        "{name} 由一个层产生，其最后一个算子读取的可能是另一个张量",
    ),
    "mangles-none": ("no class mangles the name", "该名称不在类中，不会被改写"),
    "more-than-dtype": ("more than a dtype is asked for", "要求的不只是 dtype"),
    "names-unseen": ("it is not seen which names it takes", "无法确认它接受哪些参数名"),
    "no-class-name": (
        "the class has no name that its module knows",
        "该类没有模块可见的名称",
    ),
    "no-dtype": (
        "it is not seen that a dtype is asked for",
        "无法确认要求的是 dtype",
    ),
    "no-gradient": (
        "{name} has no gradient that could be stopped",
        "{name} 没有可以截断的梯度",
    ),
    "no-layer-parameter": (
        "the function has no parameter that holds the layer",
        "该函数没有接收层对象的参数",
    ),
    "no-tensor-length": ("it is not the length of a tensor", "它不是张量的长度"),
    "no-try": ("no try catches that there is no group", "没有 try 处理通信组不存在的情况"),
    "not-both-spreads": (
        "it does not take both *args and **kwargs",
        "它没有同时接受 *args 和 **kwargs",
    ),
    "not-own-statement": (
        "{name} is not made by a statement of its own",
        "{name} 不是由单独的语句产生的",
    ),
    "equal-branches": (
        "both branches of an if would be the same",
        "if 的两个分支会变得相同",
    ),
    "nothing-changed": ("The rewrite changes nothing", "改写没有改变任何内容"),
    "other-tensor": (
        "what is returned is another tensor of that name",
        "返回的是另一个同名张量",
    ),
    "read-again": (
        "{name} may be read again in the shape that {method}() gives it",
        "{name} 之后可能按 {method}() 给出的形状再次被读取",
    ),
    "run-failed": ("{said}", "没有跑成：{said}"),
    "sentence": ("{why}.", "{why}。"),
    "several-attributes": ("more than one attribute is set", "同时设置了多个属性"),
    "shape-as-content": (
        "to_tensor would take the shape for the tensor's numbers, and the error would become a"
        " tensor of another shape",
        "to_tensor 会把形状当作张量的数值，错误会变成一个形状不同的张量",
    ),
    "stack-by-module": (
        "stack is not called by the name of its module",
        "stack 不是通过模块名调用的",
    ),
    "statement-alone": (
        "the statement cannot be rewritten alone",
        "该语句无法单独改写",
    ),
    "statement-not-found": ("its statement is not found", "没有找到它所在的语句"),
}
