"""The table at the end of `probe`: verdicts by mode, and the time they took together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.cli.table import PIPE
from codemod.judging.evidence.probe_results import path_of
from codemod.judging.evidence.result import DynamicResult, ModeResult, ProbePart, Result
from codemod.judging.evidence.result_files import write_result
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def keep(place: Workspace, config: str, outcome: str, ast: Verdict, sot: Verdict) -> None:
    result = Result(
        kit="PaddleClas",
        config=config,
        paddle="3.3.1",
        modes={"ast": ModeResult(ast), "sot": ModeResult(sot)},
        dynamic=DynamicResult(outcome),
        probe=ProbePart(built=True, seconds=100.0),
    )
    write_result(path_of(place, "PaddleClas", config, "3.3.1"), result)


def test_a_row_a_mode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Workspace.at(tmp_path)
    keep(place, "a.yaml", "ok", Verdict.PASS, Verdict.PASS_PARTIAL)
    keep(place, "b.yaml", "ok", Verdict.PASS, Verdict.FAILS)
    keep(place, "c.yaml", "fails", Verdict.NOT_RUN, Verdict.NOT_RUN)
    assert run(["probe", "PaddleClas", "--summary", "--workspace", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert all(len(line) <= PIPE for line in out.splitlines())
    blocks = [" ".join(block.split()) for block in out.split("PaddleClas\n")[1:]]
    assert blocks == [
        "Paddle 3.3.1; mode dynamic; models 3; good 2; verdicts runs 2, does not run 1; time 5 minutes",
        "Paddle 3.3.1; mode ast; models 3; good 2; verdicts pass 2, not-run 1",
        "Paddle 3.3.1; mode sot; models 3; good 1; verdicts pass-partial 1, fails 1, not-run 1",
    ]
