"""Pictures of formulas and their symbols: train.txt and val.txt with `picture<tab>symbols` lines.

The symbols, with spaces between them, are digits, as which the kit's own list has them.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .text_recognition import digits_line


def generate(samples: Samples) -> None:
    """Rows of four to six digits, `size` pixels high."""
    lines = []
    for index in range(samples.count):
        symbols, picture = digits_line(samples)
        lines.append(f"{samples.save(index, picture)}\t{' '.join(symbols)}")
    samples.write_lists(lines)
