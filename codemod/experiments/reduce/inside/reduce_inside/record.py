"""Write programs that do what a kit's net does, one for each kind of its layers that is called.

The net is built and called once under watch. A program imports Paddle and NumPy alone and has the
form that `run.py` runs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .expressing import NoSource
from .inlining import Program
from .naming import built, caller_of, layer_names, seed_all
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
# Paddle has faults at the border of a graph: an output that is an input, the last of several. In
# the kit, the net's border is hooked, so a layer within it stands within a graph here, too.
_WITHIN = """class {name}(paddle.nn.Layer):
    def forward(self{values}):
        out = self.layer({given})
        return {total}
"""
_STEP_WITHIN = """def build():
{lines}
    within = {name}()
    within.layer = {net}
    return within


def step(net):
{given}
    return net({fed})
"""


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Write the programs of `request["config"]` to `request["out"]`, layers before what holds them.

    Each comes with short lists of layers first: it takes less time. For AST all come a second time,
    with the lines that did not run.

    Each has the `path` of its layer, and its `text`, or why there is none. Layers whose programs
    are the same are one, which has all their `names`.
    """
    paddle = sys.modules["paddle"]
    seed_all(paddle)
    watch = CallWatch(str(Path.cwd()))
    with watch:
        subject, nets = built(adapter, request)
        watch.watch_call(paddle)
        caller_of(subject)(0)
    names = layer_names(nets)
    programs: dict[str, dict[str, Any]] = {}
    # AST reads what does not run, too: a fault may stand there.
    kinds = [(whole, short) for whole in (False, True) for short in (True, False)]
    for whole, short in kinds if request["mode"] == "ast" else kinds[:2]:
        for layer in _by_size(nets, watch):
            inner = not any(layer is net for net in nets)
            program = Program(paddle, watch, layer, whole, short)
            written = _written(program, watch, layer, inner)
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


def _written(program: Program, watch: CallWatch, layer: Any, inner: bool) -> dict[str, Any]:
    _, inputs, options = watch.calls[id(layer)]
    path = type(layer).__name__
    values = program.expressions
    try:
        net = values.of(layer)
        made, values.lines = values.lines, []
        values.fed = watch.grown[id(layer)]
        given = [values.of(value) for value in (*inputs, *options.values())]
    except (NoSource, OSError, TypeError, SyntaxError, RecursionError) as error:
        return {"path": path, "text": "", "why": f"{type(error).__name__}: {error}"}
    program.replace("\n".join([program.text(), *made, *values.lines, *given]))
    names = [""] * len(inputs) + [f"{key}=" for key in options]
    gave = watch.gave.get(id(layer))
    if inner and gave:
        parts = _within(program.fresh("Within"), net, made, values.lines, names, given, gave)
    else:
        fed = ", ".join(map("".join, zip(names, given, strict=True)))
        call = _indented([*values.lines, f"out = net({fed})"])
        parts = [_LEAVES, _STEP.format(lines=_indented([*made, f"return {net}"]), given=call)]
    helpers = [_FED] if "fed(net, " in parts[-1] else []
    return {"path": path, "text": "\n\n".join([program.text(), *helpers, *parts])}


def _within(
    name: str,
    net: str,
    made: list[str],
    lines: list[str],
    names: list[str],
    given: list[str],
    gave: list[str],
) -> list[str]:
    """A layer that calls another one and gives a loss, and the functions that make and call it."""
    values = [f"value{number}" for number in range(len(given))]
    around = _WITHIN.format(
        name=name,
        values="".join(f", {value}" for value in values),
        given=", ".join(map("".join, zip(names, values, strict=True))),
        total=" + ".join(f'{path}.astype("float64").sin().sum()' for path in gave),
    )
    step = _STEP_WITHIN.format(
        name=name,
        net=net,
        lines=_indented(made),
        given=_indented(lines),
        fed=", ".join(given),
    )
    return [around, step]


def _indented(lines: list[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)
