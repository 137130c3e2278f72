"""Cases drawn by a seed, and what the judge says of each: `drawn.jsonl` holds it, line by line.

A case is a dynamic and a static run with some of their control runs. Most are sound and differ in
one or two things, whose sizes are drawn around what rounding does, so that all rules are reached.
What a change of the judge moves is read in the diff of `python -m tests.judging.drawn --write`.
A draw more in `case` moves all that is drawn after it, in every case: what a new kind of case needs
is drawn last, and for seeds of its own alone, by which COUNT grows (`if seed >= 600:`).
"""

from __future__ import annotations

import json
import math
import random
import re
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.judging import captured
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import SideRun
from codemod.judging.explain import failed_at, hazard_behind
from codemod.judging.judge import judge, wants_controls
from codemod.judging.rounding.resolution import resolution
from codemod.training.inject.parity_recorder.values.digests import Sparse
from codemod.training.record import Mark, Record, Step
from codemod.training.sides import Gap, Turn, Visit
from tests.judging.golden import keep
from tests.parity.builders import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GOLDEN = Path(__file__).with_suffix(".jsonl")
KIT = Path(__file__).with_name("drawn_kit")
COUNT = 600
_NAMES = ("a", "b", "c", "d")
_KINDS = ("dense", "dense", "dense", "dense", "dense", "dense", "zero", "none", "sparse", "frozen")
_MESSAGES = (
    "",
    "at once\nValueError: (InvalidArgument) 3 is not 4\n  [Hint: so]",
    "KeyError: 'x'",
    "AttributeError: 'Variable' object has no attribute 'numpy'",
    "TypeError: bool is asked of a tensor",
    "RuntimeError: super(): no arguments",
    "TypeError: 'x' is not a callable object\nDuring handling of the above exception\nKeyError: 'y'",
    "ValueError: python while pred change from bool to variable",
)
_BREAKS = ("reason", "Called TensorVariable.get_py_value", "Not support builtin print", "")
_RANDOM = {"python": "a", "numpy": "b", "paddle": "c", "batch": "e"}


@cache
def _mark(name: str, number: int, kind: str, size: float, draw: int) -> Mark:
    """A gradient, moved by `size` of its norm in a direction of its own."""
    if kind == "none":
        return mark(None)
    value = np.random.RandomState([ord(name), number]).randn(12).astype("float64")
    value *= 10.0 ** -_NAMES.index(name[-1])
    if kind == "zero":
        value *= 0.0
    if size:
        other = np.random.RandomState([ord(name), number, draw]).randn(12)
        value = value + size * np.linalg.norm(value) * other / np.linalg.norm(other)
    if kind == "sparse":
        return mark(Sparse(np.array([1, 4]), value.reshape(2, 6), 9))
    found = mark(value)
    return replace(found, kind="f") if kind == "frozen" else found


def _size(draw: random.Random) -> float:
    """Mostly about as far as rounding goes, seldom much less or more."""
    return float(10.0 ** draw.choice((draw.uniform(-9, -3), draw.uniform(-17, 1), -16.0)))


def _steps(draw: random.Random) -> list[Step]:
    """Dynamic training: one optimizer or two, losses that fall a little."""
    count, opts = draw.choice((1, 2, 4, 6, 8)), draw.choice((1, 1, 1, 2))
    kinds = {name: draw.choice(_KINDS) for name in _NAMES}
    kinds["a"] = "dense"
    made = []
    for number in range(count):
        for opt in range(opts):
            grads = {name: _mark(name, 10 * number + opt, kinds[name], 0.0, 0) for name in _NAMES}
            buffers = {
                "mean": _mark("c", number, "dense", 0.0, 0),
                "kept": _mark("d", 0, "dense", 0.0, 0),
            }
            made.append(
                Step(
                    opt=opt,
                    number=number,
                    losses=(2.0 / (1 + number), 0.5)[: draw.choice((1, 1, 2))],
                    lr=0.1,
                    seconds=0.01,
                    recorder_seconds=0.0,
                    grads=grads,
                    buffers=buffers,
                    static={"forward_ops": 40},
                    random=_RANDOM,
                    state={"net.count": "1", "net.kept": "2"},
                    rss_kb=1,
                )
            )
    return made


