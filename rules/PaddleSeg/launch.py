"""Run a training script that lacks something to be started.

`python launch.py SCRIPT [ARGUMENT ...] [--opts KEY=VALUE ...]`, with the kit's root on PYTHONPATH.
Most of contrib/ read their Config as paddleseg built it before 2.8: they take dataset, model,
optimizer and losses from the Config, which builds them no more, and most images and labels by
number. They get what the kit's own builder makes of the same config. The options that they lack are
seen to here: --device, --seed, and --opts, which the Config takes. `_SEES_TO` names the other
scripts, with what is done for each.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import runpy
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What the builder asks of a dataset's class since then.
_ASKED = (("IMG_CHANNELS", 3), ("IGNORE_INDEX", 255))


class Numbered:
    """A dataset whose samples are tuples, as loaders of these scripts hand them on."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> Any:
        sample = self.dataset[index]
        return (sample["img"], sample["label"]) if isinstance(sample, dict) else sample


def building(config: Any, builder: Any, datasets: Any, pairs: list[str], numbered: bool) -> Any:
    """The Config class with what it had, by the builder of today; `pairs` are laid over each."""

    class BuildingConfig(config):  # type: ignore[misc] # the kit's own class
        def __init__(self, path: str, **given: Any) -> None:
            for name, value in _ASKED:
                for made in datasets.components_dict.values():
                    if not hasattr(made, name):
                        setattr(made, name, value)
            super().__init__(path, **{**given, "opts": pairs})
            self.built = builder(self)

        @property
        def train_dataset(self) -> Any:
            made = self.built.train_dataset
            return Numbered(made) if numbered else made

        @property
        def model(self) -> Any:
            return self.built.model

        @property
        def optimizer(self) -> Any:
            return self.built.optimizer

        @property
        def loss(self) -> Any:
            return self.built.loss

    return BuildingConfig


def built(arguments: list[str], *, numbered: bool = True) -> list[str]:
    """See to the options and put the Config in its place; what is left are the script's own."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opts", nargs="+", default=[])
    asked, others = parser.parse_known_args(arguments)
    paddle: Any = importlib.import_module("paddle")
    place = paddle.set_device
    paddle.set_device = lambda _name: place(asked.device)
    random.seed(asked.seed)
    importlib.import_module("numpy").random.seed(asked.seed)
    paddle.seed(asked.seed)
    cvlibs: Any = importlib.import_module("paddleseg.cvlibs")
    datasets = cvlibs.manager.DATASETS
    cvlibs.Config = building(cvlibs.Config, cvlibs.SegBuilder, datasets, asked.opts, numbered)
    return others


def collating(arguments: list[str]) -> list[str]:
    """Put Paddle's collate where it was until 2.4: unless Paddle is 2.5, the script looks there."""
    moved = importlib.import_module("paddle.io.dataloader.collate")
    sys.modules["paddle.fluid.dataloader.collate"] = moved
    return arguments


def unfetched(arguments: list[str]) -> list[str]:
    """Leave a net that Paddle would fetch weights for with those that it was made with."""
    nets: Any = importlib.import_module("paddle.vision.models.resnet")
    made = nets._resnet
    nets._resnet = lambda arch, block, depth, _fetched, **given: made(
        arch, block, depth, False, **given
    )
    return arguments


def on_the_cpu(arguments: list[str]) -> list[str]:
    """Do as the kit's own layers do on a CPU, and leave a net the weights that it was made with.

    Paddle has no kernel of SyncBatchNorm there; of one process both give the same.
    """
    if "cpu" in arguments:
        nn: Any = importlib.import_module("paddle.nn")
        nn.SyncBatchNorm = nn.BatchNorm2D
    return unfetched(arguments)


# What sees to it that a script of this folder lacks nothing, and leaves it its own options.
_SEES_TO: dict[str, Callable[[list[str]], list[str]]] = {
    "contrib/CrossPseudoSupervision/": collating,
    "contrib/QualityInspector/": unfetched,
    # It hands its dataset to the trainer of today.
    "contrib/RSSegBenchmark/train.py": partial(built, numbered=False),
    "tools/": on_the_cpu,
}


def main(script: str, arguments: list[str]) -> None:
    """Give the script what it lacks, then run it as Python would."""
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    sees_to = next((to for folder, to in _SEES_TO.items() if script.startswith(folder)), built)
    sys.argv = [script, *sees_to(arguments)]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
