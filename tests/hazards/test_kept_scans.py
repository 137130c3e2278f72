"""Scans that were made before: the same outcome, and made anew where anything they read changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import codemod
from codemod.code.kept import forget
from codemod.code.tree import Tree
from codemod.hazards import kept_scans, scan_kit
from codemod.hazards.kept_scans import kept_scan
from codemod.kits import kept_results
from codemod.kits.config_rule import ConfigRule
from codemod.kits.kept_results import READ

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.hazards import ModelHazards

NET = """\
import paddle
SPARSE = True


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.table = paddle.nn.Embedding(10, 4, sparse=SPARSE)

    def forward(self, x):
        if x.mean() > 0:
            return x.numpy()
        return self.table(x).view([-1])
"""
RULE = ConfigRule((), model=("model",))
CONFIGS: dict[str, dict[str, Any]] = {"a.yml": {"model": "Net"}, "b.yml": {"model": "Net"}}


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit of one net; what is kept lies in a folder of the test's own, however short it took."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_results, "_SHORT_S", -1.0)
    root = tmp_path / "kit"
    root.mkdir()
    (root / "net.py").write_text(NET)
    return root


class Scans:
    """Counts the scans that are made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made = 0
        monkeypatch.setattr(kept_scans, "scan_kit", self)

    def __call__(self, *given: Any, **more: Any) -> tuple[ModelHazards, ...]:
        self.made += 1
        return scan_kit(*given, **more)


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> Scans:
    """The scans that are made from now on."""
    return Scans(monkeypatch)


def test_a_kept_scan_is_the_scan_that_was_made(kit: Path, scans: Scans) -> None:
    """Every field comes back, and nothing is scanned a second time."""
    made = scan_kit(Tree(kit), RULE, CONFIGS)
    assert made[0].found
    assert [kept_scan(Tree(kit), RULE, CONFIGS) for _ in range(3)] == [made] * 3
    assert scans.made == 1


@pytest.mark.parametrize("name", ["net.py", "more.py", "more.yaml", "more.yml"])
def test_a_scan_is_made_anew_for_other_texts(kit: Path, scans: Scans, name: str) -> None:
    """A file that changed, or that came, may say something else."""
    kept_scan(Tree(kit), RULE, CONFIGS)
    (kit / name).write_text(f"{NET}\n")
    kept_scan(Tree(kit), RULE, CONFIGS)
    assert scans.made == 2


def test_a_scan_is_made_anew_for_another_question(
    kit: Path, scans: Scans, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule, the configs with their order, what is told of them, and the tool's own code."""
    backwards = dict(reversed(CONFIGS.items()))
    other = {"a.yml": {"model": "Net", "deep": True}}
    for rule, configs in ((RULE, CONFIGS), (RULE, backwards), (RULE, other)):
        kept_scan(Tree(kit), rule, configs)
    kept_scan(Tree(kit), replace(RULE, nets=("model",)), CONFIGS)
    kept_scan(Tree(kit), RULE, CONFIGS, alike=False)
    monkeypatch.setattr(kept_results, "_CODE", b"another version")
    kept_scan(Tree(kit), RULE, CONFIGS)
    assert scans.made == 6


def test_an_editor_s_lock_is_no_part_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a link to nothing, `.#scan.py`, and stands there while somebody edits a module."""
    (tmp_path / "scan.py").write_text("")
    monkeypatch.setattr(codemod, "__file__", str(tmp_path / "__init__.py"))
    before = kept_results._code()
    (tmp_path / ".#scan.py").symlink_to("somebody@here")
    assert kept_results._code() == before


def test_what_is_damaged_is_made_again(kit: Path, tmp_path: Path, scans: Scans) -> None:
    """A file that was cut, or is of another form, says nothing."""
    made = kept_scan(Tree(kit), RULE, CONFIGS)
    (file,) = (tmp_path / "cache" / "codemod" / "scans").iterdir()
    torn = '{"occurrences": [], "found": [[3]], "models": [{}]}'
    for text in ("", "{", "[]", "[" * 100_000, torn):
        file.write_text(text)
        assert kept_scan(Tree(kit), RULE, CONFIGS) == made
    assert scans.made == 6


def test_the_oldest_go(kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow without end."""
    monkeypatch.setattr(kept_results, "_MOST", 2)
    for deep in range(4):
        kept_scan(Tree(kit), RULE, {"a.yml": {"model": "Net", "deep": deep}})
    assert len([*(tmp_path / "cache" / "codemod" / "scans").iterdir()]) == 2


def test_a_scan_reads_nothing_beside_what_its_digest_is_of(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a scan could be kept that something has changed since."""
    forget()
    (kit / "notes.txt").write_text("SPARSE: true")
    read: set[str] = set()
    listed: set[str | tuple[str, ...]] = set()
    of_path, of_suffix = Tree.read, Tree.paths

    def reading(tree: Tree, path: str) -> bytes:
        read.add(path)
        return of_path(tree, path)

    def listing(tree: Tree, suffix: str | tuple[str, ...] = "") -> list[str]:
        listed.add(suffix)
        return of_suffix(tree, suffix)

    monkeypatch.setattr(Tree, "read", reading)
    monkeypatch.setattr(Tree, "paths", listing)
    scan_kit(Tree(kit), RULE, CONFIGS)
    assert read
    assert all(path.endswith(READ) for path in read)
    assert {one for s in listed for one in ((s,) if isinstance(s, str) else s)} <= {*READ}
