"""Why a proof fails is a code with fields, in both languages; proofs of before have a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.reason import Reason
from codemod.experiments.probe.proving import LEGS, LegOutcomes, compared
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    PROOFS,
    Dynamic,
    FixProof,
    TrainedProof,
    by_ends,
    judged,
)
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

WHY = Reason.of("experiments.leg-differs", leg=Reason.of("experiments.leg-eval"))
GOOD = FixProof(
    kit="Kit",
    config="a.yml",
    paddle="2.6.2",
    fixes=("D-57 net.py:1",),
    ground="0",
    dynamic=Dynamic.EQUAL,
    before={"ast": Verdict.FAILS},
    after={"ast": Verdict.PASS},
    lines_added=1,
    lines_removed=1,
    steps=2,
)


def test_the_proofs_on_record_stay_as_they_are(tmp_path: Path) -> None:
    files = [file for file in PROOFS.files() if file.is_file()]
    assert files
    for file in files:
        again = tmp_path / file.name
        PROOFS.write(again, PROOFS.whole(file))
        assert again.read_bytes() == file.read_bytes()


@pytest.mark.parametrize("trained", [None, TrainedProof(Dynamic.MENDED, {}, 2, why=WHY)])
def test_a_proof_with_a_code_is_read_again(trained: TrainedProof | None, tmp_path: Path) -> None:
    proof = replace(GOOD, reason=str(WHY), why=WHY, trained=trained)
    file = tmp_path / "Kit.jsonl"
    PROOFS.write(file, [proof])
    assert PROOFS.whole(file) == (proof,)
    PROOFS.write(file, [replace(proof, why=None, trained=None)])
    assert b'"why"' not in file.read_bytes()


@pytest.mark.parametrize(
    ("change", "english", "chinese"),
    [
        (
            {"dynamic": Dynamic.DIFFERS, "why": WHY},
            "dynamic training on Paddle 2.6.2 is not the same: the eval() outputs are not the same",
            "Paddle 2.6.2 上的动态图训练结果不同：eval() 的输出不同",
        ),
        (
            {"trained": TrainedProof(Dynamic.FAILS, {}, 2, why=WHY)},
            f"the kit's own dynamic training on Paddle 2.6.2 is not shown to be the same: {WHY}",
            "未能证明套件自己的动态图训练在 Paddle 2.6.2 上保持一致：eval() 的输出不同",
        ),
        (
            {"dynamic": Dynamic.FAILS, "reason": "forward: KeyError"},
            "dynamic training fails on Paddle 2.6.2 after it: forward: KeyError",
            "改写之后，Paddle 2.6.2 上的动态图训练失败：forward: KeyError",
        ),
    ],
)
def test_a_refusal_is_in_the_reader_s_language(
    change: dict[str, Any], english: str, chinese: str
) -> None:
    proofs = {paddle: replace(GOOD, paddle=paddle) for paddle in PADDLES}
    assert judged(proofs) is None
    refusal = judged({**proofs, "2.6.2": replace(GOOD, **change)})
    assert refusal is not None
    assert (refusal.reason.text(), refusal.reason.text("zh")) == (english, chinese)


def legs(**other: Any) -> LegOutcomes:
    """Legs of which each gave its own name, but for some by their numbers: `_2=...`."""
    return LegOutcomes({name: other.get(f"_{n}", [name]) for n, name in enumerate(LEGS)})


@pytest.mark.parametrize(
    ("after", "english"),
    [
        (legs(_2=["other"]), "the eval() outputs are not the same"),
        (legs(_2=["error"]), "the eval() outputs are not the same"),
        (
            legs(_2={"error": "KeyError"}),
            "the eval() outputs are not the same (error: KeyError)",
        ),
        (legs(_2={"error": None}), "the eval() outputs are not the same (error: it ended)"),
    ],
)
def test_the_first_leg_that_differs_is_named(after: LegOutcomes, english: str) -> None:
    agree, why = compared(legs(), after)
    assert agree == LEGS[:2]
    assert str(why) == english
    assert why is not None and why.text("zh").startswith("eval() 的输出不同")


def test_a_leg_that_could_not_be_run_before_says_nothing() -> None:
    before = legs(_0={"error": "KeyError"}, _2={"error": None})
    assert compared(before, legs(_2=["other"])) == ((LEGS[1], LEGS[3], LEGS[4]), None)


@pytest.mark.parametrize("name", LEGS)
def test_a_leg_is_told_by_its_name_in_proofs_on_record(name: str) -> None:
    _, why = compared(LegOutcomes({name: 1}), LegOutcomes({name: 2}))
    assert str(why) == f"the {name} are not the same"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("ok", "ok", None),
        ("ok", "fails", Dynamic.FAILS),
        ("ok", "crash", Dynamic.FAILS),
        ("fails", "ok", Dynamic.MENDED),
        ("crash", "ok", Dynamic.MENDED),
        ("ok", "timeout", Dynamic.UNKNOWN),
        ("timeout", "ok", Dynamic.UNKNOWN),
        ("fails", "timeout", Dynamic.UNKNOWN),
    ],
)
def test_the_ends_of_two_runs_say_what_a_fix_did(
    before: str, after: str, said: Dynamic | None
) -> None:
    assert by_ends(before, after) is said


@pytest.mark.parametrize("before", ["fails", "crash"])
@pytest.mark.parametrize("after", ["fails", "crash"])
def test_what_runs_neither_with_nor_without_a_fix_is_no_harm_of_it(before: str, after: str) -> None:
    """A sample that lacked a key refuted the fix for every config of the kit."""
    said = by_ends(before, after)
    assert said is Dynamic.UNKNOWN
    proof = replace(GOOD, dynamic=said, reason="forward: KeyError")
    assert not proof.harmful
    assert judged(dict.fromkeys(PADDLES, proof)) is not None
