"""Copies of a hooked net: found wherever the net is handed to, silent where it is not the net."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from codemod.audit.copies import copied
from codemod.base.changeset import Source
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path


def copies(root: Path, **files: str) -> list[tuple[str, str]]:
    """File and text of every line at which a copy is found."""
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import copy\nimport paddle\n" + dedent(text), encoding="utf-8")
    change_set = plan_change(Source(None, root, None)).change_set()
    found = copied(Project(Tree(root)), change_set)
    lines = {path: path.read_text().splitlines() for path in root.rglob("*.py")}
    return sorted((f.file, lines[root / f.file][(f.line or 0) - 1].strip()) for f in found)


TRAINER = """
    class Trainer:
        def __init__(self, cfg):
            self.cfg = cfg
            self.model = build(cfg["m"])
            if cfg["to_static"]:
                self.model = paddle.jit.to_static(self.model)
            self.model = paddle.DataParallel(self.model)

        def train(self):
            self.model(self.cfg["x"]).backward()
            self.export()

        def export(self):
            {body}
"""
EXPORT = "\n            ".join


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["net = copy.deepcopy(self.model)"], True),
        (["net = self.model", "net = copy.deepcopy(net)"], True),
        (["net = self.ema.net if self.ema else self.model", "copy.deepcopy(net)"], True),
        (["net = self.cfg['net'] or self.model", "copy.deepcopy(net)"], True),
        (["net = copy.deepcopy(self.model._layers)"], True),
        (["weights = copy.deepcopy(self.model.state_dict())"], False),
        (["net = build(self.cfg['m'])", "copy.deepcopy(net)"], False),
        (["net = copy.deepcopy(self.cfg)"], False),
        (["net = copy.deepcopy(self.model)", "self.model.forward = self.static"], False),
        (["self.model.forward = self.static", "net = copy.deepcopy(self.model)"], True),
    ],
    ids=[
        "itself",
        "alias",
        "choice",
        "or",
        "in a wrapper",
        "weights",
        "another",
        "config",
        "put back",
        "put back too early",
    ],
)
def test_a_copy_in_another_method(tmp_path: Path, lines: list[str], wanted: bool) -> None:
    found = copies(tmp_path, train=TRAINER.replace("{body}", EXPORT(lines)))
    assert len(found) == wanted


def test_a_copy_of_a_net_that_is_hooked_twice_is_one_finding(tmp_path: Path) -> None:
    again = "if cfg['to_static']:\n                self.model = paddle.jit.to_static(self.model)\n"
    source = TRAINER.replace("{body}", "copy.deepcopy(self.model)").replace(
        "            if cfg", f"            {again}            if cfg", 1
    )
    assert len(copies(tmp_path, train=source)) == 1


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["m = model", "average = copy.deepcopy(m)"], True),
        (["average = copied(model)"], True),
        (["average = copied([1, model])"], True),
        (["nets = {'main': model}", "kept = copy.deepcopy(nets)"], True),
        (["average = dc(model)"], True),
        (["average = dc(model.state_dict())"], False),
        (["rates = {'main': 0.1}", "kept = copy.deepcopy(rates)"], False),
        (["dc = other", "average = shallow(model)"], False),
    ],
)
def test_names_under_which_a_net_is_copied(tmp_path: Path, lines: list[str], wanted: bool) -> None:
    body = "\n        ".join(lines)
    source = f"""
    import copy
    from copy import copy as shallow, deepcopy as dc

    def copied(net):
        return dc(net)

    def main(config, x):
        model = build(config["m"])
        if config["to_static"]:
            model = paddle.jit.to_static(model)
        {body}
        optimizer = paddle.optimizer.SGD(parameters=model.parameters())
        model(x).backward()
        optimizer.step()
    """
    assert len(copies(tmp_path, main=source)) == wanted


MAIN = """
    from tool.program import train

    def main(config, program):
        model = build(config["m"])
        if config["to_static"]:
            model = paddle.jit.to_static(model)
        optimizer = paddle.optimizer.SGD(parameters=model.parameters())
        train(config, model, optimizer)
"""
PROGRAM = """
    from tool.export import export

    def train(config, model, optimizer):
        for x in config["data"]:
            model(x).backward()
            optimizer.step()
            export(config, {given})
