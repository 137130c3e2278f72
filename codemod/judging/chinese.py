"""What judging says, in Chinese: verdicts, reasons and hints, from `chinese.yaml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from codemod.judging.verdict import HINTS, Verdict

_FILE = Path(__file__).with_name("chinese.yaml")
# Between Chinese clauses there stand a Chinese comma, and no space after a sentence.
_COMMA = re.compile(r"(?<=[^\x00-\xff]), |, (?=[^\x00-\xff])")
_SPACE = re.compile(r"(?<=[。）]) (?=\S)")


@cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return table


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(one["en"]), one["zh"]) for one in _table()["patterns"])


def verdict_in_chinese(verdict: Verdict) -> str:
    """A verdict in words."""
    return str(_table()["verdicts"][verdict.value])


def reason_in_chinese(text: str) -> str:
    """A reason or a hint in Chinese; messages of the kit and of Paddle in it stay as they are."""
    whole = text
    for kind, hint in HINTS.items():
        text = text.replace(hint, _table()["hints"][kind])
    for one in _table()["sentences"]:
        text = text.replace(one["en"], one["zh"])
    for pattern, chinese in _patterns():
        text = pattern.sub(chinese, text)
    return text if text == whole else _SPACE.sub("", _COMMA.sub("，", text))
