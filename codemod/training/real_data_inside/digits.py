"""The first 300 of scikit-learn's scanned digits, as pictures with lists: what PaddleClas reads.

usage: python digits.py FOLDER

Runs in the environment that trains, whose packages carry the digits (E. Alpaydin and C. Kaynak,
1998). Four fifths are to train with, the rest to evaluate with. They are drawn twice as large, 16
pixels: more would cost a CPU minutes an epoch.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from sklearn.datasets import load_digits

SIZE = 16
COUNT = 300


def main(folder: Path) -> None:
    """Write the pictures, train_list.txt and val_list.txt."""
    found = load_digits()
    (folder / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (picture, label) in enumerate(zip(found.images[:COUNT], found.target)):
        grey = np.clip(picture * (255.0 / 16.0), 0, 255).astype("uint8")
        name = "images/{:04d}.png".format(number)
        large = cv2.resize(grey, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(folder / name), large)
        lines.append("{} {}\n".format(name, label))
    cut = len(lines) * 4 // 5
    (folder / "train_list.txt").write_text("".join(lines[:cut]))
    (folder / "val_list.txt").write_text("".join(lines[cut:]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
