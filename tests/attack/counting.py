"""What code costs, counted: calls, and the steps of a backtracking matcher.

Python's own engine for regular expressions goes the same way through a pattern as this one, and
says nothing of how long it took.
"""

from __future__ import annotations

import importlib
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

parser: Any = sys.modules.get("re._parser") or importlib.import_module("sre_parse")


class TooManyStepsError(Exception):
    """The matcher was stopped."""


_LETTERS = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY")


class _Op:
    """One item of a parsed pattern, with what it says of each letter that it was asked about."""

    def __init__(self, item: Any, flags: int) -> None:
        self.kind, self.value = str(item[0]), item[1]
        self.letter = self.kind in _LETTERS
        self._listed = self.value if self.kind == "IN" else [item]
        self._negated = self.kind == "IN" and str(self._listed[0][0]) == "NEGATE"
        self._both = bool(flags & re.IGNORECASE)
        self._told: dict[str, bool] = {}
        if self.kind.endswith("_REPEAT"):
            self.least, self.most, inner = int(self.value[0]), int(self.value[1]), self.value[2]
            self.inner = _ops(inner, flags)
        elif self.kind == "SUBPATTERN":
            self.inner = _ops(self.value[3], flags)
        elif self.kind == "BRANCH":
            self.branches = [_ops(branch, flags) for branch in self.value[1]]
        elif self.kind.startswith("ASSERT"):
            self.inner = _ops(self.value[1], flags)

    def fits(self, letter: str) -> bool:
        """Whether the item takes a letter."""
        if letter not in self._told:
            self._told[letter] = self._fits(letter)
        return self._told[letter]

    def _fits(self, letter: str) -> bool:
        if self.kind == "ANY":
            return letter != "\n"
        return any(self._is(one, letter) for one in self._listed) != self._negated

    def _is(self, item: Any, letter: str) -> bool:
        op, value = str(item[0]), item[1]
        both = (letter, letter.swapcase()) if self._both else (letter,)
        if op == "LITERAL":
            return any(ord(one) == value for one in both)
        if op == "NOT_LITERAL":
            return all(ord(one) != value for one in both)
        if op == "RANGE":
            return any(value[0] <= ord(one) <= value[1] for one in both)
        kind = str(value).removeprefix("CATEGORY_")
        found = {
            "DIGIT": letter.isdigit(),
            "SPACE": letter.isspace(),
            "WORD": letter.isalnum() or letter == "_",
        }
        return op == "CATEGORY" and found[kind.removeprefix("NOT_")] != kind.startswith("NOT_")


def _ops(parsed: Any, flags: int) -> list[_Op]:
    return [_Op(item, flags) for item in parsed]


class Matcher:
    """One pattern; `steps` counts the characters that were looked at, up to `most`."""

    def __init__(self, pattern: re.Pattern[Any], most: int) -> None:
        self.ops = _ops(parser.parse(pattern.pattern, pattern.flags), pattern.flags)
        self.lines = bool(pattern.flags & re.MULTILINE)
        self.most = most
        self.steps = 0

    def search(self, text: str) -> bool:
        """Whether the pattern is found anywhere."""
        return any(self.match(text, at) for at in range(len(text) + 1))

    def match(self, text: str, at: int = 0) -> bool:
        """Whether the pattern is found at a place."""
        start = self._plain(self.ops, 0, text, at)
        return start is not None and next(self._from(self.ops, *start, text), None) is not None

    def _plain(self, ops: list[_Op], first: int, text: str, at: int) -> tuple[int, int] | None:
        """Goes by the items that can be taken in one way alone: the next item, and where."""
        for number in range(first, len(ops)):
            op = ops[number]
            if not op.letter and op.kind != "AT":
                return number, at
            self._step()
            if op.letter:
                if at >= len(text) or not op.fits(text[at]):
                    return None
                at += 1
            elif not self._stands(str(op.value), text, at):
                return None
        return len(ops), at

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise TooManyStepsError

    def _all(self, ops: list[_Op], first: int, text: str, at: int) -> Iterator[int]:
        start = self._plain(ops, first, text, at)
        return iter(()) if start is None else self._from(ops, *start, text)

    def _from(self, ops: list[_Op], number: int, at: int, text: str) -> Iterator[int]:
        if number == len(ops):
            yield at
            return
        for end in self._one(ops[number], text, at):
            yield from self._all(ops, number + 1, text, end)

    def _one(self, op: _Op, text: str, at: int) -> Iterator[int]:
        self._step()
        if op.kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            yield from self._repeat(op, text, at)
        elif op.kind == "SUBPATTERN":
            yield from self._all(op.inner, 0, text, at)
        elif op.kind == "BRANCH":
            for branch in op.branches:
                yield from self._all(branch, 0, text, at)
        elif op.kind in ("ASSERT", "ASSERT_NOT"):
            if op.value[0] < 0:
                width = op.value[1].getwidth()[0]
                found = at >= width and any(self._all(op.inner, 0, text, at - width))
            else:
                found = next(self._all(op.inner, 0, text, at), None) is not None
            if found == (op.kind == "ASSERT"):
                yield at
        else:
            raise NotImplementedError(op.kind)

    def _repeat(self, op: _Op, text: str, at: int) -> Iterator[int]:
        greedy = op.kind != "MIN_REPEAT"
        if len(op.inner) == 1 and op.inner[0].kind in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            end = at
            while end < len(text) and end - at < op.most and op.inner[0].fits(text[end]):
                self.steps += 1
                end += 1
            ends = range(at + op.least, end + 1)
            for one in reversed(ends) if greedy else ends:
                self._step()
                yield one
            return
        yield from self._times(op, text, at, 0, greedy=greedy)

    def _times(self, op: _Op, text: str, at: int, done: int, *, greedy: bool) -> Iterator[int]:
        if not greedy and done >= op.least:
            yield at
        if done < op.most:
            for end in self._all(op.inner, 0, text, at):
                if end > at:
                    yield from self._times(op, text, end, done + 1, greedy=greedy)
        if greedy and done >= op.least:
            yield at

    def _stands(self, where: str, text: str, at: int) -> bool:
        if where == "AT_BEGINNING":
            return at == 0 or (self.lines and text[at - 1] == "\n")
        if where == "AT_BEGINNING_STRING":
            return at == 0
        if where == "AT_END_STRING":
            return at == len(text)
        if where == "AT_END":
            return at == len(text) or text[at:] == "\n" or (self.lines and text[at] == "\n")
        word = [0 <= n < len(text) and (text[n].isalnum() or text[n] == "_") for n in (at - 1, at)]
        return (word[0] != word[1]) == (where == "AT_BOUNDARY")


class Calls:
    """How many calls of Python code are made, counted by the interpreter."""

    def __enter__(self) -> Calls:
        self.count = 0
        sys.setprofile(self._event)
        return self

    def _event(self, *_: object) -> None:
        self.count += 1

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
