"""Lines of four of scikit-learn's scanned digits, as pictures with lists of their texts.

usage: python digit_lines.py FOLDER

Runs in the environment that trains, whose packages carry the digits (E. Alpaydin and C. Kaynak,
1998). Each digit stands in one line alone. 32 lines are to train with, 16 to evaluate with.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from sklearn.datasets import load_digits

HEIGHT = 32
WIDTH = 16
LENGTH = 4
TRAIN = 32
EVALUATE = 16


def main(folder: Path) -> None:
    """Write the pictures, train.txt and val.txt with `picture<tab>text` lines, and dict.txt."""
    found = load_digits()
    (folder / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(TRAIN + EVALUATE):
        chosen = range(number * LENGTH, (number + 1) * LENGTH)
        grey = [np.clip(found.images[each] * (255.0 / 16.0), 0, 255) for each in chosen]
        large = [cv2.resize(each.astype("uint8"), (WIDTH, HEIGHT)) for each in grey]
        name = "images/{:04d}.png".format(number)
        cv2.imwrite(str(folder / name), np.hstack(large))
        lines.append("{}\t{}\n".format(name, "".join(str(found.target[each]) for each in chosen)))
    (folder / "train.txt").write_text("".join(lines[:TRAIN]))
    (folder / "val.txt").write_text("".join(lines[TRAIN:]))
    (folder / "dict.txt").write_text("".join("{}\n".format(digit) for digit in range(10)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
