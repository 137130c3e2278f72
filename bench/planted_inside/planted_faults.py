"""The faults that `bench/planted.py` plants: each acts in one update of the static side.

It acts before the recorder reads the update or within the optimizer's own step, and only on what
the kit's training holds: the recorder reads a planted gradient, buffer, loss or weight as it would
read one that static mode got wrong. Where the update has no place for a fault, none is planted.
"""

from __future__ import annotations

import functools
import json
import random
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterable, Optional, Tuple, TypeVar

import numpy as np

# The recorder's own readers, in the process that it runs in.
_TENSORS: Any = import_module("parity_recorder.values.tensors")
gradient_of, to_array = _TENSORS.gradient_of, _TENSORS.to_array
parameters_of = _TENSORS.parameters_of
Call = Callable[[], Any]
Thing = TypeVar("Thing")
# Where the fault is, and the optimizer's step with what acts in it.
Done = Optional[Tuple[str, Call]]
# The true gradient of a bias before a norm is zero but for rounding: no fault can be planted there.
LEAST_SHARE = 1e-6
# A buffer that moves less than this in a step is not called stale when it stands still.
BUFFER_MOVES = 1e-6


class Update:
    """One update of the static side: what a fault can act on, and its own draws."""

    def __init__(self, lockstep: Any, optimizer: Any, number: int, call: Call, seed: int) -> None:
        self.lockstep, self.optimizer, self.call = lockstep, optimizer, call
        self.paddle = lockstep._session.paddle
        self.parameters = parameters_of(optimizer)
        self.names = lockstep.names.of(self.parameters, number)
        self.draw = np.random.RandomState(seed)

    def shuffled(self, things: Iterable[Thing]) -> list[Thing]:
        """The things in an order that the seed draws."""
        held = list(things)
        return [held[place] for place in self.draw.permutation(len(held))]

    def gradients(self) -> list[tuple[str, Any, Any]]:
        """Name, parameter and value of the dense gradients that are not zero, in drawn order."""
        found = []
        for name, parameter in zip(self.names, self.parameters):
            value = None if parameter.stop_gradient else gradient_of(parameter)
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                found.append((name, parameter, value))
        total = sum(float(np.linalg.norm(value)) ** 2 for _, _, value in found) ** 0.5
        real = [one for one in found if np.linalg.norm(one[2]) > LEAST_SHARE * total]
        return self.shuffled(real)

    def put(self, tensor: Any, value: Any) -> None:
        """Give a tensor another value, in its own dtype."""
        with self.paddle.no_grad():
            tensor.set_value(np.asarray(value).astype(to_array(tensor).dtype))


def _change_gradient(update: Update, change: Callable[[Any], Any]) -> Done:
    for name, parameter, value in update.gradients():
        if value.size > 1:
            update.put(parameter._grad_ivar(), change(value.astype(np.float64)))
            return name, update.call
    return None


def gradient(update: Update, size: float) -> Done:
    """One gradient turned by `size` of its norm in a random direction; its norm stays."""

    def turned(value: Any) -> Any:
        norm = np.linalg.norm(value)
        way = update.draw.standard_normal(value.shape)
        way -= value * (np.sum(way * value) / norm**2)
        moved = value + way * (size * norm / np.linalg.norm(way))
        return moved * (norm / np.linalg.norm(moved))

    return _change_gradient(update, turned)


def scale(update: Update, size: float) -> Done:
    """One gradient larger by `size` of itself."""
    return _change_gradient(update, lambda value: value * (1 + size))


def row(update: Update, size: float) -> Done:
    """The largest row of one gradient off by `size` of the gradient's norm."""

    def other(value: Any) -> Any:
        rows = value.reshape(value.shape[0], -1)
        norms = np.linalg.norm(rows, axis=1)
        place = int(np.argmax(norms))
        rows[place] *= 1 + size * np.linalg.norm(value) / norms[place]
        return rows.reshape(value.shape)

    return _change_gradient(update, other)


def sign(update: Update, size: float) -> Done:
    """The sign of one gradient's largest number."""

    def other(value: Any) -> Any:
        value.reshape(-1)[np.argmax(np.abs(value))] *= -1
        return value

    return _change_gradient(update, other)


def missing(update: Update, size: float) -> Done:
    """One gradient that is not there."""
    for name, parameter, _ in update.gradients():
        parameter.clear_gradient(False)
        if gradient_of(parameter) is None:
            return name, update.call
    return None


def loss(update: Update, size: float) -> Done:
    """The loss larger by `size` of itself, with all its gradients."""
    losses = update.lockstep.losses
    found = update.gradients()
    if len(losses) != 1 or isinstance(losses[0], list) or not losses[0] or not found:
        return None
    losses[0] *= 1 + size
    for _, parameter, value in found:
        update.put(parameter._grad_ivar(), value.astype(np.float64) * (1 + size))
    return "loss", update.call


