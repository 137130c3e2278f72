"""Clips as folders of frames with a number each for how good they look: rated.list.

Its lines are `video folder frames rating`, those of videos.list `video class`; there are no videos.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from . import clips


def generate(samples: Samples) -> None:
    """The clips of `clips`, rated from 0 to 1 by their direction and by chance."""
    clips.generate(samples.again())
    rated, videos = [], []
    for line in (samples.folder / "train.list").read_text().splitlines():
        name, frames, label = line.split()
        rating = (int(label) + samples.random.random()) / clips.CLASSES
        rated.append(f"{name}.mp4 {name} {frames} {rating:.2f}")
        videos.append(f"{name}.mp4 {label}")
    samples.write_lines("rated.list", rated)
    samples.write_lines("videos.list", videos)
