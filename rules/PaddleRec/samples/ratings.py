"""Ratings as lines of `user item rating`, divided by tabs: train/ratings.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` users, each rates a third of `size` items by 1 to 5; each item is rated."""
    random = seeded(seed)
    lines = []
    for user in range(count):
        rated = {item for item in range(size) if random.random() < 1 / 3} | {user % size}
        lines += [f"{user}\t{item}\t{1 + (user + item) % 5}\n" for item in sorted(rated)]
    (folder / "train").mkdir(exist_ok=True)
    (folder / "train" / "ratings.txt").write_text("".join(lines))
