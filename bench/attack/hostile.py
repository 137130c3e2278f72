"""Repositories made to harm whoever looks at them: nothing outside changes, nothing starts.

In each, every command that reads or writes files (not those that train) is run from a folder
drawn by the seed, the repository itself among them. Whatever program the repository names
leaves a mark. `strace -f -e trace=execve -o FILE python -m bench.attack.hostile` also lists the
programs that were started: Python and git.
"""

from __future__ import annotations

import contextlib
import os
import random
import stat
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.attack.calling import Ended, called, time_limit
from bench.attack.plants import PLANTS, World, git, grow
from bench.attack.table import TRAIN, attack
from bench.attack.variants import is_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONFIG = "train_dataset: {type: D}\nmodel: {type: Good}\n_base_: base.yml\n"


@dataclass(frozen=True, slots=True)
class Step:
    """One command line; `writes` says that the repository's own files may change."""

    words: tuple[str, ...]
    writes: bool = False


def attempt(seed: int, folder: Path) -> str:
    """Make one repository, and run everything in it."""
    draw = random.Random(seed)
    world = made(folder)
    kinds = draw.sample(sorted(PLANTS), draw.randint(3, 7))
    named = draw.choice(("PaddleSeg", "PaddleGAN", None))
    grow(world, kinds, draw)
    before, outside = snapshot(world.kit), {place: snapshot(place) for place in world.outside}
    cwd = draw.choice((world.kit, world.cwd))
    for step in steps(world, named, draw):
        fault = run_one(step, world, cwd)
        told = f"`{step.words[0]}` with {', '.join(kinds)}"
        if fault:
            return f"{fault}: {told}"
        for place, was in outside.items():
            if found := difference(was, snapshot(place)):
                return f"{place.name} changed ({found}): {told}"
        if not step.writes and (found := difference(before, snapshot(world.kit))):
            return f"the repository changed ({found}): {told}"
        if step.words[0] == "revert":
            before = before if not difference(before, snapshot(world.kit)) else {}
            if not before:
                return f"revert does not give the bytes back: {told}"
        elif step.words[0] == "branch":
            before = snapshot(world.kit)
    return ""


def steps(world: World, named: str | None, draw: random.Random) -> Iterator[Step]:
    """The command lines, in their order; some with a kit's name and rules, some without."""
    kit = str(world.kit)
    target = (named, "--path", kit) if named else (kit,)
    ours = () if draw.random() < 0.4 else ("--workspace", str(world.workspace))
    yield Step(("kits", *ours))
    yield Step(("diff", *target, "--json", *ours))
    yield Step(("diff", *target, "-o", str(world.out / "a.patch"), *ours))
    yield Step(("check", *target, "--json", *ours))
    yield Step(("check", *target, "--sarif", *ours))
    yield Step(("apply", *target, "--dry-run", *ours))
    yield Step(("survey", *target, "--json", *ours))
    yield Step(("rules", "scaffold", kit))
    yield Step(("report", *ours))
    # With nothing to fetch from: what the workspace holds is all there is.
    yield Step(("apply", "PaddleGAN", *ours))
    yield Step(("apply", *target, "--json", *ours), writes=True)
    yield Step(("check", *target, *ours), writes=True)
    yield Step(("revert", *target, *ours), writes=True)
    yield Step(("branch", *target, "--json", *ours), writes=True)
    yield Step(("branch", *target, "--name", "other", "--push", "origin", *ours), writes=True)


def run_one(step: Step, world: World, cwd: Path) -> str:
    """Run one command; what is wrong with how it ended."""
    os.chdir(cwd)
    try:
        with time_limit():
            done = called(*step.words)
    except TimeoutError:
        return "it does not end"
    finally:
        os.chdir("/")
    if world.mark.exists():
        return "a program was started"
    return wrong_end(step, done)


def wrong_end(step: Step, done: Ended) -> str:
    """What is wrong with an end; empty when nothing is."""
    if done.bug:
        return f"a fault of the tool ({done.bug})"
    if done.code not in (0, 1, 2, 3):
        return f"it ends with {done.code}"
    if "--json" in step.words and not is_json(done.out):
        return "what it prints is not JSON"
    if step.words[0] != "diff" and "\x1b" in done.out + done.err:
        return "an escape sequence is printed"
    return ""


def made(folder: Path) -> World:
    """A home, a folder to stand in, another checkout, and a repository that is still harmless."""
    world = World(folder)
    for place in (*world.outside, world.kit / "configs", world.out):
        place.mkdir(parents=True)
    world.program.write_text(f"#!/bin/sh\ntouch '{world.mark}'\n")
    world.program.chmod(0o755)
    (world.home / "secret.py").write_bytes(TRAIN)
    (world.home / ".bashrc").write_text("# mine\n")
    (world.cwd / "notes.txt").write_text("mine\n")
    for root in (world.other, world.kit):
        (root / "train.py").write_bytes(TRAIN)
        (root / "net.py").write_text("import paddle\n")
        git(root, "init", "-q", "-b", "main")
    (world.kit / "configs" / "a.yml").write_text(CONFIG)
    for root in (world.other, world.kit):
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
    return world


@contextlib.contextmanager
def own_environment() -> Iterator[None]:
    """The variables of whoever runs this, brought back afterwards."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def guarded(seed: int, folder: Path) -> str:
    """`attempt`, with a home of its own and nothing to fetch from."""
    with own_environment():
        for name in [name for name in os.environ if name.startswith(("GIT_", "CODEMOD_"))]:
            del os.environ[name]
        os.environ |= {
            "HOME": str(folder / "home"),
            "CODEMOD_MIRROR": str(folder / "no-such-mirror"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        os.environ.pop("XDG_CONFIG_HOME", None)
        return attempt(seed, folder)


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of all below a folder, without the workspace that the tool may make."""
    found: dict[str, tuple[int, bytes]] = {}
    for place, folders, files in os.walk(os.fsencode(root)):
        if place == os.fsencode(root) and b".codemod" in folders:
            folders.remove(b".codemod")
        for name in (*folders, *files):
            path = os.path.join(place, name)  # noqa: PTH118 - bytes
            mode = os.lstat(path).st_mode
            data = b""
            if stat.S_ISLNK(mode):
                data = os.readlink(path)  # noqa: PTH115 - bytes
            elif stat.S_ISREG(mode):
                with open(path, "rb") as file:  # noqa: PTH123 - bytes
                    data = file.read()
            found[os.fsdecode(path)] = (mode, data)
    return found


def difference(old: dict[str, tuple[int, bytes]], new: dict[str, tuple[int, bytes]]) -> str:
    """The first path at which two snapshots differ."""
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) != new.get(path):
            return ascii(path)
    return ""


if __name__ == "__main__":
    subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
    sys.exit(attack("hostile repositories", 100, guarded))
