"""Names that an applied change uses and that are not bound, over random revisions of clones.

usage: KITS=DIR python -m bench.names [--random N] [--kit NAME]... [--seed S] [--revision R]...

The judge is ruff (F821, F823, F405), not the library that the tool itself asks: each changed
file is looked at as it was and as it becomes, and what is told more often then is a fault.
With `--revision` those revisions of the clones given by `--kit` are looked at instead.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.revisions import Clone, clones
from codemod.base.changeset import Source, Status
from codemod.base.errors import CodemodError
from codemod.engine import plan_change
from codemod.kits.catalogue import load_kits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codemod.base.changeset import FileChange

RULES = "F821,F823,F405"


def main() -> int:
    """Look at the revisions; the exit code is 1 when a name is not bound."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=100, help="revisions of each clone")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--seed", type=int, default=0, help="of the random choice")
    parser.add_argument("--revision", action="append", help="these instead of random ones")
    args = parser.parse_args()
    folder = os.environ.get("KITS", "")
    if not folder or not Path(folder).is_dir():
        parser.error("KITS must name a folder of clones")
    bad = 0
    for clone in clones(Path(folder)):
        if args.kit and clone.kit not in args.kit:
            continue
        revisions = args.revision or _choose(clone, args.random, args.seed)
        totals: Counter[str] = Counter()
        for revision in revisions:
            totals += _look(clone, revision)
        print(
            f"{clone.kit}: {len(revisions)} revisions, {dict(sorted(totals.items()))}", flush=True
        )
        bad += totals["faults"]
    return int(bad > 0)


def _choose(clone: Clone, count: int, seed: int) -> list[str]:
    revisions = clone.revisions()
    chooser = random.Random(f"{seed} {clone.kit}")
    return chooser.sample(revisions, min(count, len(revisions)))


def _look(clone: Clone, revision: str) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "kit")
        root.mkdir()
        clone.export(revision, root)
        kit = clone.kit if clone.kit in load_kits() else None
        try:
            made = plan_change(Source(kit, root, revision), ()).change_set()
        except CodemodError as fault:
            print(f"{clone.kit}@{revision[:10]}: {fault.message}", flush=True)
            return Counter(refused=1)
        faults = _faults(Path(folder), made.changes)
    for told in faults:
        print(f"{clone.kit}@{revision[:10]}: {told}", flush=True)
    unplaced = [hook for hook in made.hooks if hook.reason.code == "engine.not-placed-in"]
    unplaced = [hook for hook in unplaced if hook.status is Status.UNPLACED]
    for hook in unplaced:
        print(f"{clone.kit}@{revision[:10]}: unplaced {hook.file}: {hook.reason}", flush=True)
    hooks = sum(hook.status is Status.INSERTED for hook in made.hooks)
    return Counter(hooks=hooks, files=len(made.changes), faults=len(faults), unplaced=len(unplaced))


def _faults(folder: Path, changes: Sequence[FileChange]) -> list[str]:
    """What ruff tells of the new files beyond what it tells of the old ones."""
    python = [change for change in changes if change.path.endswith(".py")]
    told = {
        name: _told(folder / name, {c.path: getattr(c, name) for c in python})
        for name in ("old", "new")
    }
    return [
        f"{path}: {message}" for path, message in sorted((told["new"] - told["old"]).elements())
    ]


def _told(folder: Path, files: dict[str, bytes]) -> Counter[tuple[str, str]]:
    if not files:
        return Counter()
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    command = ["ruff", "check", "--isolated", "--select", RULES, "--output-format", "json"]
    command += ["--ignore-noqa", "--no-cache", "--exit-zero", str(folder)]
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, capture_output=True, check=True, env={**os.environ, "PATH": search}
    )
    return Counter(
        (str(Path(entry["filename"]).relative_to(folder.resolve())), entry["message"])
        for entry in json.loads(done.stdout)
    )


if __name__ == "__main__":
    sys.exit(main())
