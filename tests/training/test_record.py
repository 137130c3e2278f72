"""A record as the recorder writes it, line by line, whole or cut off."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codemod.training.record import read_lines, read_run_record

if TYPE_CHECKING:
    from pathlib import Path

STEP: dict[str, Any] = {
    "t": "step",
    "opt": 1,
    "step": 2,
    "losses": [0.5, [8.0, 2.0, 4.0]],
    "lr": 0.1,
    "s": 0.25,
    "own_s": 0.01,
    "grads": {"w": ["d", "abc", 3.0, "sketch"], "v": ["n", "", 4.0, ""]},
    "buffers": {"mean": ["d", "def", 1.0, "other"]},
    "static": {"ast_runs": 2},
    "random": {"python": "p"},
    "state": {"Net.n": "1"},
    "rss_kb": 7,
    "side": "static",
    "pair": 3,
    "order": 4,
}
LEAST = {"t": "step", "opt": 0, "step": 0, "losses": [], "lr": 1, "s": 1}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_step_in_full(tmp_path: Path) -> None:
    step = read_run_record(written(tmp_path / "r", STEP), "ok").steps[0]
    assert (step.opt, step.number, step.lr) == (1, 2, 0.1)
    assert (step.seconds, step.recorder_seconds, step.rss_kb) == (0.25, 0.01, 7)
    assert step.losses == (0.5, 8.0, 2.0, 4.0), "sum, mean and size of a loss that is no number"
    assert (step.grads["w"].kind, step.grads["w"].digest) == ("d", "abc")
    assert (step.grads["w"].norm, step.grads["w"].sketch) == (3.0, "sketch")
    assert step.grads["w"].present
    assert not step.grads["v"].present
    assert step.buffers["mean"].digest == "def"
    assert (step.static, step.random, step.state) == (
        {"ast_runs": 2},
        {"python": "p"},
        {"Net.n": "1"},
    )
    assert step.grad_norm == pytest.approx(5.0)


def test_a_step_of_the_light_recorder(tmp_path: Path) -> None:
    step = read_run_record(written(tmp_path / "r", LEAST), "ok").steps[0]
    assert (step.grads, step.buffers, step.static, step.random) == ({}, {}, {}, {})
    assert (step.state, step.losses, step.rss_kb) == (None, (), 0)
    assert (step.recorder_seconds, step.grad_norm) == (0.0, 0.0)


def test_a_sparse_gradient_is_there_and_a_frozen_one_is_not(tmp_path: Path) -> None:
    marks = {kind: [kind, "", 1.0, ""] for kind in "dsnf"}
    step = read_run_record(written(tmp_path / "r", {**LEAST, "grads": marks}), "ok").steps[0]
    assert {kind: mark.present for kind, mark in step.grads.items()} == {
        "d": True,
        "s": True,
        "n": False,
        "f": False,
    }


def test_kinds_of_lines(tmp_path: Path) -> None:
    kinds = ("hook", "trace", "break", "input", "params", "weights", "layers")
    lines = [{"t": kind, "place": kind} for kind in kinds]
    ends = [{"t": "start", "mode": "ast"}, {"t": "end", "reason": "steps"}]
    fault = {"t": "recorder-error", "error": "ValueError: x"}
    record = read_run_record(written(tmp_path / "r", *lines, *ends, fault, STEP, LEAST), "fails")
    found = (
        *(record.hooks, record.traces, record.breaks, record.inputs),
        *(record.params, record.weights, record.layers),
    )
    assert [[line["place"] for line in one] for one in found] == [[kind] for kind in kinds]
    assert (record.outcome, record.start["mode"], record.end["reason"]) == ("fails", "ast", "steps")
    assert record.faults == ("ValueError: x",)
    assert len(record.steps) == 2
    assert record.count("ast_runs") == 2
    assert record.count("traces") == 0


def test_what_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "r", LEAST, LEAST)
    path.write_text(path.read_text()[:-2])
    assert len(read_run_record(path, "crash").steps) == 1
    path.write_bytes(b'{"t": "end", "reason": "\xff"}\n')
    assert read_lines(path)[0]["t"] == "end", "a kit may print any bytes"
    path.write_text('{"t": "ste')
    assert read_lines(path) == []


def test_no_file_is_an_empty_record(tmp_path: Path) -> None:
    record = read_run_record(tmp_path / "none", "crash")
    assert (record.steps, record.start, record.end, record.hooks) == ((), {}, {}, ())
    assert record.outcome == "crash"
