"""A file with every statement that no operation concerns held back as bytes.

LibCST takes ten times as long for a file as `ast`, and an operation concerns a statement or
two. So LibCST is given an outline of the file: the statements that change, the headers that
they stand under, and one name in the place of each run of other statements. What is held back
is put back as it was: it is equal by construction.

What decides how LibCST reads the rest must stay in the outline:

- of a compound statement before a change, the innermost last block: the comments that follow
  belong to that block, or to the next statement, by their indentation;
- the file's first indented block, whose indentation is the file's own;
- the line ends, so a file that mixes them is given to LibCST whole.

A statement that shares a line with another one is not held either.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, field

from codemod.code.module import Path, block, syntax_tree
from codemod.code.traversal import BLOCKS
from codemod.engine.rewrite.ops import Action, Extract, Insert, Replace

_BOM = b"\xef\xbb\xbf"
_SUITES = ("body", "orelse", "finalbody")
_NAME = b"held_back_%d_"
_HELD = re.compile(rb"held_back_(\d+)_")


@dataclass(frozen=True)
class Run:
    """Statements that stand on whole lines, one after another: `count` of them."""

    code: bytes
    count: int


@dataclass(frozen=True)
class Outline:
    """What LibCST is given, and what it is not: run `n` is named `held_back_n_` in the text."""

    text: bytes
    runs: tuple[Run, ...] = ()

    def width(self, name: str) -> int:
        """How many statements of the file a name in the outline stands for; 1 for any other."""
        found = _HELD.fullmatch(name.encode()) if self.runs else None
        return self.runs[int(found.group(1))].count if found else 1

    def restore(self, new: bytes) -> bytes:
        """The whole file again, from an outline that was changed.

        Raises:
            ValueError: a run is missing, or is not where it was.
        """
        if not self.runs:
            return new
        if [int(number) for number in _HELD.findall(new)] != list(range(len(self.runs))):
            raise ValueError("statements that nobody touches were moved or lost")
        return _HELD.sub(lambda found: self.runs[int(found[1])].code, new)


def outline(source: bytes, actions: Sequence[Action]) -> Outline:
    """The outline of a file for these actions.

    A file that cannot be cut safely is its own outline.
    """
    if not _plain(source):
        return Outline(source)
    tree = _tree(source)
    return _Cut(source, actions).make(tree) if tree else Outline(source)


def _plain(source: bytes) -> bool:
    """Whether lines can be told apart by LF alone and columns by bytes."""
    ends = source.count(b"\n")
    returns = source.count(b"\r")
    one_end = not returns or returns == ends == source.count(b"\r\n")
    if not one_end or b"\f" in source or _HELD.search(source):
        return False
    try:
        return tokenize.detect_encoding(io.BytesIO(source).readline)[0].startswith("utf-8")
    except SyntaxError:
        return False


def _tree(source: bytes) -> ast.Module | None:
    try:
        return syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@dataclass
class _Cut:
    """Finds the runs of one file; `spans` are their first and last line, and their length.

    The statements in `whole` are given to LibCST with all that is in them.
    """

    source: bytes
    actions: Sequence[Action]
    touched: set[Path] = field(default_factory=set)
    cuts: set[Path] = field(default_factory=set)
    whole: set[Path] = field(default_factory=set)
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    indented: bool = False

    def __post_init__(self) -> None:
        self.bom = _BOM if self.source.startswith(_BOM) else b""
        self.lines = self.source[len(self.bom) :].split(b"\n")
        for action in self.actions:
            self.touched.update(action.owner[:end] for end in range(1, len(action.owner) + 1))
            if isinstance(action, Insert):
                self.cuts.add((*action.owner, (action.field, action.index)))
            elif isinstance(action, (Extract, Replace)):
                self.whole.add(action.owner)

    def make(self, tree: ast.Module) -> Outline:
        self._blocks(tree, (), False)
        lines: list[bytes] = []
        runs: list[Run] = []
        line = 0
        for first, last, count in sorted(self.spans):
            code = b"\n".join(self.lines[first:last])
            bare, end = code.lstrip(b" \t"), b"\r" if code.endswith(b"\r") else b""
            indent = code[: len(code) - len(bare)]
            lines += [*self.lines[line:first], indent + _NAME % len(runs) + end]
            runs.append(Run(bare.removesuffix(b"\r"), count))
            line = last
        return Outline(self.bom + b"\n".join([*lines, *self.lines[line:]]), tuple(runs))

    def _blocks(self, owner: ast.AST, path: Path, ends: bool) -> None:
        """Finds the runs in the blocks of a statement that stays.

        `ends` says that a change comes next, so that the last block's end must stay too.
        """
        for name in BLOCKS:
            items = block(owner, name)
            if name in ("handlers", "cases"):
                for index, item in enumerate(items):
                    self._blocks(item, (*path, (name, index)), ends)
            else:
                self._block(items, path, name, ends)

    def _block(self, items: list[ast.stmt], path: Path, name: str, ends: bool) -> None:
        run: list[ast.stmt] = []
        for index, node in enumerate(items):
            step, after = (*path, (name, index)), (*path, (name, index + 1))
            change_next = after in self.touched or after in self.cuts
            change_next = change_next or (ends and index == len(items) - 1)
            stays = self._stays(node, step, change_next)
            if stays or step in self.cuts:
                self._hold(run)
                run = []
            if not stays:
                run.append(node)
            elif step not in self.whole:
                self._blocks(node, step, change_next)
        self._hold(run)

    def _stays(self, node: ast.stmt, step: Path, change_next: bool) -> bool:
        compound = any(block(node, name) for name in BLOCKS)
        first_indent = compound and not self.indented and self._indents(node)
        self.indented |= first_indent
        stays = step in self.touched or first_indent or (compound and change_next)
        return stays or not self._has_own_lines(node)

    def _indents(self, node: ast.AST) -> bool:
        """Whether one of its blocks stands below its header."""
        if any(self._indents(handler) for handler in block(node, "handlers")):
            return True
        firsts = [block(node, name)[0] for name in _SUITES if block(node, name)]
        below = [
            self._indents(first) if self._is_elif(first) else self._starts_line(first)
            for first in firsts
        ]
        return any(below) or bool(block(node, "cases"))

    def _is_elif(self, node: ast.stmt) -> bool:
        return self.lines[node.lineno - 1].startswith(b"elif", node.col_offset)

    def _starts_line(self, node: ast.stmt) -> bool:
        """Whether nothing comes before the statement on its line, nor runs into it."""
        number = _first(node) - 1
        line = self.lines[number]
        column = node.col_offset if number == node.lineno - 1 else line.find(b"@")
        before = self.lines[number - 1] if number else b""
        return not line[:column].strip(b" \t") and not before.rstrip(b"\r").endswith(b"\\")

    def _has_own_lines(self, node: ast.stmt) -> bool:
        """Whether nothing but a comment shares the statement's lines."""
        last = self.lines[(node.end_lineno or 0) - 1]
        rest = last[node.end_col_offset or 0 :].lstrip(b" \t\r")
        alone = self._starts_line(node) and rest[:1] in (b"", b"#")
        return alone and not self._is_elif(node)

    def _hold(self, run: list[ast.stmt]) -> None:
        if run:
            self.spans.append((_first(run[0]) - 1, run[-1].end_lineno or 0, len(run)))


def _first(node: ast.stmt) -> int:
    """The statement's first line, that of its decorators counted in."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
