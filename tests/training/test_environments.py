"""Environments: named by their content, and what is missing is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codemod.base.errors import EnvironmentFault
from codemod.cli.main import run
from codemod.training.environment import environments as envs
from codemod.training.environment.devices import build_for_image
from codemod.training.environment.environments import EnvSpec, dockerfile, ensure, find_python
from codemod.training.recipes import known_kits
from tests.training.small_wheels import add_wheel, was_made


def test_the_name_tells_the_content() -> None:
    plain = EnvSpec("2.6.2")
    assert plain.key.startswith("paddle2.6.2-py3.10-")
    assert len({plain.key, EnvSpec("3.3.1").key, EnvSpec("2.6.2", requirements=("a",)).key}) == 3
    assert EnvSpec("2.6.2", cuda=build_for_image("2.6.2")).packages[0] == "paddlepaddle-gpu==2.6.2"


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


@pytest.mark.slow
def test_an_environment_that_failed_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(envs, "_uv", lambda: None)
    wheels = tmp_path / "wheels"
    was_made(tmp_path / "envs", kind="")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    add_wheel(wheels, "paddlepaddle", "9.9.9")
    add_wheel(wheels, "setuptools", "80.0")
    spec = EnvSpec("9.9.9", f"{sys.version_info[0]}.{sys.version_info[1]}")
    with pytest.raises(EnvironmentFault, match="Installing Paddle"):
        ensure(spec, tmp_path / "envs")
    half = tmp_path / "envs" / spec.key
    assert (half / "bin" / "python").exists()
    (half / "left-over").touch()
    add_wheel(wheels, "numpy", "1.0")
    python = ensure(spec, tmp_path / "envs")
    subprocess.run([python, "-c", "import paddlepaddle, numpy"], check=True)
    assert not (half / "left-over").exists()
    assert (half / ".ready").exists()


def test_no_such_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "_uv", lambda: None)
    with pytest.raises(EnvironmentFault, match=r"no Python 2\.1 here"):
        ensure(EnvSpec("2.6.2", "2.1"), tmp_path)
    assert not list(tmp_path.glob("*/.ready"))


def test_dockerfile_is_on_the_official_image_which_holds_paddle() -> None:
    spec = EnvSpec("2.6.2", requirements=("tqdm", "opencv-python-headless<4.12"))
    text = dockerfile(spec, "Trains a kit.")
    assert "ARG BASE=paddlepaddle/paddle:2.6.2\n" in text
    assert all(f"'{name}'" in text for name in spec.packages[1:])
    assert "'paddlepaddle==2.6.2'" not in text
    assert "assert paddle.__version__ == '2.6.2'" in text
    gpu = dockerfile(EnvSpec("3.0.0", cuda=build_for_image("3.0.0")), "Trains a kit.")
    assert "ARG BASE=paddlepaddle/paddle:3.0.0-gpu-cuda11.8-cudnn8.9-trt8.6\n" in gpu


def test_slim_dockerfile_brings_paddle() -> None:
    spec = EnvSpec("3.3.1", requirements=("tqdm",))
    text = dockerfile(spec, "Trains a kit.", slim=True)
    assert "ARG BASE=python:3.10-slim" in text
    assert all(f"'{name}'" in text for name in spec.packages)


@pytest.mark.parametrize("kit", known_kits())
def test_every_recipe_has_a_dockerfile(kit: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["env", kit, "--dockerfile"]) == 0
    assert "\nFROM ${BASE}\n" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["PaddleX"], 2, "PaddleX"),
        (["PaddleRec", "--slim"], 2, "--slim goes with --dockerfile"),
        (["PaddleRec", "--gpu"], 3, "There is no GPU 0 here: no nvidia-smi is on the PATH"),
    ],
)
def test_messages(
    words: list[str],
    code: int,
    message: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert run(["env", *words]) == code
    told = capfd.readouterr().err.strip()
    assert message in told
    assert "\n" not in told
