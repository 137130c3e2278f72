"""Speed beside the tool's anchors, in one run, as ratios of medians.

usage: python -m bench.speed [--tree DIR] [--kit NAME] [--rounds N] [--all DIR] [--write]

Each round runs every command once, in turn, so that a machine that grows slower slows all of
them. `cpu` is user + system time of the command and its children, `MB` the memory of its largest
process at most; the floor is what LibCST itself costs: start Python, import it, parse and write
the files that the kit's change touches. With `--all`, `check` and `survey` of all kits are held
against that floor of all kits; both find the scans that an earlier run kept, which a first survey
does not. The figures that speak of codemod itself are held against
`bench/speed.yaml`: one that is worse by more than a tenth is named at the end, and the exit code
is 1. `--write` puts these into the file instead.
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

import yaml

FLOOR = """
import sys, libcst
for path in sys.argv[1:]:
    source = open(path, "rb").read()
    assert libcst.parse_module(source).bytes == source
"""
# Its modules are compiled, as those of an installed tool are, and LibCST's on both sides.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
ON_FILE = Path(__file__).with_suffix(".yaml")
# Ratios of one run move so far by chance on a machine that does other work as well.
WORSE = 1.1
# A command in the shell's `$0` and `$@`, with an empty cache folder.
_NOTHING_KEPT = 'folder=$(mktemp -d); XDG_CACHE_HOME=$folder "$0" "$@"; rm -r "$folder"'
_GREP = "(b) ast-grep, the wrap calls"
_WRAP_CALL = "paddle.DataParallel($$$)"


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of wall and of processor time of one command, and megabytes of its memory."""

    wall: float
    cpu: float
    memory: float


def measure(command: list[str], cwd: Path) -> Run:
    """Run a command to its end; what it prints is dropped.

    Its memory is at least that of this process, from which it is forked.
    """
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        # Of the command and every process that it waited for; the memory of the largest of them.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # A hook that needs a look is 1; what did not run at all would be the fastest of all.
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {process.returncode}: nothing was measured.")
    wall = time.perf_counter() - start
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * kilobyte / 1e6)


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
    print(f"{'command':34} {'wall s':>8} {'cpu s':>8} {'wall x':>8} {'cpu x':>8} {'MB':>6}")
    wall, cpu = median(found[base], "wall"), median(found[base], "cpu")
    for name, runs in found.items():
        a, b, memory = (median(runs, what) for what in ("wall", "cpu", "memory"))
        print(f"{name:34} {a:8.3f} {b:8.3f} {a / wall:8.2f} {b / cpu:8.2f} {memory:6.0f}")


def ratio(found: dict[str, list[Run]], name: str, base: str) -> float:
    """Processor time of a command over that of another one."""
    return round(median(found[name], "cpu") / median(found[base], "cpu"), 2)


def worse(now: dict[str, float], before: dict[str, float]) -> list[str]:
    """What costs more than it did, each as a line; what is not on file is no line."""
    return [
        f"worse than on file: {name} {figure:.2f} ({before[name]:.2f})"
        for name, figure in now.items()
        if name in before and figure > WORSE * before[name]
    ]


def _judged(now: dict[str, float], write: bool) -> int:
    """Hold the ratios against those on file, or put them there; the exit code."""
    before = yaml.safe_load(ON_FILE.read_text(encoding="utf-8")) if ON_FILE.exists() else {}
    if write:
        ON_FILE.write_text(yaml.safe_dump({**before, **now}, width=100), encoding="utf-8")
        return 0
    lines = worse(now, before)
    print("\n".join(["", *(lines or ["Nothing is worse than on file."])]))
    return int(bool(lines))


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


