"""A spec as the source text that goes into a kit."""

from __future__ import annotations

from collections.abc import Iterable

from codemod.experiments.spec.nodes import Constant, Dictionary, Node, Opaque, Sequence, Tensor

SPEC = "paddle.static.InputSpec"
WIDTH = 100
# From so many equal items on a list is written as a comprehension: each item needs a spec object of
# its own, for Paddle names the objects, which rules out `[InputSpec(...)] * 26`.
REPEATED = 8


def source(spec: Iterable[Node], name: str = SPEC, quote: str = '"') -> str:
    """The list for `input_spec=`, on one line; `name` is what the file calls InputSpec."""
    return "[" + ", ".join(_text(node, name, quote) for node in spec) + "]"


def wrapped(
    spec: Iterable[Node], name: str, quote: str, used: int, unit: str = "    ", indent: str = ""
) -> str:
    """The same over several lines where it is long.

    `used` columns of the line are taken by what stands around it; `unit` is one indentation, and
    the lines are indented as if the first began at `indent`.
    """
    nodes = tuple(spec)
    flat = source(nodes, name, quote)
    if len(flat) + used <= WIDTH:
        return flat
    return _block(Sequence(nodes), name, quote, indent, unit)


def _block(node: Node, name: str, quote: str, indent: str, unit: str) -> str:
    flat = _text(node, name, quote)
    deeper = indent + unit
    fits = len(flat) + len(deeper) <= WIDTH // 2 or _repeats(node)
    if fits or isinstance(node, (Tensor, Constant, Opaque)):
        return flat
    if isinstance(node, Dictionary):
        pairs = (
            f"{quote}{key}{quote}: {_block(item, name, quote, deeper, unit)}"
            for key, item in node.items.items()
        )
        return "{\n" + "".join(f"{deeper}{pair},\n" for pair in pairs) + f"{indent}}}"
    if len(node.items) == 1 and node.cls == "list":
        return f"[{_block(node.items[0], name, quote, indent, unit)}]"
    first, last = "()" if node.cls == "tuple" else "[]"
    items = (_block(item, name, quote, deeper, unit) for item in node.items)
    return f"{first}\n" + "".join(f"{deeper}{item},\n" for item in items) + f"{indent}{last}"


def _repeats(node: Node) -> bool:
    if not isinstance(node, Sequence) or node.cls != "list" or len(node.items) < REPEATED:
        return False
    forms = {_text(item, SPEC, '"') for item in node.items}
    return len(forms) == 1 and isinstance(node.items[0], Tensor)


def _text(node: Node, name: str, quote: str) -> str:
    if isinstance(node, Tensor):
        return f"{name}([{', '.join(map(str, node.shape))}], {quote}{node.dtype}{quote})"
    if isinstance(node, Sequence):
        if _repeats(node):
            return f"[{_text(node.items[0], name, quote)} for _ in range({len(node.items)})]"
        items = ", ".join(_text(item, name, quote) for item in node.items)
        if node.cls == "tuple":
            return f"({items},)" if len(node.items) == 1 else f"({items})"
        return f"[{items}]"
    if isinstance(node, Dictionary):
        pairs = (f"{quote}{k}{quote}: {_text(v, name, quote)}" for k, v in node.items.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(node, Constant):
        plain = isinstance(node.value, str) and node.value.isalnum()
        return f"{quote}{node.value}{quote}" if plain else repr(node.value)
    assert isinstance(node, Opaque)
    # Only where no spec fits; what is printed then is a description.
    return f"<{node.cls}>"
