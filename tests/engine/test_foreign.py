"""Trainers of unknown repositories that are left alone for what their models are."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
import argparse

{imports}


def main(args):
    model = Net()
    optimizer = optim.Adam(parameters=model.parameters())
    for graph in graphs(args.path):
        loss = model(graph)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--path")
    main(parser.parse_args())
"""


@pytest.mark.parametrize(
    ("imports", "code"),
    [
        ("import paddle\nimport pgl", "engine.graph-objects"),
        ("import paddle\nfrom pgl.utils.data import Dataloader", "engine.graph-objects"),
        ("import torch", "engine.pytorch"),
        ("import paddle", ""),
        ("import paddle\nimport torch", ""),
    ],
)
def test_graphs_and_pytorch_are_left_alone_with_the_reason(
    imports: str, code: str, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(TRAINER.format(imports=imports))
    made = plan_change(Source(None, tmp_path, None)).change_set()
    assert bool(made.changes) is not bool(code)
    if code:
        (skip,) = made.skipped
        assert code in (skip.reason.code, getattr(skip.reason["why"], "code", ""))


ABOVE = """\
import argparse

import paddle
from nets import Net
from loop import fit


class Task:
    def __init__(self, net):
        self.model = net

    def train(self, args):
        fit(args, model=self.model)


def main(args):
    Task(Net()).train(args)
    net = Net()
    Task(net).train(args)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    main(parser.parse_args())
"""
LOOP = """\
import paddle


def fit(args, model):
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    for batch in args.path:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
"""
NETS = """\
import paddle
{imports}


class Net(paddle.nn.Layer):
    def forward(self, x):
        {forward}
        return x
"""


@pytest.mark.parametrize(
    ("imports", "forward", "code"),
    [
        ("import pgl", "pass", "engine.graph-classes"),
        ("", "x = paddle.grad(x, x, create_graph=True)[0]", "engine.gradient-of-gradient"),
        ("", "x = paddle.grad(x, x)[0]", ""),
        ("", "self.steps.set_value(x)", "engine.written-by-forward"),
        ("", "[p.scale_(0.9) for p in self.t.parameters()]", "engine.written-by-forward"),
        ("", "paddle.assign(x, output=self.queue)", "engine.written-by-forward"),
        ("", "x = paddle.assign(x).scale_(2.0)", ""),
        ("", "x = self.conv(x.features, x.edges)", ""),
        ("", "y = self.conv(x.features, x.edges)", "engine.object-of-forward"),
        ("", "y = x.flatten().reshape([x.shape[0], x.size])", ""),
    ],
)
def test_what_a_model_is_its_class_says_wherever_it_is(
    imports: str, forward: str, code: str, tmp_path: Path
) -> None:
    (tmp_path / "nets.py").write_text(NETS.format(imports=imports, forward=forward))
    (tmp_path / "loop.py").write_text(LOOP)
    (tmp_path / "train.py").write_text(ABOVE)
    made = plan_change(Source(None, tmp_path, None)).change_set()
    told = [
        getattr(skip.reason["why"], "code", "")
        for skip in made.skipped
        if skip.reason.code.endswith("ned")
    ]
    assert told == ([code] if code else [])


def test_a_class_is_found_behind_four_builders(tmp_path: Path) -> None:
    """One number stood for the calls and, further down, for the methods of `forward`."""
    steps = ("build", "second", "third", "fourth", "Net")
    builders = "".join(f"\n\ndef {a}():\n    return {b}()\n" for a, b in pairwise(steps))
    (tmp_path / "nets.py").write_text(NETS.format(imports="import pgl", forward="pass") + builders)
    text = TRAINER.format(imports="import paddle\nfrom nets import build")
    (tmp_path / "train.py").write_text(text.replace("model = Net()", "model = build()"))
    (skip,) = plan_change(Source(None, tmp_path, None)).change_set().skipped
    assert getattr(skip.reason["why"], "code", "") == "engine.graph-classes"


def test_a_net_that_is_another_one_each_step_is_left_alone(tmp_path: Path) -> None:
    text = TRAINER.format(imports="import paddle\nfrom paddleslim.nas.ofa import OFA")
    (tmp_path / "train.py").write_text(text.replace("model = Net()", "model = OFA(Net())"))
    (skip,) = plan_change(Source(None, tmp_path, None)).change_set().skipped
    assert getattr(skip.reason["why"], "code", "") == "engine.another-net"


def test_a_scaler_differentiates_for_others(tmp_path: Path) -> None:
    scaler = "class Scaler:\n    def __call__(self, loss, optimizer):\n        loss.backward()\n"
    (tmp_path / "misc.py").write_text(f"import paddle\n\n\n{scaler}")
    (skip,) = plan_change(Source(None, tmp_path, None)).change_set().skipped
    assert skip.reason.code == "engine.differentiates-for-others"


@pytest.mark.parametrize(("given", "told"), [("decay=1", 1), ("rate=1", 0)])
def test_a_model_that_an_option_names_is_the_class_that_takes_what_it_is_given(
    given: str, told: int, tmp_path: Path
) -> None:
    net = NETS.format(imports="", forward="self.steps.set_value(x)")
    net += "\n    def __init__(self, decay):\n        super().__init__()\n"
    still = "\n\nclass Still(paddle.nn.Layer):\n    def __init__(self, rate):\n        super().__init__()"
    still += "\n\n\ndef moving(**words):\n    return Net(**words)\n"
    still += "\n\ndef still(**words):\n    return Still(**words)\n"
    (tmp_path / "nets.py").write_text(net + still)
    text = TRAINER.format(imports="import paddle\nimport nets")
    text = text.replace("model = Net()", f"model = nets.__dict__[args.path]({given})")
    (tmp_path / "train.py").write_text(text)
    assert len(plan_change(Source(None, tmp_path, None)).change_set().skipped) == told


def test_a_folder_that_a_script_puts_on_its_path_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "nets.py").write_text(NETS.format(imports="", forward="y = x.edges"))
    (tmp_path / "core" / "loop.py").write_text(LOOP)
    (tmp_path / "train.py").write_text(f"import sys\nsys.path.insert(0, 'core')\n{ABOVE}")
    (skip,) = plan_change(Source(None, tmp_path, None)).change_set().skipped
    assert getattr(skip.reason["why"], "code", "") == "engine.object-of-forward"
