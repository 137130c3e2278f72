"""How far two steps are apart, figure by figure."""

from __future__ import annotations

import base64
import math
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from codemod.judging.comparing.compare import (
    compare_mark,
    compare_marks,
    compare_step,
    distance,
    sketch_distance,
    turned,
)
from codemod.training.inject.parity_recorder.values.digests import Sparse
from codemod.training.record import Mark
from tests.parity.builders import gradients, mark, step


def array(*values: float) -> Any:
    return np.array(values, "float32")


def test_equal_means_every_part() -> None:
    one = step(0, gradients(0), buffers={"mean": mark(array(1.0))}, state={"Net.n": "1"})
    assert compare_step(one, one).equal
    for part in (
        {"losses": (2.0,)},
        {"lr": 0.2},
        {"grads": {**one.grads, "a": mark(array(1.0))}},
        {"buffers": {"mean": mark(array(2.0))}},
        {"state": {"Net.n": "2"}},
    ):
        assert not compare_step(one, replace(one, **part)).equal, part
    # Random states explain a difference; they are none.
    assert compare_step(one, replace(one, random={"python": "z"})).equal


def test_gradient_distance_is_the_largest_by_the_global_norm() -> None:
    one = step(0, {"a": array(0.3), "b": array(0.4)})
    other = step(0, {"a": array(0.35), "b": array(0.42)})
    found = compare_step(one, other)
    assert found.global_norm == pytest.approx(0.5)
    assert found.grad_rel == pytest.approx(0.05 / 0.5, rel=1e-4)


def test_distance_from_a_zero_gradient_is_infinite_and_none_is_none() -> None:
    zero = step(0, {"a": array(0.0, 0.0)})
    assert compare_step(zero, zero).grad_rel == 0.0
    assert compare_step(zero, step(0, {"a": array(0.0, 0.1)})).grad_rel == math.inf


def test_distance_is_the_sketch_or_the_gap_of_norms_whichever_is_larger() -> None:
    far = mark(array(3.0, 0.0)), mark(array(0.0, 3.0))
    assert distance(*far) == pytest.approx(math.sqrt(18))
    assert sketch_distance("", far[0].sketch) == sketch_distance(far[0].sketch, "") == 0.0
    # Two elements of one bucket may cancel in the sketch; the norms still tell them apart.
    blind = replace(far[0], norm=5.0), replace(far[0], norm=1.0)
    assert distance(*blind) == 4.0
    assert distance(far[0], replace(far[0], norm=math.nan)) == math.inf


def test_kinds_of_a_difference() -> None:
    dense, other = mark(array(1.0, 2.0)), mark(array(1.0, 2.5))
    sparse = mark(Sparse(np.array([0]), array(1.0, 2.0).reshape(1, 2), 3))
    none, zero = mark(None), mark(array(0.0, 0.0))
    frozen = Mark("f", "", 0.0, "")

    def kind(one: Mark, two: Mark) -> str | None:
        found = compare_mark("x", one, two)
        return None if found is None else found.kind

    assert kind(dense, dense) is None
    assert kind(dense, other) == "value"
    assert kind(sparse, dense) == "sparse-made-dense"
    assert kind(sparse, replace(sparse, kind="d")) == "sparse-made-dense", "equal digests"
    assert kind(dense, sparse) == "dense-made-sparse", "Adam updates other rows then"
    assert kind(dense, none) == "missing"
    assert kind(none, dense) == "extra"
    assert kind(zero, none) == kind(none, zero) == "none-against-zero"
    assert kind(none, frozen) is None


def test_names_of_one_side_only_are_absent() -> None:
    one, two = mark(array(3.0)), mark(array(4.0))
    found = compare_marks({"both": one, "left": one}, {"both": one, "right": two})
    assert [(d.name, d.kind, d.distance, d.norm) for d in found] == [
        ("left", "absent", 3.0, 3.0),
        ("right", "absent", 4.0, 0.0),
    ]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ((1.0, 4.0, 2.0), (1.5, 4.5, 2.0), (0.5, 0.5, False)),
        ((4.0, 1.0), (5.0, 1.5), (1.0, 0.5, False)),
        ((2.0, 0.0), (2.0, 0.1), (0.1, math.inf, False)),
        ((math.nan,), (math.nan,), (0.0, 0.0, True)),
        ((math.nan,), (1.0,), (math.inf, math.inf, False)),
        ((1.0,), (math.nan,), (math.inf, math.inf, False)),
        ((1.0,), (1.0, 1.0), (math.inf, math.inf, False)),
        ((-2.0,), (-1.0,), (1.0, 0.5, False)),
    ],
)
def test_losses(one: tuple[float, ...], two: tuple[float, ...], expected: Any) -> None:
    found = compare_step(step(0, {}, losses=one), step(0, {}, losses=two))
    assert (found.loss_abs, found.loss_rel, found.losses_match) == expected
    assert found.same_losses is (len(one) == len(two))


def test_state_is_compared_where_both_looked() -> None:
    one = step(0, {}, state={"a": "1", "b": "2"})
    assert compare_step(one, step(0, {}, state=None)).state == ()
    assert compare_step(step(0, {}, state=None), one).state == ()
    found = compare_step(one, step(0, {}, state={"b": "2", "c": "3"})).state
    assert found == (("a", "1", "-"), ("c", "-", "3"))


def test_a_name_that_paddle_counted_out_to_a_tensor_is_the_same_name() -> None:
    one = step(0, {}, state={"Net.kept": "[\"'eager_tmp_2'\", \"'eager_tmp_3'\"]"})
    later = step(0, {}, state={"Net.kept": "[\"'eager_tmp_5'\", \"'eager_tmp_6'\"]"})
    assert compare_step(one, later).state == ()
    fewer = step(0, {}, state={"Net.kept": "[\"'eager_tmp_5'\"]"})
    assert [name for name, _, _ in compare_step(one, fewer).state] == ["Net.kept"]


def test_gradients_turn_by_those_that_both_sides_have() -> None:
    def towards(*numbers: float) -> Mark:
        return Mark(
            "d", "", 1.0, base64.b64encode(struct.pack(f"<{len(numbers)}d", *numbers)).decode()
        )

    none = Mark("n", "", 0.0, "")
    one = {"a": towards(1.0, 0.0), "b": towards(0.0, 1.0)}
    assert turned(one, one) == pytest.approx(0.0)
    assert turned(one, {name: towards(0.0, 0.0) for name in one}) == 0.0
    assert turned(one, {"a": towards(-1.0, 0.0), "b": towards(0.0, -1.0)}) == pytest.approx(2.0)
    # A gradient that one side lacks says nothing of the way.
    assert turned(one, {"a": towards(1.0, 0.0), "b": none}) == pytest.approx(0.0)
    assert turned({"a": towards(1.0, 0.0), "b": none}, one) == pytest.approx(0.0)


def test_rates_and_random_states_that_differ() -> None:
    one = step(0, {})
    two = replace(one, lr=0.2, random={**one.random, "numpy": "x"})
    found = compare_step(one, two)
    assert found.rates == (0.1, 0.2)
    assert found.random == ("numpy",)
    assert compare_step(one, one).rates is None
