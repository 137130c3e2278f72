"""No module finds out what the tool itself said by a pattern over its sentences.

A sentence is for people: it may be worded anew, and has two languages. What another room must know
stands in a code, a field or a name. Patterns are for what Paddle, Python and the kits say.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from bench.architecture import TOP
from codemod.base import messages
from codemod.kits.catalogue import load_kits
from codemod.kits.rulebook import refusals
from tests import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

# Two words, one after the other: what is shorter is a name or a code.
PROSE = re.compile(r"[A-Za-z]{2,}[,:;]?(?:\\?\s|\\s[+*]?)[A-Za-z]{2,}")
VALUE = "zq7"  # what stands in the place of a value
METHODS = (
    *("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"),
    *("split", "index", "find", "count", "replace"),
)
# The keys of tables whose values are patterns, and of rules whose values are sentences.
PATTERNS = {
    "codemod/judging/signs.yaml": ("error", "break", "code", "attribute", "scope", "module"),
    "codemod/reports/survey/causes.yaml": ("error", "verdict", "first"),
    "codemod/experiments/reduce/known.yaml": ("says", "marks"),
}
SENTENCES = ("why", "says", "about", "missing", "reason", "fix")
# What looks like a sentence of the tool's, by the file and a part of the pattern, and whose it is.
OTHERS = {
    ("codemod/audit/suppression.py", "codemod:"): "a comment that users write, and findings quote",
    ("codemod/experiments/speed/speed_job.py", "model name"): "a key of /proc/cpuinfo",
    ("codemod/experiments/rehearse/rehearsal.py", "if zq7:"): "code that it writes",
    (
        "codemod/experiments/reduce/known.yaml",
        "has no attribute",
    ): "Python's, as a stand-in has them",
    (
        "codemod/experiments/switch/inside/switch_inside/tries.py",
        "No such",
    ): "what Python and Paddle say of a file that is not there",
}


def values(node: Any, keys: tuple[str, ...], key: str = "") -> Iterator[str]:
    """The texts of a YAML file that stand under one of the keys."""
    if isinstance(node, dict):
        for name, inner in node.items():
            yield from values(inner, keys, str(name))
    elif isinstance(node, list):
        for inner in node:
            yield from values(inner, keys, key)
    elif isinstance(node, str) and key in keys:
        yield node


def text_of(node: ast.AST) -> str:
    """A text as it stands in the code, values of an f-string left open; "" of other code."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or VALUE for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


@cache
def modules() -> dict[str, tuple[ast.AST, ...]]:
    """The nodes of each module of the tool. It takes seconds, which no collection of tests has."""
    return {
        file.relative_to(TOP).as_posix(): parsed.nodes(file)
        for file in sorted((TOP / "codemod").rglob("*.py"))
    }


def patterns(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """What a module looks for in a text, as regular expressions."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
                yield "".join(text_of(part) for part in ast.walk(node.args[0]))
            elif node.func.attr in METHODS:
                yield from (re.escape(text_of(part)) for part in ast.walk(node))
        elif isinstance(node, ast.Compare):
            yield from (re.escape(text_of(side)) for side in (node.left, *node.comparators))


def texts(nodes: tuple[ast.AST, ...], looked_for: set[str]) -> Iterator[str]:
    """What a module may say: its texts of several words that are no docstrings and no patterns."""
    firsts = [node.body[0] for node in nodes if isinstance(node, DOCUMENTED) and node.body]
    left = {id(first.value) for first in firsts if isinstance(first, ast.Expr)}
    left |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    said = (text_of(node) for node in nodes if id(node) not in left)
    yield from (text for text in said if PROSE.search(text) and text not in looked_for)


def tables() -> Iterator[tuple[str, str]]:
    """The patterns of tables, with their files."""
    for file, keys in PATTERNS.items():
        content = yaml.load((TOP / file).read_text(encoding="utf-8"), yaml.CSafeLoader)
        yield from ((file, pattern) for pattern in values(content, keys))


def sentences() -> dict[str, str]:
    """What the tool says, with where it stands: the catalogue, the kits' rules, the modules."""
    found = {}
    for wing in sorted((TOP / "codemod/base/messages").glob("*.yaml")):
        for code, row in messages.table(wing.stem).items():
            parts = Formatter().parse(row["en"])
            text = "".join(text + VALUE * (name is not None) for text, name, *_ in parts)
            found[text] = f"{wing.stem}.{code}"
    for file in sorted((TOP / "rules").rglob("*.yaml")):
        content = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        found |= dict.fromkeys(values(content, SENTENCES), file.relative_to(TOP).as_posix())
    for kit in load_kits():
        texts_of_rule = (re.sub(r"\\(.)", r"\1", one.pattern) for one in refusals(kit))
        found |= dict.fromkeys(texts_of_rule, f"a refusal of {kit}")
    return found


def alternatives(pattern: str) -> list[re.Pattern[str]]:
    """Those of a pattern's alternatives that are prose; a pattern with groups is taken whole."""
    parts = [pattern] if "(" in pattern.replace("\\(", "") else re.split(r"(?<!\\)\|", pattern)
    return [re.compile(part) for part in parts if PROSE.search(part)]


def hits(file: str, pattern: str) -> list[str]:
    """Where the tool says what the pattern of a file finds; nothing for the patterns of others."""
    if any(file == one and part in pattern.replace("\\", "") for one, part in OTHERS):
        return []
    wanted = alternatives(pattern)
    own = ((text, where) for text, where in said() if where != file)
    return [where for text, where in own if any(one.search(text) for one in wanted)]


@cache
def looked_for() -> dict[str, set[str]]:
    """What each module looks for."""
    return {file: set(patterns(nodes)) for file, nodes in modules().items()}


@cache
def said() -> list[tuple[str, str]]:
    """What the tool may say, and where that stands."""
    code = ((file, texts(nodes, looked_for()[file])) for file, nodes in modules().items())
    return [*sentences().items(), *((text, file) for file, made in code for text in made)]


@cache
def prose() -> list[tuple[str, str]]:
    """The patterns of several words, by file."""
    of_modules = ((file, pattern) for file, made in looked_for().items() for pattern in made)
    return sorted({one for one in (*of_modules, *tables()) if PROSE.search(one[1])})


def test_no_pattern_finds_a_sentence_of_the_tool() -> None:
    assert len(prose()) > 50
    found = {one: hits(*one) for one in prose()}
    told = {one: where for one, where in found.items() if where}
    assert told == {}, "tell it by a code, a field or a name"


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        (r"Leave out model\.to_static|the switch misses them", "a refusal of PaddleGAN"),
        ("static graphs fail", "a refusal of PaddleRec"),
        (re.escape("the hooked layer was never called"), "judging.uncalled"),
        (r"swaps weights within a step", "rules/PaddleRec/rule.yaml"),
        (r"never called|no such \w+ of ours", "judging.uncalled"),
    ],
)
def test_a_pattern_over_a_sentence_is_found(pattern: str, where: str) -> None:
    assert where in hits("codemod/module.py", pattern)


def test_what_is_listed_as_others_is_still_there() -> None:
    for file, part in OTHERS:
        assert any(one == file and part in pattern.replace("\\", "") for one, pattern in prose())
