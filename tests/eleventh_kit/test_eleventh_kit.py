"""A kit that the tool does not know, from one folder of data alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.engine import plan_change
from codemod.judging.evidence.result_files import read_result
from codemod.reports.pullrequest.claims.cited_evidence import read_evidence
from codemod.reports.pullrequest.claims.executed_lines import coverage
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, Any]]:
    """Run a command on a checkout of the kit; its exit code and the JSON that it prints."""
    monkeypatch.setenv("CODEMOD_DATA", str(HERE / "data"))
    kit = tmp_path / "kit"
    shutil.copytree(HERE / "kit", kit, ignore=shutil.ignore_patterns("__pycache__"))

    def called(command: str, *words: str) -> tuple[int, Any]:
        place = ["--path", str(kit), "--workspace", str(tmp_path / "ws"), "--json"]
        capsys.readouterr()
        code = run([command, "MiniKit", *words, *place])
        return code, json.loads(capsys.readouterr().out)

    return called


def test_its_cases_hold(
    call: Callable[..., tuple[int, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "test", "MiniKit"]) == 0
    assert "1 of 1 cases hold" in capsys.readouterr().out


def test_its_hook_is_inserted_and_taken_out(
    call: Callable[..., tuple[int, Any]], tmp_path: Path
) -> None:
    code, applied = call("apply")
    assert code == 0
    (hook,) = applied["hooks"]
    assert (hook["status"], hook["scope"], hook["rule"]) == ("inserted", "main", "script")
    assert 'if cfg.get("to_static", False):' in (tmp_path / "kit" / "train.py").read_text()
    assert (
        run(
            [
                "revert",
                "MiniKit",
                "--path",
                str(tmp_path / "kit"),
                "--workspace",
                str(tmp_path / "ws"),
            ]
        )
        == 0
    )
    assert (tmp_path / "kit" / "train.py").read_bytes() == (HERE / "kit/train.py").read_bytes()


def test_check_counts_the_configs_that_reach_the_hook(call: Callable[..., tuple[int, Any]]) -> None:
    code, before = call("check")
    assert code == 1
    assert [row["blocked"] is None for row in before["configs"]] == [False, False]
    assert call("apply")[0] == 0
    code, after = call("check")
    assert code == 0
    assert [row["blocked"] is None for row in after["configs"]] == [True, True]


def test_the_survey_has_its_rows_and_what_its_code_lets_expect(
    call: Callable[..., tuple[int, Any]],
) -> None:
    code, survey = call("survey")
    assert code == 0
    (kit,) = survey["kits"]
    assert [row["name"] for row in kit["rows"]] == ["Plain nets", "Nets that print"]
    verdicts = {
        config["model"]: {(v["mode"], v["paddle"]): v["verdict"] for v in config["verdicts"]}
        for row in kit["rows"]
        for config in row["configs"]
    }
    assert verdicts["Plain"]["ast", "2.6.2"] == "clear"
    assert verdicts["Printing"]["ast", "2.6.2"] == "at-risk"


@pytest.mark.slow
def test_it_is_probed(call: Callable[..., tuple[int, Any]]) -> None:
    code, found = call("probe", "--python", str(paddle_python("2.6.2")), "--limit", "10")
    assert code == 1
    verdicts = {row["model"]: row["modes"]["ast"]["verdict"] for row in found["results"]}
    assert verdicts == {"Plain": "pass", "Printing": "fails"}


@pytest.mark.slow
def test_it_is_trained_for_parity(call: Callable[..., tuple[int, Any]]) -> None:
    assert call("apply")[0] == 0
    words = ["-c", "configs/plain.json", "--steps", "6", "--device", "cpu"]
    code, found = call("parity", *words, "--python", str(paddle_python("2.6.2")))
    assert code == 0
    assert {mode: row["verdict"] for mode, row in found["modes"].items()} == {
        "ast": "pass",
        "sot": "pass",
    }


@pytest.mark.slow
def test_its_spec_is_derived(call: Callable[..., tuple[int, Any]]) -> None:
    assert call("apply")[0] == 0
    words = ["-c", "configs/plain.json", "--python", str(paddle_python("2.6.2"))]
    code, found = call("spec", *words)
    assert code == 0
    assert "3, 8, 8" in json.dumps(found)


@pytest.mark.slow
def test_its_change_is_proved_on_the_branch_s_own_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    git: Callable[..., str],
) -> None:
    """One config is trained, each statement of the change runs, and the text cites that run."""
    monkeypatch.setenv("CODEMOD_DATA", str(HERE / "data"))
    paddle_python("2.6.2")
    kit, workspace = tmp_path / "kit", tmp_path / "ws"
    shutil.copytree(HERE / "kit", kit, ignore=shutil.ignore_patterns("__pycache__"))
    git(kit, "init", "-q")
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "-m", "base")
    git(kit, "config", "user.name", "A Maintainer")
    git(kit, "config", "user.email", "maintainer@example.org")
    words = ["branch", "MiniKit", "--path", str(kit), "--workspace", str(workspace)]
    words += ["--prove", "--steps", "3", "--paddle", "2.6.2"]
    assert run(words) == 0
    (file,) = (workspace / "results" / "MiniKit").glob("*.json")
    result = read_result(file)
    assert result.config == "configs/plain.json"
    assert {mode: one.verdict.value for mode, one in result.modes.items()} == {
        "ast": "pass",
        "sot": "pass",
    }
    assert result.revision == git(kit, "rev-parse", "HEAD").strip()
    change = plan_change(Source("MiniKit", kit, None)).change_set()
    rows = read_evidence(Workspace(workspace), "MiniKit").rows
    executed = coverage(change, rows)
    assert executed is not None
    assert (executed.never, executed.on, executed.total) == ((), 3, 3)
    (text,) = workspace.glob("pull-requests/MiniKit/*/*en*.md")
    assert "configs/plain.json" in text.read_text()
    assert git(kit, "status", "--porcelain") == ""
    capfd.readouterr()
    assert run(words) == 0
    assert "Runs on record have executed all" in capfd.readouterr().err
