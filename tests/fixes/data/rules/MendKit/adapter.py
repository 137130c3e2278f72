"""MendKit: a net by its name in the config, one picture."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np

subjects: Any = importlib.import_module("probe_inside.subject")

VERSION = 1


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


def build(config: str, attempt: dict[str, Any]) -> Any:
    """The net and its batches."""
    paddle: Any = importlib.import_module("paddle")
    name = json.loads(Path(config).read_text())["net"]
    net = getattr(importlib.import_module("mini.nets"), name)()

    def forward(step: int) -> Any:
        picture = np.random.RandomState(step).standard_normal(
            [2, 3, attempt["size"], attempt["size"]]
        )
        return net(paddle.to_tensor(picture.astype("float32")))

    return subjects.Subject([net], forward)
