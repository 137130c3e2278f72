"""Where a piece of evidence can be looked at."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HAZARD = re.compile(r"[DPK]-\d+")
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")


@dataclass(frozen=True, slots=True)
class Links:
    """Makes addresses for a document in `folder`; results lie in `workspace`.

    A result's page is linked where it lies beneath `top`, the folder that would be handed on
    together with the document; elsewhere the link would lead nowhere for others. In a `site`,
    families and hazards have pages beside the document.
    """

    folder: Path
    workspace: Path
    top: Path
    site: bool = False

    def family(self, anchor: str) -> str:
        """The address of a family's page, or nothing."""
        return f"families/{anchor}.html" if self.site else ""

    def cause(self, text: str) -> str:
        """The address of the page of the hazard that a text begins with, or nothing."""
        found = _HAZARD.match(text)
        return f"ids/{found.group()}.html" if self.site and found else ""

    def result(self, where: str) -> str:
        """The address of a file of the workspace, or nothing."""
        return _result(self.folder, self.workspace, self.top, where)

    @staticmethod
    def base(git: str, revision: str | None) -> str:
        """The address of a kit's files at a commit, or nothing."""
        if not git.startswith("https://") or not revision or not _COMMIT.match(revision):
            return ""
        return f"{git.removesuffix('.git')}/blob/{revision}/"

    @classmethod
    def code(cls, git: str, revision: str | None, where: str) -> str:
        """The address of FILE or FILE:LINE in a kit, or nothing."""
        base = cls.base(git, revision)
        file, _, line = where.partition(":")
        if not base or not file:
            return ""
        return f"{base}{file}#L{line}" if line.isdigit() else f"{base}{file}"


@cache
def _result(folder: Path, workspace: Path, top: Path, where: str) -> str:
    """As `Links.result`: one result is told of many configs, in two languages."""
    file = (workspace / where).resolve()
    inside = file.is_relative_to(top.resolve())
    if not (file.is_file() and inside and folder.resolve().is_relative_to(top)):
        return ""
    return os.path.relpath(file, folder.resolve()).replace(os.sep, "/")
