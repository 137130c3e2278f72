"""MendKit: a net by its name in the config, pictures of a reader, in the config's folder."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

subjects: Any = importlib.import_module("probe_inside.subject")

VERSION = 1
_MADE: list[str] = []


def prepare() -> None:
    """Import the nets."""
    importlib.import_module("mini.nets")


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config."""

    def describe(config: str) -> dict[str, Any]:
        name = json.loads(Path(config).read_text())["net"]
        attempts = subjects.image_attempts([8, 12], own_loss=False)
        found: dict[str, Any] = subjects.model(config, name, name, name, attempts)
        return found

    found: list[dict[str, Any]] = subjects.listed(configs, describe)
    return found


def _patched(layer: Any, name: str, value: Any) -> None:
    """As PaddleNLP's models do: a plain function that becomes a forward is given the net."""
    if name == "forward" and inspect.isfunction(value):
        value = functools.partial(value, layer)
    importlib.import_module("paddle").nn.Layer.__setattr__(layer, name, value)


def build(config: str, attempt: dict[str, Any]) -> Any:
    """The net and its batches."""
    paddle: Any = importlib.import_module("paddle")
    name = json.loads(Path(config).read_text())["net"]
    if _MADE:
        # As where a weight has a name of its own, in PaddleVideo.
        raise ValueError("a second net in one process")
    _MADE.append(name)
    # As PaddleRec's trainers do: the config's path leads nowhere from there.
    os.chdir(Path(config).parent)
    size = attempt["size"]

    class Pictures(paddle.io.IterableDataset):  # type: ignore[misc, name-defined, unused-ignore]
        """Drawn by the process's own generator, which noise in the net may use as well."""

        def __iter__(self) -> Any:
            for _ in range(8):
                time.sleep(0.01)
                yield np.random.standard_normal([3, size, size]).astype("float32")

    # The loader's thread reads ahead, while the net is made and run.
    batches = itertools.cycle(paddle.io.DataLoader(Pictures(), batch_size=2, num_workers=0))
    net: Any = getattr(importlib.import_module("mini.nets"), name)()
    made: Any = type(net)
    made.__setattr__ = _patched
    wants = inspect.signature(net.forward).parameters

    def forward(step: int) -> Any:
        batch = next(batches)
        batch = batch[0] if isinstance(batch, list) else batch
        return net(**dict.fromkeys(wants, batch))

    return subjects.Subject([net], forward)
