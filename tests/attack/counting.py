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


class Matcher:
    """One pattern; `steps` counts the characters that were looked at."""

    def __init__(self, pattern: re.Pattern[Any], most: int) -> None:
        self.parsed = parser.parse(pattern.pattern, pattern.flags)
        self.flags = pattern.flags
        self.most = most
        self.steps = 0

    def search(self, text: str) -> bool:
        """Whether the pattern is found anywhere."""
        return any(self.match(text, at) for at in range(len(text) + 1))

    def match(self, text: str, at: int = 0) -> bool:
        """Whether the pattern is found at a place."""
        return next(self._all(list(self.parsed), text, at), None) is not None

    def _all(self, ops: list[Any], text: str, at: int) -> Iterator[int]:
        if not ops:
            yield at
            return
        for end in self._one(ops[0], text, at):
            yield from self._all(ops[1:], text, end)

    def _one(self, item: Any, text: str, at: int) -> Iterator[int]:
        op, value = str(item[0]), item[1]
        self.steps += 1
        if self.steps > self.most:
            raise TooManyStepsError
        if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY"):
            if at < len(text) and self._fits(item, text[at]):
                yield at + 1
        elif op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            yield from self._repeat(value, text, at, greedy=op != "MIN_REPEAT")
        elif op == "SUBPATTERN":
            yield from self._all(list(value[3]), text, at)
        elif op == "BRANCH":
            for branch in value[1]:
                yield from self._all(list(branch), text, at)
        elif op in ("ASSERT", "ASSERT_NOT"):
            if value[0] < 0:
                width = value[1].getwidth()[0]
                found = at >= width and any(self._all(list(value[1]), text, at - width))
            else:
                found = next(self._all(list(value[1]), text, at), None) is not None
            if found == (op == "ASSERT"):
                yield at
        elif op == "AT":
            if self._stands(str(value), text, at):
                yield at
        else:
            raise NotImplementedError(op)

    def _repeat(self, value: Any, text: str, at: int, *, greedy: bool) -> Iterator[int]:
        least, most, inner = int(value[0]), int(value[1]), list(value[2])
        if len(inner) == 1 and str(inner[0][0]) in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            end = at
            while end < len(text) and end - at < most and self._fits(inner[0], text[end]):
                self.steps += 1
                end += 1
            ends = range(at + least, end + 1)
            for one in reversed(ends) if greedy else ends:
                self.steps += 1
                if self.steps > self.most:
                    raise TooManyStepsError
                yield one
            return
        yield from self._times(inner, text, at, least, most, 0, greedy=greedy)

    def _times(
        self,
        inner: list[Any],
        text: str,
        at: int,
        least: int,
        most: int,
        done: int,
        *,
        greedy: bool,
    ) -> Iterator[int]:
        if not greedy and done >= least:
            yield at
        if done < most:
            for end in self._all(inner, text, at):
                if end > at:
                    yield from self._times(inner, text, end, least, most, done + 1, greedy=greedy)
        if greedy and done >= least:
            yield at

    def _fits(self, item: Any, letter: str) -> bool:
        op, value = str(item[0]), item[1]
        if op == "ANY":
            return letter != "\n"
        listed = value if op == "IN" else [item]
        negated = op == "IN" and str(listed[0][0]) == "NEGATE"
        return any(self._is(one, letter) for one in listed) != negated

    def _is(self, item: Any, letter: str) -> bool:
        op, value = str(item[0]), item[1]
        both = (letter, letter.swapcase()) if self.flags & re.IGNORECASE else (letter,)
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

    def _stands(self, where: str, text: str, at: int) -> bool:
        lines = bool(self.flags & re.MULTILINE)
        if where == "AT_BEGINNING":
            return at == 0 or (lines and text[at - 1] == "\n")
        if where == "AT_BEGINNING_STRING":
            return at == 0
        if where == "AT_END_STRING":
            return at == len(text)
        if where == "AT_END":
            return at == len(text) or text[at:] == "\n" or (lines and text[at] == "\n")
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
