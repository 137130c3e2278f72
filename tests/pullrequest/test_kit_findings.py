"""What a text says of the kit's own chains and hooks: what the change settles, and what it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codemod.audit.findings import Finding, Level
from codemod.base.changeset import Source
from codemod.base.reason import Reason
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.reports.pullrequest.claims.kit_findings import KitFindings, kit_findings
from codemod.reports.pullrequest.text import render
from tests.pullrequest.test_text import request

if TYPE_CHECKING:
    from pathlib import Path

PARSER = "to_static_train_benchmark_params"
CHAIN = """\
===========================train_params===========================
model_name:small
norm_train:tools/train.py
===========================to_static_train_benchmark_params===========================
to_static_train:--to_static
"""
TRAIN = """\
import argparse
import paddle


def main(args):
    model = Net(args.width)
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    for batch in range(args.width):
        model(batch).backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int)
    main(parser.parse_args())
"""
WRAPPED = """\
import paddle


def train(model, config):
    ddp = paddle.DataParallel(model)
    if config["to_static"]:
        model = paddle.jit.to_static(model)
    ddp(1).backward()
"""


def kit(root: Path, train: str) -> Path:
    for path, text in {
        "tools/train.py": train,
        "core/train.py": WRAPPED,
        "test_tipc/test_train_inference_python.sh": PARSER,
        "test_tipc/configs/small/train_infer_python.txt": CHAIN,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_a_chain_that_did_nothing_is_settled_and_a_wrapped_hook_is_left(tmp_path: Path) -> None:
    change_set = plan_change(Source(None, kit(tmp_path, TRAIN), None)).change_set()
    found = kit_findings(Project(Tree(tmp_path)), change_set)
    assert [(f.kind, f.file) for f in found.settled] == [
        ("tipc-no-code", "test_tipc/configs/small/train_infer_python.txt")
    ]
    assert [(f.kind, f.file, f.line) for f in found.left] == [
        ("hook-after-wrap", "core/train.py", 7)
    ]
    assert found.after(Project(Tree(tmp_path)), replace(change_set, hooks=())).settled == ()
    for change in change_set.changes:
        (tmp_path / change.path).write_bytes(change.new)
    assert found.after(Project(Tree(tmp_path)), change_set) == found


def test_a_text_tells_both() -> None:
    place = Finding("x", Level.WARNING, "a.txt", 5, Reason.said("it did nothing", "它不起作用"))
    made = replace(request(), findings=KitFindings((place,), (place, place)))
    english, chinese = (render(made, language) for language in ("en", "zh"))
    assert "`a.txt:5` asks for static training. Without this change, it did nothing." in english
    assert "2 of the kit's own hooks stand behind the wrap" in english
    assert "`a.txt:5` 要求动转静训练。没有本次改动时，它不起作用。" in chinese


def test_a_hook_that_only_moves_was_code_behind_the_chain_before(tmp_path: Path) -> None:
    """PaddleClas: its hook moves behind the average's copy, and its chains did train statically."""
    change_set = plan_change(Source(None, kit(tmp_path, TRAIN), None)).change_set()
    moved = tuple(replace(hook, moved_from=7) for hook in change_set.hooks)
    assert moved and kit_findings(Project(Tree(tmp_path)), change_set).settled
    found = kit_findings(Project(Tree(tmp_path)), replace(change_set, hooks=moved))
    assert not [one for one in found.settled if one.kind == "tipc-no-code"]
