"""Remove the inserted lines from a file that was edited since."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from codemod.base.errors import EnvironmentFault
from codemod.base.files.git_state import safe_environment
from codemod.base.launch.tools import ask


def take_out(now: bytes, before: bytes, after: bytes) -> bytes | None:
    """`now` without what turned `before` into `after`; None where that is not certain.

    Git's three-way merge does the work: it refuses where an edit touches our lines.

    Raises:
        EnvironmentFault: the file was edited and git is not installed.
    """
    if now == after:
        return before
    if now == before:
        return now
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        names = []
        for name, data in (("now", now), ("after", after), ("before", before)):
            file = Path(folder) / name
            file.write_bytes(data)
            names.append(os.fspath(file))
        try:
            command = ["git", "merge-file", "--stdout", "--quiet", *names]
            done = ask(command, cwd=folder, env=safe_environment())
        except OSError as error:
            raise EnvironmentFault(
                "A file was edited since `apply`, and taking our lines out of it needs git.",
                "Install git, then run this again.",
            ) from error
    return done.out if done.code == 0 else None
