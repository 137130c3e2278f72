"""Faults that feed no loss: what is kept beside the net, or comes after the last update."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.experiments.parity.experiment import JudgedMode

OLD, NEW = "2.6.2", "3.3.1"
# Program, what it does, Paddle, mode, the step that is named, how the name begins.
FAULTS = [
    ("beside", "teacher", NEW, "ast", 1, "carried"),
    ("beside", "average", NEW, "ast", 1, "carried"),
    ("beside", "average", OLD, "sot", 1, "carried"),
    ("beside", "ended", NEW, "ast", 3, "weights"),
    ("beside", "ended", OLD, "ast", 3, "weights"),
    ("beside", "fewer", NEW, "ast", 5, "weights"),
    ("containers", "dict", OLD, "ast", 1, "frozen-state"),
    ("containers", "dict", NEW, "ast", 1, "frozen-state"),
    ("containers", "numpy", NEW, "ast", 1, "frozen-state"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "what", "paddle", "mode", "step", "kind"), FAULTS)
def test_what_feeds_no_loss_is_seen(
    train: Callable[..., dict[str, JudgedMode]],
    program: str,
    what: str,
    paddle: str,
    mode: str,
    step: int,
    kind: str,
) -> None:
    judged = train(program, paddle, (mode,), (what,))[mode].judgement
    assert judged.verdict == "state-differs", judged.reason
    assert judged.first is not None
    assert (judged.first.step, judged.first.kind) == (step, kind), judged.reason
    assert judged.legs["eval"] == "pass", "legs follow where the data end first, too"
