"""What the offered fixes cost dynamic training: time of a step and peak memory, before and after.

usage: python -m bench.fix_cost --workspace DIR [--paddle V] [--steps N] [--pairs N] [CONFIG]...

For each config, given as KIT:CONFIG, the kit is copied twice, and the fixes that are offered for
it are written into the second copy. Both are trained in the kit's own trainer, dynamic, in fresh
processes, in turn, with the recorder in its light form. A pair's ratio is that of the median steps
after warm-up; the table tells the geometric mean over the pairs, the least and the greatest. Beside
it stands the ratio of the quickest steps of all pairs, those that other work disturbed least.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from codemod.audit.fixes.declared import with_kit
from codemod.base.files.workspace import Workspace
from codemod.experiments.parity.parity_job import planned
from codemod.kits import paddles
from codemod.kits.sources import resolve
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from codemod.training.runner import STATIC_MODES, RunRequest, run_once
from codemod.work.fixing import proved_offers

# One or two of each kit that has offered fixes and a recipe that trains.
CONFIGS = (
    "PaddleRec:models/recall/mhcn/config.yaml",
    "PaddleDetection:configs/yolox/yolox_nano_300e_coco.yml",
    "PaddleDetection:configs/picodet/picodet_l_320_coco_lcnet.yml",
    "PaddleDetection:configs/gfl/gflv2_r50_fpn_1x_coco.yml",
    "PaddleDetection:configs/cascade_rcnn/cascade_rcnn_r50_fpn_1x_coco.yml",
    "PaddleOCR:configs/rec/rec_r45_abinet.yml",
    "PaddleVideo:configs/recognition/agcn2s/agcn2s_ntucs_joint.yaml",
    "PaddleYOLO:configs/yolox/yolox_nano_300e_coco.yml",
    "PaddleYOLO:configs/voc/yolov7_tiny_60e_voc.yml",
)
WARM_UP = 3
LIMIT_S = 1800


class Trained(NamedTuple):
    """One dynamic training: its median and its quickest step in ms, the peak of memory in MB."""

    median: float
    quickest: float
    memory: float


def trained(tree: Path, asked: RunSpec, place: Workspace, name: str) -> Trained:
    """Train a tree of the kit once, with the switch off."""
    source = resolve(asked.target, tree, place)
    asked = replace(asked, path=tree)
    ready = prepare(asked, source, place)
    folder = place.make("fix-cost") / name
    shutil.rmtree(folder, ignore_errors=True)
    run = planned(ready, place, source.root, folder)
    wanted = RunRequest("bare", "dynamic", asked.steps, light=True)
    record = run_once(run.off, wanted, folder, ready.device, LIMIT_S)
    if record.outcome != "ok":
        sys.exit(f"{asked.config} ended: {record.outcome}, see {folder}")
    steps = [1000 * step.seconds for step in record.steps if step.number >= WARM_UP]
    memory = max(step.rss_kb for step in record.steps) / 1024
    return Trained(statistics.median(steps), min(steps), memory)


def measured(kit: str, config: str, options: argparse.Namespace, place: Workspace) -> str:
    """The table's line of one config."""
    pinned = resolve(kit, None, place)
    known = proved_offers(pinned, place)
    offers = [one for one in known if one.refusal is None and one.config == config]
    if not offers:
        return f"| {kit} `{config}` | no fix is offered | | | | |"
    fixes = sorted({with_kit(kit, name.partition(" ")[0]) for one in offers for name in one.names})
    asked = RunSpec(kit, config, options.steps, STATIC_MODES, "cpu", (), 0, LIMIT_S, options.paddle)
    pairs: list[tuple[Trained, Trained]] = []
    with tempfile.TemporaryDirectory() as scratch:
        trees = [Path(scratch, side, kit) for side in ("before", "after")]
        for tree in trees:
            shutil.copytree(pinned.root, tree, symlinks=True)
        for change in offers[0].change.changes:
            (trees[1] / change.path).write_bytes(change.new)
        for _ in range(options.pairs):
            before, after = (trained(tree, asked, place, tree.parent.name) for tree in trees)
            pairs.append((before, after))
    ratios = [after.median / before.median for before, after in pairs]
    took = statistics.median(before.median for before, _ in pairs)
    mean = statistics.geometric_mean(ratios)
    best = min(after.quickest for _, after in pairs) / min(before.quickest for before, _ in pairs)
    more = statistics.geometric_mean(after.memory / before.memory for before, after in pairs)
    return (
        f"| {kit} `{config}` | {', '.join(fixes)} | {options.paddle} | {took:.0f} | {mean:.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f}) | {best:.2f} | {more:.2f} |"
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("configs", nargs="*", default=CONFIGS)
    parser.add_argument("--workspace", type=Path, required=True)
    parser.add_argument("--paddle", default=paddles.measured()[-1])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    place = Workspace.at(options.workspace.absolute())
    print("| config | fixes | Paddle | step before, ms | after over before | quickest | memory |")
    print("|---|---|---|---|---|---|---|")
    for kit, config in (one.split(":", 1) for one in options.configs):
        print(measured(kit, config, options, place), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
