"""Real trainings by several seeds: the same end, a fault at the start, and one that fails."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.experiments.convergence.convergence_job import (
    CONTROL,
    MAKERS,
    Trained,
    measure,
    unjudged,
)
from codemod.judging.convergence.convergence import Convergence, Course
from codemod.judging.evidence.convergence_rows import CONVERGENCE
from codemod.kits.folder import CONVERGENCE as CONVERGENCE_FILE
from codemod.kits.folder import kit_file
from codemod.kits.sources import resolve
from codemod.training.environment.devices import Build
from codemod.training.preparation import Identity, Prepared, checked, prepare
from codemod.training.real_data import RealTraining, real_training
from codemod.training.recipes import known_kits
from codemod.training.run_spec import RunSpec
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from codemod.judging.evidence.convergence_rows import ConvergenceRow

PROGRAM = Path(__file__).parent / "programs" / "learn.py"
LAUNCH = """
argv: [learn.py, "{config}"]
style: bare
set: ["--seed={seed}"]
gate_args: [--static]
"""
REAL = RealTraining(
    configs=("*",),
    data="clouds",
    set=("--epochs={epochs}",),
    metric="accuracy: ([0-9.]+)",
    metric_name="accuracy",
)


def trained(folder: Path, config: str, paddle: str = "3.3.1") -> tuple[ConvergenceRow, ...]:
    """The rows of a config of a kit that consists of the program."""
    kit = folder / "minikit"
    kit.mkdir()
    shutil.copy(PROGRAM, kit / "learn.py")
    (kit / config).touch()
    launch = folder / "launch.yaml"
    launch.write_text(LAUNCH)
    asked = RunSpec(
        str(kit),
        config,
        1,
        ("ast",),
        "cpu",
        python=paddle_python(paddle),
        launch=launch,
        jobs=2,
    )
    place = Workspace.at(folder / "ws")
    source = resolve(str(kit), None, place)
    return measure(prepare(asked, source, place), REAL, place, epochs=8, seeds=3)


@pytest.mark.slow
def test_static_training_ends_where_dynamic_does(tmp_path: Path) -> None:
    (row,) = trained(tmp_path, "clean")
    assert row.verdict is Convergence.EQUIVALENT, row.said
    assert row.steps == 80
    assert [len(losses) for pair in row.losses for losses in pair] == [8] * 6
    assert row.measures[-1].name == "metric"
    assert row.measures[-1].dynamic > 0.5
    kept = CONVERGENCE.whole(tmp_path / "ws" / "convergence" / "minikit.jsonl")
    assert kept == (row,)


@pytest.mark.slow
def test_one_in_a_hundred_of_one_layer_at_the_start_is_found(tmp_path: Path) -> None:
    (row,) = trained(tmp_path, "fault")
    assert row.verdict is Convergence.DIFFERS
    assert "times as far" in str(row.said[0])


@pytest.mark.slow
def test_seeds_that_train_alike_have_no_spread_to_judge_by(tmp_path: Path) -> None:
    (row,) = trained(tmp_path, "same")
    assert row.verdict is Convergence.NOT_RUN
    assert "Two seeds train alike" in str(row.said[0])


@pytest.mark.slow
def test_a_training_that_ends_early_says_which_and_why(tmp_path: Path) -> None:
    kit = tmp_path / "broken"
    kit.mkdir()
    (kit / "learn.py").write_text("import paddle\nraise RuntimeError('no such cloud')\n")
    (kit / "clean").touch()
    (tmp_path / "launch.yaml").write_text(LAUNCH)
    asked = RunSpec(
        str(kit),
        "clean",
        1,
        ("ast",),
        "cpu",
        python=paddle_python("3.3.1"),
        launch=tmp_path / "launch.yaml",
    )
    place = Workspace.at(tmp_path / "ws")
    ready = prepare(asked, resolve(str(kit), None, place), place)
    (row,) = measure(ready, REAL, place, epochs=2, seeds=1)
    assert row.verdict is Convergence.NOT_RUN
    assert "dynamic with seed 0" in str(row.said[0])
    assert "no such cloud" in str(row.said[0])


def test_force_makes_the_kept_trainings_again(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "learn.py").write_text("# No paddle.\nprint('ran', file=open('ran.txt', 'a'))\n")
    (kit / "clean").touch()
    (tmp_path / "launch.yaml").write_text(LAUNCH)
    python, place = Path(sys.executable), Workspace.at(tmp_path / "ws")
    launch, source = tmp_path / "launch.yaml", resolve(str(kit), None, place)
    asked = RunSpec(str(kit), "clean", 1, ("ast",), python=python, launch=launch)
    build, identity = Build("3.3.1", False, ()), Identity("kit", None, "clean", "cpu", "3.3.1", "")
    ready = Prepared(
        asked, source, checked(asked, source), python, build, "cpu", identity, tmp_path / "runs"
    )
    for fresh, runs in ((False, 3), (False, 3), (True, 6)):
        again = replace(ready, spec=replace(asked, fresh=fresh))
        measure(again, REAL, place, epochs=1, seeds=1)
        assert len((kit / "ran.txt").read_text().split()) == runs


def sides(dynamic: int = 40, control: int = 40, static: int = 40) -> dict[str, list[Trained]]:
    """Trainings by two seeds that learn; the second one's of each side makes so many steps."""
    return {
        side: [
            Trained(Course(tuple(2.0 - 0.04 * i + 0.1 * seed for i in range(steps))), True, 1, "")
            for seed, steps in enumerate((40, last))
        ]
        for side, last in (("dynamic", dynamic), (CONTROL, control), ("ast", static))
    }


