"""Baselines: what is known stays quiet, what is new or lost is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.baseline import (
    Baseline,
    baseline_of,
    check_kits,
    compare,
    read_baselines,
    write_baselines,
)
from codemod.audit.findings import Finding, Level
from codemod.audit.reach import Reach
from codemod.base import messages
from codemod.base.errors import UsageError
from codemod.base.reason import Reason

if TYPE_CHECKING:
    from pathlib import Path

FINDING = Finding(
    "not-hooked", Level.WARNING, "a.py", 3, Reason.said("The hook at line 3 is late.")
)
MOVED = Finding(
    "not-hooked", Level.WARNING, "a.py", 30, Reason.said("The hook at line 30 is late.")
)
OTHER = Finding("not-hooked", Level.WARNING, "b.py", 3, Reason.said("The hook at line 3 is late."))


def blocked(config: str, why: str | None) -> Reach:
    return Reach(config, "Net", Reason.said(why) if why else None, None)


def test_lines_may_move() -> None:
    change = compare(baseline_of([FINDING], ()), [MOVED], ())
    assert (change.new, change.fixed) == ((), 0)


def test_the_words_of_a_reason_may_be_others(monkeypatch: pytest.MonkeyPatch) -> None:
    built = Reason.of("engine.model-built")
    earlier = baseline_of([replace(FINDING, reason=built)], ())
    monkeypatch.setitem(messages.table("engine"), "model-built", {"en": "it is", "zh": "是"})
    assert str(built) == "it is"
    assert compare(earlier, [replace(FINDING, reason=built)], ()).new == ()
    other = replace(FINDING, reason=Reason.of("engine.model-taken"))
    assert compare(earlier, [other], ()).new == (other,)


def test_one_more_of_the_same_is_new() -> None:
    change = compare(baseline_of([FINDING], ()), [FINDING, MOVED, OTHER], ())
    assert change.new == (MOVED, OTHER)


def test_what_is_gone_is_counted() -> None:
    assert compare(baseline_of([FINDING, OTHER], ()), [OTHER], ()).fixed == 1


def test_reach() -> None:
    before = [blocked("a", None), blocked("b", "no key"), blocked("c", None), blocked("d", None)]
    after = [blocked("a", "no key"), blocked("b", None), blocked("c", None), blocked("e", None)]
    change = compare(baseline_of((), before), (), after)
    assert [row.config for row in change.lost] == ["a"]
    assert [row.config for row in change.gained] == ["b", "e"]
    assert change.removed == ("d",)
    assert (change.before, change.after) == (3, 3)


def test_a_config_that_was_blocked_for_another_reason_is_not_new() -> None:
    rows = [
        Finding("config-blocked", Level.WARNING, "a.yml", None, Reason.said(why))
        for why in ("x", "y")
    ]
    assert compare(baseline_of(rows[:1], ()), rows[1:], ()).new == ()


def test_written_and_read(tmp_path: Path) -> None:
    made = {"Kit": baseline_of([FINDING, FINDING], [blocked("a", None), blocked("b", "x")])}
    write_baselines(tmp_path / "base.json", made)
    assert read_baselines(tmp_path / "base.json") == made


def test_a_reason_is_kept_as_its_code_and_fields(tmp_path: Path) -> None:
    reason = Reason.of("engine.moved", line=12, about="Before line 14.")
    write_baselines(
        tmp_path / "base.json", {"Kit": baseline_of([replace(FINDING, reason=reason)], ())}
    )
    (row,) = json.loads((tmp_path / "base.json").read_text())["kits"]["Kit"]["findings"]
    assert row["reason"] == {
        "code": "engine.moved",
        "fields": {"line": "#", "about": "Before line #."},
    }


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"version": 1}', '{"version": 9}'])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "base.json").write_text(content)
    with pytest.raises(UsageError, match="write-baseline"):
        read_baselines(tmp_path / "base.json")


def test_a_kit_without_a_baseline_has_only_new_findings() -> None:
    assert compare(Baseline(), [FINDING], ()).new == (FINDING,)


def test_a_kit_that_the_baseline_lacks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "base.json"
    check_kits(file, {"A": Baseline(), "B": Baseline()}, ["A", "B"])
    assert capsys.readouterr().err == ""
    check_kits(file, {"A": Baseline()}, ["A", "B"])
    assert "lacks B: all findings there count as new" in capsys.readouterr().err
    with pytest.raises(UsageError, match="is for no kit, not for A, B"):
        check_kits(file, {}, ["A", "B"])
