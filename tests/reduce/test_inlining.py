"""The programs of a kit's net and of its layers: they run by themselves, without the kit."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bench.reducing_kits import renewed, rows
from codemod.experiments.reduce import reduce_job
from codemod.experiments.reduce.kit_programs import LayerProgram, likeliest_first
from tests.parity.conftest import paddle_python

KIT = """
import copy
import functools
import logging
import threading
from typing import Dict

import numpy as np
import paddle
from another import assignment
from paddle import nn
from PIL import Image

NETS = {}
LOG = logging.getLogger("kit")
SCALES = [0.5, 2.0]
TABLE = {"lock": threading.Lock(), "scale": 2.0}
paddles_own = nn.functional.silu


def own_silu(x):
    if paddle.in_dynamic_mode():
        return paddles_own(x) * TABLE["scale"]
    else:
        return paddles_own(x * 1.0) * TABLE["scale"]


def tanh_forward(layer, x):
    return paddle.tanh(x) * layer.put_on


nn.functional.silu = own_silu
nn.Tanh.forward = tanh_forward


def register(kind):
    NETS[kind.__name__] = kind
    return kind


def scaled(x, by=1):
    if by > 100:
        return NETS["nothing that is there"](x)
    return x * SCALES[by]


class Mixin:
    def mixed(self, x):
        return scaled(x) + self.offset


class Options(dict):
    def __getattr__(self, name):
        return self[name]


class Anchors:
    names: Dict[str, str] = {}

    def __init__(self, file, by=1.0):
        for name, value in locals().items():
            if name == "by":
                setattr(self, name, value)
        self.sizes = np.array([1.0, 2.0], "float32") if file is None else open(file)
        self.many, self.mask = np.linspace(0, 1, 600), np.arange(600, dtype="uint8")

    @property
    def first(self):
        known: Dict[str, str] = self.names
        picture = Image.fromarray(self.mask.reshape([20, 30])).rotate(90)
        more = float(np.asarray(picture).min()) + float(self.many[0]) + float(self.mask.min())
        return float(self.sizes[0]) * self.by + len(known) + more


class Mapped:
    names = {"factor": "kept"}

    def __init__(self):
        self.kept = 1.0

    def __getattribute__(self, name):
        names = super().__getattribute__("names")
        return super().__getattribute__(names.get(name, name))


@register
class Block(nn.Layer, Mixin):
    def __init__(self, config):
        super().__init__()
        self.offset, self.config = config["offset"], Options(config)
        self.scale = self.create_parameter([4], default_initializer=nn.initializer.Constant(0.25))
        self.act = functools.partial(nn.functional.leaky_relu, negative_slope=0.2)
        attr = copy.copy(paddle.ParamAttr(learning_rate=0.5))
        self.parts = nn.LayerList([nn.Linear(4, 4, attr, bias_attr=False) for _ in range(2)])
        self.norm = nn.BatchNorm(4, moving_mean_name="norm_mean", moving_variance_name="norm_var")
        self.register_buffer("mean", paddle.zeros([4]))

    def forward(self, x, *more: Dict[str, str], **options: Dict[str, str]):
        x = self.norm(x.reshape([-1, 4])).reshape(options["shape"])
        LOG.debug("called")
        for part in self.parts:
            x = self.act(part(x)) * self.scale - self.mean
        return self.mixed(x) * self.config.offset + sum(more) + options["extra"]


class Wide(nn.Linear):
    def __init__(self, size):
        super().__init__(size, 2 * size)


class Net(nn.Layer):
    anchors = None

    def __init__(self, **kinds):
        super().__init__()
        self.bias = self.create_parameter([8])
        self.block, self.anchors = NETS[kinds["block"]]({"offset": 3}), Anchors(None)
        self.mapped, self.columns = Mapped(), (..., slice(0, 8))
        self.wide = nn.Sequential(Wide(4), nn.Tanh())
        self.wide[1].put_on = 0.5
        self.anchors.calls = 0

    def forward(self, inputs):
        inputs["image"].stop_gradient = False
        image = inputs["row"].squeeze_() * inputs["image"]
        x = self.block(image, 1.0, extra=2.0, shape=image.shape)
        x = nn.functional.silu(self.wide(x) + self.bias) * self.anchors.first
        x = x[self.columns]
        if not hasattr(self, "ones"):
            self.ones, self.anchors.calls = paddle.ones([8]), self.anchors.calls + 7
            self.block.parts[0].training = False
        x = x * self.ones * int(assignment(np.ones([2, 2]))[1].sum())
        return {"out": x * self.mapped.factor, "rows": paddle.gather_nd(x, inputs["rows"])}

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.anchors, name)
"""
# A package that a program cannot import.
ANOTHER = """
import numpy as np


def assignment(cost):
    return np.arange(len(cost)), np.argmin(cost, 1) + 1
"""
RUN = """
import json, os, sys
import paddle
sys.path[:0] = [os.getcwd(), "../site"]
import kit
from reduce_inside import record, run


# The first column has another range than the second one.
ROWS = paddle.to_tensor([[n % 2, n % 4] for n in range(20)])


