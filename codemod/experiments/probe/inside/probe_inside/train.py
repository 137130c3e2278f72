"""One run of one model in one mode: build, hook, a few steps, recorded."""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

from . import kit_step
from .objective import loss_of

LEARNING_RATE = 1e-3
_RECORDED = ("out", "mode", "steps", "seed", "nudge", "sides", "double", "truth")


class Refused(Exception):
    """The probe itself cannot do something; says nothing of the model."""


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Train as `request` says; returns the exit status.

    The recorder of parity writes the record; phases are written between its lines, so that the
    reader knows how far a run that failed had come.
    """
    # Paddle reads this when `to_static` is called.
    os.environ["ENABLE_FALL_BACK"] = "False" if request["mode"] == "ast" else "True"
    paddle = sys.modules["paddle"]
    for flag, value in request.get("flags", {}).items():
        if flag.startswith("FLAGS_"):
            paddle.set_flags({flag: value})
        else:
            os.environ[flag] = str(value)
    recorder: Any = importlib.import_module("parity_recorder")
    sessions: Any = importlib.import_module("parity_recorder.session")
    wanted = {key: request[key] for key in _RECORDED if key in request}
    session = sessions.Session(recorder.Config(json.dumps(wanted)), paddle)
    session.begin()
    try:
        _steps(adapter, request, session, paddle)
    except sessions.TrainingStopped:
        return 0
    except BaseException as error:
        session.end("exception", type(error), error, error.__traceback__)
        raise
    raise AssertionError("the recorder stops the run after the last step")


def _steps(adapter: Any, request: dict[str, Any], session: Any, paddle: Any) -> None:
    def phase(name: str) -> None:
        session.journal.write(t="phase", phase=name)

    phase("build")
    subject = adapter.build(request["config"], request["attempt"])
    if isinstance(subject, kit_step.Training):
        kit_step.run(subject, request["mode"] != "dynamic", session, phase)
        return
    layers = subject.layers
    phase("hook")
    for layer in layers:
        layer.train()
        if request["mode"] != "dynamic":
            paddle.jit.to_static(layer)
    parameters = trainable(layers)
    if not parameters:
        raise Refused("The model has no trainable parameter.")
    rate = request["attempt"].get("rate", LEARNING_RATE)
    optimizer = paddle.optimizer.SGD(learning_rate=rate, parameters=parameters)
    for step in kit_step.numbers(session, request["steps"]):
        phase("forward")
        outputs = subject.forward(step)
        phase("loss")
        loss = loss_of(paddle, subject, request["attempt"], outputs, step)
        phase("backward")
        loss.backward()
        phase("update")
        optimizer.step()
        optimizer.clear_grad()


def trainable(layers: list[Any]) -> list[Any]:
    """The parameters that are trained, each once."""
    found = {id(one): one for layer in layers for one in layer.parameters()}
    return [one for one in found.values() if not one.stop_gradient]
