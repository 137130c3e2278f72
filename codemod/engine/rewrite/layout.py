"""Inserted lines as the kit's formatter leaves them: what is too long is broken its way.

A checkout that black formats has its quotes and its length of line. Anywhere else the file's own
calls show how lines are broken, as versions of yapf differ there, and 79 columns suit each of its
settings.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from codemod.code.module import Module, Path, block
from codemod.code.traversal import walk
from codemod.code.tree import Tree
from codemod.engine.rewrite.ops import AddArgument, Insert, Op, Replace

Breaks = Literal["aligned", "hanging", "closed"]
LEVEL = 4
COLUMNS = 79
_BLACK_COLUMNS = 88
_BLACK = re.compile(rb"psf/black|ruff-format|^\[tool\.black\]", re.MULTILINE)
_LENGTH = re.compile(rb"^\[tool\.(?:black|ruff)\][^\[]*?^line-length *= *(\d+)", re.MULTILINE)
_YAPF = re.compile(rb"column_limit *[:=] *(\d+)")
# Where Python ends a line; form feeds and the like are part of one.
_LINE_END = re.compile(r"\r\n|\r|\n")
_PLAIN = re.compile(r"'([^'\"\\\n]*)'")


@dataclass(frozen=True)
class Layout:
    """How long lines are, how calls are broken, and whether black chooses the quotes.

    Arguments stand one below the other: `aligned` with the first, `hanging` one level in, or
    `closed` so, with the bracket that closes on a line of its own.
    """

    columns: int = COLUMNS
    breaks: Breaks = "hanging"
    black: bool = False

    def quoted(self, code: str) -> str:
        """The code in the quotes that the formatter leaves alone."""
        return _PLAIN.sub(r'"\1"', code) if self.black else code

    def fitted(self, code: str, column: int) -> str:
        """The code with each call that is too long broken; its first line begins at `column`."""
        return "\n".join(self._line(line, column) for line in self.quoted(code).split("\n"))

    def _line(self, line: str, column: int) -> str:
        bare = line.lstrip(" ")
        inner = len(line) - len(bare)
        call = _call_at_end(bare) if column + len(line) > self.columns else None
        if call is None:
            return line
        parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        parts.sort(key=lambda part: (part.lineno, part.col_offset))
        words = [ast.get_source_segment(bare, part) or "" for part in parts]
        cut = len(bare.encode()[: parts[0].col_offset].decode())
        start, named = bare[:cut], len(parts) > 1 and bool(call.keywords)
        lines = self._broken(start, words, named, column + inner)
        return "\n".join([" " * inner + one if one else one for one in lines])

    def _broken(self, start: str, words: list[str], named: bool, column: int) -> list[str]:
        if self.breaks == "closed":
            filled = self._together(words, "", column)
            below = filled or [f"{' ' * LEVEL}{word}," for word in words]
            return [start, *below, ")"]
        if not named:
            return filled_call(start, words, ")", column, self.columns).split("\n")
        aligned = [" " * len(start) + word for word in words]
        if self.breaks == "aligned" and column + max(map(len, aligned)) < self.columns:
            lines = [start + words[0], *aligned[1:]]
            return [*(f"{line}," for line in lines[:-1]), f"{lines[-1]})"]
        filled = self._together(words, ")", column) if self.breaks == "hanging" else None
        hanging = [f"{' ' * LEVEL}{word}" for word in words]
        return [start, *(filled or [*(f"{line}," for line in hanging[:-1]), f"{hanging[-1]})"])]

    def _together(self, words: list[str], end: str, column: int) -> list[str] | None:
        """All arguments on one line below the bracket, where they fit there."""
        line = f"{' ' * LEVEL}{', '.join(words)}{end}"
        return [line] if column + len(line) <= self.columns else None


def layout_of(tree: Tree, module: Module) -> Layout:
    """The layout of one file, by the checkout's configuration and the file's own calls."""
    settings = [_read(tree, name) for name in (".pre-commit-config.yaml", "pyproject.toml")]
    if any(_BLACK.search(text) for text in settings):
        length = _LENGTH.search(settings[1])
        return Layout(int(length[1]) if length else _BLACK_COLUMNS, "closed", True)
    votes = Counter(_broken_calls(module))
    breaks = max(votes, key=lambda way: votes[way]) if votes else "hanging"
    # Code is indented by four, and takes on the file's own indentation when it is written.
    aligns = all(column % LEVEL == 0 for column in _columns(module.tree))
    return Layout(COLUMNS, "hanging" if breaks == "aligned" and not aligns else breaks)


@dataclass(frozen=True)
class Width:
    """How long the lines of a file may be, and whether black breaks longer ones."""

    columns: int
    black: bool


def width_of(tree: Tree, module: Module) -> Width:
    """The width that the kit's own formatter is told to keep; 79 columns where it is not told."""
    layout = layout_of(tree, module)
    told = None if layout.black else _YAPF.search(_read(tree, ".style.yapf"))
    return Width(int(told[1]) if told else layout.columns, layout.black)


