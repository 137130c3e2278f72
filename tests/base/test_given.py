"""What a kit's process wrote is read through no link, from no pipe, and never more than fits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from codemod.base import given
from codemod.base.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READERS: tuple[Callable[[Path], object], ...] = (
    lambda file: list(given.lines(file)),
    given.content,
    lambda file: given.tail(file, 7),
)


def _link(file: Path) -> None:
    file.with_name("outside").write_text("{}\n")
    file.symlink_to(file.with_name("outside"))


@pytest.mark.parametrize("make", [_link, os.mkfifo, os.mkdir])
@pytest.mark.parametrize("read", READERS)
def test_what_is_no_file_is_not_read(
    tmp_path: Path, make: Callable[[Path], None], read: Callable[[Path], object]
) -> None:
    make(tmp_path / "out")
    with pytest.raises(EnvironmentFault, match=r"cannot be read|is not a regular file"):
        read(tmp_path / "out")


@pytest.mark.parametrize("read", READERS)
def test_what_is_not_there_is_nothing(tmp_path: Path, read: Callable[[Path], object]) -> None:
    assert not read(tmp_path / "out")


@pytest.mark.parametrize("read", READERS[:2])
def test_what_is_larger_than_memory_may_take_is_not_read(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    file = tmp_path / "out"
    with file.open("wb") as stream:
        stream.truncate(2**34)
    with pytest.raises(EnvironmentFault, match=r"holds 17.2 GB, and no more than 1.1 GB"):
        read(file)


def test_the_end_of_what_is_larger_than_memory_is_read(tmp_path: Path) -> None:
    file = tmp_path / "log"
    with file.open("wb") as stream:
        stream.truncate(2**34)
        stream.seek(2**34)
        stream.write(b"the end")
    assert given.tail(file, 7) == "the end"


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a\xe2\x80\xa8b\n\nc\nd")
    assert list(given.lines(tmp_path / "out")) == [b"a\xe2\x80\xa8b", b"", b"c"]


@pytest.mark.parametrize("text", ["", "{", "\xff", "[" * 100_000, "NaN1"])
def test_what_is_not_json_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "out").write_bytes(text.encode("latin-1"))
    with pytest.raises(EnvironmentFault, match="is not of the form that is read"):
        given.content(tmp_path / "out")
