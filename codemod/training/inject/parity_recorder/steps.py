"""Record every optimizer step: losses, gradients, buffers, state, time.

Each optimizer class that defines `step` or `minimize` is patched, Paddle's and those that the kit's
recipe names, and so is `run_backward`, through which every `Tensor.backward` goes. A step's line is
written on entry, before gradients are clipped.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import os
import resource
import time
from typing import Any, Callable, Iterator

import numpy as np

from .files import executed
from .graphs.operators import Operators, trained_nets
from .importhook import after_import
from .sides.legs import Legs
from .sides.nudge import Nudge
from .sides.plant import planted
from .values.digests import digest, fingerprint
from .values.generators import take_random
from .values.layers import layer_classes
from .values.moving import Moving
from .values.naming import Names
from .values.places import Places
from .values.pystate import STATE_AT, PythonState
from .values.tensors import (
    end_rows,
    gradient_of,
    loss_value,
    parameters_of,
    to_array,
    walks_all_rows,
)

# The step whose operators are counted, and the one with a plant: the first one makes things once.
OPS_AT = 1
PLANT_AT = 1


def own_rate(parameter: Any) -> float:
    """The factor that the parameter puts on its optimizer's learning rate."""
    attributes = getattr(parameter, "optimize_attr", None) or {}
    rate = attributes.get("learning_rate", 1.0)
    # A kit may have put a tensor or a schedule there.
    return float(rate) if isinstance(rate, (bool, int, float)) else 1.0


def _classes(base: Any) -> Iterator[Any]:
    yield base
    for sub in base.__subclasses__():
        yield from _classes(sub)


