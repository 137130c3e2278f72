"""The name of what stands in a verdict's way: a hazard, a fault of Paddle, the kit's, the run's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.hazards.catalog import CHINESE_REMEDIES, TEXTS
from codemod.kits.folder import CAUSES, kit_file
from codemod.kits.rulebook import refusals
from codemod.reports.survey.rows import ConfigVerdict
from codemod.reports.survey.words import Words

REFUSED = "refused"
"""The cause of a run that ended in an error which the kit's rule brings."""
_FILE = Path(__file__).with_name("causes.yaml")
_TEXTS = ("error", "verdict", "mode", "first")


@dataclass(frozen=True)
class NamedCause:
    """A cause that is no hazard, and what takes it away, in both languages."""

    id: str
    en: str
    zh: str
    remedy: str
    remedy_zh: str


@dataclass(frozen=True)
class Sign:
    """A cause by what a result says; all that is given must fit, as regular expressions."""

    cause: str
    error: str = ""
    verdict: str = ""
    mode: str = ""
    paddle: str = ""
    first: str = ""


@dataclass(frozen=True)
class ConfigCause:
    """A cause that was found in the configs that a glob names; `*` crosses `/`."""

    configs: str
    cause: str
    mode: str = ""
    paddle: str = ""


@dataclass(frozen=True)
class Causes:
    """The causes that are named, and the signs of these and of hazards."""

    named: tuple[NamedCause, ...]
    signs: tuple[Sign, ...]

    def __getitem__(self, name: str) -> NamedCause:
        """The cause of that name."""
        return next(one for one in self.named if one.id == name)


@dataclass(frozen=True)
class KitCauses:
    """What was found in single models of a kit; the first entry that fits counts."""

    causes: tuple[ConfigCause, ...] = ()


@cache
def causes() -> Causes:
    """The named causes and their signs."""
    return read_record(Causes, read_yaml(_FILE))


@cache
def _told_by() -> tuple[tuple[Sign, tuple[tuple[str, re.Pattern[str]], ...]], ...]:
    """Each sign with what its texts must match."""
    return tuple(
        (sign, tuple((key, re.compile(wanted)) for key in _TEXTS if (wanted := getattr(sign, key))))
        for sign in causes().signs
    )


@cache
def kit_causes(kit: str) -> KitCauses:
    """What was found in a kit's models.

    Raises:
        UsageError: the kit's file is broken, with file and line.
    """
    file = kit_file(kit, CAUSES)
    return read_record(KitCauses, read_yaml(file)) if file else KitCauses()


def cause_of(kit: str, path: str, verdict: ConfigVerdict) -> str:
    """The cause by the run, by what was found in the model, or by what the run said; else ""."""
    hazard = str(verdict.figures.get("hazard", ""))
    return hazard or _found(kit, verdict.same_as or path, verdict) or _told(kit, verdict)


def _found(kit: str, path: str, verdict: ConfigVerdict) -> str:
    return next(
        (
            one.cause
            for one in kit_causes(kit).causes
            if fnmatchcase(path, one.configs)
            and one.mode in ("", verdict.mode)
            and verdict.paddle.startswith(one.paddle)
        ),
        "",
    )


def _told(kit: str, verdict: ConfigVerdict) -> str:
    if any(text.search(_error(verdict)) for text in refusals(kit)):
        return REFUSED
    texts = {
        "error": _error(verdict),
        "verdict": verdict.verdict.value,
        "mode": verdict.mode,
        "first": str(verdict.figures.get("first", "")),
    }
    for sign, wanted in _told_by():
        fits = verdict.paddle.startswith(sign.paddle)
        if fits and all(pattern.search(texts[key]) for key, pattern in wanted):
            return sign.cause
    return ""


def _error(verdict: ConfigVerdict) -> str:
    """The error that stopped static training, or nothing."""
    first = next(iter(verdict.said), None)
    return str(first["last"]) if first and first.code == "judging.static-fails" else ""


def cause_text(cause: str, words: Words) -> str:
    """A cause in the words of the document."""
    if cause in TEXTS:
        return f"{cause} {TEXTS[cause][0]}"
    named = causes()[cause]
    return named.zh if words.language == "zh" else named.en


def cause_remedy(cause: str, words: Words) -> str:
    """What takes a cause away; "" where nothing is known."""
    chinese = words.language == "zh"
    if cause in TEXTS:
        return CHINESE_REMEDIES[cause] if chinese else TEXTS[cause][1]
    named = causes()[cause]
    return named.remedy_zh if chinese else named.remedy
