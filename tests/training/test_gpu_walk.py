"""A user's whole way to a GPU without one, by real processes: card, environment, training, report.

`nvidia-smi` is a stand-in, and so is the wheel of `paddlepaddle-gpu` on an index of ours: it finds
the CPU build where the tests keep it, and says that it was built with CUDA. What is trained with
it computes on the CPU, which is what must be noticed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.parity.conftest import paddle_python
from tests.parity.test_cli_parity import minikit
from tests.training.changed_paddle import changed_paddle
from tests.training.small_wheels import add_wheel, served, was_made

if TYPE_CHECKING:
    from pathlib import Path

H100 = "0, GPU-1, NVIDIA H100, 9.0, 550.54.15, 81559, 4, Disabled"
CLAIMS_CUDA = changed_paddle("""
    paddle.is_compiled_with_cuda = lambda: True
    paddle.version.cuda_archs = lambda: [80, 90]
    paddle.version.cuda = lambda: "12.6"
    paddle.framework.random.core.get_cuda_device_count = lambda: 0
    paddle.device.synchronize = lambda *_: None
    paddle.device.cuda.max_memory_allocated = lambda *_: 0
""")


class Machine:
    """A machine whose `nvidia-smi` says what it is told to, and `codemod` on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir()
        self.says(H100)
        was_made(folder / "cache/codemod/envs")
        self.env = {
            **{name: value for name, value in os.environ.items() if "CUDA_VIS" not in name},
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PIP_FIND_LINKS": str(folder / "wheels"),
            "UV_FIND_LINKS": str(folder / "wheels"),
        }

    def says(self, *lines: str, code: int = 0) -> None:
        """What `nvidia-smi` prints from now on, and its exit code."""
        program = self.folder / "bin" / "nvidia-smi"
        told = "".join(f"echo '{line}'\n" for line in lines)
        program.write_text(f"#!/bin/sh\n{told}exit {code}\n")
        program.chmod(0o755)

    def codemod(self, *words: str, **env: str) -> tuple[int, str, str]:
        """The exit code of a command, and what it printed and complained of."""
        done = subprocess.run(
            [sys.executable, "-m", "codemod", *words],
            env={**self.env, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr.strip()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """It has one H100."""
    return Machine(tmp_path)


def equip(folder: Path) -> None:
    """A kit, an index with paddlepaddle-gpu at `index`, and wheels of what Paddle needs."""
    cpu = paddle_python("3.3.1").parents[1]
    (site,) = cpu.glob("lib/python3*/site-packages")
    files = {"standin.pth": f"{site}\nimport claims_cuda\n", "claims_cuda.py": CLAIMS_CUDA}
    add_wheel(folder / "index/paddlepaddle-gpu", "paddlepaddle-gpu", "3.3.1", files)
    # They are installed with the CPU build; these hold nothing that would hide it.
    for name, version in (("numpy", "1.26.0"), ("setuptools", "80.0.0")):
        add_wheel(folder / "wheels", name, version, {f"{name}_is_elsewhere.py": ""})
    minikit(folder)
    with (folder / "launch.yaml").open("a") as recipe:
        recipe.write(f'python: "{site.parent.name.removeprefix("python")}"\n')


@pytest.mark.slow
def test_what_computed_elsewhere_is_not_published_as_a_gpu_s(machine: Machine) -> None:
    folder = machine.folder
    equip(folder)
    common = ["--launch", str(folder / "launch.yaml"), "--workspace", str(folder / "ws")]
    words = ["parity", str(folder / "minikit"), "-c", "gated", "--modes", "ast", *common]
    words += ["--device", "gpu", "--paddle", "3.3.1", "--json"]
    with served(folder / "index") as address:
        words += ["--index", address]
        code, out, err = machine.codemod(*words, "--steps", "3", "--no-controls")
        assert code == 1, err
        assert "Making the environment: Paddle 3.3.1 for CUDA as the index has it" in err
        assert "Training on GPU 0: NVIDIA H100, card 0." in err
        told: dict[str, Any] = json.loads(out)
        assert told["device"] == "gpu:0"
        assert told["modes"]["ast"]["verdict"] == "not-run"
        why = "was asked to train on gpu:0, and computed on cpu."
        assert why in told["modes"]["ast"]["reason"]
        code, out, _ = machine.codemod(*words, "--speed", "--steps", "30", "--processes", "1")
        (row,) = json.loads(out)["speed"]
        assert (code, row["verdict"], row["ratio"], row["device"]) == (0, "unclear", None, "gpu:0")
        assert row["said"][0]["code"] == "judging.speed-elsewhere"
        code, _, err = machine.codemod(*words, "--modes", "cinn")
        assert code == 3
        assert err.endswith("Paddle 3.3.1 is built without CINN. Leave cinn out of --modes.")
    code, out, err = machine.codemod("report", "--workspace", str(folder / "ws"))
    assert code == 0, err
    (page,) = (folder / "ws").rglob("index.html")
    assert why in page.read_text()


A100 = "0, GPU-1, NVIDIA A100, 8.0, 550.54.15, 40960, 4, Disabled"
GRID = "0, GPU-33, GRID P40-24Q, [N/A], 550.54.15, [N/A], [N/A], [N/A]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "code", "shown", "words", "said"),
    [
        ((H100,), 0, None, ("--paddle", "2.6.2"), "Use --paddle 3.3.1, which has cu129"),
        ((H100,), 0, None, ("--paddle", "3.2.2", "--index", "cu118"), "has kernels for sm_61"),
        ((A100.replace("550.54.15", "470.57.02"),), 0, None, (), "needs driver 525, not 470.57.02"),
        ((A100.replace(", 4,", ", 40100,"),), 0, None, (), "has 860 MiB free of 40960"),
        (("No devices were found",), 6, None, (), "nvidia-smi failed: No devices were found."),
        ((A100,), 0, "3", (), "CUDA_VISIBLE_DEVICES=3 shows none of those here (0)."),
        ((A100,), 0, None, ("--device", "gpu:1"), "There is no GPU 1 here: 1 can be used"),
        ((A100,), 0, None, ("--index", "pypi"), "has no CUDA build on pypi. Use --index cu129"),
        ((GRID,), 0, None, ("--wheels", "."), "has no paddlepaddle-gpu 3.3.1 for Python"),
        ((A100,), 0, None, ("--index", "http://127.0.0.1:9/"), "cannot be read"),
    ],
)
def test_each_error_is_one_line_with_what_to_do(
    machine: Machine,
    lines: tuple[str, ...],
    code: int,
    shown: str | None,
    words: tuple[str, ...],
    said: str,
) -> None:
    machine.says(*lines, code=code)
    asked = ["env", "PaddleRec", *(() if "--device" in words else ("--gpu",)), *words]
    asked += [] if "--paddle" in words else ["--paddle", "3.3.1"]
    more = {} if shown is None else {"CUDA_VISIBLE_DEVICES": shown}
    ended, out, err = machine.codemod(*asked, **more)
    assert (ended, out) == (3, "")
    assert err.startswith("Error: ")
    assert said in err
    assert any(word in err for word in ("Use ", "use --", "Wait ", "It has", "--wheels"))
    assert "\n" not in err
