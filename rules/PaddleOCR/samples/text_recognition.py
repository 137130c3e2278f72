"""Cut-out text lines and their texts: train.txt and val.txt with `picture<tab>text` lines.

turned.txt says of upright and upside-down pictures which is which: `picture<tab>0` or `180`.
"""

from __future__ import annotations

from codemod.training.samples.glyphs import draw
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture


def generate(samples: Samples) -> None:
    """Lines of four to six digits, `size` pixels high; `dict.txt` lists the characters."""
    lines, turned = [], []
    for index in range(samples.count):
        text, picture = digits_line(samples)
        name = samples.save(index, picture)
        lines.append(f"{name}\t{text}")
        over = samples.save(index, picture.upside_down(), "turned")
        turned += [f"{name}\t0", f"{over}\t180"]
    samples.write_lists(lines)
    samples.write_lines("turned.txt", turned)
    samples.write_lines("dict.txt", "0123456789")


def digits_line(samples: Samples) -> tuple[str, Picture]:
    """Four to six digits, and a picture of them, `size` pixels high."""
    size, scale = samples.size, max(1, samples.size // 7)
    text = samples.digits(samples.random.randint(4, 6))
    picture = Picture.noise(samples.random, len(text) * 4 * scale + scale, size)
    draw(picture, text, scale, max(0, (size - 5 * scale) // 2), scale)
    return text, picture
