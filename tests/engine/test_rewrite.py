"""Operations on bytes: only the promised lines change, in the file's own manner."""

from __future__ import annotations

import ast

import pytest

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason
from codemod.code.kept import forget
from codemod.code.module import Module, parse
from codemod.engine.rewrite.file import Rewritten, rewrite, rewrite_checked
from codemod.engine.rewrite.ops import (
    AddArgument,
    AddElements,
    AddParameter,
    CannotRewriteError,
    Insert,
    Move,
    Op,
    Rename,
    Replace,
)

HOOK = EditKind.HOOK


def put(source: bytes, *actions: object, reason: str = "") -> bytes:
    ops = [Op("f.py", HOOK, action, reason) for action in actions]  # type: ignore[arg-type]
    return rewrite(source, ops).new


def test_insertion_between_statements_keeps_comments_where_they_were() -> None:
    source = b"a = 1  # one\n\n# about b\nb = 2\n"
    assert put(source, Insert((), "body", 1, "if g:\n    x = 3")) == (
        b"a = 1  # one\nif g:\n    x = 3\n\n# about b\nb = 2\n"
    )


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (b"def f():\n\ta = 1\n", b"def f():\n\ta = 1\n\tif g:\n\t\tx = 3\n"),
        (b"def f():\n  a = 1\n", b"def f():\n  a = 1\n  if g:\n    x = 3\n"),
        (b"def f():\r\n    a = 1\r\n", b"def f():\r\n    a = 1\r\n    if g:\r\n        x = 3\r\n"),
        (
            b"\xef\xbb\xbfdef f():\n    a = 1\n",
            b"\xef\xbb\xbfdef f():\n    a = 1\n    if g:\n        x = 3\n",
        ),
        (
            "# -*- coding: gbk -*-\ndef f():\n    a = '模型'\n".encode("gbk"),
            "# -*- coding: gbk -*-\ndef f():\n    a = '模型'\n    if g:\n        x = 3\n".encode(
                "gbk"
            ),
        ),
    ],
    ids=["tabs", "two spaces", "CRLF", "BOM", "GBK"],
)
def test_the_files_own_manner_is_taken_on(source: bytes, wanted: bytes) -> None:
    path = (("body", 0),)
    assert put(source, Insert(path, "body", 1, "if g:\n    x = 3")) == wanted


@pytest.mark.parametrize(
    ("code", "path", "field"),
    [
        ("if a:\n    b = 1\nelse:\n    c = 1\n", (("body", 0),), "orelse"),
        ("if a:\n    b = 1\nelif d:\n    c = 1\n", (("body", 0), ("orelse", 0)), "body"),
        ("try:\n    b = 1\nexcept E:\n    c = 1\n", (("body", 0), ("handlers", 0)), "body"),
        ("try:\n    b = 1\nfinally:\n    c = 1\n", (("body", 0),), "finalbody"),
        ("with a:\n    c = 1\n", (("body", 0),), "body"),
        ("for a in b:\n    c = 1\n", (("body", 0),), "body"),
        ("@d\nclass K:\n    def f(self):\n        c = 1\n", (("body", 0), ("body", 0)), "body"),
        ("async def f():\n    c = 1\n", (("body", 0),), "body"),
    ],
)
def test_every_kind_of_block(code: str, path: tuple[tuple[str, int], ...], field: str) -> None:
    new = put(code.encode(), Insert(path, field, 1, "x = 3")).decode().splitlines()
    old = code.splitlines()
    at = next(i for i, line in enumerate(old) if "c = 1" in line)
    indent = old[at][: len(old[at]) - len(old[at].lstrip())]
    assert new == [*old[: at + 1], f"{indent}x = 3", *old[at + 1 :]]


def test_a_line_with_several_statements_is_not_split() -> None:
    assert put(b"a = 1; b = 2\nc = 3\n", Insert((), "body", 1, "x = 9")) == (
        b"a = 1; b = 2\nx = 9\nc = 3\n"
    )


def test_a_missing_last_newline_stays_missing() -> None:
    source = b"def f():\n    a = 1\n    b = 2"
    assert put(source, Insert((("body", 0),), "body", 1, "x = 9")) == (
        b"def f():\n    a = 1\n    x = 9\n    b = 2"
    )


def test_parameter_goes_last_and_keeps_the_layout() -> None:
    source = b"def f(a,\n      b=1):\n    return a\n"
    new = put(source, AddParameter((("body", 0),), "s", "False"), reason="last line")
    assert new == b"def f(a,\n      b=1,\n      s=False):\n    return a\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"def f(a): pass\n", b"def f(a, s=False): pass\n"),
        (b"def f(a, **k): pass\n", b"def f(a, s=False, **k): pass\n"),
        (b"def f(a, *, k=1): pass\n", b"def f(a, *, k=1, s=False): pass\n"),
        (b"def f(): pass\n", b"def f(s=False): pass\n"),
    ],
)
def test_parameter_forms(before: bytes, after: bytes) -> None:
    assert put(before, AddParameter((("body", 0),), "s", "False"), reason="one line") == after


def test_argument_takes_a_line_of_its_own() -> None:
    source = b"f(\n    a,\n    b=1,\n    c=2)\n"
    new = put(source, AddArgument((("body", 0),), "f", "s", "g"))
    assert new == b"f(\n    a,\n    b=1,\n    s=g,\n    c=2)\n"


def test_argument_on_one_line_needs_a_reason() -> None:
    action = AddArgument((("body", 0),), "f", "s", "g")
    assert put(b"f(a, b=1)\n", action, reason="one line") == b"f(a, s=g, b=1)\n"
    with pytest.raises(CannotRewriteError):
        put(b"f(a, b=1)\n", action)


