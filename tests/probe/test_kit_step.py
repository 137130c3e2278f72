"""A kit's own step is made as often as a run asks for, and as often as it needs."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from codemod.experiments.probe.probing import SIDES_STEPS, STEPS
from codemod.experiments.probe.server import INSIDE, Equipment, Server
from codemod.judging.comparing.lockstep import SideRun
from codemod.training.record import read_run_record
from codemod.training.runner import INJECT
from codemod.training.sides import DOUBLE_SIDES
from tests.parity.conftest import PADDLES, paddle_python

KIT = Path(__file__).parent / "kit"


@pytest.mark.parametrize(
    ("needs", "asked", "made"),
    [(2, STEPS, 2), (2, SIDES_STEPS, 3), (6, STEPS, 6), (6, SIDES_STEPS, 6)],
)
def test_a_run_makes_the_steps_that_it_is_asked_for(
    needs: int, asked: int, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (INJECT, INSIDE):
        monkeypatch.syspath_prepend(str(folder))
    kit_step: Any = importlib.import_module("probe_inside.kit_step")
    stepped: list[int] = []
    lines: list[dict[str, Any]] = []
    # All that a run of no nets meets of a session of the recorder.
    session = SimpleNamespace(
        config=SimpleNamespace(steps=asked),
        lockstep=SimpleNamespace(on=False),
        journal=SimpleNamespace(write=lambda **line: lines.append(line)),
        stop=lambda: None,
    )
    training = kit_step.Training({}, lambda to_static: None, stepped.append, needs)
    kit_step.run(training, False, session, lambda phase: None)
    assert stepped == list(range(made))
    assert [line["t"] for line in lines] == ["nets", "weights"]


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_sides_of_a_step_with_one_optimizer_make_enough_updates(
    tmp_path: Path, paddle: str
) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "net.json").write_text(json.dumps({"net": "Untaught"}))
    equipment = Equipment(paddle_python(paddle), KIT / "adapter.py")
    with Server(equipment, tmp_path / "kit", tmp_path / "server.log") as server:
        server.start()
        answer = server.ask(
            "train",
            "sides.jsonl",
            60.0,
            config="net.json",
            attempt={"size": 16, "loss": "step"},
            mode="ast",
            seed=0,
            memory_mb=4096,
            steps=SIDES_STEPS,
            nudge=False,
            sides=DOUBLE_SIDES,
            truth=str(server.folder / "truth"),
        )
    run = SideRun(read_run_record(answer.out, "ok"))
    assert (answer.code, run.pairs, run.sound) == (0, SIDES_STEPS, True)
