"""Write programs that do what a kit's net does, one for each of its layers that is called.

The net is built and called once under watch. A program imports Paddle and NumPy alone and has the
form that `run.py` runs.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .expressing import NoSource
from .inlining import Program
from .watching import CallWatch

_STEP = """def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if "float" in str(getattr(value, "dtype", "")) else []


def build():
    return {net}


def step(net):
    out = net({arguments})
    return sum(leaf.astype("float64").sin().sum() for leaf in leaves(out))
"""


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Write the programs of `request["config"]` to `request["out"]`, the whole net's first.

    Each has the `path` of its layer, its `text`, or why there is none, and the numbers of those of
    its `parts`, the layers within.
    """
    paddle = sys.modules["paddle"]
    for seed in (random.seed, np.random.seed, paddle.seed):
        seed(0)
    watch = CallWatch(str(Path.cwd()))
    with watch:
        subject = adapter.build(request["config"], request["attempt"])
        layers = list(getattr(subject, "layers", None) or subject.nets.values())
        for layer in layers:
            layer.train()
        watch.watch_layers(paddle)
        subject.forward(0)
    programs: list[dict[str, Any]] = []
    for layer in layers:
        _add(programs, paddle, watch, layer, type(layer).__name__)
    Path(request["out"]).write_text(json.dumps(programs), encoding="utf-8")
    return 0


def _add(
    programs: list[dict[str, Any]], paddle: Any, watch: CallWatch, layer: Any, path: str
) -> list[int]:
    """Add the program of a layer and those of its parts; the numbers of the outermost added."""
    number = None
    # A layer of Paddle's own is reached by cutting the one that it is in.
    own = not type(layer).__module__.startswith("paddle.") or bool(layer._sub_layers)
    if own and id(layer) in watch.calls:
        number = len(programs)
        programs.append({"path": path, **_written(paddle, watch, layer)})
    parts = []
    for name, child in layer.named_children():
        parts += _add(programs, paddle, watch, child, f"{path}.{name}")
    if number is None:
        return parts
    programs[number]["parts"] = parts
    return [number]


def _written(paddle: Any, watch: CallWatch, layer: Any) -> dict[str, Any]:
    _, inputs, options = watch.calls[id(layer)]
    program = Program(paddle, watch)
    try:
        net = program.expressions.of(layer)
        given = [program.expressions.of(value) for value in inputs]
        given += [f"{k}={program.expressions.of(v)}" for k, v in options.items()]
    except (NoSource, OSError, TypeError, SyntaxError, IndentationError) as error:
        return {"text": "", "why": f"{type(error).__name__}: {error}"}
    return {"text": program.text() + "\n\n" + _STEP.format(net=net, arguments=", ".join(given))}
