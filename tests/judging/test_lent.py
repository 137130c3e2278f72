"""Control sides that one mode's run lends to another's: the same as if that had made them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging.comparing.lent import BORROWING, SidePair
from codemod.judging.comparing.lockstep import SideRun
from codemod.training.sides import Gap
from tests.judging.sides import first, other, sided

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.training.record import Record
    from codemod.training.sides import Turn

FAULTY = {2: other(2, "static", grads={"head.weight": Gap("d", 0.5, 0.05)})}
TRUTH = {
    "pair": 0,
    "opt": 0,
    "drawn": True,
    "sides": ["dynamic", "static", "again", "ulp1", "ulp2"],
    "losses": [[1.0], [1.0], [1.5], [1.0], [1.1], [1.2]],
    "grads": {"head.weight": [0.5, 1e-7, 2e-7, 1e-7, 3e-7, 4e-7], "late": [0.1, 1, 2, 1, 3, 4]},
}


def _short(whole: Record) -> Record:
    """What a run of fewer sides would have recorded."""
    kept = [TRUTH["sides"].index(side) for side in BORROWING]  # type: ignore[attr-defined]
    at = [0, *(1 + place for place in kept)]

    def cut(line: dict[str, Any]) -> dict[str, Any]:
        grads = {name: [told[one] for one in at] for name, told in line["grads"].items()}
        losses = [line["losses"][one] for one in at]
        return {**line, "sides": list(BORROWING), "losses": losses, "grads": grads}

    return replace(
        whole,
        turns=tuple(turn for turn in whole.turns if turn.side in BORROWING),
        visits=tuple(visit for visit in whole.visits if visit.side in BORROWING),
        truths=tuple(cut(line) for line in whole.truths),
    )


def _pair(changed: dict[int, Turn] | None = None) -> SidePair:
    single, double = sided(changed=changed, double=False), sided(changed=changed)
    return SidePair(single, replace(double, truths=(TRUTH,)))


def _shortened(pair: SidePair) -> SidePair:
    assert pair.double is not None
    return SidePair(_short(pair.single), _short(pair.double))


def _by_place(record: Record | None) -> list[Any]:
    assert record is not None
    turns = sorted(record.turns, key=lambda one: (one.pair, one.side))
    return [*turns, *sorted(record.visits, key=lambda one: (one.pair, one.side)), record.truths]


@pytest.mark.parametrize("changed", [None, FAULTY])
def test_a_run_that_borrows_is_the_run_of_all_sides(changed: dict[int, Turn] | None) -> None:
    whole = _pair(changed)
    found = _shortened(whole).with_controls_of(_pair())
    assert found is not None
    assert _by_place(found.single) == _by_place(whole.single)
    assert _by_place(found.double) == _by_place(whole.double)
    for made, known in ((found.single, whole.single), (found.double, whole.double)):
        assert made and known
        assert SideRun(made).controls == SideRun(known).controls == ("again", "ulp1", "ulp2")
        assert SideRun(made).noise == SideRun(known).noise
        assert not SideRun(made).void


def _nudged_grad(record: Record) -> Record:
    grads = {**first(3).grads, "head.bias": Gap("d", 1e-3 * (1 + 2**-52))}
    changed = replace(first(3), grads=grads)
    return replace(
        record,
        turns=tuple(
            changed if (one.side, one.pair) == ("dynamic", 3) else one for one in record.turns
        ),
    )


def _other_draws(record: Record) -> Record:
    visits = (
        replace(one, random={"paddle": "z"}) if (one.side, one.pair) == ("dynamic", 5) else one
        for one in record.visits
    )
    return replace(record, visits=tuple(visits))


def _one_update_less(record: Record) -> Record:
    return replace(record, turns=tuple(one for one in record.turns if one.pair < 5))


def _another_truth(record: Record) -> Record:
    grads = {**TRUTH["grads"], "late": [0.1, 1.5, 2, 1, 3, 4]}  # type: ignore[dict-item]
    return replace(record, truths=({**TRUTH, "grads": grads},))


@pytest.mark.parametrize("change", [_nudged_grad, _other_draws, _one_update_less, _another_truth])
def test_nothing_is_borrowed_from_another_training(change: Callable[[Record], Record]) -> None:
    lender = _pair()
    assert lender.double is not None
    other_one = SidePair(lender.single, change(lender.double))
    assert _shortened(_pair()).with_controls_of(other_one) is None


def test_what_did_not_end_neither_lends_nor_borrows() -> None:
    whole = _pair()
    assert whole.double is not None
    assert whole.lends
    assert not _shortened(whole).lends
    assert not SidePair(whole.single).lends
    failed = SidePair(whole.single, replace(whole.double, outcome="fails"))
    assert not failed.lends
    assert failed.with_controls_of(whole) is failed
