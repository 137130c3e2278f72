"""The bench that compares what `check` counts with what `check --exec` finds."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.check import PAGE
from bench.reached import counts, main
from codemod.kits.catalogue import load_kits

RULES = Path(__file__).parents[2] / "rules"
ways = importlib.import_module("codemod.experiments.switch.inside.switch_inside.stand_ins").ways
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


def rows(text: str, head: str) -> dict[str, list[str]]:
    """The cells of the table of this head, by kit."""
    lines = text.partition(f"| kit | {head}")[2].partition("\n\n")[0].splitlines()[2:]
    cells = (re.findall(r"[^|]+", line) for line in lines if line.startswith("| "))
    return {kit.strip(): [one.strip() for one in more] for kit, *more in cells}


def ways_of(kit: str) -> int:
    """How many ways a kit's `switch.py` knows; a fork has those of the kit it is like."""
    like = load_kits()[kit].like or kit
    tree = ast.parse((RULES / like / "switch.py").read_text(encoding="utf-8"))
    (made,) = (n for n in tree.body if isinstance(n, ast.Assign) and "WAYS" in ast.unparse(n))
    return len(eval(ast.unparse(made.value), {"ways": ways}))


def test_the_table_of_every_way_holds_together() -> None:
    text = PAGE.read_text(encoding="utf-8")
    pinned, tried = rows(text, "configs | by their code |"), rows(text, "configs | ways |")
    assert {kit: row[0] for kit, row in pinned.items()} == {kit: r[0] for kit, r in tried.items()}
    why = Counter({kit: int(row[0]) for kit, row in rows(text, "configs | why the").items()})
    for kit, row in tried.items():
        configs, count, so, otherwise, unable = map(int, row)
        assert (configs, count) == (so + otherwise + unable, ways_of(kit))
        assert otherwise == why[kit]
