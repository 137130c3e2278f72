"""Patterns: what they match, what they bind, what they refuse."""

from __future__ import annotations

import ast

import pytest

from codemod.base.errors import UsageError
from codemod.code.pattern import compile_pattern, fill, match


def bound(pattern: str, code: str) -> dict[str, str] | None:
    found = match(compile_pattern(pattern), ast.parse(code).body[0])
    return None if found is None else {name: ast.unparse(node) for name, node in found.items()}


@pytest.mark.parametrize(
    ("pattern", "code", "wanted"),
    [
        ("$M = build_model(...)", "self.model = build_model(cfg)", {"M": "self.model"}),
        ("$M = build_model(...)", "net = models.build_model(cfg, mode='x')", {"M": "net"}),
        ("$M = build_model(...)", "net: Layer = build_model()", {"M": "net"}),
        ('$M = make($C["Arch"], ...)', 'm = make(self.c["Arch"], 3)', {"M": "m", "C": "self.c"}),
        ("$M = make($_)", "m = make(a + b)", {"M": "m"}),
        ("$X = f($X)", "a = f(a)", {"X": "a"}),
        ("$T = Trainer(**$D)", "t = Trainer(**dic)", {"T": "t", "D": "dic"}),
        ("log($X)", "log(a)", {"X": "a"}),
    ],
)
def test_match_binds(pattern: str, code: str, wanted: dict[str, str]) -> None:
    assert bound(pattern, code) == wanted


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("$M = build_model(...)", "build_model(cfg)"),
        ("$M = build_model($C)", "m = build_model(a, b)"),
        ("$M = build_model($C)", "m = build_model(a, mode='x')"),
        ("$X = f($X)", "a = f(b)"),
        ("$M = f(..., key=$V)", "m = f(other=1)"),
        ("$M = f(...)", "# m = f(1)\npass"),
    ],
)
def test_no_match(pattern: str, code: str) -> None:
    assert bound(pattern, code) is None


def test_fill_puts_code_in_place() -> None:
    assert fill("$C.get($K)", {"C": "self.cfg", "K": "'a'"}) == "self.cfg.get('a')"


@pytest.mark.parametrize("text", ["$M = (", "a = 1; b = 2", ""])
def test_a_broken_pattern_is_told(text: str) -> None:
    with pytest.raises(UsageError):
        compile_pattern(text)


def test_an_unbound_name_is_told() -> None:
    with pytest.raises(UsageError, match=r"\$X"):
        fill("$X", {})
