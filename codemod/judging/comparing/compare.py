"""The distance of two runs, step by step: no judgement here, only measurement."""

from __future__ import annotations

import base64
import math
import operator
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.training.record import Mark, Record, Step

MISSING = "missing"  # the reference has a gradient, the other none
NONE_AGAINST_ZERO = "none-against-zero"
EXTRA = "extra"  # the other has a gradient that the reference lacks
PRESENCE = (MISSING, NONE_AGAINST_ZERO, EXTRA)
"""Kinds of a gradient that one side alone has."""
DENSIFIED = "sparse-made-dense"
SPARSIFIED = "dense-made-sparse"
VALUE = "value"
ABSENT = "absent"  # the name exists on one side only

# Names that Paddle gives to tensors of dynamic mode, by counting them.
_COUNTED = re.compile(r"\b(eager_tmp|generated_tensor)_\d+")

# A tensor as the recorder writes it, alone or in a list; a text of the kit's has quotes of its own.
_TENSOR = re.compile(r"(?:^|[\[,(] ?')tensor:(?:empty|[0-9a-f]+)(?:'|$)")


@dataclass(frozen=True, slots=True)
class Difference:
    """One parameter or buffer that is not bit-equal. `distance` and `norm` are absolute."""

    name: str
    kind: str
    distance: float
    norm: float


@dataclass(frozen=True, slots=True)
class StepDistance:
    """How far one step of two runs is apart.

    `loss_abs` and `loss_rel` are the largest over the step's losses, NaN against a number is
    infinite; `same_losses` says that both sides called backward as often. `global_norm` is the
    reference's. `state` lists (name, reference, other). `rates` are the two learning rates where
    they differ.
    """

    opt: int
    number: int
    loss_abs: float
    loss_rel: float
    losses_match: bool
    same_losses: bool
    global_norm: float
    grads: tuple[Difference, ...]
    buffers: tuple[Difference, ...]
    state: tuple[tuple[str, str, str], ...]
    random: tuple[str, ...]
    rates: tuple[float, float] | None
    parameters: int

    @property
    def equal_values(self) -> bool:
        """Whether losses, gradients, buffers and learning rate agree to the bit."""
        return self.losses_match and self.rates is None and not (self.grads or self.buffers)

    @property
    def equal(self) -> bool:
        """Whether these agree, and watched state as well."""
        return self.equal_values and not self.state

    @property
    def grad_rel(self) -> float:
        """The largest gradient distance, scaled by the global gradient norm."""
        largest = max((diff.distance for diff in self.grads), default=0.0)
        if self.global_norm > 0:
            return largest / self.global_norm
        return math.inf if largest else 0.0


def _numbers(sketch: str) -> tuple[float, ...]:
    raw = base64.b64decode(sketch)
    return struct.unpack(f"<{len(raw) // 8}d", raw)


def sketch_distance(left: str, right: str) -> float:
    """The estimated 2-norm of the difference of two sketched arrays."""
    return math.dist(_numbers(left), _numbers(right)) if left and right else 0.0


def turned(one: dict[str, Mark], other: dict[str, Mark]) -> float:
    """How far all gradients as one turned: 0 the same way, 1 across, 2 the opposite way.

    By the sketches, which are linear: the opposite way is 2 to the last digits.
    """
    both = [name for name, mark in one.items() if mark.sketch and other.get(name, mark).sketch]
    left, right = (
        [number for name in both for number in _numbers(side.get(name, one[name]).sketch)]
        for side in (one, other)
    )
    sizes = math.hypot(*left) * math.hypot(*right)
    return 1 - sum(map(operator.mul, left, right)) / sizes if sizes else 0.0


def distance(reference: Mark, other: Mark) -> float:
    """An estimate of the 2-norm of the difference, never below the difference of the norms."""
    gap = abs(reference.norm - other.norm)
    found = max(gap, sketch_distance(reference.sketch, other.sketch))
    return math.inf if math.isnan(found) else found


