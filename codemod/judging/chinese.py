"""Verdicts and hints of the judge in Chinese, from `chinese.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from codemod.judging.verdict import HINTS, Verdict

_FILE = Path(__file__).with_name("chinese.yaml")


@cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return table


def verdict_in_chinese(verdict: Verdict) -> str:
    """A verdict in words."""
    return str(_table()["verdicts"][verdict.value])


def hint_in_chinese(hint: str) -> str:
    """One of the judge's hints; another text has no Chinese, and gives ""."""
    return next((str(_table()["hints"][kind]) for kind, text in HINTS.items() if text == hint), "")
