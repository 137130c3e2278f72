"""What the engine says of a hook's place, its gate, and why there is none."""

TABLE: dict[str, tuple[str, str]] = {
    "after-build": ("after the model is built", "在模型构建之后"),
    "gradient-of-gradient": (
        "{place} differentiates a gradient, and a static model gives its weights none there: "
        "its penalty would train nothing, or raise",
        "{place} 处对梯度再求导，而静态的模型在那里不给权重梯度：梯度惩罚不起作用，或者报错",
    ),
}
