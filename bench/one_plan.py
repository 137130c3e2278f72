"""Whether `diff` and `branch` write the bytes of `apply`: whole, with --only, --split and --base.

Beside that, `parity` must stamp its runs with the checksum of that very code, and what `check` says
of each config after `apply` must be what it finds in the tree as `apply` leaves it.

usage: python -m bench.one_plan MIRROR [--kit NAME]...

MIRROR holds the clones as OWNER+NAME/repo. Each branch is made of the revision that the kit is
pinned to, in a clone that is thrown away. Prints a line for each kit and way, with the seconds of
processor time that it took.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.origins import KITS, extract
from codemod.base.changeset import Source, Status
from codemod.base.patch.mail import mail
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.engine.hook_files import HookFiles
from codemod.kits.catalogue import load_kits
from codemod.training.launch import hook_checksum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import ChangeSet

PROGRAM = Path(sys.executable).with_name("codemod")


def git(folder: Path, *words: str, told: bytes | None = None) -> bytes:
    """What git says."""
    return subprocess.run(
        ["git", "-C", str(folder), *words], input=told, capture_output=True, check=True
    ).stdout


def faults(kit: str, mirror: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each way, with the files that it writes in other bytes than `apply`, or in two branches."""
    repository = next(mirror.glob(f"*+{kit}")) / "repo"
    revision = load_kits()[kit].revision
    root = folder / kit
    extract(repository, revision, root)
    change_set = plan_change(Source(kit, root, revision)).change_set()
    wanted = {change.path: change.new for change in change_set.changes}
    planned = HookFiles(Tree(root), change_set).whole()
    foretold = _reach(kit, root, "blocked_after")
    yield "diff", _patched(change_set, root, wanted)
    yield "parity", [] if hook_checksum(root) == planned else ["the checksum of its runs"]
    found = _reach(kit, root, "blocked")
    yield "check", [config for config in foretold if foretold[config] != found.get(config)]
    chosen = [hook.file for hook in change_set.hooks if hook.status is Status.INSERTED]
    ways: dict[str, tuple[str, ...]] = {
        "whole": (),
        "base": ("--base", "develop"),
        "split": ("--split",),
        "only": ("--only", chosen[0]),
    }
    for way, words in ways.items():
        clone = folder / way
        git(folder, "clone", "-q", "--bare", "--shared", str(repository), str(clone))
        before = _branches(clone)
        _branch(kit, clone, "--revision", revision, *words, workspace=folder / "workspace")
        made = sorted(_branches(clone) - before, key=lambda name: not name.endswith("-shared"))
        only = chosen[0] if way == "only" else ""
        yield way, _differing(wanted, clone, revision, made, only)


def _reach(kit: str, root: Path, when: str) -> dict[str, str | None]:
    """Why `check` says that a config reaches no hook, as the tree is or after `apply`."""
    command = [str(PROGRAM), "check", kit, "--path", str(root), "--json"]
    told = subprocess.run(command, capture_output=True, check=False).stdout
    return {row["config"]: row[when] for row in json.loads(told)["configs"]}


def _patched(change_set: ChangeSet, root: Path, wanted: dict[str, bytes]) -> list[str]:
    """The files that the patch makes other than the plan says; the patch stays applied."""
    git(root, "apply", "--whitespace=nowarn", told=mail(change_set))
    return [path for path, data in wanted.items() if (root / path).read_bytes() != data]


def _branches(clone: Path) -> set[str]:
    return set(git(clone, "branch", "--format=%(refname:short)").decode().split())


def _branch(kit: str, clone: Path, *words: str, workspace: Path) -> None:
    git(clone, "config", "user.name", "bench")
    git(clone, "config", "user.email", "bench@example.invalid")
    command = [str(PROGRAM), "branch", kit, "--path", str(clone), *words]
    subprocess.run([*command, "--workspace", str(workspace)], capture_output=True, check=False)


def _differing(
    wanted: dict[str, bytes], clone: Path, revision: str, names: list[str], only: str
) -> list[str]:
    """The files that the branches write in other bytes than the plan, twice, or not at all.

    `only` is the file whose hooks the branch is about: other files need not be there.
    """
    wrong = []
    found: dict[str, bytes] = {}
    below = revision
    for name in names:
        for path in git(clone, "diff", "-z", "--name-only", below, name).decode().split("\0")[:-1]:
            wrong += [f"{path} (in two branches)"] if path in found else []
            found[path] = git(clone, "show", f"{name}:{path}")
        below = name if name.endswith("-shared") else below
    missing = [path for path in wanted if path not in found and path == (only or path)]
    wrong += [f"{path} (missing)" for path in missing]
    return wrong + [path for path, data in found.items() if wanted.get(path) != data]


def _seconds() -> float:
    """Processor time of this process and of those that it started."""
    return sum(os.times()[:4])


def main() -> int:
    """Compare each kit in each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("mirror", type=Path)
    parser.add_argument("--kit", action="append", choices=KITS)
    options = parser.parse_args()
    worst = 0
    for kit in options.kit or KITS:
        with tempfile.TemporaryDirectory() as folder:
            before = _seconds()
            for way, found in faults(kit, options.mirror, Path(folder)):
                worst |= bool(found)
                now = _seconds()
                print(f"{kit} {way}: {found or 'equal'}, {now - before:.0f} s", flush=True)
                before = now
    return worst


if __name__ == "__main__":
    sys.exit(main())
