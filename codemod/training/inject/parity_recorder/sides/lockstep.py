"""All sides in one process: each batch is fed to each of them, from the same start.

The trainer's own loop does the work. Its data loader hands out every batch once a side. The first
side is dynamic; every other one starts from what that started from, and after each update of an
optimizer it is put where the first side was after it. So each line starts from the same point, and
a difference is the side's, not the history's. The training goes on from the first side's end.

The sides: `dynamic`, `static` with the hook on, `again` for a dynamic one more, `ulp1` and so on
with each weight one unit in the last place off, `threads` with two threads instead of one,
`dynamic-read` and `static-read` behind a checkpoint that the other mode wrote, and `truth`, dynamic
in float64 from the weights that a run in float32 had.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any

import numpy as np

from ..values.digests import digest
from ..values.generators import random_state
from ..values.pystate import STATE_AT, PythonState, attributes
from ..values.tensors import end_rows, parameters_of, to_array, walks_all_rows
from .checkpoint import Checkpoint
from .exact import distances, sizes
from .nudge import one_ulp
from .plant import planted
from .side_values import all_tensors, arrays, changed_state, changes, gradients, told
from .snapshot import Accumulators, Holders, Snapshot
from .truth import TRUTH, Truth
from .visits import Visits

# So many batches a step at most, where gradients are summed up over several.
_BATCHES_A_STEP = 16
# Layers and schedules are looked for in the first pairs, and every so many.
_LOOKS, _LOOK_EVERY = 2, 10
# How far rounding goes is asked in the first pairs, and every so many: it costs a visit a control.
_CONTROLS, _CONTROL_EVERY = 3, 5
ALWAYS = ("dynamic", "static")


class _First:
    """What the first side did: the values of each of its updates, and those at its end."""

    def __init__(self) -> None:
        self.updates: list[dict[str, dict[str, Any]]] = []
        self.steps: list[int] = []
        self.after: list[Snapshot] = []
        self.end: dict[str, Any] = {}
        self.state: dict[str, str] = {}
        self.finish: Any = None


class Lockstep:
    """Turns of the sides; without any it does nothing."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.sides: list[str] = session.config.sides
        self._side = ""
        self._pair = -1
        self._order = 0
        # A weak reference: an iterator that the trainer dropped (a look at the first batch, the
        # last epoch's) must not keep the one that it trains from out of the turns.
        self._master: Any = lambda: None
        self._start: Any = None
        self._first = _First()
        self._moved: list[Any] = []
        self._counts: dict[int, int] = {}
        self.names: Any = None
        self._state = PythonState()
        self.static: Any = None
        self.losses: list[Any] = []
        self._truth = Truth(session)
        self._checkpoint = Checkpoint(session)

    @property
    def on(self) -> bool:
        """Whether this run is one of sides."""
        return bool(self.sides)

    @property
    def turn(self) -> bool:
        """Whether an update belongs to a side now."""
        return bool(self._side)

    @property
    def _is_first(self) -> bool:
        return self._side == self.sides[0]

    def training(self) -> bool:
        """Whether gradients are taken: a batch of an evaluation has no sides."""
        return bool(self._session.paddle.is_grad_enabled())

    def patch(self) -> None:
        """Make every data loader hand out its batches once a side."""
        loader = self._session.paddle.io.DataLoader
        original = loader.__iter__
        self._accumulators = Accumulators(self._session.paddle)
        self._holders = Holders(self._session.paddle)

        @functools.wraps(original)
        def visits(this: Any) -> Any:
            return Visits(original(this), self)

        loader.__iter__ = visits

    # --- turns

    def next_sides(self) -> list[str]:
        """The sides of the batch that comes next."""
        pair = self._pair + 1
        asked = self._truth.at(pair) or pair < _CONTROLS or pair % _CONTROL_EVERY == 0
        sides = [side for side in self.sides if asked or side in ALWAYS]
        return [*sides, TRUTH] if self._truth.known(pair) else sides

    def follows(self, iterator: Any) -> bool:
        """Whether another loader leads, so that this one is asked beside it."""
        master = self._master()
        return bool(self._side) and master is not None and iterator is not master

    def place(self) -> tuple[int, str, bool]:
        """The pair, the side, and whether that is the first one."""
        return self._pair, self._side, self._is_first

    def begin(self, iterator: Any, side: str) -> None:
        """Start a side's visit: the first one remembers everything, the others put it back."""
        if self._master() is None:
            self._master = weakref.ref(iterator)
        if iterator is not self._master():
            return
        if side == self.sides[0]:
            self._pair += 1
            self._look()
            self._first = _First()
            self._start = self._snapshot()
            self._truth.begin(self._pair, self._tensors())
        else:
            self._end_visit()
            self._start.restore()
        self._side, self._order, self._moved = side, 0, []
        self.losses.clear()
        roots = [root for _, root in self.names.roots]
        self._session.switch.to(side.startswith("static"), roots)
        self._threads(2 if side == "threads" else 1)
        if side.endswith("-read"):
            self._checkpoint.through(side, self.names.roots, self._session.steps.optimizers)
        if side == TRUTH:
            self._truth.put(self._tensors())
        if side.startswith("static"):
            self._start.drop_outputs()
        self._move()

    def _look(self) -> None:
        """Look at all living objects again, now and then: it takes longer than a small step."""
        if self._pair < _LOOKS or self._pair % _LOOK_EVERY == 0:
            self.names.refresh()
            self._holders.refresh()
            self._session.steps.moving.averages.refresh(self.names.roots)

    def finish(self, iterator: Any) -> None:
        """End a pair: the training goes on from where the first side came to."""
        if iterator is not self._master() or not self._side:
            return
        self._end_visit()
        self._threads(1)
        self._truth.write()
        if self._first.finish is not None:
            self._first.finish.restore()
        self._side = ""
        # The next pair's may be another one, while a trainer that has just seen this one's end in
        # an `except` still holds it.
        self._master = lambda: None
        steps = self._session.config.steps
        if max(self._counts.values(), default=0) >= steps or (
            self._pair + 1 >= _BATCHES_A_STEP * steps
        ):
            self._session.stop()

    def _threads(self, count: int) -> None:
        core = self._session.paddle.base.core
        if "threads" in self.sides and hasattr(core, "set_num_threads"):
            core.set_num_threads(count)

    def _end_visit(self) -> None:
        """Write what the visit left behind after its last update."""
        self._put_back()
        if self._side == TRUTH:
            self.static.take()
            return
        if self._is_first and self._pair < _LOOKS:
            self._look()
        tensors = self._tensors()
        values = arrays(tensors)
        state = attributes(self.names.roots)
        fields: dict[str, Any] = {
            "random": random_state(self._session.paddle),
            "static": self.static.take(),
            "step": max(self._first.steps, default=-1),
            "updates": self._order,
            "singles": sorted(self._session.double.singles),
        }
        if self._is_first:
            self._first.end, self._first.state = values, state
            self._first.finish = self._snapshot()
            fields["end"] = changes(tensors, self._start, values)
        else:
            fields["end"] = distances(self._first.end, values)
            fields["state"] = changed_state(self._first.state, state)
        self._write("visit", fields)

    def _write(self, kind: str, fields: dict[str, Any]) -> None:
        fields.update(t=kind, side=self._side, pair=self._pair)
        self._session.journal.write(**fields)

    # --- updates

    def update(self, optimizer: Any, number: int, call: Any) -> Any:
        """One update of an optimizer: `call` makes it; its line holds gradients and the update."""
        parameters = parameters_of(optimizer)
        names = self.names.of(parameters, number)
        self.names.trains(parameters)
        fields = self._line(optimizer, number)
        if self._is_first and fields["step"] in STATE_AT:
            self._session.steps.moving.look()
            fields["state"] = self._state.changed(self.names.roots)
        values = {"grads": gradients(names, parameters), "buffers": self._buffers()}
        if self._order == 0:
            self._truth.note(self._side, number, fields["losses"], values["grads"])
        if self._side == "again" and self._order == 0:
            self._plant(names, parameters)
        if walks_all_rows(optimizer):
            for parameter in parameters:
                end_rows(parameter, self._session.paddle.CPUPlace())
        self._put_back()
        result = call()
        # Going on from the first side's end hides what forward did to weights that nothing trains.
        held = {**self.names.untrained(), **dict(zip(names, parameters))}
        held = {name: one for name, one in held.items() if one._is_initialized()}
        values["updates"] = arrays(held)
        if self._side != TRUTH:
            self._compare(fields, values, held)
        self._go_on(number)
        return result

    def _line(self, optimizer: Any, number: int) -> dict[str, Any]:
        fields = {
            "opt": number,
            "order": self._order,
            "step": self._step(number),
            "losses": list(self.losses),
            "lr": float(optimizer.get_lr()),
            "random": random_state(self._session.paddle),
            "moved": len(self._moved),
        }
        self.losses.clear()
        return fields

    def _step(self, number: int) -> int:
        """Which of its optimizer's updates this is: the others are the first side's over again."""
        if self._is_first:
            self._first.steps.append(self._counts.get(number, 0))
        return self._first.steps[self._order] if self._order < len(self._first.steps) else -1

    def _compare(
        self, fields: dict[str, Any], values: dict[str, dict[str, Any]], held: dict[str, Any]
    ) -> None:
        known = self._first.updates
        if self._is_first:
            known.append(values)
            fields.update({kind: sizes(values[kind]) for kind in ("grads", "buffers")})
            fields["updates"] = changes(held, self._base(), values["updates"])
        elif self._order < len(known):
            wanted = known[self._order]
            fields.update({kind: told(wanted[kind], values[kind], kind) for kind in values})
        self._write("pair", fields)

    def _go_on(self, number: int) -> None:
        """Start what follows from where the first side was after this update."""
        if self._is_first:
            self._counts[number] = self._counts.get(number, 0) + 1
            if self._counts[number] == self._session.config.steps:
                end = {n: digest(one) for n, one in self._first.updates[-1]["updates"].items()}
                self._session.journal.write(t="weights", opt=number, end=end)
            self._first.after.append(self._snapshot())
        elif self._order < len(self._first.after):
            self._first.after[self._order].restore()
        self._order += 1
        self._move()

    def _base(self) -> Snapshot:
        """The moment that the visit is at, with true weights."""
        after = self._first.after
        base: Snapshot = after[self._order - 1] if 0 < self._order <= len(after) else self._start
        return base

    def _plant(self, names: list[str], parameters: list[Any]) -> None:
        """Change one gradient and read it again: the judge must see what the recorder writes."""
        found = planted(self._session, self._pair, names, parameters)
        if found is not None:
            name, far, before, after = found
            seen = distances({name: before}, {name: after})
            self._write("plant", {"name": name, "size": far, "found": seen})

    # --- weights

    def _move(self) -> None:
        """On an ulp side, each weight that is trained goes one unit in the last place off."""
        self._moved = []
        if not self._side.startswith("ulp"):
            return
        draws = np.random.RandomState([self._pair, self._order, int(self._side[3:])])
        with self._session.paddle.no_grad():
            for tensor in self._tensors().values():
                array = to_array(tensor)
                if not self.names.trained(tensor) or array.dtype.kind != "f":
                    continue
                tensor.set_value(one_ulp(array, draws))
                self._moved.append(tensor)

    def _put_back(self) -> None:
        """Give moved weights their true values, now that the gradients are there."""
        if self._moved:
            self._base().restore_values(self._moved)

    def _tensors(self) -> dict[str, Any]:
        return all_tensors(self.names.roots)

    def _snapshot(self) -> Snapshot:
        layers = [p for _, root in self.names.roots for p in root.sublayers(include_self=True)]
        return Snapshot(
            self._session.paddle,
            list(self._tensors().values()),
            self._session.steps.optimizers,
            layers,
            self._holders,
            self._accumulators,
            self._session.steps.moving.averages,
        )

    def _buffers(self) -> dict[str, Any]:
        buffers = {name: to_array(buffer) for name, buffer in self.names.buffers().items()}
        return {**self._session.steps.moving.values(), **buffers}
