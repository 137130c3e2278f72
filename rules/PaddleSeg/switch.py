"""PaddleSeg: `tools/train.py`, with its reader, options and `train`."""

from __future__ import annotations

import importlib

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("to_static_training", ["--opts", "to_static_training={}"], flag="--to_static_training")


class _Builder(Anything):
    """What `SegBuilder` builds of a config, at once."""

    def __getattr__(self, name):  # type: ignore[no-untyped-def]
        return net() if name == "model" else super().__getattr__(name)


def prepare() -> None:
    """Import the trainer, then replace what costs time."""
    importlib.import_module("paddleseg.core.train")
    replace(
        {
            "paddleseg.cvlibs:SegBuilder": _Builder,
            "paddleseg.core.train:TimeAverager": begins,
            "paddle.io:DistributedBatchSampler": Anything(),
            "paddle.io:DataLoader": Anything(),
        }
    )


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/train.py", "--config", config]
