"""The Python files of a public repository at a revision, from a local mirror or from its host."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = "https://github.com/"
KINDS = ("*.py", "*.yaml", "*.yml")


def fetched(repository: str, revision: str, folder: Path) -> Path:
    """The repository's Python and YAML files at a revision, in a folder that is made once.

    Raises:
        subprocess.CalledProcessError: git does not find the repository or the revision.
    """
    root = folder / f"{repository.rpartition('/')[2]}-{revision[:12]}"
    if root.is_dir():
        return root
    git_folder = _git_folder(repository, revision, folder)
    archive = folder / f"{root.name}.tar"
    paths = _listed(git_folder, revision)
    _git(git_folder, "archive", "-o", str(archive), revision, "--", *paths)
    with tarfile.open(archive) as bundle:
        bundle.extractall(root, filter="data")
    archive.unlink()
    return root


def _listed(git_folder: Path, revision: str) -> Sequence[str]:
    """The kinds of files that the revision has: git refuses a pattern that matches nothing."""
    names = _git(git_folder, "ls-tree", "-r", "--name-only", revision).splitlines()
    return [kind for kind in KINDS if any(name.endswith(kind[1:]) for name in names)]


def _git_folder(repository: str, revision: str, folder: Path) -> Path:
    mirror = os.environ.get("CODEMOD_MIRROR")
    local = Path(mirror, repository.replace("/", "+"), "repo") if mirror else None
    if local is not None and local.is_dir():
        return local
    bare = folder / f"{repository.replace('/', '+')}.git"
    bare.mkdir(parents=True, exist_ok=True)
    _git(bare, "init", "-q", "--bare")
    _git(bare, "fetch", "-q", "--depth", "1", HOST + repository, revision)
    return bare


def _git(git_folder: Path, *words: str) -> str:
    command = ["git", f"--git-dir={git_folder.resolve()}", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
