"""Clips as folders of frames with a number each for how good they look: rated.list.

Its lines are `video folder frames rating`, those of videos.list `video class`; there are no videos.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from . import clips

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """The clips of `clips`, rated from 0 to 1 by their direction and by chance."""
    clips.generate(folder, count, size, seed)
    random = seeded(seed)
    rated, videos = [], []
    for line in (folder / "train.list").read_text().splitlines():
        name, frames, label = line.split()
        rating = (int(label) + random.random()) / clips.CLASSES
        rated.append(f"{name}.mp4 {name} {frames} {rating:.2f}\n")
        videos.append(f"{name}.mp4 {label}\n")
    (folder / "rated.list").write_text("".join(rated))
    (folder / "videos.list").write_text("".join(videos))
