"""The way to a GPU without one: a stand-in for the driver, and an index of small wheels.

The wheel of `paddlepaddle-gpu` holds a module `paddle` that says it has CUDA, so everything up to
the device's choice is what a user's machine would do, by real processes.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import EnvironmentFault
from codemod.base.files.data_folder import data_path
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.training.environment import environments as envs
from codemod.training.environment.cards import cards
from codemod.training.environment.devices import Build, choose, cuda_build, read_build
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.environment.wheels import CPU, GPU, find_wheel, in_folder
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from tests.training.small_wheels import add_wheel, served, was_made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
PADDLE = (
    "__version__ = '3.3.1'\n"
    "def is_compiled_with_cuda():\n    return True\n"
    "class version:\n"
    "    cuda_archs = staticmethod(lambda: [80, 90])\n"
    "    cuda = staticmethod(lambda: '12.6')\n"
)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """An index on this machine that has paddlepaddle-gpu 3.3.1; its folder is `tmp_path/index`."""
    add_wheel(
        tmp_path / "index/paddlepaddle-gpu", "paddlepaddle-gpu", "3.3.1", {"paddle.py": PADDLE}
    )
    with served(tmp_path / "index") as address:
        yield address


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one H100, and no index for the kit's other packages but a folder of wheels."""
    program = tmp_path / "bin" / "nvidia-smi"
    program.parent.mkdir()
    told = "0, GPU-1, NVIDIA H100, 9.0, 550.54.15, 81559, 4, Disabled"
    program.write_text(f"#!/bin/sh\necho '{told}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    was_made(tmp_path / "cache/codemod/envs")
    monkeypatch.setattr(envs, "_uv", lambda: None)
    for name, version in (("numpy", "1.26.0"), ("setuptools", "80.0.0"), ("kitneeds", "1.0")):
        add_wheel(tmp_path / "wheels", name, version)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))


@pytest.mark.slow
def test_from_the_card_to_the_device(
    index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    here = cards()
    cuda = cuda_build("gpu", "3.3.1", here, index)
    # The index serves Paddle alone; what else is asked of it would fail, and is not.
    monkeypatch.setenv("PIP_INDEX_URL", index)
    spec = EnvSpec("3.3.1", PYTHON, ("kitneeds",), cuda)
    was_made(tmp_path / "envs")
    python = ensure(spec, tmp_path / "envs")
    build = read_build(python)
    assert (build.version, build.cuda, build.archs) == ("3.3.1", True, (80, 90))
    assert choose("gpu", build, here) == choose("auto", build, here) == "gpu:0"
    assert "kB and CUDA's libraries" in capfd.readouterr().err
    assert spec.key != EnvSpec("3.3.1", PYTHON, ("kitneeds",)).key


@pytest.mark.slow
def test_half_made_and_without_a_network(tmp_path: Path) -> None:
    folder = tmp_path / "wheels"
    add_wheel(folder, "paddlepaddle-gpu", "3.3.1", {"paddle.py": PADDLE})
    spec = EnvSpec("3.3.1", PYTHON, ("kitneeds",), cuda_build("gpu", "3.3.1", cards()), str(folder))
    was_made(tmp_path / "envs")
    # As a run that was killed left it.
    half = tmp_path / "envs" / spec.key
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "python").symlink_to(sys.executable)
    (half / "left-over").touch()
    assert read_build(ensure(spec, tmp_path / "envs")).cuda
    assert not (half / "left-over").exists()
    assert (half / ".ready").exists()
    with pytest.raises(EnvironmentFault, match=r"has no paddlepaddle-gpu 3\.2\.2") as missing:
        in_folder(folder, GPU, "3.2.2", PYTHON)
    assert "It has 3.3.1" in missing.value.remedy


def test_a_folder_without_the_wheel_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "wheels"
    with pytest.raises(EnvironmentFault, match=r"has no paddlepaddle 3\.3\.1 for") as missing:
        ensure(EnvSpec("3.3.1", PYTHON, wheels=str(folder)), tmp_path / "envs")
    assert missing.value.remedy == "Put it there, or name another folder by --wheels."
    # That of the other build is not it, in either direction.
    add_wheel(folder, "paddlepaddle-gpu", "3.3.1", {"paddle.py": PADDLE})
    with pytest.raises(EnvironmentFault, match="has no paddlepaddle 3"):
        in_folder(folder, CPU, "3.3.1", PYTHON)
    add_wheel(folder, "paddlepaddle", "3.3.1", {"paddle.py": PADDLE})
    in_folder(folder, CPU, "3.3.1", PYTHON)
    assert not list((tmp_path / "envs").glob("*/bin"))


def test_what_is_nowhere_is_said_before_a_full_disk(tmp_path: Path) -> None:
    root = tmp_path / "envs"
    was_made(root, 1 << 60)
    cuda = cuda_build("gpu", "3.3.1", cards())
    spec = EnvSpec("3.3.1", PYTHON, (), cuda, str(tmp_path / "wheels"))
    with pytest.raises(EnvironmentFault, match=r"has no paddlepaddle-gpu 3\.3\.1"):
        ensure(spec, root)
    add_wheel(tmp_path / "wheels", "paddlepaddle-gpu", "3.3.1", {"paddle.py": PADDLE})
    with pytest.raises(EnvironmentFault, match="Free some"):
        ensure(spec, root)