def _one(draw: random.Random, steps: list[Step], edit: Callable[[Step], Step]) -> list[Step]:
    """Edit one step, or all from one on."""
    at, on = draw.randrange(len(steps)), draw.random() < 0.5
    return [edit(one) if n == at or (on and n > at) else one for n, one in enumerate(steps)]


def _moved(draw: random.Random, steps: list[Step]) -> list[Step]:
    """Gradients and losses a little off, as in a run that rounds otherwise."""
    size, names = _size(draw), draw.sample(_NAMES, draw.randint(1, 4))
    loss = draw.choice((0.0, size, size))

    def edit(step: Step) -> Step:
        grads = dict(step.grads)
        for name in names:
            if name in grads and grads[name].present:
                place = 10 * step.number + step.opt
                grads[name] = _mark(name, place, "dense", size, 1 + draw.randrange(3))
        losses = tuple(one * (1 + loss) for one in step.losses)
        return replace(step, grads=grads, losses=losses)

    return _one(draw, steps, edit)


def _kind(draw: random.Random, steps: list[Step]) -> list[Step]:
    """A gradient of another kind, or a name that one side does not have."""
    name, kind = (
        draw.choice(_NAMES),
        draw.choice(("none", "zero", "dense", "sparse", "gone", "new")),
    )

    def edit(step: Step) -> Step:
        grads = dict(step.grads)
        if kind == "gone":
            del grads[name]
        elif kind == "new":
            grads["new.a"] = _mark("a", step.number, "dense", 0.0, 0)
        else:
            grads[name] = _mark(name, 10 * step.number + step.opt, kind, 0.0, 0)
        return replace(step, grads=grads)

    return _one(draw, steps, edit)


def _carried(draw: random.Random, steps: list[Step]) -> list[Step]:
    """Another buffer, draw, attribute, rate, or number of losses."""
    what, size = draw.choice(("mean", "kept", "draw", "state", "rate", "losses")), _size(draw)
    names = draw.sample(("python", "numpy", "paddle", "batch"), draw.randint(1, 2))
    value = draw.choice(("9", "tensor:9"))

    def edit(step: Step) -> Step:
        if what in ("mean", "kept"):
            place = step.number if what == "mean" else 0
            name = "c" if what == "mean" else "d"
            moved = _mark(name, place, "dense", size, 1)
            return replace(step, buffers={**step.buffers, what: moved})
        if what == "draw":
            return replace(step, random={**step.random, **dict.fromkeys(names, "z")})
        if what == "state":
            return replace(step, state={**(step.state or {}), "net.count": value})
        if what == "rate":
            return replace(step, lr=step.lr * (1 + size))
        return replace(step, losses=(*step.losses, 0.5))

    return _one(draw, steps, edit)


def _senseless(draw: random.Random, steps: list[Step]) -> list[Step]:
    """Training that diverges, stands still or grows; the same on both sides."""
    what = draw.choice(("nan", "inf", "grows", "norm", "dead", "buffer"))

    def edit(step: Step) -> Step:
        if what in ("nan", "inf"):
            return replace(step, losses=(float(what), *step.losses[1:]))
        if what == "grows":
            return replace(
                step, losses=tuple(one * 10.0 ** draw.uniform(0.5, 3) for one in step.losses)
            )
        if what == "buffer":
            return replace(step, buffers={"mean": replace(step.buffers["mean"], norm=math.inf)})
        factor = 0.0 if what == "dead" else 10.0 ** draw.uniform(2, 6)
        marks = {n: replace(one, norm=factor * one.norm) for n, one in step.grads.items()}
        return replace(step, grads=marks)

    return _one(draw, steps, edit)


def _static(draw: random.Random, mode: str, steps: list[Step]) -> list[Step]:
    """What of each step was static."""
    name = "ast_runs" if mode == "ast" else "sot_graphs"
    full = {name: 1, "hooked_calls": 1, "program_ops": draw.choice((40, 40, 33, 32, 31, 5))}
    odd = draw.choice(
        ({}, {}, {"hooked_calls": 1}, {**full, name: 3}, {**full, "FallbackError": 2})
    )
    amp = draw.choice(({}, {}, {"amp_asked": 1}, {"amp_asked": 1, "amp_real": 1}))
    made = []
    for number, step in enumerate(steps):
        counts = {**(full if draw.random() < 0.9 else odd or full), **amp}
        if number == 0 or draw.random() < 0.1:
            counts |= {"traces": 1, "translations": draw.choice((0, 1))}
        made.append(replace(step, static=counts))
    if draw.random() < 0.05:
        made = [replace(step, static={"hooked_calls": draw.choice((0, 1))}) for step in made]
    return made


