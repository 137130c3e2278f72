"""An InputSpec goes into the call where a rule states one, filled from what the rule found."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.base.changeset import Source
from codemod.code.tree import Tree
from codemod.engine.planner import make_plan
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
import paddle


def main(config):
    net = build_model(config["Arch"])
    net = paddle.DataParallel(net)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=net.parameters())
    net(config["x"]).backward()
"""
SPEC = '[paddle.static.InputSpec([None, *$CONFIG["shape"]], "float32")]'


def planned(root: Path, spec: str) -> tuple[str, str | None]:
    (root / "train.py").write_text(SOURCE)
    trainer = Trainer(
        id="train",
        model=("$MODEL = build_model($CONFIG[$_])",),
        position="constraints",
        gates=(GateRule("mapping"),),
        input_spec=spec,
    )
    change_set = make_plan(
        Source(None, root, None), Tree(root), Rule(kits=(), trainers=(trainer,))
    ).change_set()
    (hook,) = change_set.hooks
    nodes = ast.walk(ast.parse(change_set.changes[0].new))
    calls = [n for n in nodes if isinstance(n, ast.Assign) and n.lineno == hook.line]
    return ast.unparse(calls[0]), hook.input_spec


def test_a_stated_spec_stands_in_the_call_and_in_the_report(tmp_path: Path) -> None:
    spec = '[paddle.static.InputSpec([None, *config["shape"]], "float32")]'
    line, reported = planned(tmp_path, SPEC)
    assert line == ast.unparse(ast.parse(f"net = paddle.jit.to_static(net, input_spec={spec})"))
    assert reported == spec


def test_without_one_the_call_stands_bare(tmp_path: Path) -> None:
    line, reported = planned(tmp_path, "")
    assert line == "net = paddle.jit.to_static(net)"
    assert reported is None
