"""What a verdict says and carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PASSES = ("pass", "pass-tolerance", "pass-partial")
# Classes in which both sides have a value, and only its size differs.
ROUNDS = ("isolated", "drift")
DIFFERS = ("loss-differs", "gradient-differs", "buffer-differs", "state-differs")


@dataclass(frozen=True, slots=True)
class First:
    """The first difference: step, optimizer, name, its class and how far, relative."""

    step: int
    opt: int
    name: str
    kind: str
    relative: float
    others: int = 0

    def to_json(self) -> dict[str, Any]:
        """As the report and `--json` show it."""
        return {
            "step": self.step,
            "optimizer": self.opt,
            "name": self.name,
            "class": self.kind,
            "relative": self.relative,
            "others": self.others,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """One mode's verdict with its evidence. `rule` names what allowed a tolerance, if anything."""

    verdict: str
    reason: str
    rule: str = "bit equality"
    first: First | None = None
    hint: str = ""

    @property
    def passed(self) -> bool:
        """Whether static training may be said to equal dynamic training."""
        return self.verdict in PASSES


# What usually stands behind a class of difference, and what helps.
HINTS = {
    "missing": "Paddle 2.6 loses gradients of sparse embeddings, nn.Embedding(sparse=True), of the "
    "bodies of tensor while loops, and of outputs that are also the input of the last operator.",
    "none-against-zero": "A branch that was not taken gives zeros in a static graph where dynamic "
    "training gives no gradient: weight decay then acts on it.",
    "extra": "Static training gives a gradient to a parameter that dynamic training leaves out.",
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
}
