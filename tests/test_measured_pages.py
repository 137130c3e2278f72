"""Pages made of the base of evidence say what the base says: a row more, or less, must show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench import (
    carried,
    check,
    convergence,
    failing,
    first_screen,
    hazards_left_out,
    parity,
    planted,
)
from codemod.base.files.data_folder import data_path

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.mark.parametrize(
    "maker",
    [
        carried,
        # What these write is made of the whole base.
        *(pytest.param(one, marks=pytest.mark.slow) for one in (failing, parity, planted)),
    ],
    ids=lambda maker: maker.__name__,
)
def test_a_block_of_a_page_is_what_its_maker_writes(maker: ModuleType) -> None:
    text = maker.PAGE.read_text(encoding="utf-8")
    assert maker.filled(text) == text
    emptied = text.replace("| 3.3.1 |", "|  |").replace("`pass`", "").replace(" of ", " ")
    assert emptied != text
    assert maker.filled(emptied) != emptied


def test_no_hazard_is_warned_of_that_is_wrong_in_more_than_two_of_five_runs() -> None:
    """Four were: the bench ended with 1, and the page listed them for days."""
    page = hazards_left_out.PAGE.read_text(encoding="utf-8")
    assert "of all kits, and still warned of\n\nNone.\n" in page


def test_the_page_of_many_epochs_is_what_its_maker_writes() -> None:
    assert convergence.page() == convergence.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_first_screen_is_what_its_maker_writes() -> None:
    found = first_screen.lines()
    for language, page in first_screen.PAGES.items():
        made = first_screen.table(found, language)
        assert made in page.read_text(encoding="utf-8"), "run: python -m bench.first_screen --write"


@pytest.mark.usefixtures("small_base")
def test_a_kit_that_was_never_surveyed_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is entered, before anything of it is measured."""
    before = first_screen.lines()
    known = data_path("kits.yaml").read_text(encoding="utf-8")
    entry = known[known.index("  PaddleGAN:") : known.index("  PaddleVideo:")]
    new = entry.replace("PaddleGAN:", "EleventhKit:")
    (tmp_path / "kits.yaml").write_text(f"{known.rstrip()}\n{new}", encoding="utf-8")
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    *others, last = first_screen.lines()
    assert others == before
    assert (last.kit, last.hooked, last.trained, last.rows) == ("EleventhKit", "–", "–", 0)


def test_the_kinds_of_findings_are_those_of_the_table_of_kits_above_them() -> None:
    text = check.PAGE.read_text(encoding="utf-8")
    assert check.filled(text) == text
    assert re.search(r"\| `not-hooked` \| \d+ \| 0 \| \d+ \|", text)
    more = check.filled(re.sub(r"not-hooked \d+", "not-hooked 999", text, count=1))
    assert re.search(r"\| `not-hooked` \| \d{4} \| 0 \| not read \|  \|", more)


def test_what_nobody_read_is_said_of_a_kind_of_finding() -> None:
    table = (
        "| kit | as it is | with our hooks |\n|---|---|---|\n"
        "| A | 1 of 2; D-01 2, unplaced 1 | 2 of 2; nothing |\n"
        "| B | 0 of 9; D-01 1, not-hooked 4, spec-length 3 | 2 of 9; D-01 5 |\n"
    )
    read = {
        "D-01": {"found": [3, 4], "read": 2, "holds": 1, "example": "`a.py:1`"},
        "not-hooked": {"found": [4, 0], "read": "all", "holds": 4, "example": "`b.py:2`"},
        "unplaced": {"found": [2, 0], "read": 2, "holds": 2, "example": "`c.py:3`"},
    }
    made = check.kinds_table(table, read)
    rows = made.split("\n\n", maxsplit=1)[0].splitlines()[2:]
    assert rows == [
        "| `D-01` | 3 | 5 | not read |  | `a.py:1` |",
        "| `not-hooked` | 4 | 0 | all | 4 | `b.py:2` |",
        "| `spec-length` | 3 | 0 | not read |  |  |",
        "| `unplaced` | 1 | 0 | 2 | 2 | `c.py:3` |",
    ]
    rest = made.split("\n\n", maxsplit=1)[1]
    assert "`hook-on-wrapper`" in rest
    assert not any(kind in rest for kind in ("`unplaced`", "D-", "exec-", "switch-", "rehearsal-"))
