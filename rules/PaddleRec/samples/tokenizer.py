"""What NLTK's tokenizer of English reads and would fetch: tables of abbreviations, empty here.

Without them it divides after each full stop, which news in samples can bear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TABLES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """The tables as NLTK 3.9 names them; nothing of this is counted, sized or drawn."""
    del count, size, seed
    place = folder / "tokenizers" / "punkt_tab" / "english"
    place.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        (place / name).touch()