def test_replacement_keeps_the_comment_above() -> None:
    new = put(b"# why\nx['k'] = '0'\ny = 1\n", Replace((("body", 0),), "x.d('k', '0')"), reason="r")
    assert new == b"# why\nx.d('k', '0')\ny = 1\n"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (b"def f(:\n", "parse"),
        (b"x=1\n #c\n \n", "byte for byte"),
        (b"a = 1\rb = 2\r", "byte for byte"),
    ],
    ids=["syntax error", "comment that LibCST drops", "bare CR"],
)
def test_a_file_that_cannot_be_kept_is_refused(source: bytes, word: str) -> None:
    with pytest.raises(CannotRewriteError, match=word):
        rewrite(source, [Op("f.py", HOOK, Insert((), "body", 0, "x = 1"))])


def test_an_indentation_that_libcst_cannot_write_is_refused() -> None:
    source = b"class A:\n\x0c pass\n"
    with pytest.raises(CannotRewriteError, match="indentation"):
        put(source, Insert((), "body", 0, "x = 1"))


def test_a_block_on_its_headers_line_is_refused() -> None:
    with pytest.raises(CannotRewriteError, match="header"):
        put(b"def f(): return 1\n", Insert((("body", 0),), "body", 0, "x = 1"))


def test_counts_tell_insertions_from_touched_lines() -> None:
    source = b"def f(a,\n      b=1):\n    return a\n"
    ops = [
        Op("f.py", HOOK, Insert((("body", 0),), "body", 0, "if g:\n    x = 1")),
        Op(
            "f.py",
            EditKind.PLUMBING,
            AddParameter((("body", 0),), "s", "False"),
            Reason.said("last line"),
        ),
    ]
    assert rewrite(source, ops).counts == ((2, 0), (2, 1))


def test_a_statement_moves_with_its_comment_lines() -> None:
    source = b"def f():\n    a = 1\n    # about b\n    b(a)\n    if a:\n        c = 1\n    d = 1\n"
    move = Move((("body", 0), ("body", 1)), (("body", 0),), "body", 3)
    assert put(source, move, reason="why") == (
        b"def f():\n    a = 1\n    if a:\n        c = 1\n    # about b\n    b(a)\n    d = 1\n"
    )


def test_a_moved_statement_stands_off_a_block_as_the_next_one_does() -> None:
    source = b"a = 1\n# about b\nb(a)\nif a:\n    c = 1\n\n# about d\nd = 1\n"
    made = put(source, Move((("body", 1),), (), "body", 3), reason="why")
    assert made == b"a = 1\nif a:\n    c = 1\n\n# about b\nb(a)\n\n# about d\nd = 1\n"


def test_a_moved_statement_takes_on_the_indentation_of_its_new_block() -> None:
    source = b"a = 1\nif a:\n    c = 1\nelse:\n    d = 1\n"
    move = Move((("body", 0),), (("body", 1),), "orelse", 1)
    assert put(source, move, reason="why") == b"if a:\n    c = 1\nelse:\n    d = 1\n    a = 1\n"


def test_lines_added_and_removed_by_a_move_are_counted() -> None:
    source = b"x = 0\n# about a\na = 1\nb = 2\nc = 3\n"
    op = Op("f.py", HOOK, Move((("body", 1),), (), "body", 4), Reason.said("why"))
    made = rewrite(source, [op])
    assert made.new == b"x = 0\nb = 2\nc = 3\n# about a\na = 1\n"
    assert made.counts == ((2, 2),)


def test_a_text_that_a_change_makes_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of a rewritten file and who reads it afterwards share its tree."""
    old, read = b"here = 1\nparsed = here\n", list[bytes]()
    forget()
    real = ast.parse

    def counted(text: bytes) -> ast.Module:
        read.append(text)
        return real(text)

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", counted)
        made = rewrite_checked(old, [Op("f.py", HOOK, Insert((), "body", 2, "once = parsed"))])
        assert isinstance(made, Rewritten)
        assert isinstance(parse("f.py", made.new), Module)
    assert [text for text in read if b"once = parsed" in text] == [made.new]


def test_what_shares_its_line_does_not_move() -> None:
    with pytest.raises(CannotRewriteError, match="on one line"):
        put(b"a = 1; b = 2\nc = 3\n", Move((("body", 0),), (), "body", 3), reason="why")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (b"a = ['x', 'y']\n", b"a = ['x', 'y', 'z']\n"),
        (b"a = [\n    'x',\n    'y',\n]\n", b"a = [\n    'x',\n    'y',\n    'z',\n]\n"),
        (b"a = ('x', 'y')\n", b"a = ('x', 'y', 'z')\n"),
        (b"a = ['x']\n", b"a = ['x', 'z']\n"),
    ],
)
def test_elements_are_set_apart_as_their_neighbours(source: bytes, wanted: bytes) -> None:
    assert put(source, AddElements((("body", 0),), ("'z'",)), reason="why") == wanted


def test_elements_need_a_list() -> None:
    with pytest.raises(CannotRewriteError, match="list or tuple"):
        put(b"a = f(1)\n", AddElements((("body", 0),), ("2",)), reason="why")


def test_any_expression_of_a_header_can_be_read_otherwise() -> None:
    source = b'if a == "x":\n    b = a == "x"\n'
    rename = Rename((("body", 0),), 'a == "x"', 'a in ("x", "y")')
    assert put(source, rename, reason="why") == b'if a in ("x", "y"):\n    b = a == "x"\n'
