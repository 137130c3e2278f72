"""What a probe costs: two checkouts probe the same models side by side, and the verdicts compared.

Each kit's models are probed on each Paddle by one command of the older checkout and one of this
one, in an order that turns from turn to turn, so that a busy machine hits both alike. The ratios
are of processor time, which other processes lengthen little, and of wall time. Environments and
samples are made before the clock runs.

    python -m bench.probing OLDER_CHECKOUT --workspace DIR [--paddle 2.6.2,3.3.1] [--kit KIT ...]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.server import equipment_of
from codemod.kits.folder import kit_file
from codemod.kits.paddles import measured

LISTED = Path(__file__).with_suffix(".yaml")
HERE = Path(__file__).parent.parent


@dataclass(frozen=True)
class Side:
    """One command: wall and processor seconds, and `verdict` by (config, mode)."""

    wall_s: float
    cpu_s: float
    verdicts: dict[tuple[str, str], str]


def probe(root: Path, kit: str, configs: list[str], paddle: str, workspace: Path) -> Side:
    """Probe `configs` by the code at `root`; the results replace those of before."""
    words = [sys.executable, "-m", "codemod", "probe", kit, "--force", "--json"]
    words += [word for config in configs for word in ("-c", config)]
    words += ["--paddle", paddle, "--jobs", "1", "--limit", "60", "--workspace", str(workspace)]
    env = {**os.environ, "PYTHONPATH": str(root)}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, env=env, cwd=root, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        sys.exit(f"{root} cannot probe {kit}: {done.stderr.strip()[-800:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return Side(time.monotonic() - began, cpu, dict(_verdicts(results)))


def _verdicts(results: list[dict[str, Any]]) -> list[tuple[tuple[str, str], str]]:
    return [
        ((result["config"], mode), found.get("verdict", found.get("outcome")))
        for result in results
        for mode, found in result["modes"].items()
    ]


def main() -> None:
    """Measure; print a line for each kit and Paddle, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("older", type=Path, help="a checkout of an older revision")
    parser.add_argument("--workspace", type=Path, required=True, help="where the kits lie")
    parser.add_argument("--paddle", default=",".join(measured()))
    parser.add_argument("--kit", action="append", help="only this kit (repeat for several)")
    asked = parser.parse_args()
    place = Workspace.at(asked.workspace)
    listed: dict[str, list[str]] = yaml.safe_load(LISTED.read_text(encoding="utf-8"))
    wall, cpu, equal, compared, turn = [0.0, 0.0], [0.0, 0.0], 0, 0, 0
    for kit, configs in listed.items():
        if asked.kit and kit not in asked.kit:
            continue
        for paddle in asked.paddle.split(","):
            equipment_of(kit, place, paddle, adapter=kit_file(kit, "adapter.py"))
            sides: dict[Path, Side] = {}
            roots = [asked.older.resolve(), HERE.resolve()]
            for root in roots[:: -1 if turn % 2 else 1]:
                sides[root] = probe(root, kit, configs, paddle, place.root)
            old, new = (sides[root] for root in roots)
            turn += 1
            for index, side in enumerate((old, new)):
                wall[index] += side.wall_s
                cpu[index] += side.cpu_s
            same = sum(new.verdicts.get(key) == value for key, value in old.verdicts.items())
            equal, compared = equal + same, compared + len(old.verdicts)
            print(
                f"{kit:15} {paddle}: {len(configs)} models, processor {old.cpu_s:.0f} s before, "
                f"{new.cpu_s:.0f} s now ({old.cpu_s / new.cpu_s:.2f} times fewer), wall "
                f"{old.wall_s:.0f} and {new.wall_s:.0f} s ({old.wall_s / new.wall_s:.2f}); "
                f"{same} of {len(old.verdicts)} verdicts are equal",
                flush=True,
            )
            for key, value in old.verdicts.items():
                if new.verdicts.get(key) != value:
                    print(f"  {key[0]} {key[1]}: {value} before, {new.verdicts.get(key)} now")
    if compared:
        print(
            f"all: processor {cpu[0]:.0f} s before, {cpu[1]:.0f} s now "
            f"({cpu[0] / cpu[1]:.2f} times fewer), wall {wall[0]:.0f} and {wall[1]:.0f} s "
            f"({wall[0] / wall[1]:.2f}); {equal} of {compared} verdicts are equal"
        )


if __name__ == "__main__":
    main()
