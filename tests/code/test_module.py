"""What one parsed file tells: the calls of a statement, and what is kept with a scope."""

from __future__ import annotations

import ast
import gc
import weakref
from typing import TYPE_CHECKING

from codemod.code.module import Module, parse
from codemod.code.sites import find, group, trains

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = b"""\
import paddle
from .net import *

@wrap(paddle.nn.Layer, key=lambda x: make(x)[0])
def main(cfg, lr=rate(cfg), *, on: bool = bool(1)):
    model = f'{build(cfg):>{width()}}'
    with open(*files()) as handle, other(k=[a() for a in b() if c()]):
        loss = (yield model(handle)) if test() else {key(): value(), **more()}
    try:
        loss.backward()
    except error() as fault:
        assert not (fault < limit() < 2), text() @ (lambda: inner())()
    match kind():
        case Point(x=0) if guard():
            del items()[index():stop()]
    return
"""


def made() -> Module:
    module = parse("train.py", SOURCE)
    assert isinstance(module, Module)
    return module


def test_the_calls_of_a_statement_are_those_among_its_own_nodes() -> None:
    statements = [s for scope in made().scopes for s in scope.statements]
    # All but error() and guard(), which belong to clauses, not to a statement of their own.
    assert sum(len(s.calls) for s in statements) == 26
    for statement in statements:
        assert set(statement.calls) == {n for n in own(statement.node) if isinstance(n, ast.Call)}


def own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below a statement, as far as no other statement or clause begins."""
    clauses = (ast.stmt, ast.excepthandler, ast.match_case)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, clauses):
            yield child
            yield from own(child)


def test_the_text_of_a_node_is_that_of_the_file() -> None:
    module = parse("net.py", 'def f(x):\n    return g("中文", x.y(\n        1))\n'.encode())
    assert isinstance(module, Module)
    call = module.scopes[1].calls[0]
    assert module.code(call.args[1]) == "x.y(\n        1)"


def test_a_scope_mentions_what_its_own_lines_hold() -> None:
    module = made()
    main = module.scope("main")
    assert main is not None
    assert main.mentions("wrap", "backward")
    assert not main.mentions("wrap", "import")
    assert module.scopes[0].mentions("wrap")


def test_what_is_found_of_a_scope_goes_with_it() -> None:
    module = made()
    main = module.scope("main")
    assert main is not None
    assert trains(main)
    assert group(main, "model") is group(main, "model")
    assert find(main, group(main, "model"))
    ghost = weakref.ref(main)
    gc.disable()
    try:
        del module, main
        parse.cache_clear()
        assert ghost() is None
    finally:
        gc.enable()
