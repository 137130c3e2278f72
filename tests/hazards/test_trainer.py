"""Hazards near a hook: each found where it stands, and none in a sound loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.hazards.trainer import near

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """\
import copy
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


def hazards(root: Path, source: str) -> list[tuple[str, str]]:
    (root / "train.py").write_text(source)
    change_set = plan_change(Source(None, root, None)).change_set()
    lines = change_set.changes[0].new.decode().splitlines()
    return [(h.name.split()[0], lines[h.line - 1].strip()) for h in near(change_set)]


@pytest.mark.parametrize(
    ("before", "inside", "wanted"),
    [
        ("", "", []),
        ("    ema = copy.deepcopy(model)", "", [("copy", "ema = copy.deepcopy(model)")]),
        ("", "            model.head.alpha = epoch_id", [("D-26", "model.head.alpha = epoch_id")]),
        ("", "            model(x, epoch_id)", [("D-47", "model(x, epoch_id)")]),
        ("", "            model.backbone.eval()", [("D-33", "model.backbone.eval()")]),
        ("", "            model.eval()", []),
        ("", "            model(x * 2).backward()", [("several", "model(x * 2).backward()")]),
    ],
    ids=["sound", "copy", "schedule", "counter", "part's mode", "whole mode", "two backwards"],
)
def test_each_hazard(
    tmp_path: Path, before: str, inside: str, wanted: list[tuple[str, str]]
) -> None:
    assert hazards(tmp_path, TRAIN.format(before=before, inside=inside)) == wanted


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
