"""What a trainer's own code does that a static graph may freeze or split."""

TABLE: dict[str, tuple[str, str]] = {
    "set-from-outside": (
        "AST keeps the value of {name} that it traced, where forward reads it, and SOT follows. "
        "Hand such a value over as a tensor.",
        "若前向读取 {name}，AST 会保留追踪时的值，SOT 会跟随新的值。这样的值请以张量传入。",
    ),
    "counter": (
        "the model is given {name}: each new number is one more program. Hand it over as a tensor.",
        "模型接收 {name}：每个新的数值都会多生成一个程序。请以张量传入。",
    ),
    "mode-of-part": (
        "{call}() after the first step is ignored by AST, which traced the other mode; SOT "
        "follows. Switch before the first step.",
        "首步之后的 {call}() 在 AST 下无效，它追踪的是另一模式；SOT 会跟随。请在首步之前切换。",
    ),
    "copy": (
        "a deepcopy here turns the model and its copy back to dynamic on Paddle 2.6.",
        "在 Paddle 2.6 上，此处的 deepcopy 会使模型及其副本变回动态。",
    ),
    "backwards": (
        "where the program of the second one in a step differs from the first one's (other shapes, "
        "other structure) only the last one's gradients survive.",
        "若一步内第二次反向的程序与第一次不同（形状或结构不同），只有最后一次的梯度会保留。",
    ),
    "name-set-from-outside": ("D-26 attribute set from outside", "D-26 从外部设置属性"),
    "name-counter": ("D-47 counter as an argument", "D-47 以计数为参数"),
    "name-mode-of-part": ("D-33 mode of a part", "D-33 部分网络的模式"),
    "name-copy": ("copy after the hook", "转换之后的复制"),
    "name-backwards": ("several backward passes", "一步内多次反向"),
}
