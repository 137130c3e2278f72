"""A share of each attack of `bench/attack/`, with seeds of its own."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from bench.attack.guards import GUARDS, TOP, claims
from bench.attack.report import ATTACKS, CHINESE_PAGE, NAMES, PAGE, in_chinese, rows
from bench.attack.table import tried
from codemod.base.launch.containment import offered

# How many, from which seed: none of a figure in SECURITY.md.
SHARES = {
    "boxes": (2, 900_000_001),
    "exports": (15, 900_000_101),
    "foreign_state": (15, 900_000_201),
    "refusals": (6, 900_000_301),
    "texts": (300, 900_000_401),
    "archives": (10, 900_000_501),
    "liars": (4, 900_000_601),
    "rows": (15, 900_000_701),
}


@pytest.mark.usefixtures("small_base")
@pytest.mark.parametrize("name", SHARES)
def test_a_share_of_the_attack_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("boxes", "liars") and offered() != "all":
        pytest.skip("this system offers no namespaces")
    module = importlib.import_module(f"bench.attack.{name}")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    here = Path.cwd()
    count, first = SHARES[name]
    try:
        found = {seed: tried(module.attempt, seed) for seed in range(first, first + count)}
    finally:
        os.chdir(here)
    assert not {seed: fault for seed, fault in found.items() if fault}


def test_every_attack_is_in_the_report() -> None:
    assert set(SHARES) <= set(NAMES)
    assert len({attack.seed for attack in ATTACKS}) == len(ATTACKS)
    assert len({attack.chinese for attack in ATTACKS}) == len(ATTACKS)


def test_the_report_s_table_is_the_same_in_chinese() -> None:
    assert len(rows(PAGE)) == len(ATTACKS)
    assert rows(CHINESE_PAGE) == in_chinese(rows(PAGE))


def test_every_guard_s_text_stands_in_the_program() -> None:
    for guard in GUARDS:
        for edit in guard.edits:
            assert edit.text in (TOP / "codemod" / edit.file).read_text("utf-8"), guard.what


def test_every_claim_of_the_page_has_a_guard() -> None:
    found = claims(PAGE.read_text("utf-8"))
    assert len(found) >= 35
    kept = {guard.row: [one for one in found if one.startswith(guard.row)] for guard in GUARDS}
    assert {row: rows for row, rows in kept.items() if len(rows) != 1} == {}
    assert set(found) - {rows[0] for rows in kept.values()} == set()
