"""A kit's net of which some layers are static, with the real Paddle."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.experiments.reduce import reduce_job
from codemod.experiments.reduce.halving import Halved, innermost
from codemod.experiments.reduce.signature import RunEnd, signature
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from collections.abc import Sequence

PROBE = Path(reduce_job.__file__).parents[1] / "probe" / "inside"
INSIDE = Path(reduce_job.__file__).parent / "inside"
RUN = """
import json, sys
import paddle
from paddle import nn
from reduce_inside import partly


class Part(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


class Written(Part):
    # Gradients of a number that is written into a slice are wrong in static graphs.
    def forward(self, x):
        y = self.fc(x) * 1
        y[:, 0] = 1.0
        return y * y


class Kept(nn.Layer):
    def forward(self, x):
        return x


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.parts = nn.LayerList([Part(), nn.Sequential(Part(), Written()), Part()])
        self.kept = Kept()

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return self.kept(x)


class Subject:
    def __init__(self):
        self.layers = [Net()]

    def forward(self, step):
        return self.layers[0](paddle.randn([2, 4]))


class Training:
    def __init__(self):
        self.nets, self.steps = {"net": Net()}, 2
        self.optimizer = paddle.optimizer.SGD(0.1, parameters=self.nets["net"].parameters())

    def step(self, number):
        self.nets["net"](paddle.randn([2, 4])).sum().backward()
        self.optimizer.step()
        self.optimizer.clear_grad()


class Adapter:
    @staticmethod
    def build(config, attempt):
        return {"net": Subject, "step": Training}[config]()


request = json.loads(sys.argv[1])
partly.answer(Adapter, request)
"""


def ran(config: str, mode: str, static: list[str], folder: Path) -> RunEnd:
    out = folder / "out.jsonl"
    request = {"config": config, "attempt": {}, "mode": mode, "static": static, "out": str(out)}
    file = folder / "kit.py"  # AST reads a function's source by its file
    file.write_text(RUN)
    command = [str(paddle_python("3.3.1")), str(file), json.dumps({**request, "double": True})]
    paths = os.pathsep.join(map(str, (INSIDE, PROBE)))
    env = {**os.environ, "PYTHONPATH": paths, "MIN_GRAPH_SIZE": "0"}
    subprocess.run(command, cwd=folder, env=env, check=True)
    return RunEnd(json.loads(out.read_text())[mode])


@pytest.mark.slow
@pytest.mark.parametrize("config", ["net", "step"])
def test_halving_comes_down_to_the_layer(config: str, tmp_path: Path) -> None:
    dynamic = ran(config, "dynamic", [], tmp_path)
    assert dynamic.sound
    called = dynamic.content["called"]
    assert called[:3] == ["0", "0.parts.0", "0.parts.0.fc"]
    assert "0.kept" not in called

    def shows(names: Sequence[str]) -> bool:
        return signature(dynamic, ran(config, "ast", list(names), tmp_path)) is not None

    found = innermost(shows, called, lambda: True)
    assert found == Halved(("0", "0.parts.1", "0.parts.1.1"))
