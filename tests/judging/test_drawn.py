"""What the judge says of the drawn cases, to the letter: `tests.judging.drawn` tells how."""

from __future__ import annotations

import json

import pytest

from codemod.base.messages import template
from codemod.judging.comparing import compare
from codemod.judging.verdict import Verdict
from codemod.judging.words import hints
from tests.judging.drawn import COUNT, GOLDEN, line

KNOWN = GOLDEN.read_text("utf-8").splitlines()
_CHUNK = 50


# Of each kind of case some: the last ones have what the first have not.
_FAST = (0, 250, COUNT - _CHUNK)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(start, marks=[] if start in _FAST else pytest.mark.slow)
        for start in range(0, COUNT, _CHUNK)
    ],
)
def test_what_is_said_of_drawn_cases(start: int) -> None:
    for seed in range(start, min(start + _CHUNK, COUNT)):
        assert json.loads(line(seed)) == json.loads(KNOWN[seed])


def test_they_reach_all_verdicts_and_most_classes() -> None:
    told = [json.loads(one) for one in KNOWN]
    missing = set(map(str, Verdict)) - {one["verdict"] for one in told} - {"nondeterministic"}
    assert not missing, (
        "draw a case that comes to it, with seeds of its own: tests/judging/drawn.py"
    )
    classes = {one["first"][3] for one in told if one["first"]}
    assert set(hints()) - classes <= {"extra", "none-against-zero", "other-start"}


def test_each_class_has_a_word_and_a_hint() -> None:
    kinds = {compare.MISSING, compare.NONE_AGAINST_ZERO, compare.EXTRA}
    kinds |= {compare.DENSIFIED, compare.SPARSIFIED}
    for kind in {*kinds, compare.ABSENT, *hints()}:
        assert hints()[kind].text()
        assert all(template(f"judging.word-{kind}", language) for language in ("en", "zh"))
