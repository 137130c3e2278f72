"""What static training is compared with is the kit's own code, and not what AST made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.experiments.parity.experiment import JudgedMode


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_code_that_conversion_changes_below_the_hook_is_found_where_it_is_reached(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    """Paddle 2.6 leaves the converted forward in the layer: with hooks off, it ran on both sides."""
    judged = train("converted_late", paddle, ("ast",), steps=10)["ast"].judgement
    assert judged.verdict == "loss-differs", judged.reason
    assert judged.first is not None
    assert judged.first.step == 6
    assert judged.first.relative == pytest.approx(2e-3, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_code_that_conversion_changes_in_evaluation_is_found_there(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    judged = train("converted_late", paddle, ("ast",), ("--eval",), steps=3)["ast"].judgement
    assert judged.verdict.passed, judged.reason
    assert judged.legs["eval"] == judged.legs["export"] == "differs"