def main() -> int:
    """Measure, print the tables, and say what is worse than on file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, help="a checkout of the kit (default: fetched)")
    parser.add_argument("--kit", default="PaddleDetection")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--all", type=Path, help="a folder of checkouts named as kits")
    parser.add_argument("--write", action="store_true", help="put the ratios on file")
    args = parser.parse_args()
    binaries = Path(sys.executable).parent
    codemod = [str(binaries / "codemod")]
    with tempfile.TemporaryDirectory() as folder:
        cwd = Path(folder)
        tree = args.tree.resolve() if args.tree else _fetched(args.kit)
        now = _one_kit(args, codemod, binaries, tree, cwd) | _start(args, codemod, cwd)
        if args.all:
            now |= _all_kits(args, codemod, cwd)
    return _judged(now, args.write)


def _fetched(kit: str) -> Path:
    from codemod.base.files.workspace import Workspace
    from codemod.kits.sources import resolve

    return resolve(kit, None, Workspace.at()).root


def _one_kit(
    args: argparse.Namespace, codemod: list[str], binaries: Path, tree: Path, cwd: Path
) -> dict[str, float]:
    files = changed(codemod, args.kit, tree, cwd)
    diff = [*codemod, "diff", args.kit, "--path", str(tree)]
    twice = doubled(tree, cwd)
    (cwd / ".libcst.codemod.yaml").write_text("modules: [libcst.codemod.commands]\n")
    noop = [sys.executable, "-m", "libcst.tool", "codemod", "noop.NOOPCommand", "-j", "2"]
    grep = shutil.which("ast-grep", path=f"{binaries}{os.pathsep}{os.environ['PATH']}")
    if grep is None:
        print("Without ast-grep (pip install ast-grep-cli) its line is left out.", file=sys.stderr)
    commands = {
        "codemod diff": diff,
        "codemod diff, tree doubled": [*codemod, "diff", args.kit, "--path", str(twice)],
        "(a) LibCST's codemod, doing nothing": [*noop, str(tree)],
        **({_GREP: [grep, "run", "-l", "python", "-p", _WRAP_CALL, str(tree)]} if grep else {}),
        "(c) floor: import, parse, write": [sys.executable, "-c", FLOOR, *files],
    }
    count = sum(1 for _ in tree.rglob("*.py"))
    title = f"{args.kit}: {count} Python files, {len(files)} change, {args.rounds} rounds"
    found = rounds(commands, cwd, args.rounds)
    table(title, found, "codemod diff")
    floor = ratio(found, "codemod diff", "(c) floor: import, parse, write")
    larger = ratio(found, "codemod diff, tree doubled", "codemod diff")
    return {
        f"diff {args.kit} over the floor": floor,
        f"diff {args.kit} doubled over diff": larger,
    }


def _start(args: argparse.Namespace, codemod: list[str], cwd: Path) -> dict[str, float]:
    commands = {
        "python with click": [sys.executable, "-c", "import click"],
        "codemod --help": [*codemod, "--help"],
    }
    found = rounds(commands, cwd, args.rounds)
    table("Start", found, "python with click")
    return {"--help over click": ratio(found, "codemod --help", "python with click")}


def _all_kits(args: argparse.Namespace, codemod: list[str], cwd: Path) -> dict[str, float]:
    trees = sorted(path for path in args.all.resolve().iterdir() if path.is_dir())
    print("\nEach kit, beside LibCST's floor for the files that change, whole (cpu s)")
    print(f"{'kit':34} {'files':>8} {'diff':>8} {'floor':>8} {'diff x':>8}")
    ratios = {}
    touched: list[str] = []
    for tree in trees:
        files = changed(codemod, tree.name, tree, cwd)
        touched += files
        commands = {
            "diff": [*codemod, "diff", tree.name, "--path", str(tree)],
            "floor": [sys.executable, "-c", FLOOR, *files],
        }
        found = rounds(commands, cwd, args.rounds)
        ratios[f"diff {tree.name} over the floor"] = ratio(found, "diff", "floor")
        diff, floor = median(found["diff"], "cpu"), median(found["floor"], "cpu")
        print(f"{tree.name:34} {len(files):8} {diff:8.3f} {floor:8.3f} {diff / floor:8.2f}")
    return ratios | _together(args, codemod, trees, touched, cwd)


def _together(
    args: argparse.Namespace, codemod: list[str], trees: list[Path], touched: list[str], cwd: Path
) -> dict[str, float]:
    """All kits in one command: processor time over the floor of all, and memory."""
    folders, floor = [str(tree) for tree in trees], "floor of all kits"
    survey = [*codemod, "survey", *folders, "-o", str(cwd / "survey.json")]
    commands = {
        floor: [sys.executable, "-c", FLOOR, *touched],
        f"diff of {len(trees)} kits": [*codemod, "diff", *folders],
        f"check of {len(trees)} kits": [*codemod, "check", *folders],
        f"survey of {len(trees)} kits": survey,
        f"first survey of {len(trees)} kits": ["sh", "-c", _NOTHING_KEPT, *survey],
    }
    found = rounds(commands, cwd, args.rounds)
    table("All kits in one command", found, floor)
    names = [name for name in commands if name != floor]
    over = {f"{name} over the floor": ratio(found, name, floor) for name in names}
    return over | {f"{name}, MB": round(median(found[name], "memory")) for name in names}


if __name__ == "__main__":
    sys.exit(main())
