"""Nothing that lies in the current folder is run, in whatever folder the tool is started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.attack.current_folder import step

pytestmark = pytest.mark.slow

TOP = Path(__file__).parent.parent.parent
MODULES = (
    *("venv", "pip", "uv", "paddle", "sitecustomize", "usercustomize", "sysconfig", "click"),
    *("codemod", "json", "subprocess", "ctypes", "box_inside", "yaml", "libcst", "encodings"),
)
PROGRAMS = ("git", "uv", "python3.10", "python", "gh", "nvidia-smi", "pip")


@pytest.fixture
def hostile(tmp_path: Path, minikit: Path) -> Path:
    """A folder with a small kit, full of modules and programs that leave a mark when they run."""
    mark = tmp_path / "mark"
    for name in MODULES:
        (minikit / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write({name!r} + ' ')\n")
    for name in PROGRAMS:
        (minikit / name).write_text(f"#!/bin/sh\necho program-{name} >> {mark}\nexit 1\n")
        (minikit / name).chmod(0o755)
    (minikit / "evil.pth").write_text(f"import os; os.system('echo pth >> {mark}')\n")
    return minikit


def ran(hostile: Path) -> str:
    mark = hostile.parent / "mark"
    return mark.read_text() if mark.exists() else ""


def started(hostile: Path, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        # Empty and relative entries mean the current folder.
        "PATH": f".::{path or os.environ['PATH']}",
        "XDG_CACHE_HOME": str(hostile.parent / "cache"),
        "PIP_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_NO_INDEX": "1",
    }
    command = [sys.executable, "-I", "-m", "codemod", *words]
    return subprocess.run(
        command, cwd=hostile, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    [
        ("kits",),
        ("diff", "."),
        ("apply", ".", "--dry-run"),
        ("apply", "."),
        ("revert", "."),
        ("check", "PaddleSeg", "--path", "."),
        ("survey", "PaddleSeg", "--path", "."),
        ("fix", "PaddleSeg", "--path", "."),
        ("branch", "PaddleSeg", "--path", "."),
        ("probe", "PaddleSeg", "--path", ".", "--count", "1", "--python", sys.executable),
        ("parity", "PaddleSeg", "--path", ".", "--python", sys.executable),
        ("spec", "PaddleSeg", "--path", ".", "--python", sys.executable),
        ("rules", "list"),
        ("report",),
        # As below, but with uv where there is one.
        pytest.param(("env", "PaddleSeg"), marks=pytest.mark.slow),
    ],
    ids=lambda words: words[0],
)
def test_no_command_runs_what_lies_there(hostile: Path, words: tuple[str, ...]) -> None:
    done = started(hostile, *words)
    assert "Traceback" not in done.stderr
    assert ran(hostile) == ""


@pytest.mark.slow
def test_an_environment_without_uv_is_made_by_no_module_of_the_folder(
    hostile: Path, tmp_path: Path
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3.10").symlink_to(sys.executable)
    started(hostile, "env", "PaddleSeg", path=f"{tools}:/usr/bin:/bin")
    assert ran(hostile) == ""


def test_these_modules_would_run(hostile: Path) -> None:
    command = [sys.executable, "-m", "codemod", "kits"]
    subprocess.run(command, cwd=hostile, capture_output=True, check=False)
    assert ran(hostile)


def test_the_action_s_check_runs_nothing_of_the_pull_request(hostile: Path) -> None:
    done = step(hostile, "check.sh", hostile.parent / "runner")
    assert ran(hostile) == "", done.stderr
    assert done.returncode in (0, 2), done.stderr


@pytest.mark.slow
def test_the_action_s_installation_runs_nothing_of_the_pull_request(hostile: Path) -> None:
    done = step(hostile, "install.sh", hostile.parent / "runner")
    assert ran(hostile) == ""
    assert "No matching distribution" in done.stderr or done.returncode == 0, done.stderr


def test_the_action_runs_scripts_that_stand_elsewhere_alone() -> None:
    text = (TOP / "action.yml").read_text()
    runs = [line.split("run:")[1].strip() for line in text.splitlines() if "run:" in line]
    assert runs
    assert all(run.startswith("'\"$GITHUB_ACTION_PATH/action/") for run in runs)
