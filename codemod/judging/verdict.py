"""The verdicts, and what a judgement says and carries beside its verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from codemod.base.reason import Field, Reason


class Verdict(str, Enum):
    """What a run says of one config in one mode; the values are those of the JSON forms."""

    PASS = "pass"  # noqa: S105
    PASS_TOLERANCE = "pass-tolerance"  # noqa: S105
    PASS_PARTIAL = "pass-partial"  # noqa: S105
    NOT_STATIC = "not-static"
    LOSS_DIFFERS = "loss-differs"
    GRADIENT_DIFFERS = "gradient-differs"
    BUFFER_DIFFERS = "buffer-differs"
    STATE_DIFFERS = "state-differs"
    FAILS = "fails"
    CRASH = "crash"
    TIMEOUT = "timeout"
    OOM = "oom"
    DYNAMIC_FAILS = "dynamic-fails"
    NONDETERMINISTIC = "nondeterministic"
    NOT_RUN = "not-run"

    def __str__(self) -> str:
        """The value: texts and templates show it as the JSON forms do."""
        return str(self.value)

    @property
    def passed(self) -> bool:
        """Whether static training may be said to equal dynamic training."""
        return self in (Verdict.PASS, Verdict.PASS_TOLERANCE, Verdict.PASS_PARTIAL)

    @property
    def differs(self) -> bool:
        """Whether static training ran and gave other numbers."""
        return self in (
            Verdict.LOSS_DIFFERS,
            Verdict.GRADIENT_DIFFERS,
            Verdict.BUFFER_DIFFERS,
            Verdict.STATE_DIFFERS,
        )

    @property
    def failed(self) -> bool:
        """Whether static training did not come to its end."""
        return self in (Verdict.FAILS, Verdict.CRASH, Verdict.TIMEOUT, Verdict.OOM)

    @property
    def silent(self) -> bool:
        """Whether it says nothing of the hook: there was nothing sound to compare with."""
        return self in (Verdict.DYNAMIC_FAILS, Verdict.NONDETERMINISTIC, Verdict.NOT_RUN)


# Classes in which both sides have a value, and only its size differs.
ROUNDS = ("isolated", "drift")

# The rule of a verdict that no other one made.
EQUALITY: Final = "bit equality"


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """Where two runs part first: step and optimizer (both from 0), name, class of difference.

    `relative` is the distance by the scale that its class is judged by, infinite where there is
    none; `others` counts what differs in the same step beside it.
    """

    step: int
    opt: int = field(metadata={"key": "optimizer"})
    name: str
    kind: str = field(metadata={"key": "class"})
    relative: float
    others: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """The hazard that explains a verdict.

    `file` is relative to the kit's root, None where not known; so is `line`.
    """

    id: str
    name: str
    remedy: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One mode's verdict with its evidence.

    `said` are its sentences. `rule` names what decided where the numbers are not equal to the bit.
    `legs` are the verdicts of what followed the last step, by name.
    """

    verdict: Verdict
    said: tuple[Reason, ...]
    rule: str = EQUALITY
    first: FirstDifference | None = None
    hint: Reason | None = None
    legs: dict[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The sentences in English."""
        return " ".join(map(str, self.said))


def judged(verdict: Verdict, code: str, **fields: Field) -> Judgement:
    """A verdict with one sentence."""
    return Judgement(verdict, (Reason.of(code, **fields),))


def not_run(code: str, **fields: Field) -> Judgement:
    """That nothing can be said, and why."""
    return judged(Verdict.NOT_RUN, code, **fields)


PARTIAL = "judging.partial"


def told(verdict: Verdict, said: Iterable[Reason]) -> Verdict:
    """The verdict, `pass-partial` of any pass whose sentences say that a part was dynamic.

    Rows of before the word was kept for a plain `pass` have `pass-tolerance` there.
    """
    part = verdict.passed and any(one.code == PARTIAL for one in said)
    return Verdict.PASS_PARTIAL if part else verdict


DYNAMIC_KILLED = "judging.dynamic-killed"
STATIC_KILLED = "judging.static-killed"
CONTROL_ENDED = "judging.control-ended"
SHORT_LIMIT = "judging.limit-short"
PROBE_KILLED = "experiments.killed"
_CODES = frozenset({DYNAMIC_KILLED, STATIC_KILLED, CONTROL_ENDED, SHORT_LIMIT, PROBE_KILLED})


def ended_from_outside(said: Iterable[Reason]) -> bool:
    """Whether a judgement's sentences say that a run did not come to an end of its own."""
    return any(one.code in _CODES for one in said)
