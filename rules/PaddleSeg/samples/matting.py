"""Foregrounds with their opacity, backgrounds, and trimaps, as PaddleSeg's matting reads them.

`train.txt` has lines `train/fg/NAME bg/NAME`, the opacity lies at `train/alpha/NAME`; a line of
`val.txt` names a trimap too (0 outside, 255 inside, 128 in between).
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

SOFT = 4  # pixels from opaque to clear


def generate(samples: Samples) -> None:
    """Each foreground has one box with a soft edge; an eighth of them is for evaluation too."""
    train, val = [], []
    for index in range(samples.count):
        front, back = samples.noise(), samples.noise(250)
        alpha, trimap = (Picture(samples.size, samples.size, 1) for _ in range(2))
        left, top, right, bottom = samples.box()
        front.box(left, top, right, bottom, colour_of(index % 5))
        for edge in range(SOFT + 1):
            within = (left + edge, top + edge, right - edge, bottom - edge)
            alpha.box(*within, bytes([255 * (edge + 1) // (SOFT + 1)]))
            trimap.box(*within, bytes([255 if edge == SOFT else 128]))
        behind = samples.save(index, back, "bg")
        for part in samples.parts(index):
            pair = f"{samples.save(index, front, f'{part}/fg')} {behind}"
            samples.save(index, alpha, f"{part}/alpha")
            if part == "train":
                train.append(pair)
            else:
                val.append(f"{pair} {samples.save(index, trimap, 'val/trimap')}")
    samples.write_lines("train.txt", train)
    samples.write_lines("val.txt", val)
