"""The text of a pull request, in English and Chinese, which claims only what was run."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from codemod.audit.fixes.offers import Offer
from codemod.base.changeset import ChangeSet, EditKind, FileChange, Hook, Status
from codemod.base.files.shared_file import export
from codemod.base.grouping import grouped
from codemod.base.messages import Language
from codemod.base.patch.hunks import counts, hunks_of
from codemod.base.reason import Reason, spoken
from codemod.base.terminal.templates import templates
from codemod.base.version import version
from codemod.hazards.trainer import TrainerHazard
from codemod.judging.blame import failed_with_switch_off
from codemod.judging.evidence.fix_costs import fix_costs
from codemod.judging.evidence.result import DARK
from codemod.judging.verdict import Verdict
from codemod.judging.words import verdict_word
from codemod.kits.rule import Rule
from codemod.reports.pullrequest.branch_plan import SeriesPart
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence, CitedRun
from codemod.reports.pullrequest.claims.executed_lines import coverage
from codemod.reports.pullrequest.claims.facts import (
    alone,
    concerning,
    done_to,
    groups,
    inserted,
    notes,
    refused,
    sentence,
    switches,
    untrained_scripts,
    without_switch,
)
from codemod.reports.pullrequest.claims.kit_findings import KitFindings
from codemod.reports.pullrequest.claims.outcomes import (
    error_patterns,
    is_refused,
    outcome_of,
    tallies,
)
from codemod.reports.pullrequest.claims.rewritten_code import beside, rewritten, statements
from codemod.reports.pullrequest.claims.speed_lines import speed_lines, timed_lines
from codemod.reports.pullrequest.claims.under_gate import Guard, guard_of, takes_default_mode
from codemod.reports.pullrequest.git.commits import Commit
from codemod.reports.pullrequest.headline import Headline, ReachCount, trainer_of
from codemod.reports.pullrequest.markdown import (
    cell,
    code,
    first_sentence,
    form_level,
    in_form,
    plain,
    plural,
    shell_line,
)

if TYPE_CHECKING:
    from jinja2 import Template

LANGUAGES = ("en", "zh")
# A reviewer reads this much before opening a fold.
VISIBLE_WORDS = 400
# How many points of a list stand outside of the fold, the most first: of what the change does, and
# of what runs found. A reader sees one of the first before any of the second.
_SHOWN = ((6, 6), (5, 5), (4, 4), (3, 3), (2, 2), (2, 1), (1, 1), (2, 0), (1, 0))
_FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
# In the folder of a branch's texts: what they were when the tool wrote them.
_WRITTEN = ".written.json"


@dataclass(frozen=True)
class PullRequest:
    """All that the text says; the templates see each field under its name.

    `again` is the command that makes the branch anew as `again_branch`; `hook` is the
    checksum by which parity knows the code it ran; `reach` is None where configs are not known;
    `whole` is false of a part of the change that was chosen, whose `evidence` is of its lines.
    `sizes` are the lines added and removed by file as git counts them, where it was asked.
    """

    headline: Headline
    branch: str
    base: str
    tip: str
    commits: tuple[Commit, ...]
    change_set: ChangeSet
    evidence: CitedEvidence
    again: str
    again_branch: str = "again"
    hook: str = ""
    hazards: tuple[TrainerHazard, ...] = ()
    form: str | None = None
    rule: Rule | None = None
    reach: ReachCount | None = None
    mended: tuple[Offer, ...] = ()
    series: SeriesPart | None = None
    findings: KitFindings = field(default_factory=KitFindings)
    whole: bool = True
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def render(request: PullRequest, language: str) -> str:
    """The text in that language; in the kit's own form where the kit has one.

    Every list shows so many of its points that the English text has less than `VISIBLE_WORDS`
    outside of its folds, and folds the others, but never the first of what the change does; both
    languages show the same ones.
    """
    return _rendered(request, _values(request), language)


def _rendered(request: PullRequest, values: dict[str, Any], language: str) -> str:
    fitting = (n for n in _SHOWN if visible_words(_text(request, values, "en", n)) < VISIBLE_WORDS)
    return _text(request, values, language, next(fitting, _SHOWN[-1]))


def _text(
    request: PullRequest, values: dict[str, Any], language: str, shown: tuple[int, int]
) -> str:
    """The text with the first points of each list outside of the fold, as many as `_SHOWN` says."""
    text = _template(language).render(values, shown=shown[0], found=shown[1])
    return in_form(text, request.form, request.headline.purpose) if request.form else text


@functools.cache
def _template(language: str) -> Template:
    """The template of a language, compiled once: a text is rendered until it is short enough."""
    # Values go into Markdown through `code` and `cell`.
    environment = templates("codemod.reports.pullrequest", lstrip_blocks=True)
    spoken_in: Language = "zh" if language == "zh" else "en"
    stop = "。" if language == "zh" else "."
    environment.globals["kinds"] = lambda configs: _kinds(configs, spoken_in)
    environment.filters |= {
        "code": code,
        "cell": cell,
        "plain": plain,
        "shell": shell_line,
        "plural": plural,
        "first": lambda text: first_sentence(_told(text, spoken_in)),
        "sentence": lambda text: sentence(_told(text, spoken_in), stop),
        "clause": lambda text: text if text.endswith((".", "。", "…")) else text + stop,
        "verdict": lambda verdict: _verdict(verdict, spoken_in),
        "judged": lambda row: spoken(row.said, spoken_in),
        "told": lambda text: _told(text, spoken_in),
        "ended": lambda row: _ended(row, spoken_in),
    }
    return environment.get_template(f"pull_request.{language}.md.j2")


def visible_words(text: str) -> int:
    """The words outside of folds, as white space parts them."""
    return len(_FOLD.sub("", text).split())


def write(request: PullRequest, folder: Path) -> dict[str, Path]:
    """Write the text in every language into `folder`, with the pictures beside it.

    A text that a person edited since it was written stays: the new one goes beside it, as
    `pull-request.en.new.md`. Returns the files that were written.
    """
    record = folder / _WRITTEN
    written = _checksums(record)
    files: dict[str, Path] = {}
    values = _values(request)
    for language in LANGUAGES:
        text = _rendered(request, values, language).encode("utf-8", "surrogateescape")
        file = folder / f"pull-request.{language}.md"
        if file.exists() and written.get(file.name) != _checksum(file.read_bytes()):
            file = folder / f"pull-request.{language}.new.md"
        else:
            written[file.name] = _checksum(text)
        export(file, text)
        files[language] = file
    export(record, json.dumps(written, indent=1).encode())
    for picture in request.evidence.pictures:
        export(folder / picture.name, picture.read_bytes())
    return files


def _checksums(record: Path) -> dict[str, str]:
    """What was written before, by name; a damaged record knows of nothing."""
    try:
        return dict(json.loads(record.read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}


def _checksum(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _values(request: PullRequest) -> dict[str, Any]:
    """What both languages tell; of a large change it takes seconds to find out."""
    change_set = request.change_set
    kit = change_set.source.name
    off = without_switch(change_set)
    files = [_file(change, request) for change in change_set.changes]
    concern, concerned = concerning(change_set)
    covered = coverage(change_set, request.evidence.rows, statements(request.mended, change_set))
    proofs = [proof for offer in request.mended for _, proof in sorted(offer.proofs.items())]
    measured = fix_costs(change_set.source.kit or "") if proofs else {}
    costs = [measured[proof.place] for proof in proofs if proof.place in measured]
    return {
        **vars(request),
        **_hook_values(change_set, request.rule),
        **_run_values(request),
        "h": "#" * (form_level(request.form) + 1),
        "kit": kit,
        "kit_word": shlex.quote(kit),
        "groups": groups(change_set),
        "notes": list(notes(change_set).items()),
        "alone": list(alone(change_set).items()),
        "refused": list(refused(change_set).items()),
        "switches": switches(change_set),
        "present": _staying(change_set),
        "idle": list(change_set.idle.items()),
        "concerning": concern,
        "concerned": sum(hook in concerned for hook in _staying(change_set)),
        "doc_files": [e.file for e in change_set.edits if e.kind in (EditKind.DOC, EditKind.TIPC)],
        "plumbing": off.plumbing,
        "other_lines": off.other_lines,
        "undecided": [(fate.name, files) for fate, files in off.undecided.items()],
        "files": files,
        "coverage": covered,
        "barred": list(untrained_scripts(change_set, covered.never if covered else ()).items()),
        "rewritten": list(rewritten(request.mended, change_set).items()),
        "beside": list(beside(request.mended, change_set).items()),
        "proofs": proofs,
        "costs": costs,
        "uncosted": len({proof.config for proof in proofs} - {cost.config for cost in costs}),
        "version": version(),
    }


def _hook_values(change_set: ChangeSet, rule: Rule | None) -> dict[str, Any]:
    """What is told of the hooks, and of what keeps them off."""
    hooks = inserted(change_set)
    guards = [(hook, guard_of(hook, change_set)) for hook in hooks]
    # A call of the kit's own that moves is no insertion.
    moved = [(hook, guard) for hook, guard in guards if hook.moved_from is not None]
    new = [(hook, guard) for hook, guard in guards if hook.moved_from is None]
    unproved = [hook for hook, guard in new if guard is Guard.NOWHERE]
    completing = [h for h in unproved if (maker := trainer_of(h, rule)) and maker.completes]
    return {
        "default_mode": all(takes_default_mode(hook, change_set) for hook in hooks),
        "gated": len(new) - len(unproved),
        "by_helper": sum(guard is Guard.HELPER for _, guard in new),
        "completing": completing,
        "moved": [(hook, guard is Guard.NOWHERE) for hook, guard in moved],
        "ungated": [hook for hook in unproved if hook not in completing],
    }


def _run_values(request: PullRequest) -> dict[str, Any]:
    """What is told of runs on record."""
    evidence, checks = request.evidence, error_patterns(request.change_set)
    untrained = {(row.config, row.paddle): row for row in evidence.rows if row.ended_by_itself}
    rows = [row for row in evidence.rows if not row.ended_by_itself]
    # Of other code, a time says nothing of this one.
    timed = [row for row in evidence.speed if row.hook == request.hook]
    # The runs of a config that have the same to say.
    reasons = grouped(((row.config, row.verdict, row.reason), row) for row in rows if row.reason)
    return {
        "untrained": list(untrained.values()),
        "ended_runs": len(evidence.rows) - len(rows),
        "untrained_elsewhere": any(row.hook != request.hook for row in untrained.values()),
        "rows": rows,
        "tallies": tallies(rows, [row for row in rows if is_refused(row, checks)]),
        "unsound": sum(bool(row.bad_legs) and outcome_of(row.verdict).good for row in rows),
        "speed": speed_lines(timed),
        "timed": timed_lines(timed),
        "other_code": [row for row in rows if row.hook != request.hook],
        "pictures": _light_and_dark([picture.name for picture in evidence.pictures]),
        "reasons": list(reasons.values()),
    }


def _verdict(verdict: Verdict, language: Language) -> str:
    """What a text calls a verdict: a run that it cites did run, if nothing can be said of it."""
    if verdict is Verdict.NOT_RUN:
        return {"en": "not judged", "zh": "未判定"}[language]
    return verdict_word(verdict, "zh") if language == "zh" else verdict.value


def _kinds(configs: Iterable[str], language: Language) -> str:
    """What was run, in the singular: most kits train by configs, some by scripts as well."""
    found = sorted({config.endswith(".py") for config in configs}) or [False]
    if language == "zh":
        return "或".join("脚本" if script else "配置" for script in found)
    return " or ".join("script" if script else "config" for script in found)


def _staying(change_set: ChangeSet) -> list[Hook]:
    """The hooks that the kit has and that are reached as before."""
    gone = [hook for hooks in change_set.idle.values() for hook in hooks]
    there = (hook for hook in change_set.hooks if hook.status is Status.PRESENT)
    return [hook for hook in there if hook not in gone]


def _light_and_dark(names: list[str]) -> list[tuple[str, str]]:
    """Each picture with its twin for dark pages, empty where it has none."""
    darks = {name for name in names if PurePath(name).stem.endswith(DARK)}
    paths = (PurePath(name) for name in names if name not in darks)
    twins = {path.name: f"{path.stem}{DARK}{path.suffix}" for path in paths}
    return [(name, twin if twin in darks else "") for name, twin in twins.items()]


def _file(change: FileChange, request: PullRequest) -> dict[str, Any]:
    known = request.sizes.get(change.path)
    added, removed = known or counts(hunks_of(change))
    return {
        "path": change.path,
        "added": added,
        "removed": removed,
        "does": done_to(change.path, request.change_set),
    }


def _ended(row: CitedRun, language: Language) -> str:
    """How training ended with the switch off, under a heading that says so already."""
    only = row.said[0] if len(row.said) == 1 else None
    if only and failed_with_switch_off((only,)) and only["how"] == "fails":
        return str(only["last"]).strip()
    return spoken(row.said, language)


def _told(text: Reason | str, language: Language) -> str:
    return text.text(language) if isinstance(text, Reason) else text
