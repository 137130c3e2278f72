"""Where the time of a slower static step went, on turns of which that is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemod.base.reason import Reason
from codemod.judging.evidence.speed_rows import joined
from codemod.judging.evidence.speed_text import sentences
from codemod.judging.speed.lost import Overhead, lost_by_part, why_lost
from codemod.judging.speed.speed import Ratio, SpeedVerdict
from codemod.judging.speed.speed_judged import judge_timings, kept_ratio, with_lost
from codemod.judging.speed.timings import STATIC, TimedTurn, Timings
from codemod.judging.thresholds import LEAST_FAULTS
from tests.judging.test_timings import WHY, process, row

RATIO, SAME = Ratio(0.8, 0.78, 0.82), Ratio(1.0, 0.98, 1.02)
BACKWARD = Overhead(whole=2.5, others=1.0, system=1.0, faults=900.0)


def counted(timings: Timings, others: float = 0.0, faults: float = 0.0) -> Timings:
    """The same with a share of static time in other threads, and page faults of 2 us each."""

    def of(turn: TimedTurn) -> TimedTurn:
        static = turn.side == STATIC
        share, count = (others, faults) if static else (0.0, 0.0)
        thread = {part: (1 - share) * s for part, s in turn.processor.items()}
        per_part = dict.fromkeys(thread, count)
        system = {part: 2e-6 * each for part, each in per_part.items()}
        return replace(turn, thread=thread, system=system, faults=per_part)

    return replace(timings, turns=tuple(of(turn) for turn in timings.turns))


def codes(lost: Overhead, kept: Ratio | None, named: bool = False) -> list[str]:
    """What is said of a loss, without the wing and `speed-`."""
    cause = judge_timings([process(0.5)] * 5, "cpu", WHY).said[:1]
    found = why_lost({"backward": lost}, RATIO, kept, cause if named else ())
    return [one.code.removeprefix("judging.speed-") for one in found]


def test_what_a_part_takes_more_is_told_by_thread_system_and_faults() -> None:
    found = lost_by_part([counted(process(0.5), others=0.25, faults=100)] * 5)
    assert found["forward"] == Overhead(whole=6.0, others=3.0, system=0.2, faults=100.0)
    assert found["backward"] == Overhead(whole=3.0, others=1.5, system=0.2, faults=100.0)
    assert lost_by_part([process(0.5)] * 5) == {}, "a record of before says nothing of it"
    assert lost_by_part([Timings()]) == {}


def test_causes_that_were_measured_are_named_and_what_goes_away_with_memory_kept() -> None:
    assert codes(BACKWARD, SAME) == ["others", "faults", "kept-memory"]
    assert codes(replace(BACKWARD, others=0.1), SAME) == ["faults", "kept-memory"]
    few = replace(BACKWARD, faults=LEAST_FAULTS - 1.0)
    assert codes(few, SAME) == ["others", "woken", "kept-memory"]
    assert codes(few, RATIO) == ["others", "woken", "kept-memory"], "the clock has counted it"


def test_what_has_no_cause_is_said_with_what_is_excluded() -> None:
    nothing = replace(BACKWARD, others=0.0, system=0.0)
    assert codes(nothing, RATIO) == ["kept-memory", "not-found"]
    assert codes(nothing, RATIO, named=True) == ["kept-memory"]
    half = Ratio(0.8**0.5, 0.88, 0.90)
    told = list(why_lost({"backward": nothing}, RATIO, half, ()))[-1]
    assert "Of 50 % of the loss the cause was not found" in str(told)
    assert "how memory is given back" in str(told)
    assert "how memory" not in str(list(why_lost({"backward": nothing}, RATIO, None, ()))[-1])
    assert "图断裂" in told.text("zh")


def test_a_slower_mode_names_them_and_no_other_does() -> None:
    timed = [counted(process(0.8), others=0.2)] * 5
    judged = judge_timings(timed, "cpu", WHY)
    kept = kept_ratio([process(1.0)] * 2)
    said = [one.code for one in with_lost(judged, kept).said]
    assert said == [f"judging.speed-{name}" for name in ("part-forward", "others", "kept-memory")]
    assert "Of the 2.5 ms that a static step loses, 2.5 ms" in str(with_lost(judged, kept).said[1])
    same = judge_timings([counted(process(1.0))] * 5, "cpu", WHY)
    assert with_lost(same, kept) is same
    assert kept_ratio([Timings()]) is None


def test_on_a_card_nothing_is_put_down_to_the_processor() -> None:
    timed = [counted(process(0.8), others=0.5, faults=9000)] * 5
    judged = with_lost(judge_timings(timed, "gpu:0", WHY), None)
    assert judged.lost == {}
    assert [one.code for one in judged.said] == [
        "judging.speed-part-forward",
        "judging.speed-not-found",
    ]
    assert "Of 100 % of the loss the cause was not found" in str(judged.said[1])


def test_what_surely_loses_is_looked_into_where_how_much_is_unclear() -> None:
    timed = [counted(process(ratio), others=0.2) for ratio in (0.7, 0.75, 0.8, 0.85, 0.9)]
    judged = judge_timings(timed, "cpu", WHY)
    assert (judged.verdict, judged.loses) == (SpeedVerdict.UNCLEAR, True)
    told = with_lost(judged, SAME).said
    names = ("wide", "part-forward", "others", "kept-memory")
    assert [one.code for one in told] == [f"judging.speed-{name}" for name in names]


def test_a_joint_row_takes_the_reasons_that_were_looked_for() -> None:
    wide, part, kept = (
        Reason.of("judging.speed-wide", width="11", most="10"),
        Reason.of("judging.speed-part-forward", times="2"),
        Reason.of("judging.speed-kept-memory", times="1.00", low="0.98", high="1.02"),
    )
    early = replace(row(), said=(part,), date="2026-01-01")
    later = replace(
        row(SpeedVerdict.UNCLEAR), said=(wide, part, kept), kept_memory=SAME, date="2026-01-02"
    )
    both = joined(early, later)
    assert (both.verdict, both.said) == (SpeedVerdict.SLOWER, (part, kept))
    assert joined(early, replace(later, kept_memory=None)).said == (part,)


@pytest.mark.parametrize("verdict", SpeedVerdict)
def test_a_row_of_before_says_that_no_one_looked(verdict: SpeedVerdict) -> None:
    said = judge_timings([process(0.5)] * 5, "cpu", WHY).said
    early = replace(row(verdict), said=said)
    assert ("before causes" in sentences(early)[1]) == (verdict is SpeedVerdict.SLOWER)
    assert "before causes" not in sentences(replace(early, lost={"forward": BACKWARD}))[1]
    assert "before causes" not in sentences(replace(early, clock="wall"))[1]
