"""Existing training hooks in every form humans wrote them; exports are never taken for one."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.find.present import scan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int, str, str | None, str | None]]:
    """What stands in a small repository: file, line, target, gate, spec."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text))
    hooks = scan(Project(Tree(root)))
    return [(h.module.path, h.line, h.target, h.gate, h.input_spec) for h in hooks]


HEAD = "def main(cfg, model):\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    model = to_static(model)\n", ("model", None, None)),
        ("    model = paddle.jit.to_static(model, full_graph=True)\n", ("model", None, None)),
        ("    model = to_static(model, full_graph=True, input_spec=[x])\n", ("model", None, "[x]")),
        ("    model = to_static(layer=model)\n", ("model", None, None)),
        ("    model = to_static()\n", None),
        ("    model = dist.to_static(model)\n", None),
        ("    model = paddle.distributed.to_static(model)\n", None),
        ("    model = self.to_static(model)\n", None),
        ("    model = wrappers()[0].to_static(model)\n", ("model", None, None)),
        ("    x = not_to_static(model)\n", None),
        ("    to_static(model)\n    paddle.jit.save(model, 'x')\n", None),
        ("    to_static(model)\n    self.save_program(model)\n", None),
        ("    to_static(model)\n    paddle.save(model, 'x')\n", ("model", None, None)),
        # of several conditions around the call the innermost that names static training, else
        # the innermost
        ("    if cfg.a:\n        to_static(model)\n", ("model", "cfg.a", None)),
        ("    if cfg.d2s:\n        if cfg.a:\n            to_static(model)\n", ("model", "cfg.d2s", None)),
        ("    if cfg.a:\n        if cfg.b:\n            to_static(model)\n", ("model", "cfg.b", None)),
        ("    if cfg.d2s:\n        print(1)\n    to_static(model)\n", ("model", None, None)),
        ("    to_static(model)\n    if cfg.d2s:\n        print(1)\n", ("model", None, None)),
        ("    if cfg.d2s: to_static(model)\n", ("model", "cfg.d2s", None)),
    ],
)  # fmt: skip
def test_a_call_of_to_static(
    tmp_path: Path, body: str, expected: tuple[str, str | None, str | None] | None
) -> None:
    hooks = found(tmp_path, {"train.py": HEAD + body})
    line = next(n for n, text in enumerate(f"{HEAD}{body}".splitlines(), 1) if "to_static(" in text)
    assert hooks == ([("train.py", line, *expected)] if expected else [])


@pytest.mark.parametrize(
    "path", ["export.py", "tests/train.py", "deploy/infer.py", "save_model.py"]
)
def test_a_file_that_exports_has_no_training_hook(tmp_path: Path, path: str) -> None:
    assert found(tmp_path, {path: HEAD + "    to_static(model)\n"}) == []


def test_a_scope_that_exports_has_no_training_hook(tmp_path: Path) -> None:
    source = (
        "def export_model(model):\n    to_static(model)\n\n\ndef main(net):\n    to_static(net)\n"
    )
    assert [hook[2] for hook in found(tmp_path, {"train.py": source})] == ["net"]


HELPER = """\
def apply_to_static(config, model, logger):
    if config["d2s"]:
        model = to_static(model)
    return model
"""


@pytest.mark.parametrize(
    ("call", "target", "gate"),
    [
        ("apply_to_static(cfg, model, logger)", "model", "config['d2s']"),
        ("apply_to_static(cfg, self.generator, logger)", "self.generator", "config['d2s']"),
        ("apply_to_static(cfg, it, logger)", "it", "config['d2s']"),
        ("apply_to_static(cfg, first, net)", "net", "config['d2s']"),
        ("apply_to_static(cfg, logger)", "", "config['d2s']"),
    ],
)
def test_a_helper_hooks_what_it_is_given(tmp_path: Path, call: str, target: str, gate: str) -> None:
    script = f"from tools import apply_to_static\n\n\ndef main(cfg, model):\n    {call}\n"
    hooks = found(tmp_path, {"tools.py": HELPER, "train.py": script})
    assert hooks == [("train.py", 5, target, gate, None)]


def test_the_gate_around_a_helper_goes_first(tmp_path: Path) -> None:
    script = "from tools import apply_to_static\n\n\ndef main(cfg, model):\n    if {}:\n        apply_to_static(cfg, model, 1)\n"
    tools = {"tools.py": HELPER}
    (around,) = found(tmp_path, {**tools, "train.py": script.format("cfg.to_static")})
    assert around[3] == "cfg.to_static"
    (inside,) = found(tmp_path, {**tools, "train.py": script.format("cfg.train")})
    assert inside[3] == "config['d2s']"
    open_helper = (
        "def apply_to_static(model):\n    if model:\n        pass\n    return to_static(model)\n"
    )
    (outer,) = found(tmp_path, {"tools.py": open_helper, "train.py": script.format("cfg.train")})
    assert outer[3] == "cfg.train"


def test_a_method_may_be_the_helper(tmp_path: Path) -> None:
    source = """\
    class Trainer:
        def build(self, cfg):
            self._to_static(cfg, self.model)

        def _to_static(self, cfg, model):
            if cfg.to_static:
                to_static(model)

        def to_static(self, model):
            return to_static(model)
    """
    hooks = found(tmp_path, {"train.py": source})
    assert [hook[1:4] for hook in hooks] == [
        (3, "self.model", "cfg.to_static"),
        (10, "model", None),
    ]


def test_a_helper_is_read_where_training_code_keeps_it(tmp_path: Path) -> None:
    script = "from {} import apply_to_static\n\n\ndef main(cfg, model):\n    apply_to_static(cfg, model, 1)\n"
    kept = {"export_utils.py": HELPER, "train.py": script.format("export_utils")}
    assert [hook[0] for hook in found(tmp_path, kept)] == ["train.py"]
    other = tmp_path / "other"
    files = {"export_model.py": HELPER, "train.py": script.format("export_model")}
    assert found(other, files) == []