def left_out(update: Update, size: float) -> Done:
    """The update is not made."""
    return ("update", lambda: None) if update.gradients() else None


def _move(update: Update, parameters: list[Any], moved: Callable[[Any, Any], Any]) -> Call:
    before = [to_array(parameter).astype(np.float64) for parameter in parameters]

    def step() -> Any:
        result = update.call()
        for parameter, was in zip(parameters, before):
            update.put(parameter, moved(was, to_array(parameter).astype(np.float64)))
        return result

    return step


def rate(update: Update, size: float) -> Done:
    """The learning rate higher by `size` of itself."""
    parameters = [parameter for _, parameter, _ in update.gradients()]
    if not parameters:
        return None
    return "rate", _move(update, parameters, lambda was, now: was + (now - was) * (1 + size))


def rate_of_one(update: Update, size: float) -> Done:
    """The learning rate of one weight higher by `size` of itself."""
    for name, parameter, _ in update.gradients():
        return name, _move(update, [parameter], lambda was, now: was + (now - was) * (1 + size))
    return None


def decay(update: Update, size: float) -> Done:
    """A weight decay of `size` on a bias that is not zero."""
    rate = float(update.optimizer.get_lr())
    for name, parameter, _ in update.gradients():
        if name.endswith("bias") and np.any(to_array(parameter)):
            return name, _move(update, [parameter], lambda was, now: now - rate * size * was)
    return None


def clipping(update: Update, size: float) -> Done:
    """The gradients are right, and the step is made from smaller ones, as if they were clipped."""
    found = update.gradients()
    if not found:
        return None

    def step() -> Any:
        for _, parameter, value in found:
            update.put(parameter._grad_ivar(), value.astype(np.float64) * (1 - size))
        return update.call()

    return "clipping", step


def _momentum_of(optimizer: Any) -> Tuple[Any, str, float]:
    """What holds an optimizer's momentum, under which name, and how much; 0 where it has none."""
    inner = getattr(optimizer, "inner_optimizer", None) or optimizer
    name = next((n for n in ("_momentum", "_beta1") if hasattr(inner, n)), "")
    value = getattr(inner, name, None)
    return inner, name, value if isinstance(value, float) else 0.0


def momentum(update: Update, size: float) -> Done:
    """Another momentum of the optimizer, smaller by `size` of itself."""
    inner, name, value = _momentum_of(update.optimizer)
    # The first step of a momentum reads none.
    if not value or update.lockstep._pair < 3:
        return None

    def step() -> Any:
        setattr(inner, name, value * (1 - size))
        try:
            return update.call()
        finally:
            setattr(inner, name, value)

    return name, step


def _buffers(update: Update) -> list[tuple[str, Any, Any, Any]]:
    """Name, buffer, what it was before the step, what it is; of those that the step moved."""
    known = update.lockstep._start.values
    found = []
    largest = 0.0
    for name, buffer in sorted(update.lockstep.names.buffers().items()):
        was = known.get(id(buffer))
        now = to_array(buffer)
        if was is None or now is None or now.dtype.kind != "f":
            continue
        before = to_array(was[1])
        if np.linalg.norm(now - before) > BUFFER_MOVES * np.linalg.norm(now):
            largest = max(largest, float(np.linalg.norm(now)))
            found.append((name, buffer, before, now))
    # The mean of what has none is zero but for rounding, like the gradient of a bias before a norm.
    real = [one for one in found if np.linalg.norm(one[3]) > LEAST_SHARE * largest]
    return update.shuffled(real)


def stale_buffer(update: Update, size: float) -> Done:
    """A buffer that the step does not move."""
    for name, buffer, before, _ in _buffers(update):
        update.put(buffer, before)
        return name, update.call
    return None


def buffer(update: Update, size: float) -> Done:
    """A buffer larger by `size` of itself."""
    for name, held, _, now in _buffers(update):
        update.put(held, now.astype(np.float64) * (1 + size))
        return name, update.call
    return None


def draw(update: Update, size: float) -> Done:
    """One draw more from a random generator."""
    drawn: Dict[str, Callable[[], float]] = {
        "python": random.random,
        "numpy": np.random.random,
        "paddle": lambda: float(update.paddle.rand([1])),
    }
    name = update.shuffled(sorted(drawn))[0]
    drawn[name]()
    return name, update.call


