"""Write programs that do what a kit's net does, one for each kind of its layers that is called.

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
from .naming import caller_of, is_training, layer_names, nets_of
from .watching import CallWatch

_LEAVES = """def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if "float" in str(getattr(value, "dtype", "")) else []
"""
_FED = """def fed(net, value):
    value.stop_gradient = False
    net.fed = [*getattr(net, "fed", []), value]
    return value * 1
"""
_STEP = """def build():
{lines}


def step(net):
{given}
    return sum(leaf.astype("float64").sin().sum() for leaf in leaves(out))
"""


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Write the programs of `request["config"]` to `request["out"]`, layers before what holds them.

    For AST each comes a second time, with the lines that did not run.

    Each has the `path` of its layer, and its `text`, or why there is none. Layers whose programs
    are the same are one, which has all their `names`.
    """
    paddle = sys.modules["paddle"]
    for seed in (random.seed, np.random.seed, paddle.seed):
        seed(0)
    watch = CallWatch(str(Path.cwd()))
    with watch:
        subject = adapter.build(request["config"], request["attempt"])
        nets = nets_of(subject)
        if not is_training(subject):
            for net in nets:
                net.train()
        watch.watch_call(paddle)
        caller_of(subject)(0)
    names = layer_names(nets)
    programs: dict[str, dict[str, Any]] = {}
    # AST reads what does not run, too: a fault may stand there.
    for whole in (False, True) if request["mode"] == "ast" else (False,):
        for layer in _by_size(nets, watch):
            written = _written(paddle, watch, layer, whole)
            key = written["text"] or written["path"]
            known = programs.setdefault(key, {**written, "names": []})
            if names[id(layer)] not in known["names"]:
                known["names"].append(names[id(layer)])
    Path(request["out"]).write_text(json.dumps(list(programs.values())), encoding="utf-8")
    return 0


def _by_size(roots: list[Any], watch: CallWatch) -> list[Any]:
    """All layers that were called, those that hold the fewest others first; none of Paddle's own.

    What one of Paddle's does is seen in the layer that it is in.
    """
    found = {
        id(layer): layer
        for root in roots
        for layer in root.sublayers(include_self=True)
        if id(layer) in watch.calls and not type(layer).__module__.startswith("paddle.")
    }
    return sorted(found.values(), key=lambda layer: len(layer.sublayers()))


def _written(paddle: Any, watch: CallWatch, layer: Any, whole: bool) -> dict[str, Any]:
    _, inputs, options = watch.calls[id(layer)]
    path = type(layer).__name__
    program = Program(paddle, watch, whole)
    values = program.expressions
    try:
        net = values.of(layer)
        made, values.lines = [*values.lines, f"return {net}"], []
        grown = watch.grown[id(layer)]
        given = [_input(grown, values, value) for value in inputs]
        given += [f"{key}={_input(grown, values, value)}" for key, value in options.items()]
    except (NoSource, OSError, TypeError, SyntaxError, RecursionError) as error:
        return {"path": path, "text": "", "why": f"{type(error).__name__}: {error}"}
    program.replace("\n".join([program.text(), *made, *values.lines]))
    call = [*values.lines, f"out = net({', '.join(given)})"]
    step = _STEP.format(lines=_indented(made), given=_indented(call))
    helpers = [_LEAVES, *([_FED] if "fed(net, " in step else []), step]
    return {"path": path, "text": "\n\n".join([program.text(), *helpers])}


def _input(grown: set[int], values: Any, value: Any) -> str:
    """What a layer is fed; a gradient that reaches it in the net is compared as well."""
    if id(value) in grown:
        return f"fed(net, {values.tensor(value)})"
    if type(value) in (list, tuple):
        inner = ", ".join(_input(grown, values, item) for item in value)
        return f"[{inner}]" if type(value) is list else f"({inner}{',' if value else ''})"
    if type(value) is dict:
        parts = (f"{key!r}: {_input(grown, values, item)}" for key, item in value.items())
        return "{" + ", ".join(parts) + "}"
    return str(values.of(value))


def _indented(lines: list[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)