class Steps:
    """Patches the optimizers and writes the step lines of one process."""

    def __init__(self, session: Any, static: Any, lockstep: Any) -> None:
        self._session = session
        self._static = static
        self._lockstep = lockstep
        self._nudge = Nudge(session)
        self._state = PythonState()
        self.optimizers: list[Any] = []
        self._counts: list[int] = []
        self._losses: list[Any] = []
        self._inside = False
        self._in_backward = False
        self._own = 0.0
        self._last = time.perf_counter()
        self.names = Names(session.paddle)
        self.moving = Moving(self.names)
        self._places = Places(session.paddle)
        self.total = 0
        # Both write what the backward before an update was called on.
        lockstep.losses = self._losses
        self._operators = Operators(session.paddle)
        self._legs = Legs(session, static.last_calls)

    def patch(self) -> None:
        """Patch Paddle's backward and all present and future optimizer classes."""
        self._patch_backward()
        self._patch_family(self._session.paddle.optimizer.Optimizer)
        for place in self._session.config.optimizers:
            module, _, name = place.partition(":")
            after_import(module, functools.partial(self._patch_named, name))

    def _patch_named(self, name: str, module: Any) -> None:
        self._patch_family(getattr(module, name))

    def _patch_family(self, base: Any) -> None:
        """Patch an optimizer class with all present and future classes derived from it."""
        for owner in set(_classes(base)):
            self._patch_class(owner)

        def init_subclass(cls: Any, /, **kwargs: Any) -> None:
            self._patch_class(cls)

        base.__init_subclass__ = classmethod(init_subclass)
        original = base.__init__

        @functools.wraps(original)
        def init(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            original(optimizer, *args, **kwargs)
            self._nudge.on_optimizer(parameters_of(optimizer))

        base.__init__ = init

    def _patch_backward(self) -> None:
        eager = self._session.paddle.base.core.eager
        original = eager.run_backward

        @functools.wraps(original)
        def run_backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            # Recomputation runs a backward inside the backward; only the outer one has losses.
            if self._in_backward:
                return original(tensors, *args, **kwargs)
            self._losses.extend(loss_value(tensor) for tensor in tensors)
            self._places.on_losses(tensors)
            self._in_backward = True
            began = time.perf_counter()
            try:
                return original(tensors, *args, **kwargs)
            finally:
                self._in_backward = False
                self._static.compiling.after_backward(time.perf_counter() - began)

        eager.run_backward = run_backward

    def _patch_class(self, owner: Any) -> None:
        for name in ("step", "minimize"):
            if name in vars(owner):
                setattr(owner, name, self._wrap(vars(owner)[name], name))

    def _wrap(self, original: Any, name: str) -> Any:
        @functools.wraps(original)
        def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if self._inside or not self._session.paddle.in_dynamic_mode():
                return original(optimizer, *args, **kwargs)
            if os.getpid() != self._session.pid:
                return original(optimizer, *args, **kwargs)
            self._inside = True
            try:
                number = self._number(optimizer)
                call = functools.partial(original, optimizer, *args, **kwargs)
                if self._lockstep.on:
                    turn = self._lockstep.turn
                    return self._lockstep.update(optimizer, number, call) if turn else call()
                self._before(optimizer, number)
                result = call()
                self._after(number)
            finally:
                self._inside = False
            self._stop_when_done(number)
            return result

        return step

    def _number(self, optimizer: Any) -> int:
        for number, known in enumerate(self.optimizers):
            if known is optimizer:
                return number
        self.optimizers.append(optimizer)
        self._counts.append(0)
        return len(self.optimizers) - 1

    def _before(self, optimizer: Any, number: int) -> None:
        """Write one step line."""
        entered = time.perf_counter()
        wanted = self._session.config.steps
        if self._counts[number] >= wanted:
            self._end()
        parameters = parameters_of(optimizer)
        names = [] if self._session.config.light else self.names.of(parameters, number)
        self.names.trains(parameters)
        if self._counts[number] == 0 and not self._session.config.light:
            self._write_start_weights(number, names, parameters)
        self._nudge.before_step(number, self._counts[number])
        fields = self._fields(optimizer, number, entered)
        random = take_random(self._session.paddle)
        grads = [
            (name, "f" if parameter.stop_gradient else gradient_of(parameter))
            for name, parameter in zip(names, parameters)
        ]
        if walks_all_rows(optimizer):
            dense = {name for name, grad in grads if isinstance(grad, np.ndarray)}
            for name, parameter in itertools.zip_longest(names, parameters):
                if name not in dense:
                    end_rows(parameter, self._session.paddle.CPUPlace())
        buffers = {} if self._session.config.light else self._buffers(fields["step"])
        # Waiting for a full queue counts as training time: it is a cost that the reader should see.
        self._last, self._own = time.perf_counter(), 0.0
        fields["own_s"] = self._last - entered
        self._session.journal.put(functools.partial(self._line, fields, random, grads, buffers))
        if not self._session.config.light and (number, fields["step"]) == (0, PLANT_AT):
            self._plant(names, parameters)

    def _plant(self, names: list[str], parameters: list[Any]) -> None:
        """Change one gradient and read it again: the judge must see what the recorder writes."""
        found = planted(self._session, PLANT_AT, names, parameters)
        if found is not None:
            name, size, _, after = found
            line = {"t": "plant", "opt": 0, "step": PLANT_AT, "name": name, "size": size}
            self._session.journal.put(lambda: {**line, "mark": fingerprint(after)})

    def _fields(self, optimizer: Any, number: int, entered: float) -> dict[str, Any]:
        step = self._counts[number]
        fields = {
            "t": "step",
            "opt": number,
            "step": step,
            "losses": list(self._losses),
            "lr": float(optimizer.get_lr()),
            "s": entered - self._last - self._own,
            "rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            "static": self._counted(number, step),
            # The writer's thread puts the generators before it.
            "random": {"batch": self._session.batches.take()},
        }
        if self._session.config.ranks > 1:
            fields["weights"] = self._weights(parameters_of(optimizer))
        if step in STATE_AT and not self._session.config.light:
            fields["state"] = self._state.changed(self.names.roots)
        self._losses.clear()
        return fields

    def _counted(self, number: int, step: int) -> dict[str, float]:
        counts: dict[str, float] = self._static.take()
        if self._counts_operators(number, step):
            counts["forward_ops"] = self._operators.take(trained_nets(self.names.roots))
        return counts

    def _counts_operators(self, number: int, step: int) -> bool:
        config = self._session.config
        return config.mode == "dynamic" and not config.light and (number, step) == (0, OPS_AT)

    @staticmethod
    def _weights(parameters: list[Any]) -> str:
        """A digest of what is trained, as the last step left it: each rank should have the same.

        Running statistics, which may be parameters too, are each rank's own.
        """
        trained = [p for p in parameters if not p.stop_gradient and p._is_initialized()]
        marks = [digest(to_array(parameter)) for parameter in trained]
        return hashlib.sha256("".join(marks).encode()).hexdigest()[:16]

    def _buffers(self, step: int) -> dict[str, Any]:
        """Copies of all buffers, and of whatever else moves without an optimizer."""
        if step in STATE_AT:
            self.moving.look()
        buffers = {name: to_array(buffer) for name, buffer in self.names.buffers().items()}
        return {**self.moving.values(), **buffers}

    def _line(
        self,
        fields: dict[str, Any],
        random: Callable[[], dict[str, str]],
        grads: list[tuple[str, Any]],
        buffers: dict[str, Any],
    ) -> dict[str, Any]:
        """Finish a step line in the writer's thread."""
        fields["random"] = {**random(), **fields["random"]}
        if fields["step"] in self._session.config.values_at:
            values = {n: g for n, g in grads if isinstance(g, np.ndarray)}
            np.savez(f"{self._session.config.out}.{fields['opt']}.{fields['step']}.npz", **values)  # type: ignore[arg-type, unused-ignore]
        fields["grads"] = {
            name: ["f", "", 0.0, ""] if isinstance(grad, str) else fingerprint(grad)
            for name, grad in grads
        }
        fields["buffers"] = {name: fingerprint(value) for name, value in buffers.items()}
        return fields

    def _write_start_weights(self, number: int, names: list[str], parameters: list[Any]) -> None:
        pairs = list(zip(names, parameters))
        self._session.journal.write(t="layers", **layer_classes(self.names.roots))
        self._session.journal.write(
            t="params",
            opt=number,
            optimizer=type(self.optimizers[number]).__name__,
            shapes={name: [int(size) for size in p.shape] for name, p in pairs},
            dtypes={name: str(p.dtype).split(".")[-1] for name, p in pairs},
            rates={name: rate for name, p in pairs if (rate := own_rate(p)) != 1.0},
            start={name: digest(to_array(p)) for name, p in pairs if p._is_initialized()},
            **self._places.fields(parameters),
        )

    def _after(self, number: int) -> None:
        entered = time.perf_counter()
        self._nudge.after_step(number, self._counts[number])
        self._counts[number] += 1
        self.total = max(self._counts)
        if self.total == executed.STEPS:
            executed.follow(False)
        if self._counts[number] == self._session.config.steps and not self._session.config.light:
            held = self._weights_of(self.optimizers[number], number)
            weights = {n: digest(to_array(p)) for n, p in held.items() if p._is_initialized()}
            self._session.journal.write(t="weights", opt=number, end=weights)
        if self._counts_operators(number, self._counts[number]):
            self._operators.start(trained_nets(self.names.roots))
        self._own += time.perf_counter() - entered

    def _stop_when_done(self, number: int) -> None:
        """Stop after the last step; with several optimizers wait until one would begin anew."""
        if len(self.optimizers) == 1 and self._counts[number] >= self._session.config.steps:
            self._end()

    def _end(self) -> None:
        """All steps are there: the legs, and the end."""
        self._session.stop(self.finish())

    def finish(self) -> Callable[[], None] | None:
        """Write what the training leaves behind; returns the legs, where they were asked for."""
        config = self._session.config
        if not self.total or self._lockstep.on:
            return None
        executed.follow(True)
        if not config.light:
            self._session.journal.write(**self._left())
        return (
            functools.partial(self._legs.run, self.optimizers, self.names.roots)
            if (config.legs and self._session.paddle.in_dynamic_mode())
            else None
        )

    def _left(self) -> dict[str, Any]:
        """All weights, buffers and attributes as they are now.

        An optimizer that makes fewer updates than another never comes to the last step, and what
        follows its own last update shows in no later one.
        """
        held = dict(self.names.buffers())
        for number, optimizer in enumerate(self.optimizers):
            held.update(self._weights_of(optimizer, number))
        values = {n: to_array(p) for n, p in held.items() if p._is_initialized()}
        self.moving.look()
        marks = {n: digest(value) for n, value in {**self.moving.values(), **values}.items()}
        return {"t": "left", "end": marks, "state": self._state.changed(self.names.roots)}

    def _weights_of(self, optimizer: Any, number: int) -> dict[str, Any]:
        parameters = parameters_of(optimizer)
        held = dict(zip(self.names.of(parameters, number), parameters))
        # What forward itself moves, such as a teacher, shows in no gradient.
        return {**held, **self.names.untrained()}
