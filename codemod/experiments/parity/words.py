"""The words of the result pages in English and Chinese."""

from __future__ import annotations

from codemod.base.files.data_folder import table_beside
from codemod.base.reason import spoken
from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Explanation, Verdict
from codemod.judging.words import verdict_phrase

LANGUAGES = {"en": "English", "zh": "中文"}
"""Languages with the name of each in itself."""


class PageWords:
    """The words in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __call__(self, group: str, key: str) -> str:
        """The word `key` of a group."""
        return str(table_beside(__file__, "words.yaml")[group][key][self._language])

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a mode that a page has words for, in the order of its table."""
        return tuple(table_beside(__file__, "words.yaml")["figures"])

    def verdict(self, verdict: str) -> str:
        """A verdict as a phrase; of a run that was broken off, that it was."""
        if verdict == "interrupted":
            return self("overview", "interrupted") if self._language == "zh" else ""
        return verdict_phrase(Verdict(verdict), "zh" if self._language == "zh" else "en")

    def said(self, mode: ModeResult) -> str:
        """The judge's reason."""
        return spoken(mode.sentences, "zh") if self._language == "zh" else mode.reason

    def hint(self, mode: ModeResult) -> str:
        """What the judge advises."""
        chinese = self._language == "zh" and mode.advice is not None
        return mode.advice.text("zh") if chinese and mode.advice else mode.hint

    def remedy(self, hazard: Explanation) -> str:
        """What to do about a hazard."""
        if self._language == "en":
            return hazard.remedy
        from codemod.hazards.catalog import CHINESE_REMEDIES

        return CHINESE_REMEDIES.get(hazard.id, hazard.remedy)
