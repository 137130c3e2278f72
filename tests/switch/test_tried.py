"""What tries say beside the static check: agreement, and ways that do not do what they say."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from codemod.audit.findings import Level
from codemod.audit.kinds import kinds
from codemod.audit.reach import Reach
from codemod.audit.suppression import Suppressed
from codemod.base.changeset import ChangeSet, Source
from codemod.base.reason import Reason
from codemod.cli.check_text import comment
from codemod.experiments.switch.run import ADAPTER
from codemod.experiments.switch.tried import Executed, SwitchSetting, Try, TryOutcome, findings
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import SWITCH, kits_with
from codemod.work.auditing import Audit

if str(ADAPTER.parents[1]) not in sys.path:
    sys.path.append(str(ADAPTER.parents[1]))
with_key: Any = importlib.import_module("switch_inside.config_text").with_key

ON, OFF, OTHER = (
    SwitchSetting("--on", True),
    SwitchSetting("-o on=false", False),
    SwitchSetting("YAML True", True),
)
WAYS = (ON, OFF, OTHER)
ROWS = (
    Reach("a.yml", "A", None, None),
    Reach("b.yml", "B", Reason.said("the helper's list leaves it out"), None),
)


def executed(*tries: tuple[str, SwitchSetting, TryOutcome, str]) -> Executed:
    return Executed(WAYS, tuple(Try(c, w.name, came, where) for c, w, came, where in tries))


def test_a_config_agrees_where_run_and_code_say_the_same() -> None:
    run = executed(
        ("a.yml", ON, TryOutcome.REACHED, "t.py:4"), ("b.yml", ON, TryOutcome.RAISES, "t.py:9")
    )
    assert findings(run, ROWS) == ()
    told = run.to_json(ROWS)
    assert (told["configs"], told["agree"], told["differ"], told["unable"]) == (2, 2, 0, 0)


def test_a_config_that_does_something_else_is_a_finding() -> None:
    run = executed(
        ("a.yml", ON, TryOutcome.TRAINS, ""), ("b.yml", ON, TryOutcome.REACHED, "t.py:4")
    )
    first, second = findings(run, ROWS)
    assert (first.kind, first.file) == ("exec-differs", "a.yml")
    assert first.message == (
        "By its code this config reaches a hook; run with --on, training begins without the hook."
    )
    assert "the helper's list leaves it out; run with --on, the hook is reached" in second.message


def test_a_hook_that_serves_nothing_is_no_difference_and_stands_in_the_headline() -> None:
    """PaddleOCR's helper makes five nets static for which it has no spec."""
    why = Reason.of("audit.behind-value", why=Reason.said("no spec"), key="net", value="Odd")
    rows = (ROWS[0], Reach("b.yml", "B", why, None))
    both = [(name, ON, TryOutcome.REACHED, "t.py:4") for name in ("a.yml", "b.yml")]
    run = executed(*both)
    assert findings(run, rows) == ()
    assert [
        one.file
        for one in findings(
            executed(both[0], ("b.yml", *both[1][1:2], TryOutcome.TRAINS, "")), rows
        )
    ] == ["b.yml"]
    audit = Audit(
        "X", ".", ChangeSet(Source(None, Path(), None)), rows, Suppressed((), ()), executed=run
    )
    told = "1 of 2 configs reach a hook by their code, 2 of 2 when it is run, 1 of them one with which training fails or is wrong"
    assert told in comment([audit])


def test_what_could_not_be_run_is_neither() -> None:
    run = executed(("a.yml", ON, TryOutcome.UNABLE, "t.py:4"), ("b.yml", ON, TryOutcome.TRAINS, ""))
    assert findings(run, ROWS) == ()
    assert run.to_json(ROWS)["unable"] == 1


def test_a_way_that_says_off_and_is_on_is_one_error_at_its_place() -> None:
    run = executed(
        ("a.yml", ON, TryOutcome.REACHED, "t.py:4"),
        ("a.yml", OFF, TryOutcome.REACHED, "t.py:4"),
        ("a.yml", OTHER, TryOutcome.TRAINS, ""),
    )
    off, other = findings(run, ROWS)
    assert (off.kind, off.level, off.file, off.line) == ("switch-off-is-on", Level.ERROR, "t.py", 4)
    assert off.message == "With -o on=false, the hook is reached at t.py:4 (a.yml)."
    assert (other.kind, other.file) == ("switch-not-read", "a.yml")


def test_other_ways_say_nothing_where_the_first_cannot_reach() -> None:
    run = executed(
        ("b.yml", ON, TryOutcome.RAISES, "t.py:9"), ("b.yml", OTHER, TryOutcome.RAISES, "t.py:9")
    )
    assert findings(run, ROWS) == ()


def test_the_kinds_are_known() -> None:
    assert {"exec-differs", "switch-off-is-on", "switch-not-read"} <= set(kinds())


def test_switches_are_of_kits_that_we_know() -> None:
    assert set(kits_with(SWITCH)) <= set(load_kits())


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("a: 1\n", "on", "a: 1\non: True\n"),
        ("on: False\na: 1\n", "on", "a: 1\non: True\n"),
        ("Global:\n  a: 1\nB: 2\n", "Global.on", "Global:\n  on: True\n  a: 1\nB: 2\n"),
        ("Global:\n    on: False\n    a: 1\n", "Global.on", "Global:\n    on: True\n    a: 1\n"),
        (
            "Global: # all\n\n  # of it\n  a: 1\n",
            "Global.on",
            "Global: # all\n  on: True\n\n  # of it\n  a: 1\n",
        ),
        ("B: 2\n", "Global.on", "B: 2\nGlobal:\n  on: True\n"),
    ],
)
def test_one_key_of_a_config_is_set(text: str, key: str, expected: str) -> None:
    assert with_key(text, "config.yml", key, True) == expected


def test_a_key_of_json() -> None:
    assert with_key('{"a": 1}', "config.json", "on", True) == '{"a": 1, "on": true}'


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (TryOutcome.RAISES, ""),
        (TryOutcome.REACHED, " by their code, 2 of 2 when it is run"),
        (TryOutcome.UNABLE, ""),
    ],
)
def test_the_headline_tells_where_the_run_says_another_number(
    second: TryOutcome, told: str
) -> None:
    run = executed(("a.yml", ON, TryOutcome.REACHED, ""), ("b.yml", ON, second, ""))
    change_set = ChangeSet(Source("PaddleDemo", Path(), None))
    audit = Audit("PaddleDemo", ".", change_set, ROWS, Suppressed((), ()), executed=run)
    assert f"1 of 2 configs reach a hook{told}" in comment([audit])


def test_a_try_that_does_not_end_is_told_in_both_languages() -> None:
    why = Reason.of("experiments.try-endless")
    one = Try("a.yml", "--on", TryOutcome.RAISES, message=why.text(), why=why)
    assert one.said.text() == "it does not end"
    assert one.said.text("zh") == "报错 运行不结束"
    (told,) = Executed(WAYS, (one,)).to_json(())["tries"]
    assert told == {
        "config": "a.yml",
        "way": "--on",
        "came": "raises",
        "where": "",
        "message": "it does not end",
    }