def _outcome(draw: random.Random, record: Record) -> Record:
    """An end that is not a good one."""
    outcome = draw.choice(("fails", "crash", "timeout", "oom", "killed", "ok"))
    kept = record.steps[: draw.randrange(len(record.steps) + 1)]
    message = draw.choice(_MESSAGES)
    if draw.random() < 0.3:
        message = f'  File "{KIT / "net.py"}", line {draw.randint(6, 9)}, in forward\n{message}'
    trace = f'  File "{KIT / "net.py"}", line {draw.randint(6, 9)}, in forward\n    code\n'
    end = {"error": "ValueError", "message": message} if draw.random() < 0.7 else {}
    if end and draw.random() < 0.5:
        end["traceback"] = trace + '  File "/usr/lib/copy.py", line 3, in copy\n'
    limit = draw.choice((0.0, 50.0, 300.0, 5000.0))
    return replace(record, outcome=outcome, steps=kept, end=end, limit_s=limit)


def _ended(record: Record, draw: random.Random, weights: dict[str, str]) -> Record:
    lines = tuple(
        {"opt": opt, "start": {"a": "1"}, "shapes": {"a": [12]}, "places": {"losses": {"cpu": 1}}}
        for opt in sorted({step.opt for step in record.steps})
    )
    ends = tuple({"opt": line["opt"], "end": weights} for line in lines)
    return replace(record, params=lines, weights=ends)


def _legs(draw: random.Random) -> tuple[dict[str, Any], ...]:
    made: list[dict[str, Any]] = []
    for leg in draw.sample(("eval", "export"), draw.choice((0, 0, 1, 2))):
        for net in draw.sample(("Net", "Other"), draw.choice((1, 1, 2))):
            outcome = draw.choice(("ran", "ran", "ran", "begun", "fails", "dynamic-fails"))
            line: dict[str, Any] = {"t": "leg", "leg": leg, "net": net, "outcome": outcome}
            if outcome == "ran":
                far = draw.choice((0.0, _size(draw)))
                differs = {"out": ["d", 2.0, 2.0 * far]} if far else {}
                line |= {
                    "outputs": {"out": ["d", draw.choice((2.0, 2.0, 0.0))]},
                    "differs": differs,
                }
            elif outcome != "begun":
                line["error"] = "Traceback\nRuntimeError: no kernel"
            made.append(line)
    return tuple(made)


# --- runs of several sides


def _sided(draw: random.Random, steps: list[Step], double: bool) -> Record:
    """All sides of the updates of dynamic training, the static one a little off at some."""
    unit = 1e-16 if double else 3e-8
    odd = draw.choice(("",) * 6 + ("gap",) * 4 + ("end", "state", "draw", "loss", "kind"))
    since, size = draw.choice(steps).number, unit * 10.0 ** draw.uniform(-1, 8)
    numbers = sorted({step.number for step in steps})
    turns: list[Turn] = []
    visits: list[Visit] = []
    for pair in numbers:
        astray = odd and (pair == since or (pair > since and draw.random() < 0.5))
        own = [
            _turn(step, order) for order, step in enumerate(s for s in steps if s.number == pair)
        ]
        end = {name: replace(gap, distance=1.0) for name, gap in own[-1].updates.items()}
        visits.append(Visit("dynamic", pair, pair, len(own), {}, _RANDOM, end, {}))
        for side in ("static", "again", "ulp1", "ulp2"):
            made = [_side(draw, one, side, unit) for one in own]
            visit = Visit(side, pair, pair, len(own), {}, _RANDOM, {}, {})
            if side == "static":
                visit = replace(visit, static={"ast_runs": 1} if draw.random() < 0.98 else {})
            if side == "static" and astray:
                made[-1], visit = _astray(draw, odd, size, own[-1], made[-1], visit)
            turns += made
            visits.append(visit)
        turns += own
    if draw.random() < 0.1:
        turns = [replace(one, losses=(1.5,)) if one.side == "ulp1" else one for one in turns]
    if draw.random() < 0.1:
        noisy = {**_RANDOM, draw.choice(("python", "paddle")): "y"}
        visits = [replace(v, random=noisy) if v.side == "again" else v for v in visits]
    if draw.random() < 0.1:
        noted = {"net.count": ("1", "7")}
        visits = [replace(v, state=noted) if v.side == "ulp2" else v for v in visits]
    if draw.random() < 0.1:
        visits = [replace(one, singles=("log_loss",)) for one in visits]
    if draw.random() < 0.1:
        turns = [replace(one, grads={**one.grads, "b": Gap("d", 1.0, 0.5)}) for one in turns]
    return Record(
        outcome=draw.choice(("ok",) * 9 + ("crash",)),
        start={"double": double},
        steps=(),
        turns=tuple(turns),
        visits=tuple(visits),
        plants=tuple(_planted(draw) for _ in range(draw.choice((0, 1)))),
        truths=_truths(draw, turns) if double else (),
    )


