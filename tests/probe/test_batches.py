"""Batches of an iterator, asked for by step: each side of a step is fed and draws the same."""

from __future__ import annotations

import importlib
import random
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.experiments.probe.server import INSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

if str(INSIDE) not in sys.path:
    sys.path.append(str(INSIDE))

BatchesByStep: Any = importlib.import_module("probe_inside.subject").BatchesByStep


def drawing() -> Iterator[tuple[float, float]]:
    """Batches that are draws of both generators, as augmentations make them."""
    while True:
        yield random.random(), float(np.random.random())


def seeded() -> None:
    random.seed(3)
    np.random.seed(3)


def draws() -> tuple[float, float]:
    return random.random(), float(np.random.random())


def test_each_side_of_a_step_is_fed_the_same_and_draws_the_same_afterwards() -> None:
    batches = BatchesByStep(drawing())
    for step in range(3):
        sides = []
        for _ in range(4):
            seeded()
            sides.append((batches.of(step), draws()))
        assert sides == [sides[0]] * 4
        assert sides[0][0] != sides[0][1]


def test_who_asks_once_gets_what_the_iterator_gives_and_leaves() -> None:
    seeded()
    made = drawing()
    wanted = [(next(made), draws()) for _ in range(3)]

    seeded()
    batches = BatchesByStep(drawing())
    assert [(batches.of(step), draws()) for step in range(3)] == wanted
