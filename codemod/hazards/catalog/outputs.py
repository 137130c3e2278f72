"""What a hooked layer returns."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.traversal import below
from codemod.hazards.derived import alternatives, derived_outputs, made_by, output_class, parts
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import bound_before
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


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


Version = tuple[str, int]
"""A name as it is read somewhere: with how often it was bound before."""


def twice_returned(reached: Reached) -> Iterator[tuple[ast.Return, str]]:
    """Each return of a tensor under two names that is computed with, too, and its name.

    AST of Paddle 2.6 gives such a tensor twice the gradient that comes by what is computed from it
    (docs/paddle-issues/returned_twice.py).
    """
    for node in reached.each(ast.Return):
        for value in alternatives(node.value):
            held = [one for part in parts(reached, value) for one in _outputs(reached, part)]
            counts = Counter(version for one in held for version in set(_versions(reached, one)))
            twice = [version for version, count in counts.items() if count > 1]
            computed = (name for name, at in twice if _computed_with(reached, (name, at), held))
            if name := next(computed, None):
                yield node, name


def _outputs(reached: Reached, part: ast.expr) -> list[ast.expr]:
    """What a mapping holds that is filled key by key; else the part itself."""
    filled = _stored(reached, part.id) if isinstance(part, ast.Name) else {}
    return list(filled.values()) or [part]


def _stored(reached: Reached, name: str) -> dict[object, ast.expr]:
    """What is stored in a local mapping, by key."""
    return {
        target.slice.value: node.value
        for node in reached.each(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id == name
        and isinstance(target.slice, ast.Constant)
    }


def _versions(reached: Reached, value: ast.expr) -> Iterator[Version]:
    """The names that a value may be the tensor of."""
    if isinstance(value, ast.IfExp):
        yield from (*_versions(reached, value.body), *_versions(reached, value.orelse))
    elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        held = _stored(reached, value.value.id) if isinstance(value.value, ast.Name) else {}
        if value.slice.value in held:
            yield from _versions(reached, held[value.slice.value])
    elif isinstance(value, ast.Name):
        made = made_by(reached, value.id)
        if made is not None and isinstance(made.value, (ast.Name, ast.Subscript)):
            yield from _versions(reached, made.value)
        elif reached.kind(value).is_data:
            yield value.id, len(bound_before(reached, value.id, value))


def _computed_with(reached: Reached, version: Version, outputs: list[ast.expr]) -> bool:
    """Whether something other than the outputs reads the tensor."""
    handed_on = (output for output in outputs if version in _versions(reached, output))
    own = {node for output in handed_on for node in below(output)}
    reads: list[ast.Name | ast.Subscript] = [*reached.each(ast.Name), *reached.each(ast.Subscript)]
    return any(
        isinstance(node.ctx, ast.Load) and node not in own and version in _versions(reached, node)
        for node in reads
    )
