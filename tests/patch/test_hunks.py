from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemod.base.changeset import FileChange
from codemod.base.patch.hunks import compose, counts, hunks_of, old_line, split_lines

LINES = st.lists(st.sampled_from([b"a\n", b"b\r\n", b"\n", b"    c\n", b"\x0c\n", b"\xff\n"]))


def change(old: bytes, new: bytes) -> FileChange:
    return FileChange("train.py", old, new)


@given(LINES, LINES, st.sampled_from([b"", b"end"]), st.sampled_from([b"", b"end"]))
def test_all_hunks_together_are_the_change(
    old: list[bytes], new: list[bytes], old_tail: bytes, new_tail: bytes
) -> None:
    whole = change(b"".join(old) + old_tail, b"".join(new) + new_tail)
    assert compose(whole.old, hunks_of(whole)) == whole.new


@given(LINES, LINES)
def test_hunks_say_where_they_stand_in_the_new_file(old: list[bytes], new: list[bytes]) -> None:
    whole = change(b"".join(old), b"".join(new))
    after = split_lines(whole.new)
    for hunk in hunks_of(whole):
        assert tuple(after[hunk.new_start : hunk.new_stop]) == hunk.new


def test_only_line_feeds_end_a_line() -> None:
    assert split_lines(b"a\rb\x0cc\r\nd") == [b"a\rb\x0cc\r\n", b"d"]


def test_a_block_that_may_stand_at_several_lines_is_found_at_one() -> None:
    old = b"x\n\ny\n"
    once = hunks_of(change(old, b"x\n\nnew\n\ny\n"))
    with_more = hunks_of(change(old, b"x\n\nnew\n\ny\nmore\n"))
    assert once[0] == with_more[0]
    assert once[0].start == 1


def test_counts_and_lines_held() -> None:
    hunks = hunks_of(change(b"a\nb\nc\n", b"a\nB\nB\nc\nd\n"))
    assert counts(hunks) == (3, 1)
    assert [hunks[0].holds(line) for line in (1, 2, 3, 4)] == [False, True, True, False]
    assert not hunks[0].holds(None)


def test_a_hunk_that_does_not_fit_is_refused() -> None:
    import pytest

    hunk = hunks_of(change(b"a\nb\n", b"a\nc\n"))[0]
    with pytest.raises(ValueError, match="does not fit"):
        compose(b"a\nx\n", [hunk])


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        (b"a\nx\ny\nb\nc\nd\n", [1, 1, 1, 2, 3, 4]),  # what is put in counts as the line before
        (b"x\na\nb\nc\nd\n", [1, 1, 2, 3, 4]),
        (b"a\nB\nx\nc\nd\n", [1, 2, 2, 3, 4]),
        (b"a\nx\nb\nc\ny\nd\n", [1, 1, 2, 3, 3, 4]),
        (b"b\nc\nd\n", [2, 3, 4]),
        (b"a\nc\nd\n", [1, 3, 4]),  # what is taken out moves what follows alone
        (b"a\nd\n", [1, 4]),
        (b"a\nb\nc\n", [1, 2, 3]),
    ],
)
def test_old_lines(new: bytes, lines: list[int]) -> None:
    hunks = hunks_of(FileChange("f", b"a\nb\nc\nd\n", new))
    assert [old_line(hunks, number) for number in range(1, len(lines) + 1)] == lines
