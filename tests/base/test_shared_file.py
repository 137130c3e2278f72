"""Files that several processes write: faults told, nothing lost, names checked."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.shared_file import (
    bad_name,
    bad_path,
    export,
    held,
    lines_of,
    more_log,
    new_log,
    put_aside,
    read_bytes,
    remove,
    replace_file,
)


def test_lines_end_at_line_feeds_alone() -> None:
    text = "a\u2028b\u0085c\x0bd\re\nf"
    assert [line.text for line in lines_of(text.encode())] == ["a\u2028b\u0085c\x0bd\re", "f"]
    first, second = lines_of(b"\xff\nok\n")
    assert (first.fault, first.text, second.text) == ("it is not UTF-8", "", "ok")


def test_a_missing_file_is_none_and_a_folder_is_a_fault(tmp_path: Path) -> None:
    assert read_bytes(tmp_path / "none") is None
    with pytest.raises(EnvironmentFault, match="not a regular file"):
        read_bytes(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(EnvironmentFault, match="not a regular file"):
        read_bytes(tmp_path / "pipe")


def test_a_file_is_replaced_with_its_mode_and_nothing_is_left(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    replace_file(file, b"one")
    file.chmod(0o640)
    replace_file(file, b"two")
    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["rows"]


def test_what_cannot_be_written_is_said_and_is_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    file.mkdir()
    (file / "inside").touch()
    with pytest.raises(EnvironmentFault, match=r"cannot be written .* it is as it was"):
        replace_file(file, b"two")
    assert [one.name for one in tmp_path.iterdir()] == ["rows"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(EnvironmentFault, match="cannot be made"),
        held(tmp_path / "file" / "x" / "rows"),
    ):
        pass


def test_a_damaged_file_is_put_aside_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    names = set()
    for content in (b"one", b"two", b"one"):
        file.write_bytes(content)
        aside = put_aside(file)
        assert aside.read_bytes() == content and not file.exists()
        names.add(aside.name)
    assert len(names) == 2 and all(name.startswith("rows.jsonl.damaged-") for name in names)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "a\0", "a\nb", "a\u2028b", "a\x85", "x" * 201]
)
def test_names_that_are_no_file_s(name: str) -> None:
    assert bad_name(name)


def test_names_and_paths_that_are_good() -> None:
    assert [bad_name(name) for name in ("PaddleSeg", "my kit (1)", "套件", ".hidden")] == [""] * 4
    assert [bad_path(path) for path in ("a/b.yml", "a..b/c", "配置.yml")] == [""] * 3
    assert all(map(bad_path, ("", "/etc/x", "a/../b", "..", "a\0", "a\u2029b")))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which a link in it leaves for a folder outside."""
    folder = tmp_path / "here"
    folder.mkdir()
    (tmp_path / "outside").mkdir()
    (folder / "link").symlink_to(tmp_path / "outside")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("name", ["link/page", "link/deep/page", "{here}/link/page"])
def test_an_export_follows_no_link_below_the_current_folder(here: Path, name: str) -> None:
    file = Path(name.format(here=here))
    with pytest.raises(UsageError, match=r"link is a symbolic link"):
        export(file, b"a")
    with pytest.raises(UsageError, match=r"link is a symbolic link"):
        remove(file)
    with pytest.raises(OSError, match="Not a directory"):
        new_log(file)
    assert not list((here.parent / "outside").iterdir())


def test_an_export_makes_its_folders_and_replaces_a_link(here: Path) -> None:
    kept = here.parent / "outside" / "kept"
    kept.write_bytes(b"kept")
    (here / "page").symlink_to(kept)
    for name in ("page", "made/deep/page"):
        export(Path(name), b"a")
        assert (here / name).read_bytes() == b"a"
        assert not (here / name).is_symlink()
    assert kept.read_bytes() == b"kept"
    export(here.parent / "elsewhere" / "page", b"a")
    remove(here / "page")
    assert sorted(one.name for one in here.iterdir()) == ["link", "made"]


def test_an_export_is_no_pipe_socket_or_folder(here: Path) -> None:
    os.mkfifo("pipe")
    # No device of the system's: without the guard this very test would replace it.
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        for place in ("pipe", "socket", "."):
            with pytest.raises(UsageError, match="is not a regular file"):
                export(Path(place), b"a")
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    assert stat.S_ISSOCK(Path("socket").stat().st_mode)


def test_a_log_is_a_new_file(here: Path) -> None:
    kept = here.parent / "outside" / "kept"
    kept.write_bytes(b"kept")
    (here / "log").symlink_to(kept)
    with pytest.raises(OSError, match="symbolic links"):
        more_log(here / "log")
    with new_log(here / "log") as log:
        log.write(b"one")
    with more_log(here / "log") as log:
        log.write(b", two")
    assert (here / "log").read_bytes() == b"one, two"
    assert kept.read_bytes() == b"kept"
