"""The verdicts, and what a judgement says and carries beside its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from codemod.base.reason import Reason


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

    `said` are its sentences. `rule` names what allowed a tolerance, if anything. `legs` are the
    verdicts of what followed the last step, by name.
    """

    verdict: Verdict
    said: tuple[Reason, ...]
    rule: str = "bit equality"
    first: FirstDifference | None = None
    hint: str = ""
    legs: dict[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The sentences in English."""
        return " ".join(map(str, self.said))


# What usually stands behind a class of difference, and what helps.
HINTS = {
    "missing": "Paddle 2.6 loses gradients of sparse embeddings, nn.Embedding(sparse=True), of the "
    "bodies of tensor while loops, and of outputs that are also the input of the last operator.",
    "none-against-zero": "A branch that was not taken gives zeros in a static graph where dynamic "
    "training gives no gradient: weight decay then acts on it.",
    "extra": "Static training gives a gradient to a parameter that dynamic training leaves out.",
    "absent": "The optimizer is handed other parameters when the switch is on: the trainer makes "
    "it of something else then, or the hook changes their number.",
    "sparse-made-dense": "An embedding with sparse=True gets a dense gradient in a static graph: "
    "optimizers such as Adam then update every row.",
    "isolated": "Only these gradients differ, all others and the losses agree to the bit, so it is "
    "no rounding. A parameter's trainable flag changed after the trace does this "
    "(set_requires_grad on norms that were made frozen), or a gradient hook; so does Paddle 2.6 "
    "where a graph, or the part before a graph break, returns a value and something made of it.",
    "frozen-randomness": "Python or NumPy random numbers drawn in forward are drawn once, at the "
    "trace; draw them with paddle.rand, or outside the hooked layer.",
    "random-order": "Paddle's random numbers are drawn in another order (parallel branches, layers "
    "made while tracing).",
    "frozen-state": "Python attributes changed by forward, or by the trainer, keep the value they "
    "had at the trace.",
    "frozen-buffer": "A buffer that dynamic training updates stays as it was in static training.",
    "other-start": "The modes start from different weights: something draws random numbers while "
    "the hook is put in place.",
    "learning-rate": "The schedule reads something that stands still in a static graph: count "
    "steps in the trainer, not in forward.",
    "drift": "No single cause is known for this class; hook parts of the model to narrow it down.",
    "number": "The two runs call backward on a different number of losses: the kit runs other code "
    "when the switch is on.",
    "weights": "All gradients agree, and the weights do not: the update itself differs.",
    "carried": "From the same weights and optimizer state every update agrees: what training "
    "carries from one to the next differs. The kit runs other code when the switch is on, or keeps "
    "something of forward outside the model.",
}