def _turn(step: Step, order: int) -> Turn:
    """The dynamic side's, as dynamic training made this update."""
    held = {name: one for name, one in step.grads.items() if one.kind != "f"}
    return Turn(
        side="dynamic",
        pair=step.number,
        order=order,
        opt=step.opt,
        step=step.number,
        losses=step.losses,
        lr=step.lr,
        random=_RANDOM,
        grads={name: Gap(one.kind, one.norm) for name, one in held.items()},
        updates={name: Gap("d", 0.1 * one.norm, 1.0) for name, one in held.items() if one.present},
        buffers={name: Gap("d", one.norm) for name, one in step.buffers.items()},
    )


def _side(draw: random.Random, own: Turn, side: str, unit: float) -> Turn:
    """Another side's: equal, or off by what rounding does."""
    known = [name for name, gap in own.grads.items() if gap.kind in "ds"]
    noise: dict[str, Gap] = {}
    if side.startswith("ulp") and draw.random() < 0.97:
        noise = {
            name: replace(own.grads[name], distance=unit * own.grads[name].norm) for name in known
        }
    elif side == "static" and known and draw.random() < 0.5:
        name = draw.choice(known)
        noise = {name: replace(own.grads[name], distance=unit * own.grads[name].norm)}
    moved = 4 if side.startswith("ulp") else 0
    return replace(own, side=side, grads=noise, updates={}, buffers={}, moved=moved)


def _astray(
    draw: random.Random, odd: str, size: float, own: Turn, turn: Turn, visit: Visit
) -> tuple[Turn, Visit]:
    where = draw.choice(("grads", "grads", "updates", "buffers"))
    held: dict[str, Gap] = getattr(own, where)
    name = draw.choice(sorted(held)) if held else "a"
    gap = held.get(name, Gap("d", 1.0))
    off = {name: replace(gap, distance=size * (gap.norm or 1.0))}
    if odd == "gap":
        changed: dict[str, Any] = {where: {**getattr(turn, where), **off}}
        turn = replace(turn, **changed)
    elif odd == "kind":
        turn = replace(turn, grads={"a": Gap(draw.choice("nsf"), 1.0, 1.0)})
    elif odd == "loss":
        losses = tuple(one * (1 + size) for one in turn.losses)
        turn = replace(turn, losses=losses[: draw.choice((1, 1, 1, 0))])
    elif odd == "draw":
        places = {**turn.random, draw.choice(("python", "paddle", "batch")): "z"}
        turn, visit = replace(turn, random=places), replace(visit, random=places)
    elif odd == "state":
        visit = replace(visit, state={"net.count": ("1", draw.choice(("9", "tensor:9")))})
    else:
        visit = replace(visit, end=off, updates=draw.choice((1, 1, 0)))
    return turn, visit


def _planted(draw: random.Random) -> dict[str, Any]:
    found = {"a": ["d", 1.0, draw.choice((0.0, 1e-9, 1e-3, 1e-3))]}
    return {"side": "again", "pair": 1, "name": "a", "size": 1e-9, "found": found}


