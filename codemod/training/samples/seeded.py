"""The one random source of all generators."""

from __future__ import annotations

from random import Random


def seeded(seed: int) -> Random:
    """A generator that gives the same data for the same seed on every machine."""
    return Random(seed)  # noqa: S311 - sample data is not a secret
