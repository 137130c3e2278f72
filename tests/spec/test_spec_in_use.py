"""On real Paddle: one program with the derived spec, one a shape without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.parity.conftest import PADDLES, paddle_python

KIT = Path(__file__).parent / "kit"

pytestmark = pytest.mark.slow


def spec(
    tmp_path: Path, paddle: str, config: str, *options: str, kit: Path = KIT
) -> dict[str, Any]:
    """What `codemod spec --json` prints."""
    argv = [sys.executable, "-m", "codemod", "spec", str(kit), "-c", f"configs/{config}.json"]
    argv += ["--launch", str(KIT / "launch.yaml"), "--python", str(paddle_python(paddle))]
    argv += ["--workspace", str(tmp_path), "--device", "cpu", "--json", *options]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert "layers" in found, found
    return found


SPECS = {
    "picture": '[paddle.static.InputSpec([None, 3, None, None], "float32")]',
    "dict": '[{"parts": [paddle.static.InputSpec([None, 3, None, None], "float32"), '
    'paddle.static.InputSpec([None, None], "int64")]}]',
    "list": '[[paddle.static.InputSpec([None, 3, None, None], "float32"), '
    'paddle.static.InputSpec([None, None], "int64")]]',
    "placeholder": '[paddle.static.InputSpec([None, None], "int64"), None, '
    'paddle.static.InputSpec([None, None], "float32")]',
}


@pytest.mark.parametrize("paddle", PADDLES)
@pytest.mark.parametrize("config", SPECS)
def test_one_program_with_the_derived_spec(tmp_path: Path, paddle: str, config: str) -> None:
    found = spec(tmp_path, paddle, config, "--check")
    (layer,) = found["layers"]
    assert layer["input_spec"] == SPECS[config]
    assert layer["fits"]
    assert found["evaluated"]
    assert found["check"]["passed"], found["check"]
    assert found["check"]["programs"] == 1
    assert found["check"]["steps"] == 8
    assert found["check"]["without"] > 1


@pytest.mark.parametrize(
    ("config", "own", "kinds"),
    [
        ("picture", "direct", []),
        ("picture", "numpy", ["dim"]),
        ("picture", "tensor", ["dim"]),
        ("picture", "example", ["dim"]),
        ("list", "list", []),
        ("list", "tuple", ["structure"]),
        ("list", "flat", ["structure", "structure"]),
        ("dict", "dict", []),
        ("dict", "flat", ["structure", "structure"]),
        ("placeholder", "placeholder", []),
        ("placeholder", "text", []),
    ],
)
def test_the_kits_own_spec_is_compared(
    tmp_path: Path, config: str, own: str, kinds: list[str]
) -> None:
    found = spec(tmp_path, PADDLES[0], config, "-O", f"spec={own}")
    (layer,) = found["layers"]
    assert [one["kind"] for one in layer["differences"]] == kinds
    for one in layer["differences"]:
        line = (KIT / one["file"]).read_text().splitlines()[one["line"] - 1]
        assert "InputSpec" in line or "to_static" in line


def test_a_number_that_changes_by_the_step_is_named(tmp_path: Path) -> None:
    found = spec(tmp_path, PADDLES[0], "dict", "-O", "counts=yes", "--check")
    (layer,) = found["layers"]
    (note,) = [note for note in layer["notes"] if note["kind"] == "retrace"]
    assert note["path"] == 'inputs["step"]'
    assert found["check"]["programs"] == found["check"]["steps"]


def test_a_kit_that_holds_no_smaller_batch_is_checked_without_one(tmp_path: Path) -> None:
    found = spec(tmp_path, PADDLES[0], "picture", "-O", "same=yes", "--check")
    assert not found["smaller_batch"]
    assert found["evaluated"]
    assert found["check"]["passed"], found["check"]


def test_an_evaluation_whose_loader_breaks_is_no_hang(tmp_path: Path) -> None:
    found = spec(tmp_path, PADDLES[0], "picture", "-O", "broken=yes", "--limit", "900")
    (layer,) = found["layers"]
    assert layer["calls"]["train"] > 1
    assert not found["evaluated"]
    log = next(tmp_path.rglob("spec.log")).read_text()
    assert "KeyError: 'image'" in log


def test_a_spec_for_training_alone_is_checked_up_to_the_evaluation(tmp_path: Path) -> None:
    found = spec(tmp_path, PADDLES[0], "list", "-O", "alone=yes", "--check")
    (layer,) = found["layers"]
    assert (layer["fits"], layer["fits_training"]) == (False, True)
    assert [note["text"] for note in layer["notes"]] == [
        "has 2 items in training, 1 item in evaluation: a spec fixes the length"
    ]
    check = found["check"]
    assert (check["steps"], check["programs"], check["without"]) == (6, 1, 3), check


def test_a_net_that_ast_cannot_train_is_told(tmp_path: Path) -> None:
    found = spec(tmp_path, PADDLES[0], "picture", "-O", "upward=8", "--check")
    check = found["check"]
    assert (check["passed"], check["outcome"], check["without"]) == (False, "fails", None)
    assert "conv2d_transpose_grad" in check["fault"]
