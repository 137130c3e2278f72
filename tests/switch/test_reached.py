"""The bench that compares what `check` counts with what `check --exec` finds."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bench.reached import counts, main

if TYPE_CHECKING:
    from pathlib import Path

BEHIND = {"code": "audit.behind-value", "fields": {}}


def audit(*rows: tuple[str, str | None, dict[str, Any] | None, str], differ: int) -> dict[str, Any]:
    return {
        "kit": "Kit",
        "configs": [
            {"config": name, "blocked": blocked, "blocked_reason": reason}
            for name, blocked, reason, _ in rows
        ],
        "executed": {
            "ways": [{"name": "--on"}, {"name": "off"}],
            "tries": [
                {"config": name, "way": way, "came": came if way == "--on" else "trains"}
                for name, _, _, came in rows
                for way in ("--on", "off")
            ],
            "differ": differ,
        },
    }


def test_each_column_is_what_it_says() -> None:
    rows = (
        ("a", None, None, "reached"),
        ("b", None, None, "unable"),
        ("c", "no spec", BEHIND, "reached"),
        ("d", "no hook", {"code": "audit.no-hook", "fields": {}}, "trains"),
    )
    assert counts(audit(*rows, differ=0)) == (4, 2, 1, 2, 1, 0)


@pytest.mark.parametrize("differ", [0, 1])
def test_a_difference_is_a_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    differ: int,
) -> None:
    file = tmp_path / "kit.json"
    file.write_text(json.dumps(audit(("a", None, None, "trains"), differ=differ)))
    monkeypatch.setattr(sys, "argv", ["reached", str(file)])
    assert main() == differ
    assert f"| Kit | 1 | 1 | 0 | 0 | 0 | {differ} |" in capsys.readouterr().out
