"""What the judge says in words: its verdicts in both languages, its hints in Chinese."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from codemod.base.messages import Language
from codemod.judging.verdict import HINTS, Verdict

_FILE = Path(__file__).with_name("words.yaml")


@cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return table


def verdict_word(verdict: Verdict, language: Language) -> str:
    """A verdict as a cell of a table has it."""
    return str(_table()["verdicts"][verdict.value][language])


def verdict_phrase(verdict: Verdict, language: Language) -> str:
    """A verdict as it stands alone: "losses differ" for "loss differs"."""
    entry = _table()["verdicts"][verdict.value]
    return str(entry.get("phrase", entry["en"]) if language == "en" else entry["zh"])


def hint_in_chinese(hint: str) -> str:
    """One of the judge's hints; another text has no Chinese, and gives ""."""
    return next((str(_table()["hints"][kind]) for kind, text in HINTS.items() if text == hint), "")
