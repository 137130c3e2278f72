"""Gates: only names that the hook's own scope can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.changeset import Source
from codemod.code.tree import Tree
from codemod.engine.planner import make_plan
from codemod.engine.rules import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path


def test_a_gate_is_not_made_of_another_methods_local_names(tmp_path: Path) -> None:
    source = """\
import paddle


class Trainer:
    def __init__(self, config):
        self.lr = config["Global"]["lr"]

    def train(self):
        net = build_model(self.lr)
        net = paddle.DataParallel(net)
        optimizer = paddle.optimizer.SGD(self.lr, parameters=net.parameters())
        net(1).backward()
"""
    (tmp_path / "train.py").write_text(source)
    gate = GateRule("expression", seen='$C["Global"]', test='$C["Global"].get("to_static", False)')
    rule = Rule(kits=(), trainers=(Trainer(id="t", gates=(gate,)),))
    change_set = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
    (hook,) = change_set.hooks
    assert hook.gate is None
    assert change_set.changes == ()
