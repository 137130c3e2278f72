"""Probes whose run of both sides from the same weights took too long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from codemod.experiments.probe.probing import _judged as judged
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.rounding.rounding import ENVELOPE
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.judging.verdict import Judgement


def test_without_a_run_of_sides_the_envelope_passes_and_blames_nothing() -> None:
    failed = replace(record([]), outcome="timeout")

    def told(by: float) -> Judgement:
        near = gradients(1)
        steps = plain()
        steps[1] = step(1, {**near, "b": near["b"] * np.float32(1 + by)})
        dynamic, static = record(plain()), record(steps, caught=True)
        ulp = record(
            [
                step(n, {**gradients(n), "b": gradients(n)["b"] * np.float32(1 + 1e-6)})
                for n in range(4)
            ]
        )
        case = Comparison("ast", dynamic, static, dynamic, ulp, lockstep=failed)
        return judged(case)

    passed = told(2e-6)
    assert (passed.verdict, passed.rule) == ("pass-tolerance", ENVELOPE)
    blamed = told(0.5)
    assert blamed.verdict == "not-run"
    assert "it reached the time limit" in blamed.reason
