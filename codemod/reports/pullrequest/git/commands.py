"""GitPython's commands, run as every git command here: by `git_output`.

GitPython would start processes of its own, with the user's environment and in folders whose names
it expands. It asks `git version` once, as it is imported; it takes 70 ms for that, so what is read
of git in each command does without it.
"""

from __future__ import annotations

import os
from typing import Any

from codemod.base.git_state import git_output
from codemod.base.launch.tools import found

# By its whole path: by name alone, one in the current folder might be asked.
os.environ["GIT_PYTHON_GIT_EXECUTABLE"] = found("git") or os.devnull
os.environ["GIT_PYTHON_REFRESH"] = "quiet"

from collections.abc import Mapping, Sequence
from pathlib import Path

from git.cmd import Git


class Commands(Git):
    """Git in one folder: `Commands(folder, variables).rev_parse("HEAD")`.

    `variables` are the whole environment. The folder is taken as it is: GitPython would expand a
    `~` or `$HOME` in its name.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        super().__init__()
        self._folder = folder
        self._variables = variables

    def execute(  # type: ignore[override]  # of its many forms of output we want the bytes
        self, command: Sequence[str], istream: bytes = b"", **_form: Any
    ) -> bytes:
        """What a command such as `["git", "log"]` prints, fed with `istream`.

        Raises:
            GitError: it ended with another status than 0, or git is not installed.
        """
        _git, *arguments = command
        return git_output(self._folder, *arguments, stdin=istream, environment=self._variables)
