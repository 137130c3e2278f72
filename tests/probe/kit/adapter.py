"""The small kit's adapter, as a user would write one."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

subjects: Any = importlib.import_module("probe_inside.subject")
kit_step: Any = importlib.import_module("probe_inside.kit_step")

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
        if fields["net"] in ("Taught", "Untaught", "Unsteady"):
            attempts = [{"size": 16, "loss": "step"}]
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

    if attempt["loss"] == "step":
        return trained(net, forward)
    weight = 0.0 if type(net).__name__ == "Blind" else 1.0
    return subjects.Subject([net], forward, lambda outputs, step: weight * outputs.mean())


def trained(net: Any, forward: Any) -> Any:
    """A trainer of the kit's own: the student has an optimizer, and the teacher none."""
    optimizer = sys.modules["paddle"].optimizer.SGD(0.1, parameters=net.student.parameters())

    def step(number: int) -> None:
        if type(net).__name__ == "Unsteady":
            raise TypeError("this training never worked")
        forward(number).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    nets = {"student": net.student, "teacher": net.teacher}
    return kit_step.Training(nets, lambda to_static: to_static(net), step)
