"""Train a kit's net with some of its layers static, each by itself, and the rest dynamic."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from .leaves import PassingNotes
from .naming import built, caller_of, is_training, layer_names, seed_all
from .telling import error_told, gradient_told, loss_told, tensor_told

_STEPS = 2
# A kit's step keeps its losses to itself: what it makes of the weights is compared.
_NO_LOSS = {"digest": "", "norm": 0.0, "projected": [0.0, 0.0, 0.0]}


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Make steps of `request["config"]` with the layers in `request["static"]` hooked.

    What `run.py` tells of a program is told of the net, with the names of the layers that were
    called, in order; without those in a net that gave back what they were fed. Paddle has faults
    of such layers where they are hooked by themselves, which the net does not have.
    """
    paddle = sys.modules["paddle"]
    os.environ["ENABLE_FALL_BACK"] = "False" if request["mode"] == "ast" else "True"
    seed_all(paddle)
    told: dict[str, Any] = {"losses": [], "gradients": [], "state": {}, "called": [], "passing": []}
    if request["double"]:
        paddle.set_default_dtype("float64")
    subject, nets = built(adapter, request)
    try:
        _train(paddle, subject, nets, request, told)
    except Exception as error:
        told["error"] = error_told(error)
    Path(request["out"]).write_text(json.dumps({request["mode"]: told}) + "\n", encoding="utf-8")
    return 0


def _train(
    paddle: Any, subject: Any, nets: list[Any], request: dict[str, Any], told: dict[str, Any]
) -> None:
    names = layer_names(nets)
    if request["double"]:
        for net in nets:
            net.register_forward_pre_hook(lambda _net, inputs: _double(paddle, inputs))
    wanted = set(request["static"])
    for net in nets:
        for layer in net.sublayers(include_self=True):
            if names[id(layer)] in wanted:
                paddle.jit.to_static(layer)
    with contextlib.ExitStack() as stack:
        if request["mode"] == "dynamic":  # SOT would look into what stands in the call's place
            stack.enter_context(_notes(paddle, names, told))
        _steps(paddle, subject, request["attempt"], nets, told)
    told["called"] = [name for name in told["called"] if name not in told["passing"]]
    kept = _parameters(nets) if is_training(subject) else []
    for number, net in enumerate(nets):
        kept += [(f"{number} {name}", value) for name, value in net.named_buffers()]
    told["state"] = {name: tensor_told(value) for name, value in kept}


def _steps(
    paddle: Any, subject: Any, attempt: dict[str, Any], nets: list[Any], told: dict[str, Any]
) -> None:
    call = caller_of(subject)
    loss_of: Any = importlib.import_module("probe_inside.objective").loss_of
    for step in range(getattr(subject, "steps", _STEPS)):
        outputs = call(step)
        if is_training(subject):
            told["losses"].append(_NO_LOSS)
            continue
        loss = loss_of(paddle, subject, attempt, outputs, step)
        told["losses"].append(loss_told(loss))
        loss.backward()
        told["gradients"].append({name: gradient_told(p.grad) for name, p in _parameters(nets)})


def _parameters(nets: list[Any]) -> list[tuple[str, Any]]:
    return [
        (f"{number}.{name}", value)
        for number, net in enumerate(nets)
        for name, value in net.named_parameters()
        if value is not None
    ]


def _notes(paddle: Any, names: dict[int, str], told: dict[str, Any]) -> PassingNotes:
    """Keep the names of layers as they are called, and of those in a net that pass a value on."""

    def called(layer: Any) -> None:
        name = names.get(id(layer))
        if name is not None and name not in told["called"]:
            told["called"].append(name)

    def passes(layer: Any) -> None:
        name = names.get(id(layer), "")
        if "." in name and name not in told["passing"]:
            told["passing"].append(name)

    return PassingNotes(paddle, passes, called)


def _double(paddle: Any, value: Any) -> Any:
    if isinstance(value, paddle.Tensor):
        return value.astype("float64") if value.dtype == paddle.float32 else value
    if type(value) in (list, tuple):
        return type(value)(_double(paddle, item) for item in value)
    if type(value) is dict:
        return {key: _double(paddle, item) for key, item in value.items()}
    return value
