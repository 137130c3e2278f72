"""What is said of experiments: why one must be run again, what an edit of a spec is."""

TABLE: dict[str, tuple[str, str]] = {
    "after-the-hook": ("{event} after the hook", "转换之后出现 {event}"),
    # What a probe says of its runs.
    "cannot-run": (
        "The probe could not run it in dynamic mode: {said}",
        "试跑无法以动态图运行它：{said}",
    ),
    "loss-says-nothing": (
        "the loss is not a number, or has no gradient",
        "loss 不是数值，或没有梯度",
    ),
    "memory": (
        "The run had taken {grown} GB and may take {most} GB (--memory).",
        "运行已占用 {grown} GB，上限为 {most} GB（--memory）。",
    ),
    "model-fails": (
        "The model fails in dynamic mode at its own size: {said}",
        "模型在自身尺寸下以动态图运行失败：{said}",
    ),
    "no-loss": (
        "The probe found no loss that could tell models apart: {said}.",
        "试跑没有找到能区分模型的 loss：{said}。",
    ),
    "not-static": (
        "to_static was called, but {why}{breaks:aside}: dynamic training was compared with itself.",
        "调用了 to_static，但{why}{breaks:aside}：比较的是动态图与它自己。",
    ),
    "seen-at-size": (
        "Seen at size {size} only; the config's own size is too large for the limit, or does not "
        "run.",
        "只在尺寸 {size} 下看到；配置自身的尺寸超出限制，或无法运行。",
    ),
    "stopped": ("{phase}: {error}", "{phase}：{error}"),
    "stopped-memory": ("{phase}: {error} {memory}", "{phase}：{error} {memory}"),
    "killed": (
        "The dynamic run was ended from outside, by a signal: {said}. Run it again.",
        "动态图训练被外部信号终止：{said}。请重新运行。",
    ),
    "time-limit": (
        "The dynamic run reached the time limit: {said}",
        "动态图训练达到了时限：{said}",
    ),
    # Why runs are made again, and what an edit of a spec is.
    "controls-lacking": (
        "the judge now wants control runs that were not made",
        "现在的判定需要当时没有做的对照运行",
    ),
    "first-without-gradients": (
        "first called without gradients after the hook",
        "转换之后的第一次调用没有梯度",
    ),
    "hook-not-reached": ("no hook is reached", "没有到达任何转换"),
    "hook-on-no-model": ("a wrapper, or no layer, is hooked", "转换的是包装器，或不是 Layer"),
    "hooked-after": ("hooked after {events:and}", "转换晚于 {events:and}"),
    "hooked-twice": ("hooked twice", "转换了两次"),
    "moved": (
        "Of the {whole} parameters and buffers of {net} the steps change {dynamic} in dynamic "
        "mode, {static} here.",
        "{net} 的 {whole} 个参数与缓冲区中，"
        "动态图的训练步改变了 {dynamic} 个，此处为 {static} 个。",
    ),
    "observed-spec": ("the spec that the batches have", "与实际批次一致的 InputSpec"),
    "off-differs": (
        "with the switch off, event {number} of the run is `{after}` and was `{before}`",
        "开关关闭时，运行的第 {number} 个事件是 `{after}`，原来是 `{before}`",
    ),
    "off-raises": (
        "with the switch off the run ends with {after}, and ended with {before}",
        "开关关闭时，运行以 {after} 结束，原来以 {before} 结束",
    ),
    "other-recorder": (
        "another version of the recorder wrote its records",
        "记录由另一版本的记录器写成",
    ),
    "probe": ("a probe keeps no records", "试跑不保留记录"),
    "ended-outside": ("a run of it was ended from outside", "其中一次运行被外部终止"),
    "records-gone": ("its records are gone", "记录已不在"),
    "records-later": (
        "its records are gone, or of a later run",
        "记录已不在，或属于之后的运行",
    ),
    "rehearsal-ended": ("the rehearsal was ended", "预演被终止"),
    "rehearsal-raises": (
        "the run ends before the hook: {error}",
        "运行在到达转换之前结束：{error}",
    ),
    "trained-not-hooked": ("what is trained is not hooked", "被训练的模型没有转换"),
}
