"""Ratings as lines of `user item rating`, divided by tabs: train/ratings.txt."""

from __future__ import annotations

from codemod.training.samples.making import Samples


def generate(samples: Samples) -> None:
    """`count` users, each rates a third of `size` items by 1 to 5; each item is rated."""
    random, size = samples.random, samples.size
    lines = []
    for user in range(samples.count):
        rated = {item for item in range(size) if random.random() < 1 / 3} | {user % size}
        lines += [f"{user}\t{item}\t{1 + (user + item) % 5}" for item in sorted(rated)]
    samples.write_lines("train/ratings.txt", lines)
