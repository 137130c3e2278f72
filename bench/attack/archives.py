"""Trees that hold what must not leave this machine: what `--cluster` would send of them.

Untracked and ignored files, keys and tokens by their usual names, links, pipes, sockets, large
files and history lie among the tracked files of a kit.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import socket
import sys
import tarfile
from typing import TYPE_CHECKING

from bench.attack.plants import git
from bench.attack.table import TRAIN, attack
from codemod.training.cluster import Archive

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = (
    *(
        ".env",
        ".env.local",
        "deep/.ENV",
        "id_rsa",
        "deep/id_ed25519",
        "ID_ECDSA",
        ".netrc",
        ".npmrc",
    ),
    *(".aws/credentials", ".ssh/config", "deep/.kube/config", ".docker/config.json", "server.pem"),
    *("deep/my.key", "store.p12", "a.PFX", "login.jks", ".git-credentials", ".pypirc", ".htpasswd"),
    *("credentials.json", "deep/credentials.yml", ".gnupg/secring.gpg", ".azure/token.json"),
)
SENT = ("train.py", "net.py", "configs/a.yml", "data/list.txt")
LARGE = 8 * 2**20 + 1


def attempt(seed: int, folder: Path) -> str:
    """The archive of one tree."""
    draw = random.Random(seed)
    root = folder / "kit"
    for name in SENT:
        _make(root, name)
    bad = {name: _make(root, name) for name in draw.sample(SECRETS, draw.randint(2, 8))}
    tracked = draw.random() < 0.7
    if tracked:
        git(root, "init", "-q")
        git(root, "add", "-A", "-f")
        git(root, "commit", "-qm", "first")
        (root / ".gitignore").write_text("ignored*\n")
        bad |= {name: _make(root, name) for name in ("ignored.txt", "untracked.py")}
    _odd(root, draw)
    with open(os.devnull, "w", encoding="utf-8") as quiet, contextlib.redirect_stderr(quiet):  # noqa: PTH123
        made = Archive.of(root)
    with tarfile.open(fileobj=io.BytesIO(made.content)) as tar:
        members = {one.name: one for one in tar}
    sent = sorted(set(bad) & set(members))
    if sent:
        return f"{sent[0]} is sent"
    for name, one in members.items():
        if not one.isreg() or name.startswith(".git/"):
            return f"{name} is sent"
        if one.size > LARGE or one.uid or one.uname or one.mtime:
            return f"{name} is sent with what it should not have"
    return "" if set(SENT) <= set(members) else "the kit's own files are missing"


def _make(root: Path, name: str) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(TRAIN)
    return file


def _odd(root: Path, draw: random.Random) -> None:
    if draw.random() < 0.5:
        os.mkfifo(root / "pipe")
    if draw.random() < 0.5:
        (root / "link.py").symlink_to("/etc/passwd")
        (root / "folder").symlink_to("/etc")
    if draw.random() < 0.3:
        with (root / "weights.bin").open("wb") as file:
            file.truncate(LARGE)
    if draw.random() < 0.3:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as made:
            made.bind(str(root / "socket"))


if __name__ == "__main__":
    sys.exit(attack("archives of trees with secrets, links and pipes", 200, attempt))