def _reading(draw: random.Random, steps: list[Step]) -> Record:
    """Both modes went on from the other one's checkpoint, or could not read it."""
    turns: list[Turn] = []
    for order, step in enumerate(steps):
        own = _turn(step, order)
        turns += [own, replace(_side(draw, own, "static", 1e-8), side="static")]
        for side, like in (("dynamic-read", own), ("static-read", turns[-1])):
            read = replace(like, side=side, grads={} if like is own else like.grads)
            if draw.random() < 0.05:
                gap = Gap("d", own.grads["a"].norm, _size(draw))
                what = draw.choice(("grads", "updates"))
                read = (
                    replace(read, grads={"a": gap})
                    if what == "grads"
                    else replace(read, updates={"a": gap})
                )
            turns.append(read)
    legs = tuple(
        {
            "t": "leg",
            "leg": "read",
            "net": side,
            "outcome": draw.choice(("fails", "ran")),
            "error": "KeyError: 'w'",
        }
        for side in draw.sample(("dynamic-read", "static-read"), draw.choice((0, 0, 0, 1, 2)))
    )
    outcome = draw.choice(("ok",) * 8 + ("crash", "timeout"))
    return Record(outcome, {}, (), turns=tuple(turns) if draw.random() < 0.95 else (), legs=legs)


def _truths(draw: random.Random, turns: list[Turn]) -> tuple[dict[str, Any], ...]:
    """How far sides in float32 were from float64 at some updates, sometimes too far."""
    lines: list[dict[str, Any]] = []
    asked = [turn for turn in turns if turn.side == "dynamic"] if draw.random() < 0.4 else []
    for turn in asked:
        far = 1e-8 * 10.0 ** draw.uniform(-0.5, 1.2)
        known = {name: gap.norm for name, gap in turn.grads.items() if gap.kind in "ds"}
        losses = [[*turn.losses] for _ in range(4)]
        losses[1] = [one * (1 + draw.choice((0.0, 1e-6, 1e-2))) for one in losses[1]]
        lines.append(
            {
                "pair": turn.pair,
                "opt": turn.opt,
                "drawn": draw.random() < 0.9,
                "sides": ["dynamic", "static", "ulp1"],
                "losses": losses,
                "grads": {n: [v, 1e-8 * v, far * v, 1.5e-8 * v] for n, v in known.items()},
            }
        )
    return tuple(lines)


# --- a case


def case(seed: int) -> Comparison:
    """The comparison of a seed."""
    draw = random.Random(seed)
    mode = draw.choice(("ast", "sot"))
    steps = _steps(draw)
    if draw.random() < 0.08:
        steps = _senseless(draw, steps)
    edits = draw.choice((0, 0, 1, 1, 1, 2))
    changed = steps
    for _ in range(edits):
        changed = draw.choice((_moved,) * 6 + (_kind,) + (_carried,) * 4)(draw, changed)
    weights = {"a": "1", "b": "2", "mean": "3"}
    dynamic = _ended(Record("ok", {"wanted": "cpu"}, tuple(steps), seconds=60.0), draw, weights)
    static = Record("ok", {"wanted": "cpu"}, tuple(_static(draw, mode, changed)), legs=_legs(draw))
    odd = {**weights, draw.choice(("a", "b", "mean")): "9"} if draw.random() < 0.1 else weights
    static = _ended(static, draw, odd)
    hooks = (_hook(draw),) if draw.random() < 0.95 else ()
    breaks = tuple(_break(draw, kind) for kind in draw.sample(_FELL, draw.choice((0, 0, 0, 1, 2))))
    traces = tuple(
        {"kind": draw.choice(("graph", "program")), "ops": 20}
        for _ in range(draw.choice((0, 1, 2)))
    )
    paddle = draw.choice(("2.6.2", "3.3.1"))
    layers = {
        "layers": draw.choice((["Net.body"], ["Net.body", "Net#1.body"])),
        "classes": [["Net", draw.choice(("net.py", "/site-packages/head.py"))]],
    }
    static = replace(static, hooks=hooks, breaks=breaks, traces=traces, layers=(layers,))
    static = replace(static, start={**static.start, "paddle": paddle})
    if draw.random() < 0.03:
        params = ({**static.params[0], "places": {"losses": {"gpu:0": 1}}},)
        static = replace(static, params=params)
    if draw.random() < 0.06:
        static = _outcome(draw, static)
    if draw.random() < 0.04:
        dynamic = _outcome(draw, dynamic)
    if draw.random() < 0.02:
        dynamic = replace(dynamic, steps=tuple(_static(draw, mode, steps)))
    return Comparison(mode, dynamic, static, **_controls(draw, dynamic, steps))


