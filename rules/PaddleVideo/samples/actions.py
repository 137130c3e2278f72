"""Videos as features, with an action for each frame: `train.bundle` lists them, `NAME.txt` a line.

Their features are `features/NAME.npy`, of DIMENSIONS x frames. The actions are names in
`groundTruth/NAME.txt`, a line a frame, and numbers in `labels/NAME.npy`; `mapping.txt` says which
are which. `boundaries/NAME.npy` has 1 where an action begins, 0 elsewhere.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

DIMENSIONS = 32
CLASSES = 4


def generate(samples: Samples) -> None:
    """Each video has every action once, in an order of its own; the features' mean tells it.

    Every other video is half as long again as `size` frames, as those of real sets differ.
    """
    random, size = samples.random, samples.size
    names = [f"video{number:03d}" for number in range(samples.count)]
    for number, name in enumerate(names):
        frames = size + number % 2 * (size // 2)
        order = random.sample(range(CLASSES), CLASSES)
        labels = [order[frame * CLASSES // frames] for frame in range(frames)]
        begins = [
            int(frame == 0 or labels[frame - 1] != label) for frame, label in enumerate(labels)
        ]
        values = [random.gauss(label / CLASSES, 0.5) for _ in range(DIMENSIONS) for label in labels]
        samples.write(f"features/{name}.npy", npy(values, (DIMENSIONS, frames), "<f4"))
        samples.write(f"labels/{name}.npy", npy(labels, (frames,), "<i8"))
        samples.write(f"boundaries/{name}.npy", npy(begins, (frames,), "<i8"))
        samples.write_lines(f"groundTruth/{name}.txt", (f"action{label}" for label in labels))
    samples.write_lines("mapping.txt", (f"{number} action{number}" for number in range(CLASSES)))
    samples.write_lines("train.bundle", (f"{name}.txt" for name in names))
