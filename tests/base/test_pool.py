"""Work beside this process: done elsewhere, its failures told here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from codemod.base.launch import pool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("cores", [1, 2])
def test_the_work_is_done_when_the_body_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    file = tmp_path / "pid"

    def notes() -> None:
        file.write_text(str(os.getpid()))

    with pool.beside(notes):
        pass
    assert (file.read_text() == str(os.getpid())) is (cores == 1)


def test_what_the_work_raises_is_raised_here_and_nothing_printed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)

    def fails() -> None:
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"), pool.beside(fails):
        pass
    assert capfd.readouterr().err == ""
