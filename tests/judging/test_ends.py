"""A probe that is not equal to the bit: what it draws, what it moves and where that ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.training.inject.parity_recorder.values.digests import Sparse
from codemod.training.record import Mark
from tests.parity.builders import gradients, mark, record, step

if TYPE_CHECKING:
    from codemod.judging.verdict import Judgement
    from codemod.training.record import Record, Step

TINY = np.full(7, 1e-7, "f4")


def near(size: float) -> list[Step]:
    """Two steps a little off in all gradients but the tiny one."""
    return [
        step(n, {**{k: g * np.float32(1 + size) for k, g in gradients(n).items()}, "tiny": TINY})
        for n in range(2)
    ]


def ended(steps: list[Step], caught: bool = False, **ends: str) -> Record:
    """A run whose weights all begin as "0" and end so; the teacher is trained by no optimizer."""
    trained = {name: "0" for name in ends if name != "teacher"}
    params = ({"opt": 0, "start": trained, "shapes": {}},)
    return replace(record(steps, caught), params=params, weights=({"opt": 0, "end": ends},))


def judged(static: Record, ulp: Record | None = None) -> Judgement:
    dynamic = ended(near(0.0), a="1", b="2", teacher="3")
    moved = ended(near(1e-7), a="4", b="5", teacher="3") if ulp is None else ulp
    return judge(Comparison("ast", dynamic, static, dynamic, ulp=moved))


def test_weights_that_rounding_moves_may_end_elsewhere() -> None:
    clean = ended(near(2e-7), True, a="6", b="7", teacher="3")
    assert judged(clean).verdict == "pass-tolerance"


def test_a_teacher_that_ends_elsewhere_and_that_no_control_moves() -> None:
    found = judged(ended(near(2e-7), True, a="6", b="7", teacher="8"))
    assert found.first is not None
    assert (found.verdict, found.first.name) == ("state-differs", "teacher")
    control = ended(near(1e-7), a="4", b="5", teacher="9")
    moving = ended(near(2e-7), True, a="6", b="7", teacher="8")
    assert judged(moving, control).verdict == "pass-tolerance"


def test_a_weight_that_only_one_mode_moves() -> None:
    stands = ended(near(2e-7), True, a="6", b="0", teacher="3")
    found = judged(stands)
    assert found.first is not None
    assert (found.verdict, found.first.name, found.first.kind) == ("state-differs", "b", "weights")
    assert found.first.others == 0
    both = judged(ended(near(2e-7), True, a="0", b="0", teacher="3")).first
    assert both is not None
    assert (both.name, both.others) == ("a", 1)
    # A control that leaves it as well says that rounding does.
    control = ended(near(1e-7), a="4", b="0", teacher="3")
    assert judged(stands, control).verdict == "pass-tolerance"


def test_another_draw_or_batch_is_no_rounding() -> None:
    clean = ended(near(2e-7), True, a="6", b="7", teacher="3")
    for name in ("paddle", "numpy"):
        steps = tuple(replace(s, random={**s.random, name: "z"}) for s in clean.steps)
        assert judged(replace(clean, steps=steps)).verdict == "state-differs"


def test_a_small_gradient_that_a_control_hardly_moves_is_real() -> None:
    turned = [replace(s, grads={**s.grads, "tiny": mark(-TINY)}) for s in near(2e-7)]
    moved = [replace(s, grads={**s.grads, "tiny": mark(TINY * 1.001)}) for s in near(1e-7)]
    noisy = [replace(s, grads={**s.grads, "tiny": mark(TINY * 1.5)}) for s in near(1e-7)]
    static = ended(turned, True, a="6", b="7", teacher="3")
    ends: dict[str, Any] = {"a": "4", "b": "5", "teacher": "3"}
    assert judged(static, ended(moved, **ends)).verdict == "gradient-differs"
    assert judged(static, ended(noisy, **ends)).verdict == "pass-tolerance"


def test_sparse_where_dynamic_training_is_dense_is_told_though_the_numbers_agree() -> None:
    dense = np.zeros((50, 4), "f4")
    dense[[3, 7]] = 1.5
    rows = Sparse(np.array([3, 7]), dense[[3, 7]], 50)
    dynamic, static = (
        record([step(0, {**gradients(0), "b": value})], caught)
        for value, caught in ((dense, False), (rows, True))
    )
    found = judge(Comparison("ast", dynamic, static))
    assert found.first is not None
    assert (found.verdict, found.first.kind) == ("gradient-differs", "dense-made-sparse")


def test_a_trained_weight_behind_a_frozen_mean_is_seen() -> None:
    frozen = {"amean": Mark("f", "", 0.0, "")}

    def run(size: float, mean: str, weight: str, caught: bool = False) -> Record:
        steps = [replace(one, grads={**one.grads, **frozen}) for one in near(size)]
        return ended(steps, caught, amean=mean, a="1", b="2", teacher=weight)

    dynamic = run(0.0, "3", "4")
    found = judge(
        Comparison("ast", dynamic, run(2e-7, "5", "6", True), dynamic, ulp=run(1e-7, "3", "4"))
    )
    assert found.first is not None
    assert (found.verdict, found.first.name) == ("state-differs", "teacher")
