"""The table of configs: what is known of each, from a run, an alike one, or the change."""

from __future__ import annotations

from typing import Any

import pytest

from bench.config_counts import STATES, state_of, table

NEW = "3.3.1"


def config(
    path: str,
    *sources: str,
    paddle: str = NEW,
    verdict: str = "runs",
    after: str | None = None,
) -> dict[str, Any]:
    said = {"mode": "dynamic", "paddle": paddle, "verdict": verdict}
    told = [{"source": one, **said} for one in sources]
    static = {"source": "hazards", "mode": "ast", "paddle": NEW, "verdict": "clear"}
    return {"path": path, "after": after, "verdicts": [*told, static]}


@pytest.mark.parametrize(
    ("one", "state"),
    [
        (config("a", "same", "probe"), "run"),
        (config("a", "placeholder"), "run"),
        (config("a", "parity", verdict="dynamic-fails"), "run"),
        (config("a", "probe", verdict="not-run"), "left"),
        (config("a", "same"), "alike"),
        (config("a", "same", after="refused"), "alike"),
        (config("a", after="refused"), "no switch"),
        (config("a", "parity", paddle="2.6.2"), "left"),
        (config("a"), "left"),
    ],
)
def test_a_config_is_told_by_the_most_that_is_known(one: dict[str, Any], state: str) -> None:
    assert state_of(one, NEW) == state


def test_each_config_of_a_kit_counts_once() -> None:
    rows = [{"configs": [config("a", "probe"), config("b")]}, {"configs": [config("b")]}]
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in table({"kits": [{"kit": "Kit", "rows": rows}]}).splitlines()
    ]
    head, _, kit, whole = lines
    assert kit[1:] == whole[1:]
    assert (kit[0], whole[0], kit[1]) == ("Kit", "all", "2")
    found = dict(zip(head, kit, strict=True))
    assert [found[f"{NEW} {state}"] for state in STATES] == ["1", "0", "0", "1"]
    assert found["2.6.2 left"] == "2"
