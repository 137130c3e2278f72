"""Trainers that do something with all of their options at once: off changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attack.options import programs
from tests.attack.running import tried

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = programs()


@pytest.mark.parametrize("name", PROGRAMS)
def test_off_changes_nothing_and_the_switch_can_be_given(name: str, tmp_path: Path) -> None:
    source, safe = PROGRAMS[name]
    result = tried(source, tmp_path)
    assert result.fault == "", result.new
    (switch,) = result.switches
    assert switch.startswith("--to_static" if safe else "PADDLE_TO_STATIC=1"), result.reasons
