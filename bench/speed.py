"""Speed beside the tool's anchors, in one run, as ratios of medians.

usage: python -m bench.speed [--tree DIR] [--kit NAME] [--rounds N] [--all DIR]

Each round runs every command once, in turn, so that a machine that grows slower slows all of
them. `cpu` is user + system time of the command and its children; the floor is what LibCST
itself costs: start Python, import it, parse and write the files that the kit's change touches.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

FLOOR = """
import sys, libcst
for path in sys.argv[1:]:
    source = open(path, "rb").read()
    assert libcst.parse_module(source).bytes == source
"""
WRAP_CALLS = ("paddle.DataParallel($$$)", "fleet.distributed_model($$$)")


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of wall and of processor time of one command."""

    wall: float
    cpu: float


def measure(command: list[str], cwd: Path) -> Run:
    """Run a command to its end; what it prints is read and dropped."""
    before = os.times()
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=False, capture_output=True)
    wall = time.perf_counter() - start
    after = os.times()
    cpu = (
        after.children_user - before.children_user + after.children_system - before.children_system
    )
    return Run(wall, cpu)


def rounds(commands: dict[str, list[str]], cwd: Path, count: int) -> dict[str, list[Run]]:
    """Every command once a round, after a round that does not count."""
    for command in commands.values():
        measure(command, cwd)
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(count):
        for name, command in commands.items():
            found[name].append(measure(command, cwd))
    return found


def median(runs: list[Run], what: str) -> float:
    """The median of one figure."""
    return float(statistics.median(getattr(run, what) for run in runs))


def table(title: str, found: dict[str, list[Run]], base: str) -> None:
    """Medians, and each command's ratio to `base`."""
    print(f"\n{title}")
    print(f"{'command':34} {'wall s':>8} {'cpu s':>8} {'wall x':>8} {'cpu x':>8}")
    wall, cpu = median(found[base], "wall"), median(found[base], "cpu")
    for name, runs in found.items():
        a, b = median(runs, "wall"), median(runs, "cpu")
        print(f"{name:34} {a:8.3f} {b:8.3f} {a / wall:8.2f} {b / cpu:8.2f}")


def changed(codemod: list[str], kit: str, tree: Path, cwd: Path) -> list[str]:
    """The files that the kit's change touches."""
    command = [*codemod, "diff", kit, "--path", str(tree), "--json"]
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)
    edits = json.loads(done.stdout)["edits"]
    return sorted({str(tree / edit["file"]) for edit in edits})


def doubled(tree: Path, into: Path) -> Path:
    """The tree with as many unrelated Python files beside its own."""
    copy = into / "doubled"
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    for number, path in enumerate(sorted(tree.rglob("*.py"))):
        size = path.stat().st_size
        target = copy / "unrelated" / f"part{number % 40}" / f"module{number}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("def f(x):\n    return x + 1\n" * (size // 28 + 1))
    return copy


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, help="a checkout of the kit (default: fetched)")
    parser.add_argument("--kit", default="PaddleDetection")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--all", type=Path, help="a folder of checkouts named as kits")
    args = parser.parse_args()
    binaries = Path(sys.executable).parent
    codemod = [str(binaries / "codemod")]
    with tempfile.TemporaryDirectory() as folder:
        cwd = Path(folder)
        tree = args.tree.resolve() if args.tree else _fetched(args.kit)
        _one_kit(args, codemod, binaries, tree, cwd)
        _start(args, codemod, cwd)
        if args.all:
            _all_kits(args, codemod, cwd)


def _fetched(kit: str) -> Path:
    from codemod.base.workspace import Workspace
    from codemod.kits.sources import resolve

    return resolve(kit, None, Workspace.at()).root


def _one_kit(
    args: argparse.Namespace, codemod: list[str], binaries: Path, tree: Path, cwd: Path
) -> None:
    files = changed(codemod, args.kit, tree, cwd)
    diff = [*codemod, "diff", args.kit, "--path", str(tree)]
    twice = doubled(tree, cwd)
    (cwd / ".libcst.codemod.yaml").write_text("modules: [libcst.codemod.commands]\n")
    noop = [sys.executable, "-m", "libcst.tool", "codemod", "noop.NOOPCommand", "-j", "2"]
    grep = f"{binaries / 'ast-grep'} run -l python -p '{WRAP_CALLS[0]}' {tree}"
    commands = {
        "codemod diff": diff,
        "codemod diff, tree doubled": [*codemod, "diff", args.kit, "--path", str(twice)],
        "(a) LibCST's codemod, doing nothing": [*noop, str(tree)],
        "(b) ast-grep, the wrap calls": ["sh", "-c", grep],
        "(c) floor: import, parse, write": [sys.executable, "-c", FLOOR, *files],
    }
    count = sum(1 for _ in tree.rglob("*.py"))
    title = f"{args.kit}: {count} Python files, {len(files)} change, {args.rounds} rounds"
    table(title, rounds(commands, cwd, args.rounds), "codemod diff")


def _start(args: argparse.Namespace, codemod: list[str], cwd: Path) -> None:
    commands = {
        "python with click": [sys.executable, "-c", "import click"],
        "codemod --help": [*codemod, "--help"],
    }
    table("Start", rounds(commands, cwd, args.rounds), "python with click")


def _all_kits(args: argparse.Namespace, codemod: list[str], cwd: Path) -> None:
    trees = sorted(path for path in args.all.resolve().iterdir() if path.is_dir())
    print("\nEach kit, beside LibCST's floor for the files that change, whole (cpu s)")
    print(f"{'kit':34} {'files':>8} {'diff':>8} {'floor':>8} {'diff x':>8}")
    for tree in trees:
        files = changed(codemod, tree.name, tree, cwd)
        commands = {
            "diff": [*codemod, "diff", tree.name, "--path", str(tree)],
            "floor": [sys.executable, "-c", FLOOR, *files],
        }
        found = rounds(commands, cwd, args.rounds)
        diff, floor = median(found["diff"], "cpu"), median(found["floor"], "cpu")
        print(f"{tree.name:34} {len(files):8} {diff:8.3f} {floor:8.3f} {diff / floor:8.2f}")
    name = f"codemod diff, {len(trees)} kits"
    together = {name: [*codemod, "diff", *map(str, trees)]}
    table("All kits in one command", rounds(together, cwd, args.rounds), name)


if __name__ == "__main__":
    main()