"""
WRITE = """
    def export(config, base=None, path=None):
        net = build(config["m"])
        if base is not None:
            net = copy.deepcopy(base)
        paddle.jit.save(net, path)
"""


@pytest.mark.parametrize(
    ("given", "wanted"),
    [("model", True), ("base=model", True), ("path='out'", False), ("None, model.name", False)],
)
def test_the_net_is_followed_into_the_functions_that_are_given_it(
    tmp_path: Path, given: str, wanted: bool
) -> None:
    found = copies(
        tmp_path, main=MAIN, tool__program=PROGRAM.format(given=given), tool__export=WRITE
    )
    assert found == [("tool/export.py", "net = copy.deepcopy(base)")] * wanted


CALLED_BACK = """
    class Trainer:
        def __init__(self, cfg):
            self.cfg = cfg
            self.model = build(cfg["m"])
            self.spare = copy.deepcopy(self.model)

        def train(self):
            model = self.model
            if self.cfg["to_static"]:
                model = paddle.jit.to_static(model)
            self.optimizer = paddle.optimizer.SGD(parameters=model.parameters())
            for x in self.cfg["data"]:
                model(x).backward()

        def export(self):
            model = copy.deepcopy(self.model)
"""


@pytest.mark.parametrize(
    ("caller", "wanted"),
    [
        ("class Saver:\n    def at_epoch(self):\n        self.trainer.export()\n", True),
        ("def main(trainer):\n    trainer.export()\n", False),
    ],
    ids=["a callback", "a script"],
)
def test_a_method_that_a_callback_calls(tmp_path: Path, caller: str, wanted: bool) -> None:
    found = copies(tmp_path, kit__trainer=CALLED_BACK, kit__saver=caller)
    assert found == [("kit/trainer.py", "model = copy.deepcopy(self.model)")] * wanted


DEFAULT = """
    class Trainer:
        def __init__(self, cfg):
            self.model = build(cfg["m"])
            if cfg["to_static"]:
                self.model = paddle.jit.to_static(self.model)
            self.optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())

        def train(self):
            self.model(1).backward()
            self.export({given})

        def export(self, net=None):
            if net is None:
                net = self.model
            net = copy.deepcopy(net)
"""


@pytest.mark.parametrize("given", ["", "self.model"])
def test_the_net_that_a_parameter_stands_for(tmp_path: Path, given: str) -> None:
    found = copies(tmp_path, train=DEFAULT.format(given=given))
    assert found == [("train.py", "net = copy.deepcopy(net)")]


FUSE = """
    class Trainer:
        def __init__(self, cfg):
            self.model = build(cfg["m"])
            if cfg["to_static"]:
                self.model = paddle.jit.to_static(self.model)
            self.optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())

        def train(self):
            self.model(1).backward()
            self.export(build(1))

        def export(self, net):
            fuse(self.model, {given})

    def fuse(model, net=None):
        if net is None:
            net = model
        net = copy.deepcopy(net)
"""


@pytest.mark.parametrize(("given", "wanted"), [("path=1", True), ("net", False)])
def test_a_default_that_does_not_apply(tmp_path: Path, given: str, wanted: bool) -> None:
    found = copies(tmp_path, train=FUSE.format(given=given))
    assert found == [("train.py", "net = copy.deepcopy(net)")] * wanted


TRAIN = """
    def main(config):
        model = build(config["m"])
        if config["to_static"]:
            model = paddle.jit.to_static(model)
        from ema import ModelEMA
        average = ModelEMA(model)
        optimizer = paddle.optimizer.SGD(parameters=model.parameters())
        for x in config["data"]:
            model(x).backward()
"""


@pytest.mark.parametrize(
    ("kept", "wanted"), [("copy.deepcopy(net)", True), ("net.state_dict()", False)]
)
def test_an_average_is_a_copy_where_it_copies_the_net(
    tmp_path: Path, kept: str, wanted: bool
) -> None:
    average = f"""
    class ModelEMA:
        def __init__(self, net):
            self.kept = {kept}
    """
    found = copies(tmp_path, train=TRAIN, ema=average)
    assert found == [("train.py", "average = ModelEMA(model)")] * wanted
