"""Watched attributes of layers: kits keep all sorts of things in them."""

from __future__ import annotations

from typing import Any

from codemod.training.inject.parity_recorder.values import pystate


class Mapping(dict[str, Any]):
    """A config as kits have them: an attribute that is not there raises KeyError."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Part:
    """As much of a layer as is asked for."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def named_sublayers(self, include_self: bool) -> list[tuple[str, Any]]:
        return [("", self)] if include_self else []


def test_a_mapping_that_raises_key_errors_is_passed_over() -> None:
    part = Part(config=Mapping(depth=2), step=3)
    assert pystate.attributes([("Net", part)]) == {"Net.step": "3"}


def test_a_change_is_told_once_it_is_there() -> None:
    part, state = Part(step=3), pystate.PythonState()
    state.changed([("Net", part)])
    part.__dict__["step"] = 4
    assert state.changed([("Net", part)]) == {"Net.step": "4"}