class Subject:
    def __init__(self):
        self.layers = [kit.Net(block="Block")]

    def forward(self, step):
        return self.layers[0]CALL({"image": paddle.randn([2, 4, 4]), "row": paddle.ones([1, 4]), "rows": ROWS})


class Adapter:
    @staticmethod
    def build(config, attempt):
        return Subject()


out = sys.argv[1]
record.answer(Adapter, {"config": "", "attempt": {}, "mode": "ast", "out": out + "/programs.json"})
for number, row in enumerate(json.load(open(out + "/programs.json"))):
    file = f"{out}/program{number}.py"
    open(file, "w").write(row["text"])
    for double in (False, True):
        request = {"file": file, "modes": ["dynamic"], "double": double}
        request["out"] = f"{file}.{double}"
        run.answer(None, request)
        paddle.set_default_dtype("float32")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("paddle", "call"), [("2.6.2", ".forward"), ("3.3.1", "")])
def test_each_layer_runs_without_the_kit(paddle: str, call: str, tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "kit.py").write_text(KIT)
    site = tmp_path / "site"
    site.mkdir()
    (site / "another.py").write_text(ANOTHER)
    inside = Path(reduce_job.__file__).parent / "inside"
    probe = inside.parents[1] / "probe" / "inside"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (inside, probe)))}
    command = [str(paddle_python(paddle)), "-c", RUN.replace("CALL", call), str(tmp_path)]
    subprocess.run(command, cwd=kit, env=env, check=True)
    programs = json.loads((tmp_path / "programs.json").read_text())
    # Behind them those with all layers of lists, then those with the lines that did not run.
    assert [one["path"] for one in programs] == ["Wide", *["Block", "Net"] * 4]
    long = ["layerlist.add_sublayer('1', " in one["text"] for one in programs]
    assert long == [False, *[False, False, True, True] * 2]
    assert [one["names"] for one in programs[:3]] == [["0.wide.0"], ["0.block"], ["0"]]
    # What stands within the net stands within a graph.
    within = ["class Within(paddle.nn.Layer):" in one["text"] for one in programs]
    assert within == [one["names"] != ["0"] for one in programs]
    replaced = ["nn.functional.silu = own_silu" in one["text"] for one in programs[:3]]
    assert replaced == [False, False, True]
    # The call changes these: they are as they were before it.
    later = ["register_buffer('ones'", "calls = 7", "    linear.training = False"]
    assert not [one for one in later for program in programs if one in program["text"]]
    for as_before in ("anchors.calls = 0", "to_tensor([[1.0, 1.0, 1.0, 1.0]])"):
        assert [as_before in one["text"] for one in programs[:3]] == replaced
    assert ["def assignment(" in one["text"] for one in programs[:3]] == replaced
    # No call is static here: what one would take is there, with all that it names.
    assert ["(x * 1.0)" in one["text"] for one in programs[:3]] == replaced
    for number, program in enumerate(programs):
        assert "kit" not in program["text"]
        assert ("nothing that is there" in program["text"]) == (number > 4)
        for double in (False, True):
            told = json.loads((tmp_path / f"program{number}.py.{double}").read_text())["dynamic"]
            assert "error" not in told
            assert len(told["losses"]) == 2
            # Each weight has a gradient, and so has what the net feeds with one.
            found = told["gradients"][0].items()
            assert all(one for name, one in found if "norm._" not in name)
            # The net lets its picture take a gradient: when it was called, it took none.
            assert ("fed 0" in told["gradients"][0]) == (program["path"] != "Net")


def test_the_line_that_an_error_names_comes_first() -> None:
    small = LayerProgram("Part", "class Part:\n    y = paddle.concat([x, x])\n")
    again = LayerProgram("Part", "class Part:\n    y = paddle.concat([x, z])\n")
    large = LayerProgram("Net", "class Net:\n    return self.part('x', y) > self.limit\n")
    programs = (small, again, large)
    assert likeliest_first(programs, "") == (small, large, again)
    said = 'File "net.py"\n    return self.part("x", y) > self.limit\nTypeError: bool(Tensor)\n'
    # Its program is read in all ways before the others.
    assert likeliest_first(programs, said) == (replace(large, suspected=True), small, again)


def test_the_list_has_each_program_on_file() -> None:
    folder = Path(reduce_job.__file__).parents[3] / "docs" / "paddle-issues"
    listed = [row.program for row in rows()]
    assert sorted(listed) == sorted(file.stem for file in folder.glob("*.py"))
    for row in rows():
        assert bool(row.why) != bool(row.kit and row.config and row.mode and row.paddle)


def test_rows_of_programs_that_are_not_named_stay_as_they_are() -> None:
    table = "| hidden | lines |\n|---|---|\n| a.py | 12 |\n| b.py | 13 |\n"
    made = "| hidden | lines |\n|---|---|\n| a.py | not found |\n| b.py | 9 |\n| c.py | 7 |\n"
    assert renewed(table, made, {"b.py", "c.py"}) == made.replace("not found", "12")
