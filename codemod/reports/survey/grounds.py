"""What a verdict rests on: the files that a config, or a file of model code, reaches."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from codemod.base.changeset import ChangeSet
from codemod.base.git_state import edited_and_new_files
from codemod.base.grouping import grouped
from codemod.base.patch.ledger import Ledger
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.engine.hook_files import HookFiles
from codemod.hazards import ModelHazards, Scanner, files_reached
from codemod.judging.blame import outdated_blame
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.rounding.rounding import outjudged
from codemod.kits.folder import adapter_version
from codemod.reports.survey.inventory import Inventory
from codemod.training.runner import recorder_version

_DIGITS = 16


@dataclass(frozen=True)
class Grounds:
    """The files that each config reaches, in one tree at one revision.

    A probe can speak of a file of model code in the place of a config (PaddleNLP's classes); such
    a file rests on what its layers' `forward` reaches. `hooks` are the files as `codemod apply`
    makes them, `trainers` the hook on each config's way as FILE:SCOPE, `adapter` the version of the
    kit's adapter.
    """

    tree: Tree
    revision: str | None
    files: dict[str, tuple[str, ...]]
    hooks: HookFiles | None = None
    trainers: dict[str, str] = field(default_factory=dict)
    adapter: int | None = None

    def digest(self, config: str) -> str | None:
        """A digest of the names and bytes of a config's files; None where they are not known."""
        files = self._reached(config)
        if not files:
            return None
        found = hashlib.sha256()
        for path in files:
            data = self.tree.read(path)
            found.update(f"{path}\0{len(data)}\0".encode())
            found.update(data)
        return found.hexdigest()[:_DIGITS]

    def _reached(self, config: str) -> tuple[str, ...]:
        if config in self.files or not config.endswith(".py"):
            return self.files.get(config, ())
        if config not in self.tree.paths(".py"):
            return ()
        return files_reached(self._scanner, config)

    @cached_property
    def _scanner(self) -> Scanner:
        return Scanner(self.tree)

    def stands(self, row: EvidenceRow, config: str) -> bool:
        """Whether a row is good for `config` on today's code."""
        return self.fault(row, config) is None

    def fault(self, row: EvidenceRow, config: str) -> Reason | None:
        """Why a row does not stand for `config`, as a clause; None where it does.

        It is of this revision, or nothing that it reaches is otherwise (in a folder that git does
        not know, and of edited files, the digest alone decides); a parity run's hooks are what
        `codemod apply` writes today; a probe's adapter is today's.
        """
        same = row.revision is not None and row.revision == self.revision
        same = same and self.edited.isdisjoint(self._reached(config))
        if not same and (row.rests_on is None or row.rests_on != self.digest(config)):
            return Reason.of("reports.other-files")
        return self.tools_fault(row, config)

    def tools_fault(self, row: EvidenceRow, config: str) -> Reason | None:
        """What it was measured with that is not today's (hook, adapter, recorder), or None."""
        now = recorder_version()
        if is_version(row.recorder) and is_version(now) and row.recorder != now:
            return Reason.of("reports.other-recorder", now=now, then=str(row.recorder))
        if why := outdated_blame(row.said):
            return why
        if row.kind == "parity":
            return self._hook_fault(row, config) if row.hooks or row.hook else None
        if self.adapter is not None and row.adapter != self.adapter:
            return Reason.of("reports.other-adapter", now=self.adapter, then=row.adapter)
        return outjudged(row.rule, row.verdict, row.grad_max_rel, row.first)

    @cached_property
    def edited(self) -> frozenset[str]:
        """The files of the tree that are neither as the revision has them nor as `apply` left them.

        What `codemod fix` rewrote is on record too, and of no hook.
        """
        root = self.tree.root
        of = grouped((entry.path, entry) for entry in Ledger.of(root).entries())
        left = {path: all_[-1].after for path, all_ in of.items() if all(e.groups for e in all_)}
        found = edited_and_new_files(root)
        return frozenset(path for path in found if not _holds(root / path, left.get(path)))

    def revision_fault(self, result: Result) -> Reason | None:
        """Why a result cannot be kept as one of its revision; None where it can.

        Beside `tree_fault`, the tree that it is held against must be the revision's there, too. Nor
        can a probe's be kept of which today's judge may say something else.
        """
        for mode in result.modes.values():
            first = mode.first if result.probe else None
            earlier = outjudged(mode.rule, mode.verdict, mode.grad_max_rel, first)
            if why := earlier or outdated_blame(mode.said):
                return why
        hooks = result.parity.hooks if result.parity else {}
        read = {*(result.edited or ()), *self._reached(result.config)} - hooks.keys()
        for path in sorted(read & self.edited):
            return Reason.of("reports.checkout-edited", path=path)
        return tree_fault(result, self.hooks)

    def _hook_fault(self, row: EvidenceRow, config: str) -> Reason | None:
        """What is not today's in the hooks that a parity run went through."""
        if self.hooks is None:
            return None
        if row.hook is not None and row.hook == self._all_hooks:
            # All are as they were: those too that a hook needs and that this run never read.
            return None
        if not row.hooks:
            # Of before each file was kept: the whole tree's hooks.
            return Reason.of("reports.other-hooks")
        needed = self.hooks.of_hook(self.trainers.get(config, ""))
        for path in sorted({*row.hooks, *needed}):
            if row.hooks.get(path) != self.hooks.digest(path):
                return Reason.of("reports.other-hook", path=path)
        return None

    @cached_property
    def _all_hooks(self) -> str:
        return self.hooks.whole() if self.hooks is not None else ""


def tree_fault(result: Result, hooks: HookFiles | None) -> Reason | None:
    """Why what a result's runs read is neither of its revision nor as `codemod apply` writes it.

    Of files that name `to_static`, what was written then is told by `Grounds.tools_fault`.
    """
    if result.edited is None:
        return Reason.of("reports.reads-unknown")
    told = result.parity.hooks if result.parity else {}
    for path, read in sorted(result.edited.items()):
        if path not in told and (hooks is None or hooks.digest(path) != read):
            return Reason.of("reports.edited-file", path=path)
    return None


def _holds(file: Path, data: bytes | None) -> bool:
    return data is not None and file.is_file() and file.read_bytes() == data


def is_version(recorder: str | None) -> bool:
    """Whether a recorder is told by its version; rows of before that carry a checksum of it."""
    return re.fullmatch(r"v?\d{1,4}", recorder or "") is not None


def grounds(
    change_set: ChangeSet, tree: Tree, inventory: Inventory, models: tuple[ModelHazards, ...]
) -> Grounds:
    """The grounds of all configs whose model was found; configs of other models have none."""
    files = {
        model.config: tuple(sorted({*model.files, *inventory.files.get(model.config, ())}))
        for model in models
    }
    source = change_set.source
    return Grounds(
        tree,
        source.revision,
        files,
        HookFiles(tree, change_set),
        {unit.path: unit.trainer for unit in inventory.units if unit.trainer},
        adapter_version(source.kit or ""),
    )
