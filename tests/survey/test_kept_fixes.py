"""What proved fixes make of configs, in a survey: found once, and anew where a proof or a text is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.judging.evidence.fix_proofs import Dynamic
from codemod.kits import kept_results
from codemod.work import Request, fixing, survey
from tests.fixes.test_fix import NETS, VIEW, kit, proved

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kit"]


@pytest.fixture
def looked(
    kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Path], Workspace]:
    """The trees whose offers were looked for, and a workspace with proofs of one config's fix."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_results, "_SHORT_S", -1.0)
    workspace = Workspace.at(tmp_path / "ws")
    proved(kit, workspace)
    found: list[Path] = []
    real = fixing.proved_offers

    def looking(source: Source, *more: object) -> tuple[object, ...]:
        found.append(source.root)
        return real(source, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(fixing, "proved_offers", looking)
    return found, workspace


def fixed(kit: Path, workspace: Workspace) -> list[tuple[str, str]]:
    """The configs and modes that pass by a fix."""
    rows = survey(Request("MendKit", kit, workspace=workspace.root)).rows
    return sorted({(one.config, one.mode) for row in rows for one in row.fixed})


def test_they_are_found_once_for_the_same_texts_and_proofs(
    kit: Path, looked: tuple[list[Path], Workspace]
) -> None:
    found, workspace = looked
    shown = [(VIEW, "ast"), (VIEW, "sot")]
    assert [fixed(kit, workspace) for _ in range(3)] == [shown] * 3
    assert len(found) == 1


def test_a_new_proof_and_a_new_text_count_at_once(
    kit: Path, looked: tuple[list[Path], Workspace]
) -> None:
    found, workspace = looked
    assert fixed(kit, workspace)
    proved(kit, workspace, dynamic=Dynamic.DIFFERS)
    assert fixed(kit, workspace) == []
    proved(kit, workspace)
    assert fixed(kit, workspace)
    text = (kit / NETS).read_text()
    (kit / NETS).write_text(f"{text}# more\n")
    assert fixed(kit, workspace) == [], "the proofs are of another text"
    (kit / NETS).write_text(text)
    assert fixed(kit, workspace)
    assert len(found) == 3, "of the first proofs and text it was kept"
