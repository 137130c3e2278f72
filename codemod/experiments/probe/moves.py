"""Which nets the steps of a probe move: one that stands still in a static mode is no pass."""

from __future__ import annotations

from dataclasses import replace

from codemod.base.reason import Reason
from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Verdict


def with_moves(
    found: ModeResult, dynamic: dict[str, list[int]], static: dict[str, list[int]]
) -> ModeResult:
    """No pass where steps change more or fewer parameters and buffers of some net.

    Rounding moves values; it does not explain a teacher that stands still.
    """
    for net, (moved, whole) in dynamic.items():
        stays = static.get(net, [moved])[0]
        if found.verdict.passed and stays != moved:
            told = Reason.of("experiments.moved", net=net, dynamic=moved, static=stays, whole=whole)
            return replace(found, verdict=Verdict.STATE_DIFFERS).saying(told)
    return found
