"""Runs side by side: each with its own output, all ended together."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.experiments.parity import runs
from codemod.experiments.parity.experiment import Interrupted, run_experiment
from codemod.experiments.parity.runs import Experiment, Runs
from codemod.training.run_spec import RunSpec
from codemod.training.runner import Command, RunRequest

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.training.record import Record

# Ends well only if the other run begins meanwhile; shows the overlay that it was given.
PROGRAM = """
import pathlib, sys, time
out = pathlib.Path(sys.argv[1])
(out / "begun").touch()
shared = pathlib.Path(sys.argv[2])
for _ in range(6000):
    if len(list(shared.glob("*/begun"))) >= int(sys.argv[3]):
        break
    time.sleep(0.1)
else:
    sys.exit("the others did not begin")
(out / "overlay.seen").write_text((out / "overlay.yml").read_text())
"""


def experiment(folder: Path, jobs: int, code: str = PROGRAM) -> Experiment:
    out = folder / "runs" / "out"
    out.mkdir(parents=True)
    (out / "overlay.yml").write_text(f"save: {out}\n")
    # The second word names the folder above the output, which is the same for all runs.
    argv = (sys.executable, "-c", code, str(out), f"{folder}/runs/./out", str(jobs))
    return Experiment(
        RunSpec("kit", "a.yml", 1, ("ast",), jobs=jobs),
        Command(argv, folder),
        Command((*argv, "on"), folder),
        folder / "runs",
        limit_s=600.0,
        out=out,
    )


PLANNED = [RunRequest("dynamic", "dynamic"), RunRequest("ast", "ast")]


def test_runs_side_by_side_have_outputs_of_their_own(tmp_path: Path) -> None:
    made = Runs(experiment(tmp_path, 2), None)
    made.make(PLANNED)
    out = tmp_path / "runs" / "out"
    # Each waited for the other: one after the other they would have failed.
    assert {name: made.seen[name].outcome for name in ("dynamic", "ast")} == {
        "dynamic": "ok",
        "ast": "ok",
    }
    assert (out / "ast" / "overlay.seen").read_text() == f"save: {out / 'ast'}\n"


COUNT = "import sys; open(sys.argv[1] + '/count', 'a').write('x'); sys.exit(int(sys.argv[4:] == ['on']))"


def test_a_later_experiment_goes_on_where_one_was_stopped(tmp_path: Path) -> None:
    asked = experiment(tmp_path, 1, COUNT)
    count = tmp_path / "runs" / "out" / "count"
    Runs(asked, None).make(PLANNED)
    assert count.read_text() == "xx"

    again = Runs(asked, None)
    again.make(PLANNED)
    assert again.seen["dynamic"].outcome == "ok"
    # What failed is run again, for its cause may have been mended.
    assert count.read_text() == "xxx"

    Runs(replace(asked, spec=replace(asked.spec, fresh=True)), None).make(PLANNED)
    assert count.read_text() == "xxxxx"

    other = replace(asked, off=replace(asked.off, env={"BATCH": "3"}))
    Runs(other, None).make(PLANNED[:1])
    assert count.read_text() == "xxxxxx"


def test_a_run_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Runs(experiment(tmp_path, 1, "pass"), None)
    made.make(PLANNED)
    known = dict(made.seen)

    def forbidden(*_: object) -> Record:
        raise AssertionError("a run was made twice")

    monkeypatch.setattr(runs, "run_once", forbidden)
    made.make(PLANNED)
    assert made.seen == known


def test_ctrl_c_ends_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Barrier(3)

    def interrupted(futures: object) -> None:
        begun.wait(600)
        raise KeyboardInterrupt

    def told(name: str, step: int, loss: float | None, seconds: float) -> None:
        if name not in seen:
            seen.add(name)
            begun.wait(600)

    seen: set[str] = set()
    monkeypatch.setattr(runs, "wait", interrupted)
    whole = experiment(tmp_path, 2, "import time; time.sleep(600)")
    with pytest.raises(Interrupted) as stopped:
        run_experiment(whole, told)
    judged = stopped.value.judged["ast"]
    assert judged.judgement.verdict == "not-run"
    assert judged.comparison.dynamic.outcome == "interrupted"
