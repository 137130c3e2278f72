"""Programs of the grammar on a real Paddle: gradients of every parameter, hooked and dynamic.

    python -m bench.programs.real --count 500 --seed 2 --python ENVIRONMENT/bin/python

Programs that the tool hooks are drawn until there are enough; a warm process of the environment
forks a child for each run: as it was, hooked in AST, hooked in SOT.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.programs.grammar import drawn
from bench.programs.judged import changed, switched
from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RUNNER = Path(__file__).with_name("real_runner.py")


def jobs(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Hooked programs as the runner reads them: files before and after, words and variables."""
    made = 0
    while made < count:
        program = drawn(seed)
        change, files = changed(program)
        hooks = [hook for hook in change.hooks if hook.status is Status.INSERTED]
        if hooks:
            made += 1
            after, words, variables = switched(files, hooks)
            yield {
                "seed": program.seed,
                "words": program.words,
                "before": _coded(program.files),
                "after": _coded(after),
                "switch": words,
                "variables": variables,
            }
        seed += 1


def _coded(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: base64.b64encode(text).decode() for path, text in files.items()}


def answers(python: str, jobs_of: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the runner says of each job: outcomes of its modes."""
    with tempfile.TemporaryDirectory() as scratch:
        listed, packages = Path(scratch, "jobs.json"), Path(scratch, "packages")
        listed.write_text(json.dumps(jobs_of), encoding="utf-8")
        packages.mkdir()
        # Programs read their options by it; an environment of a kit need not have it.
        (packages / "click").symlink_to(Path(click.__file__).parent)
        command = [python, str(RUNNER), str(listed)]
        env = {**os.environ, "PYTHONPATH": str(packages)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
            for line in process.stdout or ():
                if line.startswith("{"):
                    yield json.loads(line)


def main() -> int:
    """Run the programs and print a table; exit code 1 where a gradient differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--python", required=True)
    options = parser.parse_args()
    found: Counter[tuple[str, str]] = Counter()
    seeds: dict[tuple[str, str], list[int]] = {}
    for answer in answers(options.python, list(jobs(options.seed * 1_000_000, options.count))):
        for mode, outcome in answer["modes"].items():
            found[mode, outcome] += 1
            seeds.setdefault((mode, outcome), []).append(answer["seed"])
    print("| mode | outcome | programs |\n|---|---|---:|")
    for (mode, outcome), count in sorted(found.items()):
        some = "" if outcome == "as dynamic" else f", such as {seeds[mode, outcome][:4]}"
        print(f"| {mode} | {outcome}{some} | {count} |")
    good = {"as dynamic", "runs"}
    return int(any(outcome not in good for _, outcome in found))


if __name__ == "__main__":
    sys.exit(main())
