"""What the tool did with each labelled file: right, wrong, left with a reason, or silent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.unknown.fetched import fetched
from codemod.base.changeset import Source, Status
from codemod.engine import plan_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codemod.base.changeset import Hook, Skip, TrainingFiles

NO_TRAINER = "leave, no trainer"
HERE = Path(__file__).parent
RIGHT, WRONG, LEFT, UNTRUE, UNJUDGED, SILENT = (
    "right",
    "wrong",
    "left",
    "untrue",
    "not judged",
    "silent",
)


@dataclass(frozen=True)
class Row:
    """One labelled file, and what the tool did with it; `reason` is the tool's, if it gave one."""

    repository: str
    file: str
    label: str
    outcome: str
    did: str
    reason: str = ""


@dataclass(frozen=True)
class Repository:
    """A repository's labelled files, and what became of all its files that train."""

    name: str
    rows: tuple[Row, ...]
    files: TrainingFiles


def repositories(folder: Path) -> Iterator[Repository]:
    """All repositories with labelled files; they are brought into the folder."""
    judged = _read("judged.yaml")
    for entry in _read("labels.yaml"):
        root = fetched(entry["repository"], entry["revision"], folder)
        made = plan_change(Source(None, root, None)).change_set()
        rows: list[Row] = []
        for file, label in entry["files"].items():
            hooks = [hook for hook in made.hooks if hook.file == file]
            skips = [skip for skip in made.skipped if skip.file == file]
            rows.append(counted(entry["repository"], file, label, hooks, skips, judged))
        yield Repository(entry["repository"], tuple(rows), made.training_files)


def counted(
    repository: str,
    file: str,
    label: str,
    hooks: Iterable[Hook],
    skips: Iterable[Skip],
    judged: dict[str, Any],
) -> Row:
    """One file's row."""
    kind = label.partition(",")[0]
    standing = [hook for hook in hooks if hook.status is not Status.UNPLACED]
    reasons = [hook.reason.text() for hook in hooks if hook.status is Status.UNPLACED]
    reasons += [skip.reason.text() for skip in skips]
    reason = reasons[0] if reasons else ""
    if standing:
        targets = " and ".join(sorted({hook.target for hook in standing}))
        did = f"{standing[0].status.value} {targets}"
        fits = kind == "either" or (kind == "hook" and named(label, standing))
        present = all(hook.status is Status.PRESENT for hook in standing)
        outcome = RIGHT if fits or present else WRONG
        return Row(repository, file, label, outcome, did, reason)
    if not reasons:
        # A backward pass in a docstring is nothing to speak of.
        outcome = RIGHT if label == NO_TRAINER else SILENT
        return Row(repository, file, label, outcome, "nothing")
    if any(skip.covered for skip in skips) and kind in ("elsewhere", "either"):
        return Row(repository, file, label, RIGHT, "hook elsewhere", reason)
    said = judged.get(repository, {}).get(file, {})
    known = said.get("reason") == reason
    outcome = UNJUDGED if not known else LEFT if said["true"] else UNTRUE
    return Row(repository, file, label, outcome, "left", reason)


def named(label: str, hooks: Iterable[Hook]) -> bool:
    """Whether what is hooked is what the label names, whichever object holds it."""
    wanted = {name.rpartition(".")[2].lstrip("_") for name in label[6:].split(" and ")}
    return all(hook.target.rpartition(".")[2].lstrip("_") in wanted for hook in hooks)


def _read(name: str) -> Any:
    path = HERE / name
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
