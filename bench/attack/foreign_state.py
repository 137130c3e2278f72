"""State and workspaces that others could have written: nothing of them is replayed or believed.

Half of the attempts open one level of the state folder to others, give it away, or put a link there
while a journal waits. The others change a planted kit, which its own note calls fetched.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

from bench.attack.plants import git
from bench.attack.table import TRAIN, attack
from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.state import JOURNAL, state_root
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import recover, revert
from codemod.base.patch.ledger import Entry, Ledger
from codemod.kits.catalogue import find_kit
from codemod.kits.sources.fetch import kept

if TYPE_CHECKING:
    from pathlib import Path

OTHER = 12345


def attempt(seed: int, folder: Path) -> str:
    """One change to a state or a planted kit."""
    draw = random.Random(seed)
    tree = folder / "kit"
    tree.mkdir()
    (tree / "train.py").write_bytes(TRAIN)
    for number in range(draw.randint(1, 6)):
        (tree / f"f{number}.py").write_text(f"x = {number}\n")
    return _state(tree, draw) if draw.random() < 0.5 else _planted(tree, folder, draw)


def _state(tree: Path, draw: random.Random) -> str:
    ledger = Ledger.of(tree)
    ledger.commit([Entry("train.py", TRAIN, TRAIN)], [])
    ledger._write(JOURNAL, "run", [Entry("train.py", b"the other's\n", TRAIN)])
    folder = ledger.folder
    levels = [folder / JOURNAL, folder, folder.parent, state_root(), state_root().parent]
    place = draw.choice(levels)
    ways = ["mode", "link"] + (["owner"] if os.geteuid() == 0 else [])
    how = draw.choice(ways)
    if how == "mode":
        place.chmod(place.stat().st_mode | draw.choice((0o002, 0o003, 0o007)))
    elif how == "owner":
        os.chown(place, OTHER, OTHER)
    elif place == state_root().parent:
        return ""  # where the user's own link may stand
    else:
        place.rename(place.with_name("aside"))
        place.symlink_to(place.with_name("aside"))
    for replay in (recover, lambda root: revert(Source("Kit", root, None))):
        try:
            replay(tree)
        except UsageError:
            continue
        return f"state is replayed after a change of {how}"
    return "" if (tree / "train.py").read_bytes() == TRAIN else "a file was changed"


def _planted(tree: Path, folder: Path, draw: random.Random) -> str:
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    says = ["git", "-C", str(tree), "rev-parse", "HEAD"]
    revision = subprocess.run(says, capture_output=True, text=True, check=True).stdout.strip()
    workspace = Workspace.at(folder / "workspace")
    workspace.make("kits")
    kit = workspace.kits() / "PaddleGAN"
    tree.rename(kit)
    origin = draw.choice(("git", "git", "package"))
    note = {"origin": origin, "revision": draw.choice((revision, "1.0")), "root": "."}
    (kit / ".git" / "codemod.json").write_text(json.dumps(note))
    file = draw.choice(sorted(kit.glob("*.py")))
    how = draw.choice(("edit", "add", "hide", "link", "ignore", "assume"))
    _change(kit, file, how)
    try:
        taken = kept(find_kit("PaddleGAN"), workspace)
    except UsageError:
        return ""
    return "" if taken is None else f"a planted kit is taken after `{how}`, told to be {origin}"


def _change(kit: Path, file: Path, how: str) -> None:
    if how == "edit":
        file.write_bytes(file.read_bytes() + b"evil\n")
    elif how == "assume":
        git(kit, "update-index", "--assume-unchanged", file.name)
        file.write_bytes(file.read_bytes() + b"evil\n")
    elif how == "link":
        file.unlink()
        file.symlink_to("/etc/passwd")
    else:
        (kit / "evil.py").write_text("evil\n")
        if how != "add":
            place = kit / (".git/info/exclude" if how == "hide" else ".gitignore")
            place.write_text("evil.py\n.gitignore\n")


if __name__ == "__main__":
    sys.exit(attack("state of others and planted kits", 300, attempt))
