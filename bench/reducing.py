"""Reduce programs of known cause, hidden among layers that have nothing to do with it.

    python -m bench.reducing [PROGRAM...] [--again] [--write] [--minutes 10] [--seed 1] [--keep DIR]
    python -m bench.reducing [PROGRAM...] --kits FOLDER [--again] [--write] [--minutes 10]

What is found is compared with what was hidden: the cause that `codemod reduce` names by itself.
With `--kits`, a folder of checkouts, each program is looked for from a kit's config alone. Either
goes on where it was ended, by what is in `--keep`, and writes its own table of
docs/measured/reducing.md (`--write`), or the rows of those that are named.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.reducing_kits import HIDDEN, KITS, reduce_all, write
from codemod.base.errors import CodemodError
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.experiments.reduce.kit_programs import LayerProgram
from codemod.experiments.reduce.reduce_job import reduce_program
from codemod.experiments.reduce.request import ReduceRequest
from codemod.training.environment.environments import EnvSpec, ensure

if TYPE_CHECKING:
    from collections.abc import Sequence

SEEDS = Path(__file__).with_name("reducing.yaml")
# Lines that work on [2, 8] and change nothing of what the seed computes.
_FILLERS = (
    "y = self.{name}(y)",
    "y = nn.functional.relu(y) + {number}.0",
    "for _ in range({number}):\n            y = self.{name}(y) * 0.5",
    "y = paddle.concat([y[:, :4], y[:, 4:]], axis=1)",
    "if self.training:\n            y = y - y.mean(axis=1, keepdim=True)",
)
_LAYERS = ("nn.Linear(8, 8)", "nn.LayerNorm(8)", "nn.BatchNorm1D(8)", "nn.ReLU()", "nn.Tanh()")


@dataclass(frozen=True, slots=True)
class Seed:
    """One row: the program of docs/paddle-issues whose cause it has, where it shows, its code.

    `text` holds a class `Net` and `step(net)`.
    """

    program: str
    paddle: str
    mode: str
    text: str


def seeds() -> tuple[Seed, ...]:
    """All rows of `reducing.yaml`."""
    return tuple(read_record(Seed, row) for row in read_yaml(SEEDS).entries())


def padded(seed: Seed, draw: random.Random) -> str:
    """The seed's program with `Net` inside of a larger net."""
    classes, names = [], []
    for index in range(draw.randint(2, 4)):
        layers = {f"part{n}": draw.choice(_LAYERS) for n in range(draw.randint(1, 3))}
        lines = [
            draw.choice(_FILLERS).format(name=draw.choice(list(layers)), number=draw.randint(1, 3))
            for _ in range(draw.randint(2, 4))
        ]
        classes.append(_class(f"Block{index}", layers, lines))
        names.append(f"block{index}")
    # A forward that takes `*inputs` would be a fault of its own.
    inputs = seed.text.partition("def forward(self, ")[2].partition(")")[0]
    # The seed's own layers are children of the net, as a kit's are.
    made = "\n".join(f"        self.{name} = {name.title()}()" for name in names)
    fed = "\n".join(f"        y = self.{name}(y)" for name in names)
    outer = (
        "class Outer(nn.Layer):\n    def __init__(self):\n        super().__init__()\n"
        f"{made}\n        self.net = Net()\n\n    def forward(self, {inputs}):\n"
        "        y = paddle.ones([2, 8])\n"
        f"{fed}\n        return self.net({inputs}), y\n"
    )
    feed = (
        "class Fed:\n    def __init__(self, net):\n        self.net, self.extra = net, 0.0\n\n"
        "    def __call__(self, *inputs):\n        out, y = self.net(*inputs)\n"
        "        self.extra = y.mean()\n        return out\n\n"
        "    def __getattr__(self, name):\n        return getattr(self.net, name)\n"
    )
    step = seed.text.replace("def step(net):", "def inner(net):")
    last = (
        "def build():\n    return Outer()\n\n\n"
        "def step(net):\n    fed = Fed(net)\n    return inner(fed) + fed.extra\n"
    )
    return "\n\n".join([step, *classes, outer, feed, last])


def _class(name: str, layers: dict[str, str], lines: list[str]) -> str:
    made = "\n".join(f"        self.{key} = {layer}" for key, layer in layers.items())
    done = "\n".join(f"        {line}" for line in lines)
    return (
        f"class {name}(nn.Layer):\n    def __init__(self):\n        super().__init__()\n{made}\n\n"
        f"    def forward(self, y):\n{done}\n        return y\n"
    )


def hide_all(names: Sequence[str], keep: Path, minutes: float, draw: int, again: bool) -> str:
    """Reduce the seeds that are asked for and not done yet, one at a time; the table of all."""
    for seed in seeds():
        folder = keep / f"{seed.program}-{seed.paddle}-{seed.mode}"
        done = (folder / "result.json").is_file()
        if (names and seed.program not in names) or (done and not again):
            continue
        # What is remembered of a run before would not be counted.
        shutil.rmtree(folder, ignore_errors=True)
        start = LayerProgram(seed.program, padded(seed, random.Random(draw)))
        request = ReduceRequest(seed.mode, seed.paddle, minutes)
        try:
            reduce_program([start], request, lambda v: ensure(EnvSpec(v)), folder)
        except CodemodError as error:
            print(f"{seed.program}: {error}", file=sys.stderr, flush=True)
    return table(keep)


def table(keep: Path) -> str:
    """What the folder holds of each seed as Markdown; what was not found says so."""
    columns = ["hidden", "Paddle", "mode", "lines before", "lines", "tried", "min", "named"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for seed in sorted(seeds(), key=lambda seed: seed.program):
        folder = keep / f"{seed.program}-{seed.paddle}-{seed.mode}"
        cells = [f"{seed.program}.py", seed.paddle, seed.mode.upper()]
        if (folder / "result.json").is_file():
            found = json.loads((folder / "result.json").read_text(encoding="utf-8"))
            start = (folder / "start.py").read_text(encoding="utf-8")
            before = sum(bool(line.strip()) for line in start.splitlines())
            named = found["same"] if found["verified"] else "wrong: it does not show it afresh"
            numbers = [before, found["code_lines"], found["tests"], found["minutes"]]
            cells += [*map(str, numbers), named]
        else:
            cells += [*[""] * 4, "not found"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Reduce each and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "reducing")
    parser.add_argument("--kits", type=Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.kits:
        made = reduce_all(asked.programs, asked.kits, asked.keep, asked.minutes, asked.again)
    else:
        made = hide_all(asked.programs, asked.keep, asked.minutes, asked.seed, asked.again)
    print(made)
    if asked.write:
        write(made, KITS if asked.kits else HIDDEN, asked.programs)


if __name__ == "__main__":
    main()
