"""Pictures with text lines and their outlines: train.txt with `picture<tab>JSON` lines."""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .pages import corners, two_lines


def generate(samples: Samples) -> None:
    """Two lines of digits a picture, one in each half."""
    lines = []
    for index in range(samples.count):
        picture = samples.noise()
        found = two_lines(samples, picture, max(2, samples.size // 40))
        marks = [{"transcription": text, "points": corners(box)} for text, box in found]
        lines.append(f"{samples.save(index, picture)}\t{json.dumps(marks)}")
    samples.write_lists(lines)
