"""Existing training hooks in every form humans wrote them; exports are never taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

TRAIN = """\
import paddle
from paddle.jit import to_static
from nets import apply_to_static, build


def main(config):
    model = build(config["m"])
{hook}
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for x in config["data"]:
        loss = model(x)
        loss.backward()
"""
NETS = """\
from paddle.jit import to_static


def build(config):
    return Net(config)


def apply_to_static(model, config):
    if config.get("to_static", False) is not True:
        return model
    return to_static(model, input_spec=None)
"""


@pytest.mark.parametrize(
    ("hook", "gate"),
    [
        (
            "    if config['to_static']:\n        model = paddle.jit.to_static(model)",
            "config['to_static']",
        ),
        ("    if config['to_static']:\n        paddle.jit.to_static(model)", "config['to_static']"),
        (
            "    if config['to_static']:\n        model = to_static(model, input_spec=[1])",
            "config['to_static']",
        ),
        (
            "    model = apply_to_static(model, config)",
            "config.get('to_static', False) is not True",
        ),
        ("    apply_to_static(model, config)", "config.get('to_static', False) is not True"),
        ("    model = to_static(model)", None),
    ],
    ids=["inline", "in place", "imported name", "helper", "helper in place", "without a gate"],
)
def test_forms(change: Make, hook: str, gate: str | None) -> None:
    made = change({"train.py": TRAIN.format(hook=hook), "nets.py": NETS})
    (found,) = made.hooks
    assert found.status is Status.PRESENT
    assert (found.file, found.scope, found.target) == ("train.py", "main", "model")
    assert found.gate == gate
    assert found.line is not None
    assert "to_static(" in TRAIN.format(hook=hook).splitlines()[found.line - 1]
    assert made.changes == ()


def test_a_hook_inside_the_builder(change: Make) -> None:
    nets = NETS.replace(
        "    return Net(config)",
        "    net = Net(config)\n    net = apply_to_static(net, config)\n    return net",
    )
    made = change({"train.py": TRAIN.format(hook=""), "nets.py": nets})
    (found,) = made.hooks
    assert found.status is Status.PRESENT
    assert (found.file, found.scope) == ("nets.py", "build")


@pytest.mark.parametrize(
    "files",
    [
        {
            "tools/export_model.py": "import paddle\ndef main(model):\n    model = paddle.jit.to_static(model)\n    paddle.jit.save(model, 'x')\n"
        },
        {
            "engine.py": "import paddle\nclass E:\n    def export(self):\n        m = paddle.jit.to_static(self.m)\n        paddle.jit.save(m, 'x')\n"
        },
        {
            "net.py": "import paddle\nclass N:\n    @paddle.jit.to_static(input_spec=[1])\n    def get_pooled_embedding(self, x):\n        return x\n"
        },
        {"net.py": "from paddle.jit import to_static\n# model = to_static(model)\n"},
        {"net.py": "import paddle\n@paddle.jit.not_to_static\ndef swap(x):\n    return x\n"},
        {
            "auto.py": "import paddle.distributed as dist\ndef wrap(model, loader):\n    return dist.to_static(model, loader)\n"
        },
    ],
    ids=[
        "export script",
        "export method",
        "inference decorator",
        "dead import",
        "not_to_static",
        "dist",
    ],
)
def test_what_is_no_training_hook(change: Make, files: dict[str, str]) -> None:
    made = change(files)
    assert made.hooks == ()
    assert made.changes == ()


def test_an_export_in_the_trainers_class_does_not_pass_for_its_hook(change: Make) -> None:
    source = """\
import paddle


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(cfg["m"])
        self.optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())
        self.model = paddle.DataParallel(self.model)

    def train(self):
        loss = self.model(self.cfg["x"])
        loss.backward()

    def export(self):
        model = paddle.jit.to_static(self.model)
        paddle.jit.save(model, "x")
"""
    made = change({"trainer.py": source})
    (hook,) = made.hooks
    assert hook.status is Status.INSERTED
    assert hook.scope == "Trainer.__init__"


def test_twice_is_once(change: Make) -> None:
    first = change({"train.py": TRAIN.format(hook=""), "nets.py": NETS})
    assert [h.status for h in first.hooks] == [Status.INSERTED]
    again = change({c.path: c.new for c in first.changes})
    assert [h.status for h in again.hooks] == [Status.PRESENT]
    assert again.changes == ()
