"""What an adapter hands over: the layers to hook, how to feed them, the kit's own loss."""

from __future__ import annotations

import importlib
import json
import os
import random
import re
from typing import Any, Callable, Iterator

import numpy as np

from .train import Refused

# Small models before large ones: a guess from the name, used for the order of probes alone.
_WORDS = ("atto", "femto", "pico", "nano", "micro", "mini", "xxs", "xs", "tiny", "lite", "small")
_LARGE = ("medium", "base", "large", "huge", "giant", "gigantic")


class Subject:
    """A built model. `layers` are hooked and trained; `forward(step)` feeds one generated batch.

    `loss(outputs, step)` is the kit's own; without one the general objective is used.
    """

    def __init__(
        self,
        layers: list[Any],
        forward: Callable[[int], Any],
        loss: Callable[[Any, int], Any] | None = None,
    ) -> None:
        self.layers = layers
        self.forward = forward
        self._loss = loss

    def loss(self, outputs: Any, step: int) -> Any:
        """The kit's own loss of these outputs."""
        if self._loss is None:
            raise Refused("The adapter knows no loss of the kit's own.")
        return self._loss(outputs, step)


class BatchesByStep:
    """What an iterator makes, kept by step: each side of a step is fed the same.

    An iterator gives each batch once and draws numbers on the way, of Python's and NumPy's
    generators; whoever asks for a step again finds both as they were after the first time.
    """

    def __init__(self, made: Iterator[Any]) -> None:
        self._made = made
        self._kept: dict[int, tuple[Any, Any, Any]] = {}

    def of(self, step: int) -> Any:
        """The batch of a step; the iterator's next one if no batch of this step was asked for."""
        if step not in self._kept:
            batch = next(self._made)
            self._kept[step] = (batch, random.getstate(), np.random.get_state())
        batch, drawn, drawn_by_numpy = self._kept[step]
        random.setstate(drawn)
        np.random.set_state(drawn_by_numpy)
        return batch


def tensors(value: Any) -> Any:
    """The same structure with tensors in the place of arrays; tuples become lists."""
    if isinstance(value, np.ndarray):
        return importlib.import_module("paddle").to_tensor(value)
    if isinstance(value, dict):
        return {key: tensors(item) for key, item in value.items()}
    return [tensors(item) for item in value] if isinstance(value, (list, tuple)) else value


def data_folder(kind: str = "") -> str:
    """The folder of generated samples of a kind, of the kit's main kind by default.

    Raises Refused for a kind that the kit's launch recipe does not name.
    """
    made: dict[str, str] = json.loads(os.environ.get("CODEMOD_PROBE_DATA") or "{}")
    found = made.get(kind) if kind else next(iter(made.values()), None)
    if found is None:
        raise Refused("No samples{} were made for this kit.".format(" of " + kind if kind else ""))
    return found


def rank(name: str) -> list[float]:
    """A sort key by size words first, then by the numbers in the name."""
    low = name.lower()
    word = 0.0
    for index, small in enumerate(_WORDS):
        if re.search(r"(^|[^a-z])" + small, low) or low.endswith(small):
            word = float(index - len(_WORDS))
            break
    for index, large in enumerate(_LARGE):
        if large in low:
            word = float(index + 1)
    numbers = [float(text.replace("_", ".")) for text in re.findall(r"\d+(?:_\d+)?", low)]
    return [word, *numbers[:4]]


def model(
    config: str,
    name: str,
    family: str,
    key: Any,
    attempts: list[dict[str, Any]],
    exact: bool = True,
) -> dict[str, Any]:
    """One line of an adapter's list.

    Configs with the same `key` hold the same model. `attempts` are tried in order until one runs
    in dynamic mode: sizes from small to the config's own, the kit's loss before the general one.
    `exact` says that the last attempt feeds just what the kit feeds, so that an error there is the
    model's.
    """
    return {
        "config": config,
        "model": name,
        "rank": rank(name),
        "family": family,
        "key": json.dumps(key, sort_keys=True, default=str),
        "attempts": attempts,
        "exact": exact,
    }


def image_attempts(sizes: list[Any], own_loss: bool) -> list[dict[str, Any]]:
    """Each size with the kit's loss, if it has one, and with the general one."""
    losses = ["kit", "general"] if own_loss else ["general"]
    unique = [size for index, size in enumerate(sizes) if size not in sizes[:index]]
    return [{"size": size, "loss": loss} for size in unique for loss in losses]


def listed(
    configs: list[str], describe: Callable[[str], dict[str, Any] | None]
) -> list[dict[str, Any]]:
    """`describe` of each config, or why it cannot be read; None leaves it out."""

    def one(config: str) -> dict[str, Any] | None:
        try:
            return describe(config)
        except Exception as error:
            words = "{}: {}".format(type(error).__name__, error)
            return {"config": config, "error": words[:300]}

    return [line for line in map(one, configs) if line is not None]
