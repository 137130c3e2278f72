"""`codemod check` in CI: baselines, thresholds, choices, the comment, the action's script."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from codemod.cli.check_text import _escaped
from codemod.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = Path(__file__).parent.parent.parent
HELPER = """\
def apply_to_static(model, config, logger):
    if not config["Global"].get("to_static", False):
        return model
    assert "d2s_train_image_shape" in config["Global"], "no shape"
    supported_list = ["DB", "CRNN"]
    assert config["Architecture"]["algorithm"] in supported_list, "no spec"
    return to_static(model, input_spec=[None])
"""
TRAIN = """\
import paddle

from ppocr.modeling.architectures import apply_to_static, build_model


def main(config, logger, loader):
    model = build_model(config["Architecture"])
    model = apply_to_static(model, config, logger)
    if config["Global"]["distributed"]:
        model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
"""
CONFIG = "Global: {{d2s_train_image_shape: [3, 32, 32]}}\nArchitecture: {{algorithm: {0}}}\n"


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small PaddleOCR: two configs reach the hook of its helper."""
    root = tmp_path / "PaddleOCR"
    files = {
        "tools/train.py": TRAIN,
        "ppocr/modeling/architectures/__init__.py": f"from paddle.jit import to_static\n\n\n{HELPER}",
        "configs/det/db.yml": CONFIG.format("DB"),
        "configs/rec/crnn.yml": CONFIG.format("CRNN"),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return root


def break_reach(kit: Path) -> None:
    helper = kit / "ppocr/modeling/architectures/__init__.py"
    helper.write_text(helper.read_text().replace('["DB", "CRNN"]', '["DB"]'))


@pytest.fixture
def refusing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small PaddleOCR whose rule leaves CRNN alone on purpose; nothing else is found."""
    data = tmp_path / "data"
    shutil.copytree(TOP / "rules", data / "rules")
    shutil.copy(TOP / "kits.yaml", data / "kits.yaml")
    (data / "rules/PaddleOCR/configs.yaml").write_text(REFUSING)
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    return data


REFUSING = """\
trains: [Architecture]
model: [Architecture.algorithm]
routes:
  - hooks: ["tools/train.py:*", "ppocr/modeling/architectures/__init__.py:*"]
    needs:
      - key: [Architecture.algorithm]
        one_of: [CRNN]
        absent: true
        refused: true
        why: refused, it swaps weights
"""


def test_what_the_rule_refuses_is_no_finding_unless_strict(
    kit: Path, refusing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["apply", "PaddleOCR", "--path", str(kit)]) == 0
    capsys.readouterr()
    only = ["--select", "config-blocked"]
    assert check(kit, *only) == 0
    out = capsys.readouterr().out
    assert "1 of 2 configs reach a hook" in out and "0 findings." in out
    assert "1 config by the kit's rule: refused, it swaps weights: configs/rec/crnn.yml" in out
    assert check(kit, *only, "--strict", "--format", "github") == 1
    assert capsys.readouterr().out == (
        "::warning file=configs/rec/crnn.yml,title=codemod config-blocked::CRNN reaches no hook that serves: "
        "refused, it swaps weights (Architecture.algorithm: CRNN).\n"
    )


def test_annotations_cannot_be_ended_by_what_they_hold() -> None:
    assert _escaped("100%\r\n::error::x, y", ",:") == "100%25%0D%0A%3A%3Aerror%3A%3Ax%2C y"


def test_a_baseline_says_what_it_keeps(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(kit, "--baseline", "base.json", "--write-baseline")
    told = capsys.readouterr().err
    assert re.search(r"base\.json: \d+ findings? of PaddleOCR, 2 of 2 configs that reach", told)


@pytest.mark.parametrize("words", [("--json", "--sarif"), ("--json", "--format", "github")])
def test_one_form_is_printed(kit: Path, words: tuple[str, ...]) -> None:
    assert check(kit, *words) == 2


def check(kit: Path, *words: str) -> int:
    return run(["check", "PaddleOCR", "--path", str(kit), *words])


def test_only_what_is_new_fails(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = ["--baseline", "base.json"]
    assert check(kit) == 1
    assert check(kit, *baseline, "--write-baseline") == 0
    assert check(kit, *baseline) == 0
    break_reach(kit)
    capsys.readouterr()
    assert check(kit, *baseline, "--json") == 1
    change = json.loads(capsys.readouterr().out)["change"]
    assert [finding["id"] for finding in change["new"]] == ["config-blocked"]
    assert change["lost"] == ["configs/rec/crnn.yml"]
    assert (change["reach_before"], change["reach_after"]) == (2, 1)
    assert check(kit, *baseline, "--fail-on", "error") == 0
    assert check(kit, *baseline, "--fail-on", "none") == 0


def test_a_baseline_that_is_not_there(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(kit, "--baseline", "base.json") == 2
    assert "--write-baseline" in capsys.readouterr().err
    assert check(kit, "--write-baseline") == 2


def test_a_baseline_of_another_kit(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(kit, "--baseline", "base.json", "--write-baseline")
    content = json.loads(Path("base.json").read_text())
    content["kits"]["PaddleDemo"] = content["kits"].pop("PaddleOCR")
    Path("base.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert check(kit, "--baseline", "base.json") == 2
    shown = capsys.readouterr()
    assert "The baseline base.json is for PaddleDemo, not for " in shown.err
    assert "--write-baseline" in shown.err
    assert not shown.out


def test_the_comment_tells_the_change_in_reach(kit: Path) -> None:
    words = ["--baseline", "base.json", "--comment", "comment.md"]
    check(kit, *words[:2], "--write-baseline")
    check(kit, *words)
    assert "**No change in reach:** 2 of 2 configs reach a hook." in Path("comment.md").read_text()
    break_reach(kit)
    check(kit, *words)
    text = Path("comment.md").read_text(encoding="utf-8")
    assert (
        "**\N{MINUS SIGN}1 config reaches the hook** (1 of 2 configs reach a hook; 2 before)"
        in text
    )
    assert "<summary>1 config lost</summary>" in text
    assert "`configs/rec/crnn.yml` (CRNN)" in text


def test_kinds_are_selected_and_ignored(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_reach(kit)
    capsys.readouterr()

    def found(*words: str) -> set[str]:
        check(kit, "--json", *words)
        return {one["id"] for one in json.loads(capsys.readouterr().out)["findings"]}

    everything = found()
    assert "config-blocked" in everything and len(everything) > 1
    assert found("--select", "config-*") == {"config-blocked"}
    assert found("--ignore", "config-blocked") == everything - {"config-blocked"}
    assert check(kit, "--select", "config-block") == 2
    assert "Did you mean config-blocked or" in capsys.readouterr().err


def test_a_suppressed_finding_does_not_fail(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_reach(kit)
    config = kit / "configs/rec/crnn.yml"
    config.write_text(config.read_text() + "# codemod: ignore[config-blocked] not used any more\n")
    capsys.readouterr()
    assert check(kit, "--select", "config-blocked", "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert made["findings"] == []
    assert made["suppressed"][0]["justification"] == "not used any more"


def test_findings_are_grouped(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("svtr", "sar", "pren"):
        (kit / f"configs/rec/{name}.yml").write_text(CONFIG.format(name.upper()))
    check(kit, "--select", "config-blocked")
    out = capsys.readouterr().out
    assert "config-blocked (3)" in out
    assert out.count("the helper's list of supported algorithms leaves it out") == 1
    assert "2 of 5 configs reach a hook" in out


def test_several_kits_in_one_log(
    kit: Path, minikit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(kit), str(minikit), "--sarif"]) == 1
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 2
    assert run(["check", str(kit), str(minikit), "nowhere", "--json"]) == 2
    made = capsys.readouterr()
    assert [one["kit"] for one in json.loads(made.out)["kits"]] == ["PaddleOCR", None]
    assert "nowhere" in made.err


def action(
    kit: Path, base: str, fail_on: str = "warning", spoken: str = "en"
) -> tuple[int, str, Path]:
    """The action's script as a runner calls it: exit code, comment, SARIF log."""
    runner = kit.parent / "runner"
    runner.mkdir(exist_ok=True)
    for name in ("output", "summary"):
        (runner / name).write_text("")
    done = subprocess.run(
        [TOP / "action/check.sh"],
        env={
            **os.environ,
            "PYTHON": sys.executable,
            "PYTHONPATH": str(TOP),
            "KIT": "PaddleOCR",
            "CHECKOUT": str(kit),
            "BASE": base,
            "FAIL_ON": fail_on,
            "SPOKEN": spoken,
            "RUNNER_TEMP": str(runner),
            "GITHUB_OUTPUT": str(runner / "output"),
            "GITHUB_STEP_SUMMARY": str(runner / "summary"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    said = dict(line.split("=", 1) for line in (runner / "output").read_text().splitlines())
    assert (runner / "summary").read_text() == Path(said["comment"]).read_text(), done.stderr
    return done.returncode, Path(said["comment"]).read_text(), Path(said["sarif"])


@pytest.mark.slow
def test_the_action_compares_with_the_base(
    kit: Path, commit: Callable[[Path], str], git: Callable[..., str]
) -> None:
    base = commit(kit)
    assert action(kit, base)[0] == 0
    break_reach(kit)
    code, comment, sarif = action(kit, base)
    assert code == 1
    assert "\N{MINUS SIGN}1 config" in comment
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    assert [r["ruleId"] for r in results if r["baselineState"] == "new"] == ["config-blocked"]
    code, comment, _ = action(kit, base, "none", "zh")
    assert code == 0
    assert "到达转换的配置 \N{MINUS SIGN}1 个" in comment
    assert action(kit, "")[0] == 1
    assert git(kit, "worktree", "list").count("\n") == 1


def uses(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [v for k, v in node.items() if k == "uses"] + [
            u for v in node.values() for u in uses(v)
        ]
    return [u for item in node for u in uses(item)] if isinstance(node, list) else []


def test_actions_are_pinned_to_commits() -> None:
    for file in (TOP / "action.yml", TOP / "docs/ci/codemod-check.yml"):
        named = [one for one in uses(yaml.safe_load(file.read_text())) if "OWNER/" not in one]
        assert named
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one) for one in named), named


def test_the_hook_definition_runs_a_command_that_is_there(kit: Path) -> None:
    (hook,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
    assert hook["language"] == "python"
    os.chdir(kit)
    program, *words = hook["entry"].split()
    assert program == "codemod"
    assert run([*words, "--fail-on", "none"]) == 0
