"""What a proof compares beside training: outputs in both modes, two batches, Adam's state.

The lines of the watched files that are executed meanwhile are noted, too.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib
import json
import os
import random
import sys
from typing import Any, Callable

import numpy as np

from .objective import loss_of
from .train import trainable

# A batch of so many times the rows is the second shape.
WIDER = 3
_STEPS = 2
# Instructions that no event is told of.
_UNTRACED = ("CACHE", "RESUME", "NOP", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL")


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Run one leg and write what it gave; an error is what it gave. Returns 0."""
    watch = _Executed(request["watched"])
    # As when a run is recorded: a thread that reads ahead would draw numbers of its own.
    loader: Any = importlib.import_module("parity_recorder.loader")
    loader.patch(sys.modules["paddle"])
    sys.settrace(watch.call)
    try:
        gave = _told(LEGS[request["leg"]], adapter, request)
    finally:
        sys.settrace(None)
    done, left = watch.instructions()
    executed = [[*place, ""] for place in sorted(watch.lines)]
    content = {"gave": gave, "executed": executed, "done": done, "left": left}
    with open(request["out"], "w", encoding="utf-8") as file:
        json.dump(content, file)
    return 0


class _Executed:
    """Which of some lines are executed, and which instructions of the code that holds them."""

    def __init__(self, watched: dict[str, list[int]]) -> None:
        self._watched = {os.path.realpath(path): path for path in watched}
        self._lines = {path: frozenset(lines) for path, lines in watched.items()}
        self._known: dict[str, str] = {}
        self._held: dict[Any, bool] = {}
        self._done: dict[Any, set[int]] = {}
        self.lines: set[tuple[str, int]] = set()

    def call(self, frame: Any, event: str, argument: Any) -> Any:
        """The trace function: it looks into frames that run one of the lines alone."""
        name = frame.f_code.co_filename
        if name not in self._known:
            self._known[name] = self._watched.get(os.path.realpath(name), "")
        if not self._known[name] or not self._holds(frame.f_code):
            return None
        frame.f_trace_opcodes = True
        self._done.setdefault(frame.f_code, set())
        return self._step

    def _holds(self, code: Any) -> bool:
        if code not in self._held:
            lines = {line for _, line in dis.findlinestarts(code)}
            self._held[code] = not lines.isdisjoint(self._lines[self._known[code.co_filename]])
        return self._held[code]

    def _step(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "opcode":
            self._done[frame.f_code].add(frame.f_lasti)
        else:
            self.lines.add((self._known[frame.f_code.co_filename], frame.f_lineno))
        return self._step

    def instructions(self) -> tuple[list[Any], list[Any]]:
        """Those of executed functions that were executed, and the others: file, line, a name."""
        done: list[Any] = []
        left: list[Any] = []
        for code, offsets in self._done.items():
            starts = dict(dis.findlinestarts(code))
            line = code.co_firstlineno
            for instruction in dis.get_instructions(code):
                line = starts.get(instruction.offset, line)
                if instruction.opname not in _UNTRACED:
                    name = "{} {} {}".format(code.co_name, code.co_firstlineno, instruction.offset)
                    place = [self._known[code.co_filename], line, name]
                    (done if instruction.offset in offsets else left).append(place)
        return done, left


def _told(run: Callable[..., Any], adapter: Any, request: dict[str, Any]) -> Any:
    """What a leg gives, or the class of its error."""
    paddle = sys.modules["paddle"]
    for seed in (random.seed, np.random.seed, paddle.seed):
        seed(0)
    try:
        subject = adapter.build(request["config"], request["attempt"])
        return run(paddle, subject, request["attempt"])
    except Exception as error:
        return {"error": type(error).__name__}


def _outputs(train: bool, wide: bool) -> Callable[..., Any]:
    def run(paddle: Any, subject: Any, attempt: dict[str, Any]) -> Any:
        for layer in subject.layers:
            layer.train() if train else layer.eval()
            if wide:
                # Not by assignment, of which some kits' layers make something else.
                vars(layer)["forward"] = _wider(paddle, layer.forward)
        with paddle.no_grad():
            told = _digests(paddle, subject.forward(0))
        state = [layer.state_dict() for layer in subject.layers]
        return {"outputs": told, "state": _digests(paddle, state)}

    return run


def _wider(paddle: Any, forward: Callable[..., Any]) -> Callable[..., Any]:
    """The function, fed with each tensor of a batch several times as long."""

    @functools.wraps(forward)
    def wide(*arguments: Any, **options: Any) -> Any:
        rows = next((t.shape[0] for t in _leaves(paddle, [arguments, options]) if t.ndim), 0)

        def longer(value: Any) -> Any:
            if isinstance(value, paddle.Tensor) and value.ndim and value.shape[0] == rows:
                return paddle.concat([value] * WIDER, axis=0)
            if isinstance(value, dict):
                return {key: longer(item) for key, item in value.items()}
            if type(value) in (list, tuple):
                return type(value)(longer(item) for item in value)
            return value

        return forward(*longer(arguments), **longer(options))

    return wide


def _adam(paddle: Any, subject: Any, attempt: dict[str, Any]) -> Any:
    """Parameters and the optimizer's state after steps of Adam."""
    trained = trainable(subject.layers)
    optimizer = paddle.optimizer.Adam(1e-3, parameters=trained)
    for layer in subject.layers:
        layer.train()
    for step in range(_STEPS):
        outputs = subject.forward(step)
        loss_of(paddle, subject, attempt, outputs, step).backward()
        optimizer.step()
        optimizer.clear_grad()
    state = optimizer.state_dict()
    return _digests(paddle, [trained, [state[key] for key in sorted(state)]])


def _leaves(paddle: Any, value: Any) -> list[Any]:
    """All tensors of a structure, in order."""
    if isinstance(value, paddle.Tensor):
        return [value]
    if isinstance(value, dict):
        return [t for key in sorted(value, key=str) for t in _leaves(paddle, value[key])]
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in _leaves(paddle, item)]
    return _leaves(paddle, vars(value)) if hasattr(value, "__dict__") else []


def _digests(paddle: Any, value: Any) -> list[str]:
    """A digest of each tensor's type, shape and bytes."""
    found = []
    for tensor in _leaves(paddle, value):
        array = tensor.numpy()
        head = "{}{}".format(tensor.dtype, list(tensor.shape)).encode()
        found.append(hashlib.sha256(head + array.tobytes()).hexdigest()[:16])
    return found


LEGS: dict[str, Callable[..., Any]] = {
    "train() outputs": _outputs(train=True, wide=False),
    "train() outputs of a longer batch": _outputs(train=True, wide=True),
    "eval() outputs": _outputs(train=False, wide=False),
    "eval() outputs of a longer batch": _outputs(train=False, wide=True),
    "weights and optimizer's state of Adam": _adam,
}
