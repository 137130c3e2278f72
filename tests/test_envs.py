"""Environments: named by their content, and what is missing is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codemod import envs
from codemod.envs import EnvSpec, dockerfile, ensure, find_python
from codemod.errors import EnvironmentFault


def test_the_name_tells_the_content() -> None:
    plain = EnvSpec("2.6.2")
    assert plain.key.startswith("paddle2.6.2-py3.10-")
    assert len({plain.key, EnvSpec("3.3.1").key, EnvSpec("2.6.2", requirements=("a",)).key}) == 3
    assert EnvSpec("2.6.2", gpu=True).packages[0] == "paddlepaddle-gpu==2.6.2"


def test_this_python_is_found() -> None:
    found = find_python(f"{sys.version_info[0]}.{sys.version_info[1]}")
    assert found is not None
    assert Path(found).exists()
    assert find_python("2.1") is None


def test_a_ready_environment_is_used_as_it_is(tmp_path: Path) -> None:
    spec = EnvSpec("9.9.9")
    folder = tmp_path / spec.key
    folder.mkdir()
    (folder / ".ready").touch()
    assert ensure(spec, tmp_path) == folder / "bin" / "python"


def test_no_such_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "_uv", lambda: None)
    with pytest.raises(EnvironmentFault, match=r"no Python 2\.1 here"):
        ensure(EnvSpec("2.6.2", "2.1"), tmp_path)
    assert not list(tmp_path.glob("*/.ready"))


def test_dockerfile_holds_the_same_packages() -> None:
    spec = EnvSpec("2.6.2", requirements=("tqdm", "opencv-python-headless<4.12"))
    text = dockerfile(spec, "python:3.10-slim", "Trains a kit.")
    assert "ARG BASE=python:3.10-slim" in text
    assert all(f"'{name}'" in text for name in spec.packages)
