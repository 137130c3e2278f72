"""Whether a run was where it was asked to be: a row's device is that of its tensors."""

from __future__ import annotations

from collections.abc import Iterable

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.verdict import Judgement, not_run
from codemod.training.record import Record

# What decides: running statistics or a counter may live on the CPU wherever the training is.
_DECIDING = ("gradients", "losses")


def elsewhere(case: Comparison) -> Judgement | None:
    """Not run, where one of the two trainings computed elsewhere than it was asked to."""
    for mode, record in (("dynamic", case.dynamic), (case.mode, case.static)):
        wanted = str(record.start.get("wanted", ""))
        found = computed_at(record)
        if wanted and astray(found, wanted):
            return not_run("judging.elsewhere", mode=mode, wanted=wanted, found=found)
    return None


def computed_at(record: Record) -> tuple[str, ...]:
    """The places of a run's gradients and losses, such as `gpu:0`; sorted, each once."""
    return tuple(
        sorted(
            {
                place
                for params in record.params
                for kind in _DECIDING
                for place in params.get("places", {}).get(kind, {})
            }
        )
    )


def astray(places: Iterable[str], wanted: str) -> bool:
    """Whether one of the places is not of the wanted device's kind.

    Cards are numbered anew among those that a run is shown, so their numbers say nothing.
    """
    return any(place.partition(":")[0] != wanted.partition(":")[0] for place in places)