_FELL = ("BreakGraphError", "FallbackError")


def _break(draw: random.Random, kind: str) -> dict[str, Any]:
    files = (str(KIT / "net.py"), "/usr/lib/copy.py")
    place = (draw.choice(files), draw.randint(6, 9)) if draw.random() < 0.8 else None
    return {"t": "break", "kind": kind, "reason": draw.choice(_BREAKS), "place": place}


def _hook(draw: random.Random) -> dict[str, Any]:
    target = draw.choice(("Net", "Net", "Net", "DataParallel", ""))
    strategy = draw.choice((None, None, ("fuse_all_reduce",)))
    place = {"file": str(KIT / "net.py"), "line": 4}
    return {"t": "hook", "target": target, "build_strategy": strategy, **place}


def _controls(draw: random.Random, dynamic: Record, steps: list[Step]) -> dict[str, Record]:
    def again(chance: float) -> Record:
        made = _moved(draw, steps) if draw.random() < chance else steps
        found = replace(dynamic, outcome="ok", steps=tuple(made), end={})
        return _outcome(draw, found) if draw.random() < 0.03 else found

    made: dict[str, Record] = {}
    if draw.random() < 0.8:
        made["repeat"] = again(0.15)
    if draw.random() < 0.6:
        made["ulp"] = again(0.9)
    if draw.random() < 0.1:
        made["out_of_place"] = again(0.5)
    if draw.random() < 0.15:
        made["kernels"] = again(0.9)
    if draw.random() < 0.75:
        made["lockstep"] = _sided(draw, steps, double=False)
        if draw.random() < 0.7:
            made["lockstep_double"] = _sided(draw, steps, double=True)
    if draw.random() < 0.3:
        made["reading"] = _reading(draw, steps)
    if draw.random() < 0.2:
        made["switched"] = _sided(draw, steps, double=False)
    return made


# The errors that are drawn are Paddle's and Python's; else three words in a row are a sentence.
_ERRORS = re.compile(
    "Not support builtin print|bool is asked of a tensor|object has no attribute"
    "|python while pred change from bool to variable"
)
_ENGLISH = re.compile("[A-Za-z]+ [a-z]+ [a-z]+")
# What is left of float64's last digits, which processors sum in another order.
_BELOW_DIGITS = re.compile(r"\b\d(\.\d+)?e-(1[6-9]|[2-9]\d)\b")


def told(seed: int) -> dict[str, Any]:
    """What the judge says of a seed's case, and what is measured of it on the way."""
    drawn = case(seed)
    found = judge(drawn)
    first = found.first
    why = hazard_behind(drawn, found, KIT)
    runs = {"single": drawn.lockstep, "double": drawn.lockstep_double}
    seen = {name: resolution(SideRun(run)) for name, run in runs.items() if run is not None}
    return {
        "seed": seed,
        "verdict": str(found.verdict),
        "said": [_BELOW_DIGITS.sub("<1e-15", one.text()) for one in found.said],
        "chinese": not any(_ENGLISH.search(_ERRORS.sub("", o.text("zh"))) for o in found.said),
        "rule": found.rule,
        "first": None if first is None else [*_plain(asdict(first).values())],
        "hint": str(found.hint or "")[:40],
        "hazard": None if why is None else [why.id, why.file, why.line],
        "at": failed_at(drawn, found, KIT),
        "legs": found.legs,
        "controls": wants_controls(drawn),
        "resolution": {name: list(_plain(asdict(one).values())) for name, one in seen.items()},
        "captured": [
            captured.programs(drawn.static),
            captured.operators(drawn.static),
            captured.graph_breaks(drawn.static),
            captured.retraces(drawn.static),
            captured.late_retraces(drawn.static),
        ],
    }


def _plain(values: Iterable[Any]) -> Iterable[Any]:
    """Numbers to three digits, which any processor computes alike."""
    for value in values:
        if isinstance(value, float):
            yield f"{value:.3g}"
        elif isinstance(value, dict):
            yield {str(key): one for key, one in value.items()}
        else:
            yield value


def line(seed: int) -> str:
    """The line of a seed."""
    return json.dumps(told(seed), ensure_ascii=False).replace(str(KIT), "/kit")


if __name__ == "__main__":
    keep(GOLDEN, COUNT, line)
