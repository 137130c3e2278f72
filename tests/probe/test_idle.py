"""A run that waits for itself is told from one that works slowly."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from codemod.experiments.probe.server import INSIDE

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

if str(INSIDE) not in sys.path:
    sys.path.append(str(INSIDE))
serve: Any = importlib.import_module("probe_inside.serve")


def test_what_uses_no_processor_time_gets_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(serve.time, "monotonic", lambda: clock[0])
    stat = tmp_path / "stat"

    def at(seconds: float, user: int, system: int) -> float:
        clock[0] = 100.0 + seconds
        stat.write_text(f"7 (a) b) S {' '.join(['0'] * 10)} {user} {system} 0 0 20\n")
        found: float = idle.seconds()
        return found

    idle = serve._Idle(7)
    idle._stat = str(stat)
    assert [at(1, 5, 0), at(50, 5, 0), at(60, 5, 1), at(90, 5, 1)] == [0, 49, 0, 30]


def test_where_linux_tells_nothing_a_run_is_never_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(serve.time, "monotonic", lambda: clock[0])
    idle = serve._Idle(7)
    idle._stat = "/nowhere"
    clock[0] = 500.0
    assert idle.seconds() == 0
