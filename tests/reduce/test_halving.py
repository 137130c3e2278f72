"""Which layer shows a fault by itself, out of which of them static the net shows it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from codemod.experiments.reduce.halving import Halved, innermost
from codemod.experiments.reduce.kit_programs import LayerProgram, suspects_first

if TYPE_CHECKING:
    from collections.abc import Sequence

CALLED = ["0", "0.a", "0.a.x", "0.a.y", "0.b", "0.c", "0.neck.d", "0.neck.d.0", "0.e"]


class Net:
    """Shows its fault where all of `layers` run in a static graph."""

    def __init__(self, *layers: str) -> None:
        self.layers, self.asked = layers, 0

    def shows(self, names: Sequence[str]) -> bool:
        self.asked += 1
        return all(
            any(f"{layer}.".startswith(f"{name}.") for name in names) for layer in self.layers
        )

    def innermost(self) -> list[str]:
        place = innermost(self.shows, CALLED, lambda: True)
        assert place.ended
        return list(place.chain)


@pytest.mark.parametrize("layer", CALLED)
def test_a_layer_is_found_with_those_it_stands_in(layer: str) -> None:
    above = [name for name in CALLED if f"{layer}.".startswith(f"{name}.")]
    assert Net(layer).innermost() == above


def test_a_fault_of_two_layers_ends_at_what_holds_both() -> None:
    assert Net("0.a.x", "0.a.y").innermost() == ["0", "0.a"]
    assert Net("0.a", "0.e").innermost() == ["0"]


def test_a_net_that_does_not_show_it_has_no_place() -> None:
    assert Net("1").innermost() == []


def test_halving_asks_less_often_than_there_are_layers() -> None:
    called = ["0", *(f"0.{number}" for number in range(256))]
    net = Net("0.255")
    assert innermost(net.shows, called, lambda: True) == Halved(("0", "0.255"))
    assert net.asked <= 20


def test_what_was_found_is_kept_where_the_time_is_over() -> None:
    left = itertools.chain([True] * 2, itertools.repeat(False))
    place = innermost(Net("0.a.x").shows, CALLED, lambda: next(left))
    assert place == Halved(("0",), ended=False)


OTHER = LayerProgram("Other", "x", names=("0.b",))
WITHIN = LayerProgram("Within", "y", names=("0.c", "0.a.x"))
AROUND = LayerProgram("Around", "z", names=("0.a",))


def test_programs_of_the_layers_found_come_first() -> None:
    found = suspects_first((OTHER, AROUND, WITHIN), Halved(("0.a", "0.a.x")))
    assert [one.path for one in found] == ["Within", "Around", "Other"]
    assert [one.suspected for one in found] == [True, True, False]


def test_where_halving_did_not_end_all_within_are_suspected() -> None:
    found = suspects_first((OTHER, WITHIN, AROUND), Halved(("0.a",), ended=False))
    assert [one.path for one in found] == ["Within", "Around", "Other"]
    assert [one.suspected for one in found] == [True, True, False]
