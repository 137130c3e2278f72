"""What NLTK's tokenizer of English reads and would fetch: tables of abbreviations, empty here.

Without them it divides after each full stop, which news in samples can bear.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

TABLES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")


def generate(samples: Samples) -> None:
    """The tables as NLTK 3.9 names them; nothing of this is counted, sized or drawn."""
    for name in TABLES:
        samples.write(f"tokenizers/punkt_tab/english/{name}", "")
