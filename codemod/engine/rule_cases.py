"""The before/after cases of a rule: `rules/<Kit>/cases.yaml`.

A case is a small kit in the kit's own manner. It holds when the tool makes exactly the files
of `after` out of `before`, names exactly the `hooks`, gives each `skipped` reason, and when it is
run again leaves the result alone and tells of the same hooks and of the same files left alone.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import ChangeSet, Source, Status
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.engine import plan_change
from codemod.kits.folder import CASES


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `hooks` are lines `STATUS FILE:SCOPE`; None where the case does not say."""

    name: str
    before: dict[str, str]
    after: dict[str, str]
    kit: str | None = None
    hooks: tuple[str, ...] | None = None
    skipped: tuple[str, ...] = ()


def cases_file(rule: Path) -> Path:
    """Where the cases of a rule file lie."""
    return rule.with_name(CASES)


def load_cases(file: Path) -> tuple[Case, ...]:
    """The cases of one file.

    Raises:
        UsageError: with file and line.
    """
    return tuple(read_record(Case, entry) for entry in read_yaml(file).entries())


def run_case(case: Case) -> str | None:
    """None when the case holds, else what differs."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _write(root, case.before)
        change_set = _plan(case, root)
        wrong = next(iter(_differences(case, change_set)), None)
        if wrong:
            return wrong
        for change in change_set.changes:
            (root / change.path).write_bytes(change.new)
        again = _plan(case, root)
        if again.changes:
            return "a second run changes files again"
        return next(iter(_lost(change_set, again)), None)


def _plan(case: Case, root: Path) -> ChangeSet:
    return plan_change(Source(case.kit, root, None)).change_set()


def _write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")


def _differences(case: Case, change_set: ChangeSet) -> Iterator[str]:
    made = {change.path: change.new.decode() for change in change_set.changes}
    for path in sorted(made.keys() | case.after.keys()):
        wanted = case.after.get(path, case.before.get(path, ""))
        got = made.get(path, case.before.get(path, ""))
        if wanted != got:
            yield "".join(
                difflib.unified_diff(
                    wanted.splitlines(keepends=True),
                    got.splitlines(keepends=True),
                    f"{path} (wanted)",
                    f"{path} (made)",
                )
            )
    hooks = sorted(f"{h.status.value} {h.file}:{h.scope}" for h in change_set.hooks)
    if case.hooks is not None and hooks != sorted(case.hooks):
        yield f"hooks are {hooks}, not {sorted(case.hooks)}"
    for reason in case.skipped:
        if not any(reason in f"{skip.file}: {skip.reason}" for skip in change_set.skipped):
            told = [f"{skip.file}: {skip.reason}" for skip in change_set.skipped]
            yield f"nothing is left alone because of {reason!r}: {told}"


def _lost(first: ChangeSet, again: ChangeSet) -> Iterator[str]:
    """What a second run says of hooks and files otherwise than the first.

    A scope of a file with a hook needs no reason any more.
    """
    placed = {hook.place for hook in first.hooks if hook.status is not Status.UNPLACED}
    if lost := placed - {hook.place for hook in again.hooks if hook.status is Status.PRESENT}:
        yield f"a second run does not see the hooks {sorted(lost)}"
    left, now = ({skip.file for skip in one.skipped} for one in (first, again))
    if others := (left ^ now) - {hook.file for hook in again.hooks}:
        yield f"a second run leaves other files alone: {sorted(others)}"
