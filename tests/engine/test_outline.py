"""What is held back from LibCST, and that the result is what LibCST makes of the whole file."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import codemod
from codemod.base.changeset import EditKind
from codemod.base.reason import Reason
from codemod.code.module import block
from codemod.code.traversal import BLOCKS
from codemod.engine.rewrite.file import Rewritten, rewrite, rewrite_whole
from codemod.engine.rewrite.ops import (
    Action,
    AddArgument,
    AddParameter,
    CannotRewriteError,
    Insert,
    Op,
    Replace,
)
from codemod.engine.rewrite.outline import Outline, outline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FUNCTION = (("body", 2),)
TRAINER = b'''\
import os
import paddle  # the framework

def main(cfg):
    """Train."""
    a = f(
        1)
    model = build(cfg)
    for x in y:
        x += 1
    return model
z = 1
main(z)
'''


def insert(path: tuple[tuple[str, int], ...], index: int, field: str = "body") -> Insert:
    return Insert(path, field, index, "if g:\n    x_ = 1")


def both(source: bytes, *actions: Action) -> tuple[Rewritten | str, Rewritten | str]:
    """What comes of the outline and of the whole file: a result, or the reason of a refusal."""
    ops = [Op("f.py", EditKind.HOOK, action, Reason.said("a reason")) for action in actions]
    return result(rewrite, source, ops), result(rewrite_whole, source, ops)


def result(
    way: Callable[[bytes, Sequence[Op]], Rewritten], source: bytes, ops: Sequence[Op]
) -> Rewritten | str:
    try:
        return way(source, ops)
    except CannotRewriteError as fault:
        return str(fault)


def test_only_what_the_change_concerns_is_given_to_libcst() -> None:
    cut = outline(TRAINER, [insert(FUNCTION, 3)])
    assert cut.text == (
        b"held_back_0_\n\ndef main(cfg):\n    held_back_1_\n    held_back_2_\nheld_back_3_\n"
    )
    assert [run.count for run in cut.runs] == [2, 3, 2, 2]
    assert cut.restore(cut.text) == TRAINER


def test_a_statement_before_the_change_keeps_its_last_block() -> None:
    cut = outline(TRAINER, [insert(FUNCTION, 4)])
    assert b"    for x in y:\n        held_back_2_\n    held_back_3_\n" in cut.text


def test_a_run_that_is_lost_or_moved_is_noticed() -> None:
    cut = outline(TRAINER, [insert(FUNCTION, 3)])
    first, second = b"held_back_0_", b"held_back_1_"
    swapped = cut.text.replace(first, b"?").replace(second, first).replace(b"?", second)
    for broken in (cut.text.replace(second, b"pass"), swapped):
        with pytest.raises(ValueError, match="moved or lost"):
            cut.restore(broken)


@pytest.mark.parametrize(
    "source",
    [
        TRAINER.replace(b"\n", b"\r\n", 1),
        TRAINER.replace(b"return", b"return\\\r"),
        b"\f" + TRAINER,
        b"# coding: latin-1\n" + TRAINER,
        b"# coding: no-such\n" + TRAINER,
        b"held_back_7_ = 1\n" + TRAINER,
        b"def f(:\n",
    ],
    ids=["mixed", "bare CR", "form feed", "latin-1", "unknown", "name is taken", "no Python"],
)
def test_a_file_that_cannot_be_cut_safely_is_given_whole(source: bytes) -> None:
    assert outline(source, [insert((), 1)]) == Outline(source)


AWKWARD = {
    "comment of the block before": b"if a:\n    b\n    # of b\n# of c\nc\nd\n",
    "comment of an inner block": b"if a:\n  if b:\n    c\n    # c\n  # b\n# d\nd\ne\n",
    "comment of no block": b"if a:\n    b\n  # between\nc\nd\n",
    "blank line with blanks": b"if a:\n    b\n    \nc\nd\n",
    "elif": b"if a:\n    b\nelif c:\n    d\nelif e:\n    f\nelse:\n    g\nh\n",
    "if below else": b"if a:\n    b\nelse:\n    if c:\n        d\n    e\nf\n",
    "semicolons": b"a = 1; b = 2\nc = 3; d = 4;\ne = 5\n",
    "continued line": b"a = 1; \\\nb = 2\nc = \\\n  3\nd\n",
    "block on the header's line": b"if a: b\nelse: c; d\ne\ndef f(): return 1\ng\n",
    "first indent in a handler": b"try: a\nexcept E:\n  b\nc\nif d:\n    e\nf\n",
    "first indent after an else": b"if a: b\nelse: c\nif d:\n  e\nf\nif g:\n    h\n",
    "first indent below elif": b"if a: b\nelif c:\n  d\ne\nif f:\n    g\n",
    "first indent is continued": b"if a: \\\n    b\nif c:\n  d\ne\n",
    "decorators": b"import a\n@b\n# about f\n@c(\n  d)\ndef f(x):\n    e\n\n@g\nclass K:\n    h\n",
    "try": b"try:\n    a\nexcept E:\n    b\n    # of b\nexcept F as f:\n    c\nelse:\n    d\nfinally:\n    e\ng\n",
    "match": b"match a:\n    case 1:\n        b\n        # of b\n    case _:\n        c\nd\n",
    "string over lines": b"a = '''\n  x\ny\n'''\nb = f('''\nz''', c=1)  # b\nd\n",
    "tabs": b"def f(a):\n\tif a:\n\t\tb\n\t\t# of b\n\tc\n\treturn d\ne\n",
    "two widths": b"if a:\n  b\ndef f(a):\n    c\n    if d:\n            e\n    f\n",
    "parenthesis first": b"(\na\n)\n(b,\n c) = d\n[\n e]\nf\n",
    "no last newline": b"def f(a):\n    b\n    c",
    "comment at the end": b"def f(a):\n    b\n    # of f\n# of the file",
    "BOM": b"\xef\xbb\xbfimport a\nb\n",
    "CRLF": b"import a\r\ndef f(a):\r\n    b  # b\r\n    # of f\r\nc\r\n",
    "coding": "# coding: utf-8\na = '模型'; b\nc = '训练'  # 训练\nd\n".encode(),
    "empty": b"# nothing\n",
}


@pytest.mark.parametrize("source", AWKWARD.values(), ids=AWKWARD)
def test_every_position_comes_out_as_from_the_whole_file(source: bytes) -> None:
    for action in actions(ast.parse(source)):
        new, wanted = both(source, action)
        assert new == wanted, action


def test_several_changes_at_once_come_out_as_from_the_whole_file() -> None:
    for source in AWKWARD.values():
        for pair in itertools.pairwise(actions(ast.parse(source))):
            new, wanted = both(source, *pair)
            assert new == wanted, (source, pair)


@pytest.mark.parametrize(
    "name", ["engine/gate/plumbing.py", "work/planning.py", "hazards/reach/values.py"]
)
def test_real_files_come_out_as_from_the_whole_file(name: str) -> None:
    source = (Path(codemod.__file__).parent / name).read_bytes()
    for action in list(actions(ast.parse(source)))[::23]:
        new, wanted = both(source, action)
        assert isinstance(wanted, Rewritten)
        assert new == wanted, action


def test_a_call_in_a_header_is_told_from_one_in_the_block() -> None:
    source = b"for x in f(a,\n           b=1):\n    f(x)\n"
    new, wanted = both(source, AddArgument((("body", 0),), "f", "s", "g"))
    assert isinstance(new, Rewritten)
    assert new == wanted
    assert new.new == b"for x in f(a,\n           s=g,\n           b=1):\n    f(x)\n"


def test_nothing_is_put_between_an_if_and_its_elif() -> None:
    source = b"if a:\n    b\nelif c:\n    d\n"
    with pytest.raises(CannotRewriteError, match="elif"):
        rewrite(source, [Op("f.py", EditKind.HOOK, insert((("body", 0),), 1, "orelse"))])


def actions(tree: ast.Module) -> list[Action]:
    """Every insertion, removal and parameter that a file has a place for."""
    found: list[Action] = []

    def collect(owner: ast.AST, path: tuple[tuple[str, int], ...]) -> None:
        for name in BLOCKS:
            items = block(owner, name)
            if items and name not in ("handlers", "cases"):
                found.extend(insert(path, index, name) for index in range(len(items) + 1))
            for index, item in enumerate(items):
                step = (*path, (name, index))
                if isinstance(item, ast.FunctionDef):
                    found.append(AddParameter(step, "s", "False"))
                if isinstance(item, ast.Expr):
                    found.extend((Replace(step, ""), Replace(step, "y_ = 2")))
                collect(item, step)

    collect(tree, ())
    return found
