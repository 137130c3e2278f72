"""Whether `branch` writes the bytes of `apply`: whole, with --only, with --split, with --base.

usage: python -m bench.one_plan DIR [--kit NAME]...

DIR holds a clone a kit, named like the kit. Nothing in it is changed but its branches: each is
made in a clone of the clone that is thrown away. Prints a line for each kit and way.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from codemod.base.changeset import Source
from codemod.engine import plan_change

PROGRAM = Path(sys.executable).with_name("codemod")
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid")


def git(folder: Path, *words: str) -> bytes:
    """What git says."""
    return subprocess.run(
        ["git", "-C", str(folder), *IDENTITY, *words], capture_output=True, check=True
    ).stdout


def branches(kit: str, clone: Path, *words: str) -> list[str]:
    """The branches that the command makes."""
    git(clone, "config", "user.name", "bench")
    git(clone, "config", "user.email", "bench@example.invalid")
    before = set(git(clone, "branch", "--format=%(refname:short)").decode().split())
    command = [str(PROGRAM), "branch", kit, "--path", str(clone), *words]
    subprocess.run(command, capture_output=True, check=False, cwd=clone.parent)
    after = git(clone, "branch", "--format=%(refname:short)").decode().split()
    return [name for name in after if name not in before]


def differing(wanted: dict[str, bytes], clone: Path, names: list[str], part: str = "") -> list[str]:
    """The files that the branches write in other bytes than the plan, or do not write at all.

    `part` is the folder or file whose hooks the branch is about: other files need not be there.
    """
    faults = []
    found: dict[str, set[bytes]] = {}
    for name in names:
        for path in git(clone, "diff", "-z", "--name-only", "HEAD", name).decode().split("\0")[:-1]:
            found.setdefault(path, set()).add(git(clone, "show", f"{name}:{path}"))
    for path, data in wanted.items():
        # Of two parts of one file, each has its own bytes: the last branch has them all.
        if path in found and data not in found[path]:
            faults.append(path)
        if path not in found and (not part or path == part):
            faults.append(f"{path} (missing)")
    return faults + [f"{path} (not in the plan)" for path in found if path not in wanted]


def main() -> int:
    """Compare each kit in each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kit", action="append")
    options = parser.parse_args()
    worst = 0
    for root in sorted(path for path in options.folder.iterdir() if (path / ".git").exists()):
        if options.kit and root.name not in options.kit:
            continue
        plan = plan_change(Source(root.name, root, None))
        wanted = {change.path: change.new for change in plan.change_set().changes}
        hooks = [hook.file for hook in plan.change_set().hooks if hook.file in wanted]
        ways: dict[str, tuple[str, ...]] = {
            "whole": (),
            "base": ("--base", "develop"),
            "split": ("--split",),
        }
        ways |= {"only": ("--only", hooks[0])} if hooks else {}
        for way, words in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                clone = Path(folder) / root.name
                shutil.copytree(root, clone, symlinks=True)
                names = branches(root.name, clone, *words)
                only = hooks[0] if way == "only" else ""
                faults = differing(wanted, clone, names, only)
            worst |= bool(faults)
            print(f"{root.name} {way}: {len(names)} branches, {faults or 'equal'}", flush=True)
    return worst


if __name__ == "__main__":
    sys.exit(main())
