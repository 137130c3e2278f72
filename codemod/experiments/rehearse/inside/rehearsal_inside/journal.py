"""What happened to the models of a run, in order: what two runs are compared by."""

from __future__ import annotations

import contextlib
from typing import Any

# What was done, and to which model: its number, or the path of a made-up one.
Event = tuple[str, str]
MOST_EVENTS = 50_000


class TooLong(BaseException):
    """A made-up program may not end: more happened than a rehearsal looks at."""


class EventLog:
    """The events of one run, and the state of the run that they depend on."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin a new run."""
        self.events: list[Event] = []
        self.layers = 0
        self.gradients = True
        self.inside: list[set[str]] = []
        self.covers: dict[str, set[str]] = {}

    def note(self, what: str, which: str) -> None:
        """Keep that something happened to a model.

        Raises:
            TooLong: more happened than is looked at.
        """
        self.events.append((what, which))
        if len(self.events) > MOST_EVENTS:
            raise TooLong(f"more than {MOST_EVENTS} events")

    def numbered(self) -> str:
        """The name of the next model that is made."""
        self.layers += 1
        return str(self.layers)

    def called(self, which: str, training: bool) -> set[str]:
        """Note a forward, and what it is inside of; the models that it calls are added to the set.

        `call` has gradients, `peek` has none though the model is in training mode, `look` is
        an evaluation.
        """
        self.note(("call" if self.gradients else "peek") if training else "look", which)
        covered = {which}
        for outer in self.inside:
            outer.add(which)
        if not self.inside:
            self.covers.setdefault(which, set()).update(covered)
            covered = self.covers[which]
        self.inside.append(covered)
        return covered

    def returned(self) -> None:
        """The innermost forward is over."""
        self.inside.pop()


JOURNAL = EventLog()


class Gradients(contextlib.ContextDecorator):
    """`paddle.no_grad` and its kin: a context, a decorator, and a function that sets."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.before: list[bool] = []

    def __enter__(self) -> Gradients:
        self.before.append(JOURNAL.gradients)
        JOURNAL.gradients = self.on
        return self

    def __exit__(self, *_: object) -> None:
        JOURNAL.gradients = self.before.pop()


class SetGradients(Gradients):
    """`paddle.set_grad_enabled(on)` acts when it is called, and as a context too."""

    def __init__(self, on: bool) -> None:
        super().__init__(bool(on))
        self.was = JOURNAL.gradients
        JOURNAL.gradients = bool(on)

    def __exit__(self, *_: object) -> None:
        JOURNAL.gradients = self.was


def no_grad(function: Any = None) -> Any:
    """Switch gradients off, as a context or as a decorator with or without brackets."""
    return Gradients(False)(function) if function is not None else Gradients(False)
