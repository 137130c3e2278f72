"""What a hooked layer returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.hazards.derived import derived_outputs, output_class
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag
from codemod.hazards.twice import twice_returned


@finds("D-62")
def output_container(reached: Reached) -> Iterator[Match]:
    """The model returns a named tuple, a dataclass or a subclass of a mapping.

    `return Output(...)` of a hooked layer, unless an argument chooses a plain tuple.
    """
    if not reached.is_hooked:
        return
    for node in reached.each(ast.Return):
        made = output_class(reached, node.value) if isinstance(node.value, ast.Call) else None
        if made and "return_dict" not in reached.function.parameters:
            yield node, Reason.of("hazards.returns-instance", name=made.name)


@finds("D-63")
def return_derived(reached: Reached) -> Iterator[Match]:
    """The model returns a tensor together with one computed from it last.

    `return y, f(y)` of a hooked layer, also by names, in a mapping and in an output class.
    """
    if not reached.is_hooked:
        return
    for node, sources, part in derived_outputs(reached):
        yield node, Reason.of("hazards.returns-derived", sources=sources, name=ast.unparse(part))


@finds("D-64")
def return_scalar(reached: Reached) -> Iterator[Match]:
    """The model returns a Python number that it computed.

    A number read or computed in forward among what a hooked layer returns.
    """
    if not reached.is_hooked:
        return
    for node in reached.each(ast.Return):
        value = node.value
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        for part in parts:
            kind = reached.kind(part)
            if (
                kind.is_python
                and kind.has(Flag.READ)
                and any(reached.kind(other).is_data for other in parts)
            ):
                yield node, Reason.of("hazards.read-number", name=ast.unparse(part))


@finds("D-99")
def returned_twice(reached: Reached) -> Iterator[Match]:
    """The model returns a tensor under two names, and computes with it.

    `return y, y, f(y)` of a hooked layer, also key by key in a mapping.
    """
    if reached.is_hooked:
        for node, name in twice_returned(reached):
            yield node, Reason.of("hazards.returned-twice", name=name)
