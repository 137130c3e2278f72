"""Real kits as the package index has them: the promises on their files, whole and mangled."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import FileChange, Source
from codemod.base.errors import EnvironmentFault
from codemod.base.patch.apply import apply_changes, revert
from codemod.engine import plan_change
from codemod.kits.catalogue import load_kits
from codemod.kits.sources.fetch import unpack

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

PACKAGED = sorted(name for name, kit in load_kits().items() if kit.package and kit.package.trainer)
MANGLES: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda raw: raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "BOM": lambda raw: b"\xef\xbb\xbf" + raw.removeprefix(b"\xef\xbb\xbf"),
    "no last newline": lambda raw: raw.rstrip(b"\r\n"),
    "GBK": lambda raw: b"# -*- coding: gbk -*-\n" + raw.decode().encode("gbk", "replace"),
    "nested": lambda raw: (
        b"if True:\n"
        + b"".join(
            (b"    " + line if line.strip() else line) for line in raw.splitlines(keepends=True)
        )
    ),
}


@pytest.fixture(scope="module", params=PACKAGED)
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """A kit's published package, unpacked."""
    known = load_kits()[request.param]
    assert known.package is not None
    into = tmp_path_factory.mktemp(request.param)
    unpack(known, known.package, into, EnvironmentFault("Not fetched by git here."))
    return Source(known.name, into / known.package.root, known.package.version, "package")


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*.py") if p.is_file()}


def test_the_promises_on_a_published_kit(kit: Source) -> None:
    before = snapshot(kit.root)
    change_set = plan_change(kit).change_set()
    assert change_set.hooks
    try:
        apply_changes(change_set, allow_dirty=True)
        after = snapshot(kit.root)
        for change in change_set.changes:
            assert after[change.path] == change.new
            parse(change)
        assert plan_change(kit).change_set().changes == ()
    finally:
        if change_set.changes:
            revert(kit)
    assert snapshot(kit.root) == before


@pytest.mark.parametrize("how", MANGLES)
def test_mangled_files_of_a_real_kit(kit: Source, tmp_path: Path, how: str) -> None:
    """The files that a hook goes into, in manners that editors and history leave behind."""
    changes = plan_change(kit).change_set().changes
    mangled = tmp_path / "kit"
    originals = {}
    for change in changes:
        target = mangled / change.path
        target.parent.mkdir(parents=True, exist_ok=True)
        originals[change.path] = MANGLES[how](change.old)
        target.write_bytes(originals[change.path])
    made = plan_change(Source(kit.kit, mangled, None)).change_set()
    for change in made.changes:
        parse(change)
        lost = Counter(originals[change.path].splitlines()) - Counter(change.new.splitlines())
        declared = sum(edit.lines_removed for edit in made.edits if edit.file == change.path)
        assert lost.total() <= declared
    for change in made.changes:
        (mangled / change.path).write_bytes(change.new)
    assert plan_change(Source(kit.kit, mangled, None)).change_set().changes == ()


def parse(change: FileChange) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(change.new)
