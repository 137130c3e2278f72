"""Pages made of the base of evidence say what the base says: a row more, or less, must show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench import convergence, failing, parity, planted

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.parametrize("maker", [failing, parity, planted], ids=lambda maker: maker.__name__)
def test_a_block_of_a_page_is_what_its_maker_writes(maker: ModuleType) -> None:
    text = maker.PAGE.read_text(encoding="utf-8")
    assert maker.filled(text) == text
    emptied = text.replace("| 3.3.1 |", "|  |").replace("`pass`", "").replace(" of ", " ")
    assert emptied != text
    assert maker.filled(emptied) != emptied


def test_the_page_of_many_epochs_is_what_its_maker_writes() -> None:
    assert convergence.page() == convergence.PAGE.read_text(encoding="utf-8")