def frozen_weight(update: Update, size: float) -> Done:
    """A weight that no optimizer has (a teacher's, an average's) larger by `size` of itself."""
    for name, tensor in update.shuffled(sorted(update.lockstep.names.untrained().items())):
        value = to_array(tensor)
        if value.dtype.kind != "f" or not np.any(value):
            continue

        def step(tensor: Any = tensor, value: Any = value) -> Any:
            result = update.call()
            update.put(tensor, value.astype(np.float64) * (1 + size))
            return result

        return name, step
    return None


def state(update: Update, size: float) -> Done:
    """What the optimizer keeps for one weight larger by `size` of itself after the step."""
    inner = getattr(update.optimizer, "inner_optimizer", None) or update.optimizer
    kept = sorted(getattr(inner, "_accumulators", {}).items())
    for name, parameter, _ in update.gradients():
        held = [by_weight[parameter.name] for _, by_weight in kept if parameter.name in by_weight]
        moving = [one for one in held if to_array(one).size > 1]
        if not moving:
            continue

        def step(moving: list[Any] = moving) -> Any:
            result = update.call()
            for one in moving:
                update.put(one, to_array(one).astype(np.float64) * (1 + size))
            return result

        return name, step
    return None


def weights(update: Update, size: float) -> Done:
    """All weights smaller by `size` of themselves after the step."""
    parameters = [parameter for _, parameter, _ in update.gradients()]
    return "weights", _move(update, parameters, lambda was, now: now * (1 - size))


FAULTS: Dict[str, Callable[[Update, float], Done]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        gradient,
        scale,
        row,
        sign,
        missing,
        loss,
        left_out,
        rate,
        rate_of_one,
        decay,
        clipping,
        momentum,
        stale_buffer,
        buffer,
        draw,
        frozen_weight,
        state,
        weights,
    )
}


def install(plan: str) -> None:
    """Plant by the plan: `{"out": file, "faults": [[pair, order, kind, size, seed], ...]}`.

    A line of `out` says where each one was planted, "" where it had no place.
    """
    asked = json.loads(plan)
    out = Path(asked["out"])
    faults = {(pair, order): rest for pair, order, *rest in asked["faults"]}
    lockstep: Any = import_module("parity_recorder.sides.lockstep")
    update = lockstep.Lockstep.update

    @functools.wraps(update)
    def planting(self: Any, optimizer: Any, number: int, call: Call) -> Any:
        fault = faults.get((self._pair, self._order))
        if fault is None or self._side != "static":
            return update(self, optimizer, number, call)
        kind, size, seed = fault
        done = FAULTS[kind](Update(self, optimizer, number, call, seed), size)
        where, faulty = done or ("", call)
        line = {"pair": self._pair, "kind": kind, "size": size, "where": where}
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return update(self, optimizer, number, faulty)

    lockstep.Lockstep.update = planting


def install_carried(plan: str) -> None:
    """Plant one fault in every static update from one on, of free runs and of runs of sides.

    The plan is `{"out": file, "from": step, "kind": kind, "size": size, "seed": seed}`.
    """
    asked = json.loads(plan)
    out, kind, size = Path(asked["out"]), asked["kind"], asked["size"]
    lockstep: Any = import_module("parity_recorder.sides.lockstep").Lockstep
    steps: Any = import_module("parity_recorder.steps").Steps
    update, before, after = lockstep.update, steps._before, steps._after

    def planted(held: Any, optimizer: Any, number: int, step: int, call: Call) -> Call:
        if number or step < asked["from"]:
            return call
        done = FAULTS[kind](Update(held, optimizer, number, call, asked["seed"]), size)
        if done is None:
            return call
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, "where": done[0]}) + "\n")
        return done[1]

    @functools.wraps(update)
    def of_sides(self: Any, optimizer: Any, number: int, call: Call) -> Any:
        # A step may take several batches, so a pair's number is not the step's.
        if self._side == "static":
            self.made = getattr(self, "made", Counter())
            call = planted(self, optimizer, number, self.made[number], call)
            self.made[number] += 1
        return update(self, optimizer, number, call)

    @functools.wraps(before)
    def free_before(self: Any, optimizer: Any, number: int) -> None:
        step = self._counts[number]
        held = SimpleNamespace(
            _session=self._session,
            _pair=step,
            names=self.names,
            losses=self._losses,
        )
        # What acts within the step acts after it: of a free run the step itself is not at hand.
        self.planted = planted(held, optimizer, number, step, lambda: None)
        if kind == momentum.__name__ and not number and step == asked["from"]:
            # It would be over before the step: it stays.
            inner, name, value = _momentum_of(optimizer)
            setattr(inner, name, value * (1 - size))
        before(self, optimizer, number)

    @functools.wraps(after)
    def free_after(self: Any, number: int) -> None:
        self.planted()
        after(self, number)

    lockstep.update, steps._before, steps._after = of_sides, free_before, free_after
