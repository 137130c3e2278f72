"""What an id means: of hazards, fixes, findings, verdicts, differences, causes and programs.

All of it stands in a table already; this joins what several tables say of one id.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from codemod.audit.fixes.catalog import REMEDIES
from codemod.audit.fixes.declared import DeclaredFix, declared_fixes
from codemod.audit.kinds import kinds
from codemod.base.errors import FindingsError, UsageError, did_you_mean
from codemod.base.files.data_folder import table_beside
from codemod.hazards.catalog import CATALOG, CHINESE_REMEDIES, TEXTS
from codemod.hazards.hazard import Hazard, Mode
from codemod.hazards.measured import VERSIONS
from codemod.judging.verdict import Verdict
from codemod.judging.words import hints
from codemod.kits.catalogue import load_kits
from codemod.reports.survey import on_record
from codemod.reports.survey.causes import causes
from codemod.reports.survey.words import Words
from codemod.work.issue_programs import FOLDER, IssueProgram, issue_programs

# So many pieces of code are shown of each sort; the catalogue's files hold all.
_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Explained:
    """One id, with what the tables say of it.

    `why` is how static training comes to it. `effects` is by mode and Paddle, `flagged` and
    `silent` are code, `rewrite` is what the fix does. `programs` show it by themselves. `proved`
    counts proofs that hold, `seen` rows of the base that it explains, by kit; `proved_configs` and
    `configs` name the configs of these, with modes and Paddles.
    """

    id: str
    kind: str
    name: str
    summary: str
    remedy: str = ""
    effects: dict[str, str] = field(default_factory=dict)
    flagged: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    rewrite: str = ""
    before_after: tuple[tuple[str, str], ...] = ()
    proved: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    why: str = ""
    programs: tuple[IssueProgram, ...] = ()
    configs: tuple[str, ...] = ()
    proved_configs: tuple[str, ...] = ()


def explain(asked: str, language: str = "en") -> Explained:
    """What the tool knows of an id, in any case; `Kit/X-01` names a fix of one kit.

    Raises:
        UsageError: there is no such id; names those that are near.
        FindingsError: a fix has that id in several kits; names them.
    """
    by_key = {known.lower(): known for known in known_ids()}
    of_kits = [known for key, known in by_key.items() if key.endswith(f"/{asked.lower()}")]
    if len(of_kits) > 1:
        raise FindingsError(
            f"{len(of_kits)} kits have a fix `{asked}`: {', '.join(of_kits)}.",
            "Name the one that is meant.",
        )
    id_ = by_key.get(asked.lower(), *of_kits)
    if id_ is None:
        raise UsageError(
            f"`{asked}` explains nothing here.",
            did_you_mean(asked, known_ids(), "`codemod explain` lists all ids."),
        )
    for explained in (
        _hazard,
        _fault,
        _declared,
        _finding,
        _verdict,
        _difference,
        _cause,
        _program,
    ):
        if found := explained(id_, language):
            return found
    raise AssertionError(id_)


def word(group: str, key: str, language: str, **fields: object) -> str:
    """What an explanation calls something; an effect, a kind or a label."""
    return str(_words()[group][key][language]).format(**fields)


def _words() -> Any:
    return table_beside(__file__, "explaining.yaml")


def _table(package: str, name: str) -> Any:
    """A file beside the modules of a package."""
    return table_beside(str(importlib.import_module(package).__file__), name)


@cache
def known_ids() -> dict[str, str]:
    """Every id with its name, in the order of the tables."""
    own = {kind.id: kind.name for kind in kinds().values() if kind.id not in TEXTS}
    faults = {remedy.id: remedy.name for remedy in REMEDIES if remedy.id not in TEXTS}
    fixes = {f"{kit}/{fix.id}": fix.name for kit, fix in _all_declared()}
    verdicts = {verdict.value: "" for verdict in Verdict}
    hazards = {id_: name for id_, (name, _) in TEXTS.items()}
    named = {cause.id: "" for cause in causes().named}
    programs = dict.fromkeys(sorted(file.name for file in FOLDER.glob("*.py")), "")
    return hazards | faults | fixes | own | verdicts | dict.fromkeys(hints(), "") | named | programs


def _hazard(id_: str, language: str) -> Explained | None:
    if id_ not in TEXTS:
        return None
    name, remedy = TEXTS[id_]
    row = next((hazard for hazard in CATALOG if hazard.id == id_), None)
    mended = next((one for one in REMEDIES if one.id == id_), None)
    cases = _cases("codemod.hazards.catalog", row.find.__module__, id_) if row and row.find else {}
    return Explained(
        id_,
        word("kinds", "hazard", language),
        name,
        word("summaries", "model" if row and row.find else "trainer", language),
        CHINESE_REMEDIES[id_] if language == "zh" else remedy,
        _effects(row, language) if row else {},
        cases.get("flagged", ())[:_SHOWN],
        cases.get("silent", ())[:_SHOWN],
        _told(mended, "says", language) if mended else "",
        _rewritten(mended.mend.__module__, id_) if mended else (),
        why=_group(_table("codemod.hazards", "why.yaml"), id_)[language],
        programs=tuple(one for one in issue_programs(language).values() if id_ in one.hazards),
        **_proved(f"{id_} "),
        **_seen(on_record.of_hazard(id_)),
    )


def _effects(hazard: Hazard, language: str) -> dict[str, str]:
    columns = (f"{mode.name} on {paddle}" for mode in Mode for paddle in VERSIONS)
    rows = zip(columns, hazard.effects, hazard.doubtful, strict=True)
    told = {}
    for column, effect, doubt in rows:
        means = word("effects", effect.value, language)
        named = f"{effect.value}?" if doubt else effect.value
        told[column] = word("effects", "told", language, effect=named, means=means)
    return told


def _fault(id_: str, language: str) -> Explained | None:
    found = next((remedy for remedy in REMEDIES if remedy.id == id_), None)
    if found is None:
        return None
    return Explained(
        id_,
        word("kinds", "fault", language),
        found.name,
        word("summaries", "fault", language),
        rewrite=_told(found, "says", language),
        before_after=_rewritten(found.mend.__module__, id_),
        **_proved(f"{id_} "),
    )


def _declared(id_: str, language: str) -> Explained | None:
    kit, slash, short = id_.partition("/")
    found = next((fix for name, fix in _all_declared() if name == kit and fix.id == short), None)
    if not slash or found is None:
        return None
    return Explained(
        id_,
        word("kinds", "fix", language, kit=kit),
        found.name,
        f"{found.file}, {found.scope}",
        rewrite=_told(found, "says", language),
        before_after=((found.old, found.new),),
        **_proved(f"{short} ", kit),
    )


def _finding(id_: str, language: str) -> Explained | None:
    kind = kinds().get(id_)
    if kind is None:
        return None
    summary, help_ = (_told(kind, name, language) for name in ("summary", "help"))
    sort = word("kinds", "finding", language, level=word("levels", kind.level.value, language))
    case = _table("codemod.audit", "examples.yaml")[id_]
    flagged, silent = (case["flagged"],), (case["silent"],)
    return Explained(id_, sort, kind.name, summary, help_, flagged=flagged, silent=silent)


def _verdict(id_: str, language: str) -> Explained | None:
    if id_ not in {verdict.value for verdict in Verdict}:
        return None
    said = Verdict(id_)
    sorts = ("passes", said.passed), ("differs", said.differs), ("fails", said.failed)
    sort = next((name for name, true in (*sorts, ("silent", said.silent)) if true), "without")
    kind = word("kinds", "verdict", language, sort=word("sorts", sort, language))
    return Explained(
        id_,
        kind,
        id_,
        Words(language)("verdicts", id_),
        why=_group(_words()["verdicts"], id_)[language],
        **_seen(on_record.of_verdict(id_)),
    )


def _difference(id_: str, language: str) -> Explained | None:
    hint = hints().get(id_)
    if hint is None:
        return None
    kind, seen = word("kinds", "difference", language), _seen(on_record.of_difference(id_))
    return Explained(id_, kind, id_, hint.text("zh" if language == "zh" else "en"), **seen)


def _cause(id_: str, language: str) -> Explained | None:
    found = next((cause for cause in causes().named if cause.id == id_), None)
    if found is None:
        return None
    remedy = _told(found, "remedy", language)
    summary = found.zh if language == "zh" else found.en
    kind, seen = word("kinds", "cause", language), _seen(on_record.of_cause(id_))
    shown = tuple(filter(None, [issue_programs(language).get(id_)]))
    return Explained(id_, kind, id_, summary, remedy, programs=shown, **seen)


def _program(id_: str, language: str) -> Explained | None:
    found = issue_programs(language).get(id_)
    if found is None:
        return None
    kind = word("kinds", "program", language)
    return Explained(id_, kind, id_, found.says, found.avoid, programs=(found,))


def _group(groups: Iterable[dict[str, Any]], id_: str) -> dict[str, str]:
    """What is said of several ids at once: the group that has this one.

    Raises:
        LookupError: no group has it.
    """
    for group in groups:
        if id_ in group["of"]:
            return group
    raise LookupError(f"no `of` names {id_} in why.yaml (a hazard) or explaining.yaml (a verdict)")


def _told(record: object, field: str, language: str) -> str:
    """A text that a record has in both languages."""
    return str(getattr(record, f"{field}_zh" if language == "zh" else field))


def _cases(package: str, module: str, id_: str) -> dict[str, tuple[str, ...]]:
    """A hazard's cases: code that must be flagged, and code on which it must be silent."""
    sorts = _table(package, f"{module.rpartition('.')[2]}.yaml").get(id_, {})
    return {name: tuple(sorts[name]) for name in ("flagged", "silent") if name in sorts}


def _rewritten(module: str, id_: str) -> tuple[tuple[str, str], ...]:
    """A rewrite's cases: code before and after."""
    cases = _table("codemod.audit.fixes.catalog", f"{module.rpartition('.')[2]}.yaml").get(id_, ())
    return tuple((one["before"], one["after"]) for one in cases if "after" in one)[:_SHOWN]


@cache
def _all_declared() -> tuple[tuple[str, DeclaredFix], ...]:
    return tuple((kit, fix) for kit in load_kits() for fix in declared_fixes(kit))


def _proved(start: str, kit: str = "") -> dict[str, Any]:
    """The proofs on record that hold a fix whose place begins like that, of one kit or of all."""
    held = [one for one in on_record.proofs_of(start) if kit in ("", one.kit)]
    return {"proved": on_record.counted(held), "proved_configs": on_record.listed(held)}


def _seen(places: tuple[on_record.OnRecord, ...]) -> dict[str, Any]:
    """The rows of the base with their configs."""
    return {"seen": on_record.counted(places), "configs": on_record.listed(places)}
