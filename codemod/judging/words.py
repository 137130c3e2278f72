"""What the judge says in words: its verdicts and its hints, in both languages."""

from __future__ import annotations

from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.base.messages import Language
from codemod.judging.verdict import Verdict


def _table() -> dict[str, Any]:
    table: dict[str, Any] = table_beside(__file__, "words.yaml")
    return table


def verdict_word(verdict: Verdict, language: Language) -> str:
    """A verdict as a cell of a table has it."""
    return str(_table()["verdicts"][verdict.value][language])


def verdict_phrase(verdict: Verdict, language: Language) -> str:
    """A verdict as it stands alone: "losses differ" for "loss differs"."""
    entry = _table()["verdicts"][verdict.value]
    return str(entry.get("phrase", entry["en"]) if language == "en" else entry["zh"])


def hints() -> dict[str, dict[str, str]]:
    """What usually stands behind each class of difference and what helps, by language."""
    told: dict[str, dict[str, str]] = _table()["hints"]
    return told


def hint_in_chinese(hint: str) -> str:
    """One of the judge's hints; another text has no Chinese, and gives ""."""
    return next((entry["zh"] for entry in hints().values() if entry["en"] == hint), "")
