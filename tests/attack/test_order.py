"""What happens to a model in helpers, before and after it is wrapped: the hook comes in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attack.order import HOOKED, LEFT, WRAP, trainer
from tests.attack.running import tried

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("wrap", ["pass", WRAP])
@pytest.mark.parametrize("name", HOOKED)
def test_the_hook_stands_behind_what_must_come_first(name: str, wrap: str, tmp_path: Path) -> None:
    line, word = HOOKED[name]
    result = tried(trainer(line, wrap), tmp_path)
    assert result.fault == "", result.new
    assert result.switches == ("--to_static",)
    assert word in result.reasons[0]


@pytest.mark.parametrize("name", LEFT)
def test_what_comes_too_late_is_told_with_both_lines(name: str, tmp_path: Path) -> None:
    line, word = LEFT[name]
    result = tried(trainer(wrap=WRAP, after=line), tmp_path)
    assert result.switches == ()
    assert any(
        (word in reason and "after line" in reason) or word == "copied" for reason in result.reasons
    )


def test_what_wraps_and_converts_in_one_helper_is_left(tmp_path: Path) -> None:
    result = tried(trainer(wrap="model = wrapped(model)"), tmp_path)
    assert result.switches == ()
    assert "changes the layers" in result.reasons[0]
