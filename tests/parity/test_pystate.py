"""Watched attributes of layers: kits keep all sorts of things in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codemod.judging.comparing.compare import keeps_tensor
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


def told(**values: Any) -> dict[str, str]:
    return pystate.attributes([("Net", Part(**values))])


def test_a_mapping_that_raises_key_errors_is_read_as_a_dict() -> None:
    assert told(config=Mapping(depth=2), step=3) == {"Net.config['depth']": "2", "Net.step": "3"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"n": 0, "call": print}, {"n": 1, "call": print}),
        ({"deep": {"n": 0}}, {"deep": {"n": 1}}),
        ({"n": 0}, {"n": 0, (2, 3): "new"}),
        ({1}, {1, 2}),
        (np.int64(0), np.int64(1)),
        (np.zeros(3), np.array([0.0, 0.0, 1e-300])),
        ([0] * 20, [0] * 19 + [1]),
        ("a" * 300, "a" * 299 + "b"),
        (list(range(5000)), list(range(5001))),
    ],
)
def test_what_changes_in_a_container_is_told(before: Any, after: Any) -> None:
    assert told(kept=before) != told(kept=after)
    assert all(len(text) <= 200 for text in (told(kept=after)).values())


def test_what_another_process_cannot_have_is_left_out() -> None:
    assert told(cache={id(print): 1}, parts=[print], same={3, 1}) == told(same={1, 3})


def test_what_a_layer_keeps_of_its_parts_is_no_state() -> None:
    assert told(_parameters={"weight": np.zeros(2)}, _forward_pre_hooks={1: 2}) == {}


def test_the_cost_of_one_attribute_is_bounded() -> None:
    assert len(told(kept={n: n for n in range(100_000)})) == 1000


def test_a_change_is_told_once_it_is_there() -> None:
    part, state = Part(step=3), pystate.PythonState()
    state.changed([("Net", part)])
    part.__dict__["step"] = 4
    assert state.changed([("Net", part)]) == {"Net.step": "4"}


def test_a_net_that_is_made_later_is_first_looked_at_then() -> None:
    part, loss, state = Part(step=3), Part(size=1), pystate.PythonState()
    state.changed([("Net", part)])
    both = [("Loss", loss), ("Net", part)]
    assert state.changed(both) == {}
    loss.__dict__["size"] = 2
    assert state.changed(both) == {"Loss.size": "2"}


def test_another_net_of_the_class_changes_no_name() -> None:
    part, state = Part(step=3), pystate.PythonState()
    state.changed([("Net", part)])
    assert state.changed([("Net#0", part), ("Net#1", Part(step=5))]) == {}
    part.__dict__["step"] = 4
    assert state.changed([("Net#0", part)]) == {"Net#0.step": "4"}


class Tensor:
    """As much of a tensor as is asked for, without a value."""

    _grad_ivar = None

    def _is_initialized(self) -> bool:
        return False


@pytest.mark.parametrize("kept", [[*range(300), Tensor()], [[[Tensor()]]], {"a": [1, [Tensor()]]}])
def test_a_tensor_is_known_as_one_however_deep_it_is(kept: Any) -> None:
    assert all(keeps_tensor(text) for text in told(kept=kept).values())
