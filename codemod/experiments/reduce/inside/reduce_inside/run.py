"""Run one program, mode by mode: losses, gradients and buffers, or an error, are written down.

A program is a file with `build()`, which gives the layer that is hooked, and `step(net)`, which
calls it and gives a scalar loss. Two steps are made; the second meets what the first one left.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from probe_inside.serve import module_in

from .leaves import PassingNotes
from .naming import seed_all
from .telling import error_told, gradient_told, loss_told, tensor_told

STEPS = 2


def answer(_adapter: Any, request: dict[str, Any]) -> int:
    """Run `request["file"]` in each of `request["modes"]`, up to one that fails.

    What a mode gave is a line of `request["out"]`: a later mode may crash.
    """
    paddle = sys.modules["paddle"]
    if request["double"]:
        paddle.set_default_dtype("float64")
    with Path(request["out"]).open("w", encoding="utf-8") as out:
        for mode in request["modes"]:
            told = _told(paddle, request, mode)
            out.write(json.dumps({mode: told}) + "\n")
            out.flush()
            if "error" in told:
                break
    return 0


def _told(paddle: Any, request: dict[str, Any], mode: str) -> dict[str, Any]:
    os.environ["ENABLE_FALL_BACK"] = "False" if mode == "ast" else "True"
    told: dict[str, Any] = {"losses": [], "gradients": [], "state": {}}
    lines, began = LineShapes(paddle, request["file"]), time.process_time()
    if request.get("shapes"):
        sys.settrace(lines.call)
    try:
        _train(paddle, request, mode, told)
    except BaseException as error:
        told["error"] = error_told(error)
    finally:
        sys.settrace(None)
    told["shapes"] = lines.found
    told["s"] = time.process_time() - began
    return told


def _train(paddle: Any, request: dict[str, Any], mode: str, told: dict[str, Any]) -> None:
    seed_all(paddle)
    program = module_in(request["file"], "program")
    net = program.build()
    if request.get("nudge"):
        _nudge(net)
    if mode != "dynamic":
        paddle.jit.to_static(net, full_graph=mode == "ast")
    for _ in range(STEPS):
        loss = _loss(paddle, program, net, mode, told)
        told["losses"].append(loss_told(loss))
        if not loss.stop_gradient:
            loss.backward()
        found = [*net.named_parameters(), *_fed(net)]
        told["gradients"].append({name: gradient_told(value.grad) for name, value in found})
    told["state"] = {name: tensor_told(value) for name, value in net.named_buffers()}


def _loss(paddle: Any, program: Any, net: Any, mode: str, told: dict[str, Any]) -> Any:
    """A step's loss; of dynamic mode it is told, too, whether the net gave back what it was fed."""
    if mode != "dynamic":  # SOT would look into what stands in the call's place
        return program.step(net)

    def passes(layer: Any) -> None:
        told["passes"] = told.get("passes", False) or layer is net

    with PassingNotes(paddle, passes, lambda _layer: None):
        return program.step(net)


def _fed(net: Any) -> list[Any]:
    """What a program feeds by itself and wants to know the gradients of, by name."""
    return [(f"fed {number}", value) for number, value in enumerate(getattr(net, "fed", ()))]


def _nudge(net: Any) -> None:
    """Move each weight to the next number: how far this goes is how far rounding goes."""
    for weight in net.parameters():
        array = weight.numpy()
        if array.dtype.kind == "f":
            weight.set_value(np.nextafter(array, array.dtype.type(np.inf)))


class LineShapes:
    """What a program's lines give: shape and type of tensors, and whether they take a gradient.

    `found` is `{line: {name: [shape, dtype, takes a gradient]}}` of what is bound then.

    What a line returns has the name "".
    """

    def __init__(self, paddle: Any, file: str) -> None:
        self._tensor, self._file = paddle.Tensor, file
        self._last: dict[Any, int] = {}
        self.found: dict[int, dict[str, list[Any]]] = {}

    def call(self, frame: Any, _event: str, _argument: Any) -> Any:
        """The trace function: it looks into frames of the program alone."""
        return self._line if frame.f_code.co_filename == self._file else None

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        done = self._last.get(frame)
        if done is not None:
            self._keep(done, frame.f_locals)
        if event == "return":
            self._keep(frame.f_lineno, {"": argument})
            self._last.pop(frame, None)
        else:
            self._last[frame] = frame.f_lineno
        return self._line

    def _keep(self, line: int, values: dict[str, Any]) -> None:
        known = self.found.setdefault(line, {})
        for name, value in values.items():
            if name not in known and isinstance(value, self._tensor):
                kind = str(value.dtype).rpartition(".")[2]
                known[name] = [list(value.shape), kind, not value.stop_gradient]