def compare_mark(name: str, reference: Mark, other: Mark) -> Difference | None:
    """The difference of one gradient or buffer; None where they agree to the bit."""
    if reference.kind == other.kind and reference.digest == other.digest:
        return None
    far = distance(reference, other)
    if reference.present and other.present:
        otherwise = SPARSIFIED if other.kind == "s" else DENSIFIED
        kind = VALUE if reference.kind == other.kind else otherwise
    elif reference.present == other.present:
        return None
    elif max(reference.norm, other.norm) == 0.0:
        kind = NONE_AGAINST_ZERO
    else:
        kind = MISSING if reference.present else EXTRA
    return Difference(name, kind, far, reference.norm)


def compare_marks(reference: dict[str, Mark], other: dict[str, Mark]) -> tuple[Difference, ...]:
    """All differences, in the order of the reference."""
    found = []
    for name, mark in reference.items():
        twin = other.get(name)
        diff = Difference(name, ABSENT, mark.norm, mark.norm) if twin is None else None
        found.append(diff if twin is None else compare_mark(name, mark, twin))
    found.extend(
        Difference(name, ABSENT, mark.norm, 0.0)
        for name, mark in other.items()
        if name not in reference
    )
    return tuple(diff for diff in found if diff is not None)


def loss_distance(
    reference: tuple[float, ...], other: tuple[float, ...]
) -> tuple[float, float, bool]:
    """The largest distance of two steps' losses, absolute and relative, and whether all agree."""
    if len(reference) != len(other):
        return math.inf, math.inf, False
    worst_abs = worst_rel = 0.0
    match = True
    for one, two in zip(reference, other, strict=True):
        if one == two or (math.isnan(one) and math.isnan(two)):
            continue
        match = False
        gap = abs(one - two)
        gap = math.inf if math.isnan(gap) else gap
        worst_abs = max(worst_abs, gap)
        # Infinity by NaN would be NaN, which no comparison sees.
        worst_rel = max(worst_rel, gap / abs(one) if one and math.isfinite(gap) else math.inf)
    return worst_abs, worst_rel, match


def state_distance(
    reference: dict[str, str] | None, other: dict[str, str] | None
) -> tuple[tuple[str, str, str], ...]:
    """(name, reference, other) of attributes that differ; of two looks, if both were taken."""
    if reference is None or other is None:
        return ()
    names = sorted(set(reference) | set(other))
    pairs = [(name, reference.get(name, "-"), other.get(name, "-")) for name in names]
    return tuple(item for item in pairs if _uncounted(item[1]) != _uncounted(item[2]))


def _uncounted(value: str) -> str:
    """The value without the numbers in names of tensors: how many were made before says nothing."""
    return _COUNTED.sub(r"\1", value)


def keeps_tensor(*values: str) -> bool:
    """Whether one of the values of an attribute is a tensor, or a list with one."""
    return any(map(_TENSOR.search, values))


def compare_step(reference: Step, other: Step) -> StepDistance:
    """The distance of two step lines of one optimizer."""
    loss_abs, loss_rel, match = loss_distance(reference.losses, other.losses)
    return StepDistance(
        opt=reference.opt,
        number=reference.number,
        loss_abs=loss_abs,
        loss_rel=loss_rel,
        losses_match=match,
        same_losses=len(reference.losses) == len(other.losses),
        global_norm=reference.grad_norm,
        grads=compare_marks(reference.grads, other.grads),
        buffers=compare_marks(reference.buffers, other.buffers),
        state=state_distance(reference.state, other.state),
        random=tuple(
            name for name, value in reference.random.items() if other.random.get(name) != value
        ),
        rates=None if reference.lr == other.lr else (reference.lr, other.lr),
        parameters=len(reference.grads),
    )


def compare(reference: Record, other: Record) -> tuple[StepDistance, ...]:
    """Both runs side by side, as far as both go, in the reference's order of steps."""
    return tuple(compare_step(*pair) for pair in beside(reference, other))


def beside(one: Record, other: Record) -> Iterator[tuple[Step, Step]]:
    """The steps that both runs made, in the order of the first."""
    twins = {(step.opt, step.number): step for step in other.steps}
    for step in one.steps:
        if (step.opt, step.number) in twins:
            yield step, twins[step.opt, step.number]
