"""The words of the document in Chinese and English."""

from __future__ import annotations

from typing import Any

from codemod.base.errors import UsageError
from codemod.base.files.data_folder import table_beside
from codemod.base.messages import Language
from codemod.judging.verdict import Verdict
from codemod.judging.words import verdict_word

LANGUAGES = ("zh", "en")
_JUDGED = frozenset(verdict.value for verdict in Verdict)


def _table() -> dict[str, Any]:
    table: dict[str, Any] = table_beside(__file__, "words.yaml")
    return table


class Words:
    """The words in one language."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise UsageError(f"The survey is not written in `{language}`.", "Languages: zh, en.")
        self.language = language
        self.spoken: Language = "zh" if language == "zh" else "en"

    def __call__(self, group: str, key: str) -> str:
        """The word `key` of a group; a key that is not in the table stands for itself."""
        if group == "verdicts" and key in _JUDGED:
            return verdict_word(Verdict(key), self.spoken)
        entry = _table()[group].get(key)
        return str(entry[self.language]) if entry else key

    def sign(self, key: str) -> tuple[str, str]:
        """The character of a legend's entry, and the style it is shown in."""
        entry = _table()["symbols"][key]
        return str(entry["sign"]), str(entry["tone"])

    @staticmethod
    def known(group: str) -> tuple[str, ...]:
        """The keys of a group."""
        return tuple(_table()[group])
