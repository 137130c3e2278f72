"""What the judge says in words: its verdicts in both languages, and its hints."""

from __future__ import annotations

from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.base.messages import Language, table
from codemod.base.reason import Reason
from codemod.judging.verdict import Verdict

_HINT = "hint-"  # what their codes begin with


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


def hints() -> dict[str, Reason]:
    """What usually stands behind each class of difference and what helps."""
    codes = (name for name in table("judging") if name.startswith(_HINT))
    return {code.removeprefix(_HINT): Reason.of(f"judging.{code}") for code in codes}
