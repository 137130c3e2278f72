"""Trainer classes that build, convert, wrap and train in different methods, called by others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attack.order import HEAD
from tests.attack.running import tried

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = Net()
        {init}

    def set_up(self):
        {set_up}

    def train(self):
        optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())
        for epoch in range(self.args.epochs):
            loss = self.model(paddle.ones([2, 4])).mean()
            loss.backward()
            optimizer.step()


{users}
"""
CONVERT = "self.model = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(self.model)"
WRAP = "self.model = paddle.DataParallel(self.model)"
COPY = "self.average = copy.deepcopy(self.model)"
USERS = "trainer = Trainer(parse())\ntrainer.set_up()\ntrainer.train()"


def trainer(init: str = "pass", set_up: str = "pass", users: str = USERS) -> str:
    """A program with these lines in its methods."""
    lines = set_up.replace("\n", "\n        ")
    return HEAD + TRAINER.format(init=init, set_up=lines, users=users)


@pytest.mark.parametrize(
    ("init", "set_up", "scope"),
    [
        ("pass", f"{CONVERT}\n{WRAP}", "set_up"),
        ("pass", WRAP, "__init__"),
        ("pass", COPY, "set_up"),
        ("pass", "warm(self.model)", "set_up"),
        ("self.set_up()", f"{CONVERT}\n{WRAP}", "set_up"),
        (CONVERT, WRAP, "__init__"),
        (COPY, WRAP, "__init__"),
    ],
)
def test_the_hook_stands_in_the_method_that_does_the_last_of_what_comes_first(
    init: str, set_up: str, scope: str, tmp_path: Path
) -> None:
    users = USERS.replace("trainer.set_up()\n", "") if "set_up()" in init else USERS
    result = tried(trainer(init, set_up, users), tmp_path)
    assert result.fault == "", result.new
    assert result.switches
    hook = result.new.index("to_static(")
    assert result.new[:hook].rsplit("def ", 1)[1].startswith(f"{scope}(")


BEFORE = "def before(trainer):\n    trainer.model = {}\n\n\n"
CALLED = "trainer = Trainer(parse())\nbefore(trainer)\ntrainer.train()"


def test_callbacks_that_convert_the_model_leave_no_place(tmp_path: Path) -> None:
    convert = BEFORE.format("paddle.nn.SyncBatchNorm.convert_sync_batchnorm(trainer.model)")
    result = tried(trainer(users=convert + CALLED), tmp_path)
    assert result.switches == ()
    assert any("is not followed" in reason for reason in result.reasons)


def test_a_callback_that_only_wraps_comes_after_the_build(tmp_path: Path) -> None:
    wrap = BEFORE.format("paddle.DataParallel(trainer.model)")
    result = tried(trainer(users=wrap + CALLED), tmp_path)
    assert result.fault == "", result.new
    assert result.switches
    hook = result.new.index("to_static(")
    assert result.new[:hook].rsplit("def ", 1)[1].startswith("__init__(")


def test_a_callback_that_wraps_what_the_class_still_converts_leaves_no_place(
    tmp_path: Path,
) -> None:
    wrap = BEFORE.format("paddle.DataParallel(trainer.model)")
    result = tried(trainer(set_up=CONVERT, users=wrap + CALLED), tmp_path)
    assert result.switches == ()
