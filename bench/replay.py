"""Replay `codemod apply` on real revisions and hold it to its promises.

usage: KITS=DIR python -m bench.replay [--random N] [--fixes] [--kit NAME]... [--seed S]

Without --random, the revisions of `bench/replay.yaml`: each stands just before a human added
a hook, and names the file and function where the corrected hook stands. With it, N random
revisions of each clone, where the promises alone are checked:
every file written parses, a second apply changes nothing, revert gives the same bytes, and in
a hooked function the hook comes before every wrap.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.fix_promises import known_fixes, write_fixes
from bench.revisions import Clone, clones
from codemod.base.errors import CodemodError
from codemod.code.module import callee, dotted
from codemod.code.sites import WRAPS, first_argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Case:
    """A revision; of `sites` (FILE:SCOPE) one must be hooked, when there are any."""

    name: str
    clone: Clone
    revision: str
    sites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What one case showed: its faults, and the lines added and removed."""

    case: Case
    faults: tuple[str, ...]
    added: int = 0
    removed: int = 0


def main() -> int:
    """Run the cases; the exit code is 1 when one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=0, help="revisions of each clone")
    parser.add_argument("--fixes", action="store_true", help="write fixes instead of hooks")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--seed", type=int, default=0, help="of the random choice")
    args = parser.parse_args()
    folder = os.environ.get("KITS", "")
    if not folder or not Path(folder).is_dir():
        parser.error("KITS must name a folder of clones")
    known = [c for c in clones(Path(folder)) if not args.kit or c.kit in args.kit]
    cases = list(_random(known, args.random, args.seed) if args.random else _known(known))
    promises = _fix_promises if args.fixes else _promises
    results = [_report(_run(case, promises)) for case in cases]
    good = sum(not result.faults for result in results)
    added, removed = sum(r.added for r in results), sum(r.removed for r in results)
    print(f"{good} of {len(results)} cases hold; {added} lines added, {removed} removed")
    return int(good != len(results))


def _known(known: list[Clone]) -> Iterator[Case]:
    by_kit = {clone.kit: clone for clone in known}
    for entry in yaml.safe_load((HERE / "replay.yaml").read_text(encoding="utf-8")):
        clone = by_kit.get(entry["kit"])
        if clone:
            yield Case(entry["id"], clone, entry["revision"], tuple(entry["sites"]))


def _random(known: list[Clone], count: int, seed: int) -> Iterator[Case]:
    for clone in known:
        revisions = clone.revisions()
        chosen = random.Random(f"{seed} {clone.kit}").sample(revisions, min(count, len(revisions)))
        for revision in chosen:
            yield Case(f"{clone.kit}@{revision[:10]}", clone, revision)


def _report(result: Result) -> Result:
    for fault in result.faults:
        print(f"{result.case.name}: {fault}", flush=True)
    return result


def _run(case: Case, promises: Callable[[Case, Path, Path], Result]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "kit")
        root.mkdir()
        case.clone.export(case.revision, root)
        return promises(case, root, Path(folder, "workspace"))


def _fix_promises(case: Case, root: Path, workspace: Path) -> Result:
    before = _digest(root)
    try:
        change = known_fixes(case.clone.kit, root, workspace)
        faults = [*write_fixes(change)]
        after = _digest(root)
        more = known_fixes(case.clone.kit, root, workspace).changes
    except CodemodError as fault:
        return Result(case, (str(fault),))
    faults += _parses(root, before, after)
    faults += (f"there is more to fix in {one.path} afterwards" for one in more)
    if after != before:
        _codemod(case, root, workspace, "revert")
    if _digest(root) != before:
        faults.append("revert did not give the bytes back")
    added, removed = (
        sum(getattr(edit, name) for edit in change.edits)
        for name in ("lines_added", "lines_removed")
    )
    return Result(case, tuple(faults), added, removed)


def _promises(case: Case, root: Path, workspace: Path) -> Result:
    before = _digest(root)
    done = _codemod(case, root, workspace, "apply", "--json")
    try:
        made = json.loads(done.stdout)
    except ValueError:
        return Result(case, (f"exit {done.returncode}: {done.stderr.strip()[-200:]}",))
    if "error" in made:
        # A revision without Paddle code, such as a website's branch, is rightly refused.
        of_paddle = any(b"paddle" in path.read_bytes() for path in root.rglob("*.py"))
        return Result(case, (made["error"],) if of_paddle else ())
    after = _digest(root)
    faults = [*_parses(root, before, after), *_placed(case, root, made)]
    _codemod(case, root, workspace, "apply", "--json")
    if _digest(root) != after:
        faults.append("a second apply changed files")
    if after != before:
        _codemod(case, root, workspace, "revert")
    if _digest(root) != before:
        faults.append("revert did not give the bytes back")
    return Result(case, tuple(faults), made["lines_added"], made["lines_removed"])


def _codemod(
    case: Case, root: Path, workspace: Path, command: str, *options: str
) -> subprocess.CompletedProcess[str]:
    from codemod.kits.catalogue import load_kits

    target = [case.clone.kit, "--path", str(root)] if case.clone.kit in load_kits() else [str(root)]
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "codemod",
            command,
            *target,
            "--workspace",
            str(workspace),
            *options,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _digest(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _parses(root: Path, before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    for path in after:
        if after[path] != before.get(path) and path.endswith(".py"):
            try:
                _tree(root / path)
            except SyntaxError as fault:
                yield f"{path} does not parse: {fault}"


def _tree(path: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(path.read_bytes())


def _placed(case: Case, root: Path, made: dict[str, Any]) -> Iterator[str]:
    inserted = [hook for hook in made["hooks"] if hook["status"] == "inserted"]
    for hook in inserted:
        late = _wraps_before(root / hook["file"], hook)
        if late:
            yield f"{hook['file']}:{hook['line']} comes after the wrap at line {late}"
        if not hook["gate"]:
            yield f"{hook['file']}:{hook['line']} has no gate"
    places = {f"{hook['file']}:{hook['scope']}" for hook in inserted}
    if case.sites and not places.intersection(case.sites):
        yield f"no hook in {' or '.join(case.sites)}"


def _wraps_before(path: Path, hook: dict[str, Any]) -> int | None:
    """The line of a wrap of the hooked model that stands above the hook in its scope."""
    wanted = hook["scope"].replace(".<locals>", "")
    for name, node in _functions(_tree(path), ""):
        if name == wanted:
            calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)]
            lines = [c.lineno for c in calls if _wraps(c, hook["target"])]
            return next((number for number in lines if number < hook["line"]), None)
    return None


def _wraps(call: ast.Call, target: str) -> bool:
    return callee(call) in WRAPS and dotted(first_argument(call)) == target


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        name = f"{prefix}{child.name}" if named else prefix  # type: ignore[attr-defined]
        if named:
            yield name, child
        yield from _functions(child, f"{name}." if named else prefix)


if __name__ == "__main__":
    sys.exit(main())
