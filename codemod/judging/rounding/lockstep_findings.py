"""The first difference of a run of several sides that its control sides do not excuse."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from codemod.base.reason import Reason
from codemod.judging.comparing.classify import Divergence, divergence, drawn, worded
from codemod.judging.comparing.compare import DENSIFIED, SPARSIFIED, keeps_tensor
from codemod.judging.comparing.lockstep import END, KINDS, STATIC, Key, SideRun, loss_gap
from codemod.judging.verdict import Verdict
from codemod.training.sides import Gap, Turn, Visit

_VERDICTS = {
    "grads": Verdict.GRADIENT_DIFFERS,
    "updates": Verdict.STATE_DIFFERS,
    "buffers": Verdict.BUFFER_DIFFERS,
    END: Verdict.STATE_DIFFERS,
}
_GENERATORS = {"python": "frozen-randomness", "numpy": "frozen-randomness"}


def finding(run: SideRun) -> Divergence | None:
    """The first update, or end of a visit, that is further off than rounding goes."""
    return next(findings(run), None)


def findings(run: SideRun) -> Iterator[Divergence]:
    """All of them, in order."""
    turns = {(turn.pair, turn.order): (one, turn) for one, turn in run.turns(STATIC)}
    for one, visit in run.visits(STATIC):
        for order in range(one.updates):
            pair = turns.get((one.pair, order))
            if pair is None:
                lacking = worded((visit.step, 0), Reason.of("judging.one-update"), "number")
                yield replace(lacking, verdict=Verdict.LOSS_DIFFERS)
                continue
            found = update_finding(run, *pair) or _drawn(run, *pair)
            if found is not None:
                yield found
        found = _of_visit(run, one, visit)
        if found is not None:
            yield found


def update_finding(run: SideRun, one: Turn, turn: Turn) -> Divergence | None:
    """What of one update is further off than rounding goes: loss, rate, gradients, the update."""
    far = loss_gap(one, turn)
    if far > run.loss_allowed(one):
        kind = "drift" if len(one.losses) == len(turn.losses) else "number"
        kind = _draws(run, turn) or kind
        return divergence(Verdict.LOSS_DIFFERS, (turn.step, turn.opt), "loss", kind, far)
    if one.lr != turn.lr and not _rate_moves(run, turn):
        rate = abs(one.lr - turn.lr) / abs(one.lr) if one.lr else math.inf
        words = Reason.of("judging.rate", dynamic=f"{one.lr:g}", static=f"{turn.lr:g}")
        return worded((turn.step, turn.opt), words, "learning-rate", rate)
    for kind in KINDS:
        over = [
            (name, gap)
            for name, gap in getattr(turn, kind).items()
            if beyond(run, Key(kind, turn.opt, name), turn, gap)
        ]
        if over:
            return _named(run, one, turn, kind, over)
    return None


def beyond(run: SideRun, key: Key, turn: Turn, gap: Gap) -> bool:
    """Whether a value of a turn is further off than its controls allow, or of another kind."""
    reference = getattr(run.reference[turn.pair, turn.order], key.kind).get(key.name)
    if reference is None:
        return key.kind == "grads" or not math.isfinite(gap.distance)
    if reference.kind != gap.kind:
        return True
    gradient = Key("grads", turn.opt, key.name)
    made = min(gap.norm, reference.norm) > 0.0 or run.rounds(gradient, turn.pair, turn.order)
    if run.backed and key.kind == "updates" and key.name in turn.grads and made:
        return False
    scale = run.global_norm(turn) if key.kind == "grads" else reference.distance
    # A comparison with NaN is false, and must not be an excuse.
    return not gap.distance <= run.allowed(key, turn.pair, turn.order, scale)


def _named(
    run: SideRun, one: Turn, turn: Turn, kind: str, over: list[tuple[str, Gap]]
) -> Divergence:
    known = getattr(one, kind)

    def own(item: tuple[str, Gap]) -> float:
        norm = known[item[0]].norm if item[0] in known else 0.0
        return item[1].distance / norm if norm else math.inf

    def changed_kind(item: tuple[str, Gap]) -> bool:
        return item[0] not in known or known[item[0]].kind != item[1].kind

    name, gap = max(over, key=lambda item: (changed_kind(item), own(item)))
    cause = _kind(known.get(name), gap) or _draws(run, turn) or _isolated(one, turn, kind)
    relative = math.inf if cause in ("missing", "extra") else own((name, gap))
    place, others = (turn.step, turn.opt), len(over) - 1
    return divergence(_VERDICTS[kind], place, name, cause, relative, others)


def _kind(one: Gap | None, other: Gap) -> str:
    """The class of a gradient that is of another kind; empty where only its size differs."""
    if one is None or one.kind == other.kind:
        return ""
    if one.kind in "nf" or other.kind in "nf":
        if max(one.norm, other.norm) == 0.0:
            return "none-against-zero"
        return "missing" if one.kind in "ds" else "extra"
    return DENSIFIED if one.kind == "s" else SPARSIFIED


def _isolated(one: Turn, turn: Turn, kind: str) -> str:
    if kind == "updates":
        return "weights"
    if kind == "buffers":
        name = next(iter(turn.buffers))
        return "frozen-buffer" if _frozen(one, turn, name) else "drift"
    few = one.losses == turn.losses and 2 * len(turn.grads) <= len(one.grads)
    return "isolated" if few else "drift"


def _frozen(one: Turn, turn: Turn, name: str) -> bool:
    return name in one.buffers and turn.buffers[name].norm == 0.0 != one.buffers[name].norm


def _draws(run: SideRun, turn: Turn) -> str:
    """The class of a generator that stands elsewhere than in dynamic training, if one does."""
    name = _drew(run, run.reference[turn.pair, turn.order], turn)
    return _GENERATORS.get(name, "random-order") if name else ""


def _rate_moves(run: SideRun, turn: Turn) -> bool:
    """Whether the trainer itself gives a later visit of the same batch another rate."""
    one = run.reference[turn.pair, turn.order]
    controls = (c for side in run.controls for _, c in run.turns(side))
    return any(c.lr != one.lr for c in controls if (c.pair, c.order) == (turn.pair, turn.order))


def _of_visit(run: SideRun, one: Visit, visit: Visit) -> Divergence | None:
    """What a visit left behind after its last update: averages, teachers, counters, draws."""
    over = []
    for name, gap in visit.end.items():
        known = one.end.get(name, Gap("n", 0.0))
        if not gap.distance <= run.allowed(Key(END, -1, name), visit.pair, -1, known.distance):
            over.append((gap.distance / known.norm if known.norm else math.inf, name))
    if over:
        far, name = max(over)
        place, others = (visit.step, 0), len(over) - 1
        return divergence(Verdict.STATE_DIFFERS, place, name, "weights", far, others)
    for name, (dynamic, static) in visit.state.items():
        if name not in run.noisy_state and not keeps_tensor(dynamic, static):
            words = Reason.of("judging.attribute", name=name, dynamic=dynamic, static=static)
            return worded((visit.step, 0), words, "frozen-state")
    return _drawn(run, one, visit)


def _drew(run: SideRun, one: Turn | Visit, other: Turn | Visit) -> str:
    """The generator that stands elsewhere than in dynamic training, which stands still itself."""
    names = (name for name, state in other.random.items() if state != one.random.get(name))
    return next((name for name in names if name not in run.noisy_draws), "")


def _drawn(run: SideRun, one: Turn | Visit, other: Turn | Visit) -> Divergence | None:
    name = _drew(run, one, other)
    kind = _GENERATORS.get(name, "random-order")
    return worded((other.step, 0), drawn(name), kind) if name else None
