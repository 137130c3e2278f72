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
        name = f"images/{index:05d}.png"
        samples.write(name, picture.png())
        lines.append(f"{name}\t{' '.join(symbols)}")
    samples.write_lists(lines)
