"""A spec as the source text that goes into a kit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codemod.experiments.spec.nodes import Constant, Dictionary, Node, Opaque, Sequence, Tensor

SPEC = "paddle.static.InputSpec"
WIDTH = 100
# From so many equal items on a list is written as a comprehension: each item needs a spec object of
# its own, for Paddle names the objects, which rules out `[InputSpec(...)] * 26`.
REPEATED = 8


@dataclass(frozen=True, slots=True)
class SpecSource:
    """Writes specs for a file: `name` is what it calls InputSpec, `unit` is one indentation."""

    name: str = SPEC
    quote: str = '"'
    unit: str = "    "

    def line(self, spec: Iterable[Node]) -> str:
        """The list for `input_spec=`, on one line."""
        return "[" + ", ".join(map(self._text, spec)) + "]"

    def wrapped(self, spec: Iterable[Node], used: int, indent: str = "") -> str:
        """The same over several lines where it is long.

        `used` columns of the line are taken by what stands around it; the lines are indented as if
        the first began at `indent`.
        """
        nodes = tuple(spec)
        flat = self.line(nodes)
        return flat if len(flat) + used <= WIDTH else self._block(Sequence(nodes), indent)

    def quoted(self, text: str) -> str:
        """A text in the file's quotation marks."""
        return f"{self.quote}{text}{self.quote}"

    def _block(self, node: Node, indent: str) -> str:
        flat = self._text(node)
        deeper = indent + self.unit
        fits = len(flat) + len(deeper) <= WIDTH // 2 or self._repeats(node)
        if fits or isinstance(node, (Tensor, Constant, Opaque)):
            return flat
        if isinstance(node, Dictionary):
            pairs = node.items.items()
            items = [f"{self.quoted(key)}: {self._block(item, deeper)}" for key, item in pairs]
            return _lines("{}", items, indent, deeper)
        if len(node.items) == 1 and node.cls == "list":
            return f"[{self._block(node.items[0], indent)}]"
        items = [self._block(item, deeper) for item in node.items]
        return _lines("()" if node.cls == "tuple" else "[]", items, indent, deeper)

    def _repeats(self, node: Node) -> bool:
        if not isinstance(node, Sequence) or node.cls != "list" or len(node.items) < REPEATED:
            return False
        return len(set(map(self._text, node.items))) == 1 and isinstance(node.items[0], Tensor)

    def _text(self, node: Node) -> str:
        if isinstance(node, Tensor):
            return f"{self.name}([{', '.join(map(str, node.shape))}], {self.quoted(node.dtype)})"
        if isinstance(node, Sequence):
            if self._repeats(node):
                return f"[{self._text(node.items[0])} for _ in range({len(node.items)})]"
            items = ", ".join(map(self._text, node.items))
            if node.cls == "tuple":
                return f"({items},)" if len(node.items) == 1 else f"({items})"
            return f"[{items}]"
        if isinstance(node, Dictionary):
            pairs = (f"{self.quoted(k)}: {self._text(v)}" for k, v in node.items.items())
            return "{" + ", ".join(pairs) + "}"
        if isinstance(node, Constant):
            plain = isinstance(node.value, str) and node.value.isalnum()
            return self.quoted(str(node.value)) if plain else repr(node.value)
        # Only where no spec fits; what is printed then is a description.
        return f"<{node.cls}>"


def _lines(brackets: str, items: list[str], indent: str, deeper: str) -> str:
    lines = "".join(f"{deeper}{item},\n" for item in items)
    return f"{brackets[0]}\n{lines}{indent}{brackets[1]}"
