"""What is said of proofs on record: why a fix with them is not offered."""

TABLE: dict[str, tuple[str, str]] = {
    "differs": (
        "dynamic training on Paddle {paddle} is not the same: {said}",
        "Paddle {paddle} 上的动态图训练结果不同：{said}",
    ),
    "fails-after": (
        "dynamic training fails on Paddle {paddle} after it: {said}",
        "改写之后，Paddle {paddle} 上的动态图训练失败：{said}",
    ),
    "none-passes": (
        "no static mode passes that did not pass before",
        "没有哪种静态模式由不通过变为通过",
    ),
    "none-passes-in-trainer": (
        "no static mode that it was made for passes in the kit's own trainer",
        "改写所针对的静态模式在套件自己的训练器中都没有通过",
    ),
    "nothing-compared": (
        "nothing was compared on Paddle {paddle}: {said}",
        "Paddle {paddle} 上没有可比较的结果：{said}",
    ),
    "passed-before": (
        "{modes} passed on Paddle {paddle} before it",
        "改写之前，Paddle {paddle} 上的 {modes} 是通过的",
    ),
    "trainer-differs": (
        "the kit's own dynamic training on Paddle {paddle} is not shown to be the same: {said}",
        "未能证明套件自己的动态图训练在 Paddle {paddle} 上保持一致：{said}",
    ),
    "unexecuted": (
        "its lines {places} were not executed on Paddle {paddle}",
        "它改写的 {places} 在 Paddle {paddle} 上没有被执行",
    ),
    "unproved": ("it is not proved on Paddle {paddle} yet", "尚未在 Paddle {paddle} 上验证"),
}
