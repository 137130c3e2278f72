"""What is known of one kit stands in its folder in `rules/`, not in the code."""

from __future__ import annotations

import ast
import re
import tokenize
from pathlib import Path

import codemod
from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import config_rule
from tests import parsed

HOME = Path(codemod.__file__).parent
# What the kits are called, what their packages are, and the programs that they hold besides.
MORE = ("medicalseg", "ppmatting", "ppdiffusers", "paddlemix")
MOST_MENTIONS = 10


def names() -> set[str]:
    found = set(MORE)
    for kit in load_kits().values():
        rule = config_rule(kit)
        found |= {kit.name, *(mark for mark in kit.marks if "/" not in mark)}
        found |= {kit.package.name} if kit.package else set()
        found |= set(rule.apart) if rule else set()
    return found


NAMES = re.compile(rf"(?<![a-z])({'|'.join(sorted(names()))})(?![a-z])", re.IGNORECASE)


def docstrings(tree: ast.Module) -> set[tuple[int, int]]:
    """Where the docstrings of a file start: line and column."""
    return {
        (body[0].value.lineno, body[0].value.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and isinstance((body := node.body)[0], ast.Expr)
    }


def mentions() -> tuple[list[str], list[str]]:
    """Lines of code, and lines of comments and docstrings, that name a kit."""
    code: list[str] = []
    prose: list[str] = []
    for file in sorted(HOME.rglob("*.py")):
        # A token that names one stands in a text that does.
        if not NAMES.search(parsed.text(file)):
            continue
        said = docstrings(parsed.tree(file))
        with tokenize.open(file) as text:
            for token in tokenize.generate_tokens(text.readline):
                # An example in a docstring is tried by a test, and needs some kit.
                if NAMES.search(token.string.partition(">>>")[0]):
                    in_prose = token.type == tokenize.COMMENT or token.start in said
                    line = f"{file.relative_to(HOME)}:{token.start[0]}: {token.string[:60]}"
                    (prose if in_prose else code).append(line)
    return code, prose


def test_no_kit_is_named_in_code_and_few_in_prose() -> None:
    code, prose = mentions()
    assert code == []
    assert len(prose) <= MOST_MENTIONS, prose
