"""What is said of files, and places in them: why one cannot be read as Python."""

TABLE: dict[str, tuple[str, str]] = {
    "cannot-parse": ("cannot be parsed: {said}", "无法解析：{said}"),
    "gone": ("cannot be read", "无法读取"),
    "line": ("line {line}", "第 {line} 行"),
    "link-outside": (
        "a symbolic link that leads out of the tree is not followed",
        "不跟随指向目录树之外的符号链接",
    ),
    "place": ("{file}:{line}", "{file}:{line} 处"),
    "syntax": ("line {line}: {said}", "第 {line} 行：{said}"),
    "too-deep": (
        "its code is nested more than {levels} levels deep; it is generated",
        "代码嵌套超过 {levels} 层，应是自动生成的",
    ),
    "too-large": (
        "{size} is more than people write; it is data or generated",
        "文件有 {size}，不是人手写的代码，而是数据或自动生成的",
    ),
    "unreadable": ("cannot be read ({said})", "无法读取（{said}）"),
}
