"""What one parsed file tells: the calls of a statement, and what is kept with a scope."""

from __future__ import annotations

import ast
import gc
import weakref

from codemod.code.module import Module, parse
from codemod.code.sites import find, group, trains
from codemod.code.traversal import own_nodes

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
        own = tuple(n for n in own_nodes(statement.node) if isinstance(n, ast.Call))
        assert statement.calls == own


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
