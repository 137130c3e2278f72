"""Videos as features, with an action for each frame: `train.bundle` lists them, `NAME.txt` a line.

Their features are `features/NAME.npy`, of DIMENSIONS x frames. The actions are names in
`groundTruth/NAME.txt`, a line a frame, and numbers in `labels/NAME.npy`; `mapping.txt` says which
are which. `boundaries/NAME.npy` has 1 where an action begins, 0 elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.npy import save_npy
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = 32
CLASSES = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each video has every action once, in an order of its own; the features' mean tells it.

    Every other video is half as long again as `size` frames, as those of real sets differ.
    """
    random = seeded(seed)
    names = [f"video{number:03d}" for number in range(count)]
    (folder / "groundTruth").mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        frames = size + number % 2 * (size // 2)
        order = random.sample(range(CLASSES), CLASSES)
        labels = [order[frame * CLASSES // frames] for frame in range(frames)]
        begins = [
            int(frame == 0 or labels[frame - 1] != label) for frame, label in enumerate(labels)
        ]
        values = [random.gauss(label / CLASSES, 0.5) for _ in range(DIMENSIONS) for label in labels]
        save_npy(folder / "features" / f"{name}.npy", values, (DIMENSIONS, frames), "<f4")
        save_npy(folder / "labels" / f"{name}.npy", labels, (frames,), "<i8")
        save_npy(folder / "boundaries" / f"{name}.npy", begins, (frames,), "<i8")
        told = "".join(f"action{label}\n" for label in labels)
        (folder / "groundTruth" / f"{name}.txt").write_text(told)
    (folder / "mapping.txt").write_text("".join(f"{n} action{n}\n" for n in range(CLASSES)))
    (folder / "train.bundle").write_text("".join(f"{name}.txt\n" for name in names))
