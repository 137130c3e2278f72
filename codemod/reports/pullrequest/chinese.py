"""What an edit is for, in Chinese."""

from __future__ import annotations

_KINDS = {
    "hook": "转换",
    "helper": "辅助",
    "import": "导入",
    "plumbing": "开关",
    "config": "配置",
    "doc": "文档",
    "fix": "改写",
    "tipc": "TIPC",
}


def kind_in_chinese(kind: str) -> str:
    """What an edit is for."""
    return _KINDS.get(kind, kind)
