"""Hazards near a hook: each found where it stands, and none in a sound loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.base.changeset import ChangeSet, FileChange, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.engine import plan_change
from codemod.hazards.trainer import near

TRAIN = """\
import paddle


def main(config):
    model = build(config["m"])
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
{before}
    for epoch_id in range(3):
        for x in config["data"]:
            loss = model(x)
            loss.backward()
{inside}
            optimizer.step()
"""

COUNT = "            n += 1\n            model(x, n)"
ENUMERATE = """\
            for batch, img_batch in enumerate(x):
                model(img_batch, batch)"""


def _kept(root: Path, source: str) -> Path:
    (root / "train.py").write_text(source)
    return root


def hazards(root: Path, source: str) -> list[tuple[str, str]]:
    change_set = plan_change(Source(None, _kept(root, source), None)).change_set()
    lines = change_set.changes[0].new.decode().splitlines()
    return [(h.id, lines[h.line - 1].strip()) for h in near(change_set)]


@pytest.mark.parametrize(
    ("before", "inside", "wanted"),
    [
        ("", "", []),
        ("", "            model.head.alpha = epoch_id", [("D-26", "model.head.alpha = epoch_id")]),
        ("", "            model.head.to_static = True", []),
        ("", "            model(x, epoch_id)", [("D-47", "model(x, epoch_id)")]),
        (
            "",
            "            model(x, config.global_step)",
            [("D-47", "model(x, config.global_step)")],
        ),
        ("", "            model(batch=x['batch'], img_batch=x.img_batch)", []),
        ("", "            for step in x:\n                model(step)", []),
        ("", "            for step, batch in x:\n                model(step, batch)", []),
        ("", "            model.backbone.eval()", [("D-33", "model.backbone.eval()")]),
        ("", "            model.eval()", []),
        ("", "            model(x * 2).backward()", [("several", "model(x * 2).backward()")]),
    ],
    ids=[
        "sound",
        "schedule",
        "own switch",
        "range",
        "named so",
        "batches",
        "a loop over data",
        "a loop over pairs",
        "part's mode",
        "whole mode",
        "two backwards",
    ],
)
def test_each_hazard(
    tmp_path: Path, before: str, inside: str, wanted: list[tuple[str, str]]
) -> None:
    assert hazards(tmp_path, TRAIN.format(before=before, inside=inside)) == wanted


@pytest.mark.parametrize(
    ("before", "inside", "wanted"),
    [("    n = 0", COUNT, "model(x, n)"), ("", ENUMERATE, "model(img_batch, batch)")],
    ids=["counted up", "enumerate"],
)
def test_a_number_of_each_step_at_a_hook_that_a_person_wrote(
    tmp_path: Path, before: str, inside: str, wanted: str
) -> None:
    """The tool itself writes no hook there."""
    text = TRAIN.format(before=before, inside=inside)
    assert not plan_change(Source(None, _kept(tmp_path, text), None)).change_set().changes
    lines = text.splitlines()
    line = next(n for n, code in enumerate(lines, 1) if "DataParallel" in code)
    hook = Hook("generic", Status.PRESENT, "train.py", "main", line, "model", None, Reason.said(""))
    change = FileChange("train.py", b"", text.encode())
    found = near(ChangeSet(Source(None, tmp_path, None), (hook,), (), (change,)))
    assert [(h.id, lines[h.line - 1].strip()) for h in found] == [("D-47", wanted)]


def test_methods_of_the_trainers_class_are_looked_at(tmp_path: Path) -> None:
    source = """\
import paddle


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(cfg["m"])
        self.opt = paddle.optimizer.SGD(parameters=self.model.parameters())
        self.model = paddle.DataParallel(self.model)

    def train(self):
        for step in range(3):
            self.model.with_prev = step > 1
            self.model(self.cfg["x"]).backward()
"""
    assert hazards(tmp_path, source) == [("D-26", "self.model.with_prev = step > 1")]


CLASS = """\
import copy
import paddle


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(cfg["m"])
        self.model.alpha = cfg["alpha"]

    def train(self):
        model = self.model
{hook}
        self.opt = paddle.optimizer.SGD(parameters=model.parameters())
        model = paddle.DataParallel(model)
        for step in range(3):
            model(self.cfg["x"]).backward()
{after}
"""


@pytest.mark.parametrize(
    ("method", "wanted"),
    [("export", []), ("save_onnx", []), ("next_epoch", [("D-26", "self.model.fuse = True")])],
)
def test_a_method_that_exports_sets_nothing_between_steps(
    tmp_path: Path, method: str, wanted: list[tuple[str, str]]
) -> None:
    after = f"\n    def {method}(self):\n        self.model.fuse = True"
    assert hazards(tmp_path, CLASS.format(hook="", after=after)) == wanted


TWICE = """\
def main(config):
    model = build(config["m"])
    model = paddle.jit.to_static(model)
    average = copy.deepcopy(model)
    model = paddle.jit.to_static(model)
    model(config["x"]).backward()
"""


@pytest.mark.parametrize(("last", "count"), [(5, 0), (3, 1)])
def test_a_copy_after_which_the_model_is_hooked_again(last: int, count: int) -> None:
    """The line of the last hook decides: the change may be there to mend this very copy."""
    hooks = tuple(
        Hook("generic", status, "train.py", "main", line, "model", None, Reason.said(""))
        for status, line in ((Status.PRESENT, 3), (Status.INSERTED, last))
    )
    change = FileChange("train.py", b"", TWICE.encode())
    found = near(ChangeSet(Source(None, Path(), None), hooks, (), (change,)))
    assert [hazard.line for hazard in found] == [4] * count
