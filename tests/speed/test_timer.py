"""The timer inside real training: turns, what each side runs, what makes static training slow."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run
from codemod.experiments.observers import INSIDE, observed_by
from codemod.judging.evidence.speed_rows import SPEED
from codemod.judging.speed.slowness import causes, changed_inputs
from codemod.judging.speed.timings import DYNAMIC, STATIC, Timings, read_timings
from codemod.training.runner import Command, RunRequest, run_once
from tests.parity.conftest import PROGRAMS, paddle_python
from tests.parity.test_cli_parity import minikit

if TYPE_CHECKING:
    from collections.abc import Sequence

OWN = Path(__file__).parent / "programs"
SOURCES = sorted((INSIDE / "step_timer").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_timer_loads_in_python_3_8_and_imports_no_paddle(path: Path) -> None:
    tree = ast.parse(path.read_text(), feature_version=(3, 8))
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {
        name.partition(".")[0]
        for node in found
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""] * (not node.level)
        )
    }
    assert names <= sys.stdlib_module_names


def timed(
    folder: Path,
    program: Path,
    paddle: str,
    mode: str = "ast",
    sides: Sequence[str] = (DYNAMIC, STATIC),
    pairs: int = 14,
    fixed: bool = False,
) -> Timings:
    """One timed process of a small program."""
    env = {
        "PYTHONPATH": str(PROGRAMS),
        "MIN_GRAPH_SIZE": "10",
    }
    argv = (str(paddle_python(paddle)), str(program), "--to-static")
    wanted = RunRequest("one", mode, pairs, sides=tuple(sides), light=True, reader="CODEMOD_TIMING")
    command = observed_by("step_timer", Command(argv, PROGRAMS, env), {"first": 1, "fixed": fixed})
    record = run_once(command, wanted, folder, "cpu", 180)
    assert record.outcome == "ok", (folder / "one.log").read_text()[-2000:]
    return read_timings(folder / "one.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_each_side_runs_its_own_methods(tmp_path: Path, paddle: str) -> None:
    found = timed(tmp_path, OWN / "whose_forward.py", paddle)
    log = (tmp_path / "one.log").read_text()
    said = [tuple(line.split()[1:]) for line in log.splitlines() if line.startswith("FORWARD")]
    sides = [turn.side for turn in found.turns]
    assert sides[:4] == [STATIC, DYNAMIC, DYNAMIC, STATIC], "the order turns from pair to pair"
    assert len(sides) == 28
    for side, (hooked, converted) in zip(sides, said, strict=False):
        assert hooked == str(side == STATIC)
        # Only the AST of 2.6 converts the layers below the hook.
        assert converted == str(side == STATIC and paddle == "2.6.2")
    assert all(turn.ran == (turn.side == STATIC) for turn in found.turns)
    assert sum(turn.made for turn in found.turns) == 1
    assert all(turn.processor["forward"] > 0 for turn in found.turns)
    for turn in found.turns:
        for part, seconds in turn.processor.items():
            # The training thread's time is a part of that of all threads.
            assert 0 <= turn.thread[part] <= seconds + 1e-3
            assert 0 <= turn.system[part] <= turn.thread[part] + 1e-2
            assert turn.faults[part] >= 0
    assert any(sum(turn.faults.values()) for turn in found.turns), "the first steps fetch memory"


@pytest.mark.slow
def test_a_table_whose_gradient_becomes_dense_is_named(tmp_path: Path) -> None:
    found = timed(tmp_path, PROGRAMS / "sparse_embedding.py", "2.6.2")
    assert found.sparse == {DYNAMIC: {"Net.table.weight"}, STATIC: frozenset()}
    codes = [reason.code for reason in causes(found)]
    assert codes == ["judging.speed-dense", "judging.speed-tiny"]
    assert "Net.table.weight" in str(causes(found)[0])


@pytest.mark.slow
def test_changing_batches_make_programs_and_a_fixed_one_does_not(tmp_path: Path) -> None:
    found = timed(tmp_path, OWN / "growing_rows.py", "3.3.1", sides=(STATIC,))
    assert sum(turn.made for turn in found.turns) > 3
    (changed,) = changed_inputs(found)
    assert changed.startswith("Net 0: 4×")
    late = [reason for reason in causes(found) if "program" in reason.code]
    assert changed in str(late[0])
    fixed = timed(tmp_path, OWN / "growing_rows.py", "3.3.1", sides=(STATIC,), fixed=True)
    assert sum(turn.made for turn in fixed.turns) == 1
    assert changed_inputs(fixed) == ()
    assert fixed.memory_kb > 0


@pytest.mark.slow
def test_the_command_keeps_a_row_a_mode(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kit = minikit(tmp_path)
    words = ["parity", str(kit), "-c", "gated", "--steps", "30", "--device", "cpu", "--json"]
    words += ["--launch", str(tmp_path / "launch.yaml"), "--workspace", str(tmp_path / "ws")]
    words += ["--python", str(paddle_python("3.3.1")), "--speed", "--processes", "2"]
    assert run([*words, "--modes", "ast"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["speed"]
    assert (row["kind"], row["verdict"], row["device"]) == ("speed", "unclear", "cpu")
    assert row["runs"] == {"processes": 2, "pairs": 40}
    assert row["said"][0]["code"] == "judging.speed-few"
    assert set(row["parts"]) == {"forward", "backward", "step"}
    assert set(row["memory_mb"]) == {DYNAMIC, STATIC}
    (file,) = (tmp_path / "ws" / "speed").glob("*.jsonl")
    assert SPEED.verify(file) == []


def test_too_few_steps_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kit = minikit(tmp_path)
    words = ["parity", str(kit), "-c", "gated", "--speed", "--steps", "12"]
    words += ["--launch", str(tmp_path / "launch.yaml"), "--workspace", str(tmp_path / "ws")]
    assert run(words) == 2
    assert "--speed needs 30 steps, of which 10 warm up." in capfd.readouterr().err
