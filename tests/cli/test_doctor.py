"""`codemod doctor` looks at the machine, and a checkout's own folder is a target."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path


def found(capfd: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    assert run(["doctor", "--json"]) == 0
    return {one["name"]: one for one in json.loads(capfd.readouterr().out)["checks"]}


def test_what_is_here(capfd: pytest.CaptureFixture[str]) -> None:
    told = found(capfd)
    assert told["git"]["good"]
    assert str(told["git"]["found"]).startswith("git version")
    assert told["python"]["found"] == ".".join(map(str, sys.version_info[:3]))


def test_what_is_lacking_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CODEMOD_MIRROR", str(tmp_path / "gone"))
    told = found(capfd)
    lacking = {name for name, one in told.items() if not one["good"]}
    assert {"git", "uv", "gh", "gpu", "environments", "mirror"} <= lacking
    assert all(told[name]["remedy"] for name in lacking)
    assert run(["doctor"]) == 0
    said = capfd.readouterr().out
    assert "lacks git" in said
    assert "Install git." in said


def test_a_checkout_is_the_target_of_what_is_run_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "PaddleGAN"
    (root / "ppgan" / "engine").mkdir(parents=True)
    (root / "README.md").touch()
    (root / "ppgan" / "engine" / "trainer.py").write_text("import paddle\n")
    monkeypatch.chdir(root / "ppgan" / "engine")
    assert run(["check", "--json"]) in (0, 1)
    told = json.loads(capfd.readouterr().out)
    assert told["kit"] == "PaddleGAN"
    assert run(["revert"]) == 0
    assert str(root) in capfd.readouterr().out


@pytest.mark.parametrize("words", [["diff"], ["fix"], ["revert"], ["check"], ["env"]])
def test_elsewhere_a_target_is_asked_for(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    assert "the current folder is in no checkout of a kit" in capfd.readouterr().err
