"""What a verdict rests on: the files that a config, or a file of model code, reaches."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codemod.hazards import Scanner, files_reached

if TYPE_CHECKING:
    from codemod.code.tree import Tree
    from codemod.hazards import ModelHazards
    from codemod.judging.evidence.rows import EvidenceRow
    from codemod.reports.survey.inventory import Inventory

_DIGITS = 16


@dataclass(frozen=True)
class Grounds:
    """The files that each config reaches, in one tree at one revision.

    A probe can speak of a file of model code in the place of a config (PaddleNLP's classes); such
    a file rests on what its layers' `forward` reaches.
    """

    tree: Tree
    revision: str | None
    files: dict[str, tuple[str, ...]]

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
        """Whether a row is good for `config`: of this revision, or nothing that it reaches changed.

        Without a revision (a folder that git does not know) the digest alone decides.
        """
        if row.revision is not None and row.revision == self.revision:
            return True
        return row.rests_on is not None and row.rests_on == self.digest(config)


def grounds(
    tree: Tree, revision: str | None, inventory: Inventory, models: tuple[ModelHazards, ...]
) -> Grounds:
    """The grounds of all configs whose model was found; configs of other models have none."""
    files = {
        model.config: tuple(sorted({*model.files, *inventory.files.get(model.config, ())}))
        for model in models
    }
    return Grounds(tree, revision, files)
