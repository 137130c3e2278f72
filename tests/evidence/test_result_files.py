"""Results read and written: today's form, the forms before it, and files that are damaged."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging.evidence.result import (
    Curve,
    DynamicResult,
    FurthestGradient,
    GradientSummary,
    ModeResult,
    ParityPart,
    ProbePart,
    Result,
)
from codemod.judging.evidence.result_files import (
    DamagedResultError,
    read_result,
    read_results,
    to_content,
    write_result,
)
from codemod.judging.verdict import Explanation, FirstDifference, Verdict

if TYPE_CHECKING:
    from pathlib import Path

# As codemod 0.1.0 wrote them before results had a header.
OLD_PARITY: dict[str, Any] = {
    "kit": "PaddleRec",
    "config": "models/rank/dnn/config.yaml",
    "revision": "a" * 40,
    "device": "cpu",
    "paddle": "2.6.2",
    "hook": "abc",
    "steps": 50,
    "options": ["a=1"],
    "modes": {
        "ast": {
            "verdict": "gradient-differs",
            "steps": 50,
            "loss_max_abs": 0.5,
            "loss_max_rel": "inf",
            "grad_max_rel": 1e-3,
            "noise_floor": 0.0,
            "programs": 1,
            "graph_breaks": 0,
            "compile_s": 0.25,
            "step_ms": 12.0,
            "speedup": None,
            "reason": "First at step 1: w (drift, 1.0e-03 relative).",
            "rule": "bit equality",
            "hint": "",
            "first": {
                "step": 1,
                "optimizer": 0,
                "name": "w",
                "class": "drift",
                "relative": "inf",
                "others": 2,
            },
            "hazard": {"id": "D-1", "name": "n", "remedy": "r", "file": "net.py", "line": 3},
            "hooks": [{"t": "hook", "file": "net.py", "line": 1}],
            "operators": 9,
            "graphs_a_step": 1.0,
            "retraces": 0,
            "amp": None,
            "late_retraces": 0,
            "break_reasons": [],
            "inputs": [],
            "memory_mb": 100.5,
            "recorder_faults": [],
        },
        "sot": {"verdict": "not-run", "reason": "Interrupted.", "steps": None},
    },
    "dynamic": {"outcome": "ok", "steps": 50, "step_ms": 10.0, "memory_mb": 90.0},
    "gradients": {
        "ast": {
            "compared": 3,
            "equal": 0,
            "furthest": [{"name": "w", "class": "drift", "first_step": 1, "relative": None}],
        }
    },
    "curves": {
        "dynamic": {"loss": [1.0, None]},
        "ast": {"loss": [1.0, 0.5], "loss_difference": [0.0, 0.5], "grad_difference": [0.0, 0.1]},
    },
    "command": "codemod parity PaddleRec",
    "runs": ["python train.py"],
    "records": "runs/x",
    "pictures": ["x.svg"],
    "interrupted": True,
    "timings": "own",
    "report": "x.html",
}
OLD_PROBE: dict[str, Any] = {
    "kit": "PaddleClas",
    "revision": "b" * 40,
    "config": "a.yaml",
    "also": ["b.yaml"],
    "model": "Net",
    "family": "net",
    "paddle": "3.3.1",
    "adapter": 2,
    "note": "",
    "limit_s": 40.0,
    "built": True,
    "seconds": 6.5,
    "attempt": {"size": 64, "loss": "kit"},
    "parameters": 10,
    "inputs": [],
    "modes": {
        "dynamic": {"outcome": "ok", "reason": "", "tried": ["{}: forward: ValueError"]},
        "ast": {
            "verdict": "fails",
            "reason": "Static training failed.",
            "steps": 0,
            "loss_max_rel": None,
            "grad_max_rel": None,
            "noise_floor": None,
            "programs": 0,
            "graph_breaks": 0,
            "graphs_a_step": 0.0,
            "operators": 0,
            "rule": "bit equality",
            "hint": "",
            "first": None,
            "break_reasons": [],
            "phase": "forward",
            "message": "m",
            "traceback": "t",
            "status": 1,
            "log": "l",
            "confirmed": False,
        },
        "sot": {"verdict": "not-run", "reason": "why"},
    },
}


def kept(folder: Path, content: Any, name: str = "x.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder / name


def test_an_old_parity_result_is_read(tmp_path: Path) -> None:
    result = read_result(kept(tmp_path, OLD_PARITY))
    mode = result.modes["ast"]
    assert (result.kind, result.date, result.recorder) == ("parity", None, None)
    assert mode.verdict is Verdict.GRADIENT_DIFFERS
    assert mode.loss_max_rel == math.inf
    assert mode.first == FirstDifference(1, 0, "w", "drift", math.inf, 2)
    assert mode.hazard == Explanation("D-1", "n", "r", "net.py", 3)
    assert result.modes["sot"] == ModeResult(Verdict.NOT_RUN, "Interrupted.")
    assert result.dynamic == DynamicResult("ok", 50, 10.0, None, 90.0)
    assert result.parity == ParityPart(
        steps=50,
        hook="abc",
        options=("a=1",),
        gradients={"ast": GradientSummary(3, 0, (FurthestGradient("w", "drift", 1),))},
        curves={
            "dynamic": Curve((1.0, None)),
            "ast": Curve((1.0, 0.5), (0.0, 0.5), (0.0, 0.1)),
        },
        command="codemod parity PaddleRec",
        runs=("python train.py",),
        records="runs/x",
        pictures=("x.svg",),
        interrupted=True,
        report="x.html",
    )
    assert result.interrupted and not result.passed


def test_an_old_probe_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    result = read_result(kept(tmp_path, OLD_PROBE))
    assert result.kind == "probe"
    assert result.configs == ("a.yaml", "b.yaml")
    assert result.modes["ast"].phase == "forward" and not result.modes["ast"].confirmed
    assert result.dynamic.tried == ("{}: forward: ValueError",)
    told = {"memory_gb": None, "grade": "net", "own_loss": None}
    assert to_content(result) == {**OLD_PROBE, **told}


@pytest.mark.parametrize("content", [OLD_PARITY, OLD_PROBE])
def test_what_is_written_is_read_back(tmp_path: Path, content: dict[str, Any]) -> None:
    old = read_result(kept(tmp_path, content))
    dated = replace(old, date="2026-01-02T03:04:05+00:00", recorder="c" * 64)
    write_result(tmp_path / "new.json", dated)
    assert read_result(tmp_path / "new.json") == dated
    text = (tmp_path / "new.json").read_text(encoding="utf-8")
    assert "Infinity" not in text
    assert set(json.loads(text)) - set(to_content(dated)) == {
        "schema",
        "date",
        "recorder",
        "edited",
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([], "it is not a result"),
        ({"kit": "K", "config": "c", "paddle": "2.6.2"}, "it is not a result"),
        ({**OLD_PROBE, "modes": []}, "`modes` is not an object"),
        ({**OLD_PROBE, "modes": {"ast": {}}}, "`modes.ast.verdict` is missing"),
        ({**OLD_PROBE, "modes": {"ast": {"verdict": "good"}}}, "`modes.ast.verdict` is 'good'"),
        ({**OLD_PARITY, "steps": "many"}, "`steps` is not a whole number"),
        ({**OLD_PARITY, "schema": 99}, "it is of form 99"),
    ],
)
def test_a_damaged_file_is_named_with_its_reason(tmp_path: Path, content: Any, reason: str) -> None:
    file = kept(tmp_path, content)
    with pytest.raises(DamagedResultError, match=r".") as told:
        read_result(file)
    assert reason in str(told.value)


def test_a_folder_is_read_around_what_is_damaged(tmp_path: Path) -> None:
    kept(tmp_path / "K", OLD_PROBE)
    cut = kept(tmp_path / "K", OLD_PROBE, "cut.json")
    cut.write_text(cut.read_text(encoding="utf-8")[:50], encoding="utf-8")
    kept(tmp_path / "K" / ".run-1", [{"config": "a"}], "models.json")
    found = read_results(tmp_path)
    assert [one.file.name for one in found.results] == ["x.json"]
    assert found.damaged == {cut: "it is not JSON"}
    assert read_results(tmp_path / "none").results == ()


def test_parts_default_to_nothing() -> None:
    bare = Result("K", "c", "2.6.2", {}, probe=ProbePart())
    assert (bare.configs, bare.passed, bare.verdicts) == (("c",), True, frozenset())
