"""A net that moves in dynamic mode alone is no pass, and each loss has its grade."""

from __future__ import annotations

import pytest

from codemod.experiments.probe.probing import with_moves
from codemod.judging.evidence.result import (
    Grade,
    ModeResult,
    ParityPart,
    ProbePart,
    Result,
    source_of,
)
from codemod.judging.verdict import Verdict

NETS = {"student": [2, 2], "teacher": [1, 2]}


@pytest.mark.parametrize(
    ("verdict", "static", "wanted"),
    [
        (Verdict.PASS, NETS, Verdict.PASS),
        (Verdict.PASS_TOLERANCE, {**NETS, "teacher": [0, 2]}, Verdict.STATE_DIFFERS),
        (Verdict.PASS, {**NETS, "teacher": [2, 2]}, Verdict.STATE_DIFFERS),
        (Verdict.LOSS_DIFFERS, {**NETS, "teacher": [0, 2]}, Verdict.LOSS_DIFFERS),
        (Verdict.PASS, {"student": [2, 2]}, Verdict.STATE_DIFFERS),
        (Verdict.PASS, {**NETS, "teacher": [1, 3]}, Verdict.STATE_DIFFERS),
    ],
)
def test_a_teacher_that_stands_still_is_no_pass(
    verdict: Verdict, static: dict[str, list[int]], wanted: Verdict
) -> None:
    found = with_moves(ModeResult(verdict), NETS, static)
    assert found.verdict is wanted
    if wanted is not verdict:
        moved = static.get("teacher", [0])[0]
        words = f"of teacher the steps change 1 in dynamic mode, {moved} here"
        assert words in found.reason


def test_a_net_that_one_mode_alone_has_is_no_pass() -> None:
    found = with_moves(ModeResult(Verdict.PASS), {}, NETS)
    assert found.verdict is Verdict.STATE_DIFFERS
    assert with_moves(ModeResult(Verdict.PASS), {}, {}).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("part", "source"),
    [
        (ProbePart(grade=Grade.STEP, own_loss=True), "step"),
        (ProbePart(own_loss=True), "probe"),
        (ProbePart(own_loss=False, attempt={"loss": "kit"}), "placeholder"),
        (ProbePart(attempt={"size": 64, "loss": "kit"}), "probe"),
        (ProbePart(attempt={"size": 64, "loss": "general"}), "placeholder"),
        (ProbePart(attempt={"placeholders": 3}), "placeholder"),
    ],
)
def test_a_probe_is_told_by_what_it_trained(part: ProbePart, source: str) -> None:
    assert source_of(Result("PaddleGAN", "a.yaml", "3.3.1", {}, probe=part)) == source


def test_parity_is_the_kit_s_trainer() -> None:
    assert source_of(Result("K", "a.yaml", "3.3.1", {}, parity=ParityPart())) == "parity"
