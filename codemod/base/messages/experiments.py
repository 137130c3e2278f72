"""What is said of experiments: why one must be run again, what an edit of a spec is."""

TABLE: dict[str, tuple[str, str]] = {
    "controls-lacking": (
        "the judge now wants control runs that were not made",
        "现在的判定需要当时没有做的对照运行",
    ),
    "observed-spec": ("the spec that the batches have", "与实际批次一致的 InputSpec"),
    "other-recorder": (
        "another version of the recorder wrote its records",
        "记录由另一版本的记录器写成",
    ),
    "probe": ("a probe keeps no records", "试跑不保留记录"),
    "records-gone": ("its records are gone", "记录已不在"),
    "records-later": (
        "its records are gone, or of a later run",
        "记录已不在，或属于之后的运行",
    ),
}