def laid_out(op: Op, module: Module, layout: Layout) -> Op:
    """The operation with its code as the layout has it."""
    action = op.action
    if isinstance(action, (Insert, Replace)):
        first = ((action.field, 0),) if isinstance(action, Insert) else ()
        column = _column(module, (*action.owner, *first))
        return replace(op, action=replace(action, code=layout.fitted(action.code, column)))
    if isinstance(action, AddArgument):
        return replace(op, action=replace(action, value=layout.quoted(action.value)))
    return op


def filled_call(start: str, words: list[str], end: str, column: int, columns: int) -> str:
    """`start`, which opens a bracket, and the words as many to a line as fit, as yapf fills them.

    They are aligned with the bracket unless that takes more lines than to begin below it: a level
    in, or two in a signature.
    """
    line = f"{start}{', '.join(words)}{end}"
    if column + len(line) <= columns:
        return line
    deeper = LEVEL * (2 if start.startswith("def ") else 1)
    hanging = [start, *_filled(words, end, columns - column - deeper)]
    width = columns - column - len(start)
    if max(len(word) for word in words) + len(end) <= width:
        aligned = _filled(words, end, width)
        if len(aligned) <= len(hanging):
            return ("\n" + " " * len(start)).join([start + aligned[0], *aligned[1:]])
    return ("\n" + " " * deeper).join(hanging)


def _filled(words: list[str], end: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in [*(f"{word}," for word in words[:-1]), f"{words[-1]}{end}"]:
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def _column(module: Module, path: Path) -> int:
    """The column at which a statement begins; 0 for one of a block that is not there."""
    return getattr(module.at(path), "col_offset", 0)


def _columns(tree: ast.Module) -> Iterator[int]:
    """Where the first statement of each block at the top level begins."""
    for node in tree.body:
        body = block(node, "body")
        if body and body[0].lineno > node.lineno:
            yield body[0].col_offset


def _call_at_end(line: str) -> ast.Call | None:
    """The call with arguments that a statement on a line of its own ends with."""
    try:
        body = ast.parse(line).body
    except SyntaxError:
        return None
    statement = body[0] if len(body) == 1 else None
    value = statement.exc if isinstance(statement, ast.Raise) else getattr(statement, "value", None)
    if not isinstance(value, ast.Call) or value.end_col_offset != len(line.encode()):
        return None
    return value if value.args or value.keywords else None


def _broken_calls(module: Module) -> Iterator[Breaks]:
    """How each call with named arguments that takes several lines is broken.

    After a comma yapf, too, puts the closing bracket on a line of its own: that says nothing.
    """
    lines = _LINE_END.split(module.text)
    for node in walk(module.tree):
        if isinstance(node, ast.Call) and node.keywords and node.end_lineno != node.lineno:
            parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
            parts.sort(key=lambda part: (part.lineno, part.col_offset))
            first, last = parts[0], parts[-1]
            columns = {part.col_offset for part in parts}
            behind = lines[(last.end_lineno or 1) - 1][last.end_col_offset or 0 :]
            if len(parts) == 1 or behind.startswith(","):
                continue  # nor does a single argument, which may fill its line
            if first.lineno != node.func.end_lineno:
                yield "closed" if last.end_lineno != node.end_lineno else "hanging"
            elif columns == {first.col_offset}:
                yield "aligned"


def _read(tree: Tree, path: str) -> bytes:
    try:
        return tree.read(path)
    except FileNotFoundError:
        return b""