def test_another_number_of_steps_is_told_of_the_training_that_makes_it() -> None:
    assert unjudged("ast", sides(), 7) == (None, ())
    verdict, (said,) = unjudged("ast", sides(static=39), 7)
    assert verdict is Convergence.DIFFERS
    assert "Static training makes 39 steps, dynamic training 40" in str(said)
    # Of the control it says that rounding does it, also where static training does the same.
    for static in (39, 40):
        verdict, (said,) = unjudged("ast", sides(control=39, static=static), 7)
        assert verdict is Convergence.NOT_RUN
        assert "With seed 8 the control makes 39 steps, dynamic training 40" in str(said)


def test_a_control_that_comes_to_no_end_is_not_blamed_on_static_training() -> None:
    broken = sides()
    broken[CONTROL][1] = replace(broken[CONTROL][1], fault="fails: no such cloud")
    verdict, (said,) = unjudged("ast", broken, 0)
    assert verdict is Convergence.NOT_RUN
    assert "control with seed 1 ended before its end: fails: no such cloud" in str(said)
    for side, expected, word in (
        (CONTROL, Convergence.NOT_RUN, "The control leaves"),
        ("ast", Convergence.DIFFERS, "Static training leaves"),
    ):
        wild = sides()
        wild[side][0] = replace(wild[side][0], course=Course((math.nan,) * 40))
        verdict, (said,) = unjudged("ast", wild, 0)
        assert verdict is expected and word in str(said)


def test_each_kit_s_file_is_read_and_a_config_without_data_is_refused() -> None:
    real = real_training("PaddleRec", "models/rank/dnn/config.yaml")
    assert real.metric_name == "AUC"
    with pytest.raises(UsageError, match="no real data on file"):
        real_training("PaddleRec", "models/rank/nothing/config.yaml")
    with pytest.raises(UsageError, match="no real data on file"):
        real_training("Paddle3D", "x.yml")


@pytest.mark.parametrize("kit", [kit for kit in known_kits() if kit_file(kit, CONVERGENCE_FILE)])
def test_what_is_on_file_can_be_made_and_has_one_metric(kit: str) -> None:
    file = kit_file(kit, CONVERGENCE_FILE)
    assert file is not None
    for case in yaml.safe_load(file.read_text())["cases"]:
        real = real_training(kit, case["configs"][0])
        assert re.compile(real.metric).groups == 1
        assert not real.maker or (MAKERS / f"{real.maker}.py").is_file()


def test_the_command_refuses_before_it_makes_anything(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "clean").touch()
    (kit / "train.py").write_text("import paddle\nnet = paddle.jit.to_static(object())\n")
    (tmp_path / "launch.yaml").write_text(LAUNCH)
    words = ["parity", str(kit), "-c", "clean", "--epochs", "2", "--device", "cpu", "--json"]
    words += ["--launch", str(tmp_path / "launch.yaml"), "--workspace", str(tmp_path / "ws")]
    assert run(words) == 2
    assert "no real data on file" in json.loads(capfd.readouterr().out)["error"]
    assert run([*words, "--nproc", "2"]) == 2
    assert "one process" in json.loads(capfd.readouterr().out)["error"]
