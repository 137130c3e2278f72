"""No English text becomes a field of a reason: in the Chinese sentence it would stay English.

`said "First at step 2: the learning rate (0.1 dynamic, 0.05 static)"` in a Chinese report, for a
text of several words was handed on as a name. What is handed to a reason, or to a difference as
its name, is followed to the texts that it may be: through names of the function, conditions, tuples
and the functions of the module.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from bench.architecture import TOP
from tests import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

SINKS = ("Reason.of", "Reason.said", "divergence", "worded", "FirstDifference")
# Two words; a value in an f-string is one, as in "line 12".
PROSE = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
VALUE = "zq"
WORD = re.compile("[A-Za-z]{2,}")


def text_of(node: ast.AST) -> str:
    """A text as it stands in the code, with a word for each value of an f-string."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or VALUE for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


class Followed:
    """The texts of one module that its reasons may have as fields."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        nodes = ast.walk(self._tree)
        self._functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        self._seen: set[int] = set()

    def found(self) -> Iterator[str]:
        """Each prose that is handed on."""
        for scope in (self._tree, *self._functions.values()):
            for call in ast.walk(scope):
                if isinstance(call, ast.Call) and (name := parsed.dotted(call.func)) in SINKS:
                    # The first argument of a reason is its code.
                    given = [*call.args[name == "Reason.of" :], *(k.value for k in call.keywords)]
                    yield from (t for one in given for t in self._texts(one, scope))

    def _texts(self, node: ast.AST, scope: ast.AST) -> Iterator[str]:
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        text = text_of(node)
        if PROSE.search(text) and WORD.search(text.replace(VALUE, "")):
            yield text
        elif isinstance(node, ast.Name):
            yield from (t for one in assigned(node.id, scope) for t in self._texts(one, scope))
        elif isinstance(node, ast.Call):
            inner = self._functions.get(parsed.dotted(node.func))
            for end in ast.walk(inner) if inner else ():
                if isinstance(end, (ast.Return, ast.Yield)) and end.value:
                    yield from self._texts(end.value, inner or scope)
        elif not isinstance(node, (ast.Compare, ast.Subscript, ast.Attribute, ast.JoinedStr)):
            for one in ast.iter_child_nodes(node):
                if not (isinstance(node, ast.IfExp) and one is node.test):
                    yield from self._texts(one, scope)


def assigned(name: str, scope: ast.AST) -> Iterator[ast.AST]:
    """What a name is given in a scope."""
    for node in ast.walk(scope):
        if isinstance(node, ast.NamedExpr) and node.target.id == name:
            yield node.value
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = [parsed.dotted(one) for one in getattr(target, "elts", [target])]
                if name in names:
                    several = getattr(node.value, "elts", None) if len(names) > 1 else None
                    yield several[names.index(name)] if several else node.value


# What stays as it is in both languages.
NAMES = {
    ("codemod/cli/commands/fix.py", "codemod fix zq -c zq"): "a command",
    ("codemod/cli/commands/parity.py", "uv tool install './paddle-codemod[parity]'"): "a command",
}
MODULES = [
    file.relative_to(TOP).as_posix()
    for file in sorted((TOP / "codemod").rglob("*.py"))
    if any(f"{sink}(" in file.read_text(encoding="utf-8") for sink in SINKS)
]


@pytest.mark.parametrize("file", MODULES)
def test_no_english_text_is_a_field_of_a_reason(file: str) -> None:
    found = list(Followed(parsed.tree(TOP / file)).found())
    assert [one for one in found if (file, one) not in NAMES] == [], "a reason of its own says it"


@pytest.mark.parametrize(
    "text",
    [
        'Reason.of("judging.first", name="the learning rate")',
        'Reason.said(error or "no error")',
        'def place(spot):\n    return f"line {spot}"\nReason.of("engine.peeked", place=place(1))',
        'def found():\n    words = f"the rate {1}"\n    return divergence(1, words, "rate")',
        'def found():\n    a, b = "it does", 2\n    return Reason.of("x.y", why=(a, b))',
    ],
)
def test_the_law_follows_a_text_to_its_field(text: str) -> None:
    assert list(Followed(ast.parse(text)).found())


def test_what_is_kept_is_still_there() -> None:
    for file, text in NAMES:
        assert text in Followed(parsed.tree(TOP / file)).found()
