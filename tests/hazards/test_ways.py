"""How many ways lead through a function: counted by reading it, and by taking each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from codemod.hazards.catalog.ways import _Ways

FORMS = {
    "a line": "x = 1\nreturn x\n",
    "an if": "if t():\n    x = 1\nreturn 1\n",
    "two ifs": "if t():\n    x = 1\nif t():\n    x = 2\n",
    "elifs": "if t():\n    x = 1\nelif t():\n    x = 2\nelif t():\n    x = 3\nelse:\n    x = 4\n",
    "nested": "if t():\n    if t():\n        x = 1\n    if t():\n        x = 2\nif t():\n    x = 3\n",
    "returns": "if t():\n    return 1\nif t():\n    return 2\nif t():\n    x = 3\nif t():\n    x = 4\n",
    "raises": "if t():\n    raise KeyError\nif t():\n    x = 3\n",
    "and": "if t() and t() and t():\n    x = 1\nif t():\n    x = 2\n",
    "or": "if t() or t():\n    x = 1\nelse:\n    return 2\nif t():\n    x = 2\n",
    "not": "if not (t() and t()):\n    return 1\nif t():\n    x = 2\n",
    "mixed": "if t() and (t() or t()) or not t():\n    x = 1\n    if t():\n        x = 2\n",
    "a choice": "x = 1 if t() else 2\ny = 1 if t() and t() else 2\n",
    "a value of and": "x = t() and t() or 1\n",
    "choices of choices": "x = (1 if t() else 2) if t() or t() else f(3 if t() else 4, t() and 5)\n",
    "a choice that is returned": "if t():\n    return 1 if t() else 2\nreturn 3 if t() else 4\n",
    "with": "with block():\n    if t():\n        x = 1\nif t():\n    return 2\n",
}


def taken(body: str) -> int:
    """How many ways a program without loops can run, by running it with every answer."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    waiting, ended = [list[bool]()], 0
    while waiting:
        answers = waiting.pop()
        asked: Iterator[int] = count()

        def t(given: list[bool] = answers, asked: Iterator[int] = asked) -> bool:
            at = next(asked)
            if at == len(given):
                waiting.append([*given, False])
                given.append(True)
            return given[at]

        names: dict[str, Any] = {"t": t, "block": Block, "f": max}
        exec(f"def run():\n{lines}", names)
        with suppress(KeyError):
            names["run"]()
        ended += 1
    return ended


class Block:
    """A block that does nothing."""

    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def counted(body: str) -> int:
    """What the finder counts."""
    made = ast.parse("def run():\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    function = made.body[0]
    assert isinstance(function, ast.FunctionDef)
    return _Ways().all_of(function)


@pytest.mark.parametrize("name", FORMS)
def test_every_way_counts_once(name: str) -> None:
    assert counted(FORMS[name]) == taken(FORMS[name])


def test_what_follows_a_loop_has_the_ways_to_its_head_and_those_that_left_it() -> None:
    body = "for x in y:\n    if t():\n        break\n    if t():\n        continue\nreturn 1\n"
    # Left at the head, and at the break; the other two go back to the head.
    assert counted(body) == 4


def test_a_rescue_is_a_way_of_its_own() -> None:
    assert counted("try:\n    x = t()\nexcept KeyError:\n    x = 1\nif x:\n    x = 2\n") == 4


def test_a_function_within_is_another_one() -> None:
    assert counted("def inner():\n    if t():\n        return 1\nreturn inner\n") == 1
