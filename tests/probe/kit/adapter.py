"""The small kit's adapter, as a user would write one."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

subjects: Any = importlib.import_module("probe_inside.subject")

VERSION = 3
CONFIGS = ["configs/*.json"]


def prepare() -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    importlib.import_module("net")


def models(configs: list[str]) -> list[dict[str, Any]]:
    def describe(config: str) -> dict[str, Any] | None:
        fields = json.loads(Path(config).read_text())
        if "net" not in fields:
            return None
        attempts = subjects.image_attempts([16, 24], own_loss=True)
        found: dict[str, Any] = subjects.model(
            config, fields["net"], fields["net"], fields["net"], attempts
        )
        return found

    found: list[dict[str, Any]] = subjects.listed(configs, describe)
    return found


def build(config: str, attempt: dict[str, Any]) -> Any:
    net = getattr(sys.modules["net"], json.loads(Path(config).read_text())["net"])()

    def forward(step: int) -> Any:
        image = np.random.RandomState(step).standard_normal(
            [2, 3, attempt["size"], attempt["size"]]
        )
        return net(sys.modules["paddle"].to_tensor(image.astype("float32")))

    weight = 0.0 if type(net).__name__ == "Blind" else 1.0
    return subjects.Subject([net], forward, lambda outputs, step: weight * outputs.mean())