def test_what_an_index_does_not_have_is_said_before_anything_is_made(
    index: str, tmp_path: Path
) -> None:
    assert find_wheel(index, "3.3.1", PYTHON)
    with pytest.raises(EnvironmentFault, match=r"has no Paddle 3\.2\.2") as missing:
        find_wheel(index, "3.2.2", PYTHON)
    assert missing.value.remedy == "It has 3.3.1: use --paddle."
    with pytest.raises(EnvironmentFault, match="cannot be read"):
        find_wheel("http://127.0.0.1:9/", "3.3.1", PYTHON)
    cuda = cuda_build("gpu", "3.2.2", cards(), index)
    with pytest.raises(EnvironmentFault, match=r"has no Paddle 3\.2\.2"):
        ensure(EnvSpec("3.2.2", PYTHON, cuda=cuda), tmp_path / "envs")
    assert not list((tmp_path / "envs").glob("*/bin"))


def test_a_python_that_the_index_lacks_is_said(index: str, tmp_path: Path) -> None:
    folder = tmp_path / "index" / "paddlepaddle-gpu"
    (found,) = folder.iterdir()
    found.rename(folder / "paddlepaddle_gpu-3.3.1-cp312-cp312-linux_x86_64.whl")
    with pytest.raises(EnvironmentFault, match=r"for Python 3\.10") as missing:
        find_wheel(index, "3.3.1", "3.10")
    assert "for cp312: use one of these Pythons" in missing.value.remedy
    (folder / "paddlepaddle_gpu-3.3.1-cp310-cp310-win_amd64.whl").touch()
    with pytest.raises(EnvironmentFault, match=r"for Python 3\.10"):
        find_wheel(index, "3.3.1", "3.10")
    assert find_wheel(index, "3.3.1", "3.12")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["--paddle", "2.6.2"],
            3,
            "kernels for sm_61, sm_70, sm_75, sm_80, sm_86, and the card is",
        ),
        (["--paddle", "3.3.1", "--index", "cu42"], 2, "`cu42` is no index of Paddle"),
        (["--paddle", "3.3.1", "--index", "http://127.0.0.1:9/"], 3, "cannot be read"),
    ],
)
def test_messages(
    words: list[str], code: int, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["env", "PaddleRec", "--gpu", *words]) == code
    told = capfd.readouterr().err.strip()
    assert message in told
    assert "\n" not in told


def test_auto_says_why_an_environment_is_for_the_cpu(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["env", "PaddleRec", "--paddle", "2.6.2", "--wheels", str(tmp_path / "bin")]
    assert run(words) == 3
    note, refusal = capfd.readouterr().err.strip().splitlines()
    assert note.startswith("For the CPU: no build of Paddle 2.6.2 runs on NVIDIA H100, card 0:")
    assert "Use --paddle" in note
    assert "has no paddlepaddle 2.6.2" in refusal
    assert run([*words, "--device", "cpu"]) == 3
    assert "For the CPU" not in capfd.readouterr().err


def test_a_dockerfile_names_the_index(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["env", "PaddleRec", "--gpu", "--dockerfile", "--paddle", "3.3.1"]) == 0
    text = capfd.readouterr().out
    assert "3.3.1-gpu-cuda12.6-cudnn9.5" in text
    assert run(["env", "PaddleRec", "--json", "--dockerfile"]) == 0
    assert "FROM" in json.loads(capfd.readouterr().out)["dockerfile"]


def state_index(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Our kits.yaml as a user's, with an index for all kits."""
    known = data_path("kits.yaml").read_text(encoding="utf-8")
    (folder / "data").mkdir()
    (folder / "data" / "kits.yaml").write_text(f"index: {text}\n{known}", encoding="utf-8")
    monkeypatch.setenv("CODEMOD_DATA", str(folder / "data"))


def test_the_option_goes_before_the_variable_that_before_kits_yaml_and_that_before_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = ["env", "PaddleRec", "--gpu", "--dockerfile", "--paddle", "3.3.1"]

    def told(*words: str) -> str:
        assert run([*asked, *words]) == 0
        return capfd.readouterr().out

    assert "--index-url" not in told()
    state_index(tmp_path, monkeypatch, "cu126")
    assert "--index-url https://www.paddlepaddle.org.cn/packages/stable/cu126/ " in told()
    assert "ARG BASE=python:3.10-slim\n" in told()
    monkeypatch.setenv("CODEMOD_PADDLE_INDEX", "cu129")
    assert "/stable/cu129/ " in told()
    assert "--index-url http://127.0.0.1:9/ " in told("--index", "http://127.0.0.1:9/")


def test_a_training_takes_the_index_of_kits_yaml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_index(tmp_path, monkeypatch, "http://127.0.0.1:9/")
    (tmp_path / "launch.yaml").write_text("argv: [train.py]\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "small").touch()
    spec = RunSpec(
        "mine", "small", 3, device="gpu", paddle="3.3.1", launch=tmp_path / "launch.yaml"
    )
    source, place = Source(None, tmp_path / "mine", None), Workspace.at(tmp_path / "ws")
    with pytest.raises(EnvironmentFault, match=r"index http://127\.0\.0\.1:9/paddlepaddle-gpu/"):
        prepare(spec, source, place)


def test_auto_says_why_the_named_index_leaves_a_card_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert cuda_build("auto", "3.2.2", cards(), "cu118") is None
    assert choose("auto", Build("3.2.2", False, ()), cards(), "cu118") == "cpu"
    assert "the build for CUDA 11.8 has kernels for sm_61" in capfd.readouterr().err
