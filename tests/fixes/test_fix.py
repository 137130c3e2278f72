"""`codemod fix`: nothing is written that no probe proves, and all of it can be taken out again."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench import failing
from bench.fixes import PAGE, filled
from codemod.audit.fixes.declared import with_kit
from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.code.kept import forget
from codemod.code.module import parse
from codemod.experiments.probe.proving import LEGS
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    PROOFS,
    Dynamic,
    FixProof,
    TrainedProof,
    keep_proof,
)
from codemod.judging.verdict import Verdict
from codemod.work.fixing import offers_of

HERE = Path(__file__).parent
VIEW, NETS = "configs/view.yaml", "mini/nets.py"
NETS_CODE = """\
import paddle
import paddle.nn as nn


class View(nn.Layer):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 4)

    def forward(self, x):
        x = x.transpose([0, 2, 3, 1]).reshape_([2, -1, 3])
        return self.head(x.mean(1))


class Sum(nn.Layer):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(1, 4)

    def forward(self, x):
        total = paddle.sum(x, axis=1)
        return self.head(total.reshape([2, -1, 1]).mean(1))
"""
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEMOD_DATA", str(HERE / "data"))
    found = tmp_path / "kit"
    (found / "mini").mkdir(parents=True)
    (found / "configs").mkdir()
    (found / "mini" / "__init__.py").write_text("")
    (found / NETS).write_text(NETS_CODE)
    for net in ("View", "Sum"):
        (found / f"configs/{net.lower()}.yaml").write_text(json.dumps({"net": net}))
    return found


@pytest.fixture
def call(kit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command on a checkout of the kit: exit code, standard output, standard error."""

    def called(command: str, *words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        place = ["--path", str(kit), "--workspace", str(tmp_path / "ws")]
        code = run([command, "MendKit", *words, *place])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def proved(kit: Path, workspace: Workspace, **other: Any) -> None:
    """Keep a proof of the view's fix on each Paddle, as probes would make it."""
    (offer,) = [o for o in offers_of(Source("MendKit", kit, None), workspace) if o.found.fixes]
    for paddle in PADDLES:
        proof = FixProof(
            kit="MendKit",
            config=VIEW,
            paddle=paddle,
            fixes=tuple(fix.name for fix in offer.found.fixes),
            ground=offer.ground,
            dynamic=Dynamic.EQUAL,
            before={"ast": Verdict.FAILS, "sot": Verdict.FAILS},
            after={"ast": Verdict.PASS, "sot": Verdict.PASS_PARTIAL},
            lines_added=1,
            lines_removed=1,
            steps=2,
            agree=("train() outputs",),
        )
        keep_proof(workspace, replace(proof, **other))


def test_a_dry_run_shows_what_is_not_proved_yet_and_writes_nothing(call: Call, kit: Path) -> None:
    before = (kit / NETS).read_bytes()
    code, out, _ = call("fix", "-c", VIEW, "--dry-run")
    assert code == 0
    assert f"D-57 {NETS}:11  View.forward" in out
    assert f"{VIEW}: not proved yet (codemod fix MendKit -c {VIEW})" in out
    assert "-        x = x.transpose([0, 2, 3, 1]).reshape_([2, -1, 3])\n" in out
    assert "+        x = x.transpose([0, 2, 3, 1]).reshape([2, -1, 3])\n" in out
    assert (kit / NETS).read_bytes() == before


def test_a_dry_run_shows_what_the_command_would_write(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    out = call("fix", "--dry-run")[1]
    assert f"{VIEW}: not proved yet" in out
    assert "reshape([2, -1, 3])" not in out.partition("not proved yet")[2]
    assert out.endswith("MendKit: nothing to do\n")
    proved(kit, Workspace.at(tmp_path / "ws"))
    assert "1 file would change, +1 -1 lines" in call("fix", "--dry-run")[1]


def test_a_proof_that_compares_no_outputs_does_not_count(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    proved(kit, Workspace.at(tmp_path / "ws"), agree=())
    out = call("fix", "--dry-run")[1]
    assert f"{VIEW}: not proved yet" in out
    assert out.endswith("MendKit: nothing to do\n")


def test_configs_beside_the_kits_own_are_reached_too(call: Call, kit: Path) -> None:
    other = "contrib/cut/view.yaml"
    (kit / other).parent.mkdir(parents=True)
    (kit / other).write_text(json.dumps({"net": "View"}))
    code, out, _ = call("fix", "-c", "contrib/*", "--dry-run", "--json")
    found = json.loads(out)
    assert code == 0
    assert [fix["fix"] for fix in found["fixes"]] == [f"D-57 {NETS}:11"]
    assert [one["config"] for one in found["configs"]] == [other]
    every = json.loads(call("fix", "--dry-run", "--json")[1])["configs"]
    assert [one["config"] for one in every] == [VIEW, other]


def test_without_a_config_and_a_proof_nothing_is_written(call: Call, kit: Path) -> None:
    before = (kit / NETS).read_bytes()
    code, out, _ = call("fix")
    assert (code, out.splitlines()[-1]) == (0, "MendKit: nothing to do")
    assert (kit / NETS).read_bytes() == before


def test_what_is_proved_is_written_once_and_taken_out_to_the_byte(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    before = (kit / NETS).read_bytes()
    proved(kit, Workspace.at(tmp_path / "ws"))
    code, out, _ = call("fix", "-c", VIEW)
    assert code == 0
    assert f"{VIEW}: proved: Paddle 2.6.2: dynamic training equal; ast fails -> pass" in out
    after = (kit / NETS).read_bytes()
    assert after == before.replace(b"reshape_(", b"reshape(")
    assert call("fix", "-c", VIEW)[:2] == (0, "MendKit: nothing to do\n")
    assert (kit / NETS).read_bytes() == after
    assert call("revert")[0] == 0
    assert (kit / NETS).read_bytes() == before


def test_a_proof_counts_for_the_very_files_it_was_made_on(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    proved(kit, Workspace.at(tmp_path / "ws"))
    with (kit / NETS).open("a") as file:
        file.write("\n\nSCALE = 2\n")
    before = (kit / NETS).read_bytes()
    code, out, _ = call("fix")
    assert (code, "not proved yet" in out) == (0, True)
    assert (kit / NETS).read_bytes() == before


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (
            {"dynamic": Dynamic.DIFFERS, "reason": "the loss at step 0"},
            "dynamic training on Paddle 2.6.2 is not the same: the loss at step 0",
        ),
        (
            {"dynamic": Dynamic.FAILS, "reason": "TypeError"},
            "dynamic training fails on Paddle 2.6.2 after it: TypeError",
        ),
        (
            {"dynamic": Dynamic.UNKNOWN, "reason": "timeout"},
            "nothing was compared on Paddle 2.6.2: timeout",
        ),
        (
            {"dynamic": Dynamic.MENDED, "after": {"ast": Verdict.FAILS, "sot": Verdict.FAILS}},
            "no static mode passes that did not pass before",
        ),
        (
            {"after": {"ast": Verdict.FAILS, "sot": Verdict.LOSS_DIFFERS}},
            "no static mode passes that did not pass before",
        ),
        (
            {"before": {"ast": Verdict.PASS}, "after": {"ast": Verdict.FAILS}},
            "ast passed on Paddle 2.6.2 before it",
        ),
    ],
)
def test_what_a_proof_refutes_is_not_written(
    call: Call, kit: Path, tmp_path: Path, other: dict[str, Any], reason: str
) -> None:
    before = (kit / NETS).read_bytes()
    proved(kit, Workspace.at(tmp_path / "ws"), **other)
    code, out, _ = call("fix")
    assert code == 1
    assert f"{VIEW}: not offered: {reason}\n" in out
    assert (kit / NETS).read_bytes() == before


def test_what_trained_on_no_paddle_is_offered_where_a_mode_passes(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    proved(kit, Workspace.at(tmp_path / "ws"), dynamic=Dynamic.MENDED, reason="NameError")
    code, out, _ = call("fix")
    assert (code, "dynamic training mended (NameError); ast fails -> pass" in out) == (0, True)


def test_a_file_of_model_code_is_fixed_like_a_config(
    call: Call, kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    shutil.copytree(HERE / "data", data)
    with (data / "rules/MendKit/configs.yaml").open("a") as file:
        file.write('code: ["mini/*.py"]\n')
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    code, out, _ = call("fix", "-c", NETS, "--dry-run")
    assert code == 0
    assert f"{NETS}: not proved yet (codemod fix MendKit -c {NETS})" in out
    assert "+        x = x.transpose([0, 2, 3, 1]).reshape([2, -1, 3])\n" in out
    assert VIEW not in out


def test_json_tells_fixes_configs_and_proofs(call: Call, kit: Path, tmp_path: Path) -> None:
    proved(kit, Workspace.at(tmp_path / "ws"))
    code, out, _ = call("fix", "--dry-run", "--json")
    found = json.loads(out)
    assert code == 0
    (fix,) = found["fixes"]
    assert (fix["id"], fix["blame"], fix["file"], fix["line"]) == ("D-57", "hook", NETS, 11)
    (config,) = found["configs"]
    assert (config["config"], config["offered"], config["reason"]) == (VIEW, True, "")
    assert config["fixes"] == [fix["fix"]]
    assert config["proofs"]["3.3.1"]["after"] == {"ast": "pass", "sot": "pass-partial"}
    assert (found["files_changed"], found["lines_added"], found["lines_removed"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--hazard", "D-99"), "There is no mechanical fix for D-99."),
        (("-c", "configs/none.yaml"), "MendKit has no config configs/none.yaml"),
        (("--paddle", "two"), "`two` is not a version of Paddle."),
        (("--fixes", "nowhere.yaml"), "nowhere.yaml"),
        (("--parity",), "--parity trains a config, and none is named."),
    ],
)
def test_bad_input_is_one_sentence(call: Call, words: tuple[str, ...], message: str) -> None:
    code, _, err = call("fix", *words)
    assert (code, message in err, "Traceback" in err) == (2, True, False)


def test_a_folder_of_no_known_kit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "net.py").write_text("import paddle\n")
    assert run(["fix", str(folder), "--workspace", str(tmp_path / "ws")]) == 2
    assert "is not a known kit" in capsys.readouterr().err


def test_a_line_that_is_not_a_proof_proves_nothing(call: Call, kit: Path, tmp_path: Path) -> None:
    place = Workspace.at(tmp_path / "ws")
    proved(kit, place)
    file = place.root / "fixes" / "MendKit.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(["{", lines[0][:40], "[]", *lines]) + "\n")
    assert len(PROOFS.read("MendKit", place)) == len(PADDLES)
    file.write_text("{}\n")
    assert "not proved yet" in call("fix")[1]


TRAINER = """\
import json
import sys

import paddle
from mini import nets


def main():
    cfg = json.load(open(sys.argv[1]))
    model = getattr(nets, cfg["net"])()
    optimizer = paddle.optimizer.SGD(cfg.get("rate", 0.1), parameters=model.parameters())
    for picture in cfg["batches"]:
        model(picture).mean().backward()
        optimizer.step()
"""


def test_the_fixes_go_with_the_hooks_and_are_taken_out_with_them(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    (kit / "train.py").write_text(TRAINER)
    proved(kit, Workspace.at(tmp_path / "ws"))
    before = (kit / NETS).read_bytes()
    plain = call("diff")[1]
    assert (NETS in plain, "to_static(model)" in plain) == (False, True)
    code, patch, _ = call("diff", "--with-fixes")
    assert code == 0
    assert "+        model = paddle.jit.to_static(model)" in patch
    assert "+        x = x.transpose([0, 2, 3, 1]).reshape([2, -1, 3])" in patch
    code, out, _ = call("apply", "--with-fixes", "--json")
    kinds = {edit["file"]: edit["kind"] for edit in json.loads(out)["edits"]}
    assert (code, kinds) == (0, {"train.py": "hook", NETS: "fix"})
    assert (kit / NETS).read_bytes() == before.replace(b"reshape_(", b"reshape(")
    assert call("revert")[0] == 0
    assert ((kit / NETS).read_bytes(), (kit / "train.py").read_text()) == (before, TRAINER)


def test_git_takes_the_patch_of_hooks_and_fixes(call: Call, kit: Path, tmp_path: Path) -> None:
    (kit / "train.py").write_text(TRAINER)
    proved(kit, Workspace.at(tmp_path / "ws"))
    patch = tmp_path / "kit.patch"
    assert call("diff", "--with-fixes", "-o", str(patch))[0] == 0
    subprocess.run(["git", "apply", str(patch)], cwd=kit, check=True)
    assert ".reshape([2, -1, 3])" in (kit / NETS).read_text()
    assert call("fix", "--dry-run")[1] == "MendKit: nothing to do\n"


def test_a_branch_holds_the_fixes_as_a_commit_with_their_proofs_in_the_text(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    (kit / "train.py").write_text(TRAINER)
    proved(kit, Workspace.at(tmp_path / "ws"))
    for words in (
        ["init", "-q"],
        ["config", "user.name", "A"],
        ["config", "user.email", "a@example.org"],
        ["add", "-A"],
        ["commit", "-qm", "Start"],
    ):
        subprocess.run(["git", *words], cwd=kit, check=True)
    (kit / NETS).write_text("the work tree is not looked at\n")
    code, out, _ = call("branch", "--with-fixes", "--json")
    assert code == 0, out
    told = json.loads(out)
    log = ["git", "log", "--format=%s", "-1", "--name-only", told["branch"]]
    shown = subprocess.run(log, cwd=kit, check=True, capture_output=True, text=True).stdout
    assert shown.split("\n")[2:3] == [NETS]
    english, chinese = (Path(told["texts"][language]).read_text() for language in ("en", "zh"))
    assert f"- `{NETS}:11`: Use the function that is not in place" in english
    assert f"| `{VIEW}` | 3.3.1 | equal | fails → pass | fails → pass-partial |" in english
    assert f"- `{NETS}:11`：改用结果相同的非原位函数。" in chinese
    assert f"| `{VIEW}` | 2.6.2 | equal | fails → pass | fails → pass-partial |" in chinese
    good = {"ast": Verdict.PASS, "sot": Verdict.PASS_PARTIAL}
    told = TrainedProof(Dynamic.EQUAL, good, 50)
    (kit / NETS).write_text(NETS_CODE)
    proved(kit, Workspace.at(tmp_path / "ws"), trained=told)
    code, out, _ = call("branch", "--with-fixes", "--json", "--name", "trained")
    texts = json.loads(out)["texts"]
    english, chinese = (Path(texts[language]).read_text() for language in ("en", "zh"))
    row = f"| `{VIEW}` | 2.6.2 | equal | fails → pass | fails → pass-partial |"
    assert f"{row} 50 steps: dynamic equal, AST pass, SOT pass-partial |" in english
    assert f"{row} 50 步：动态图 equal，AST pass，SOT pass-partial |" in chinese


@pytest.mark.slow
def test_proofs_are_kept_with_the_tool_and_checked(
    call: Call,
    kit: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = tmp_path / "data"
    shutil.copytree(HERE / "data", data)
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    proved(kit, Workspace.at(tmp_path / "ws"))
    assert run(["evidence", "add", "--workspace", str(tmp_path / "ws")]) == 0
    shutil.rmtree(tmp_path / "ws" / "fixes")
    assert f"{VIEW}: proved" in call("fix", "--dry-run")[1]
    assert run(["evidence", "verify"]) == 0
    file = data / "evidence" / "fixes" / "MendKit.jsonl"
    for fault, said in (
        ("{}\n", "MendKit.jsonl:1: it is not a proof (`kit` is missing)."),
        (file.read_text() * 2, "one stands twice"),
        (file.read_text().replace('"MendKit"', '"Other"'), "a proof is of 'Other'"),
    ):
        file.write_text(fault)
        capsys.readouterr()
        assert run(["evidence", "verify"]) == 1
        assert said in capsys.readouterr().out


def test_check_offers_what_is_proved_for_its_finding(call: Call, kit: Path, tmp_path: Path) -> None:
    def finding() -> dict[str, Any]:
        found = json.loads(call("check", "--json")[1])["findings"]
        (one,) = [one for one in found if one["id"] == "D-57 inplace-view"]
        return dict(one)

    assert "fix" not in finding()
    proved(kit, Workspace.at(tmp_path / "ws"))
    one = finding()
    command = f"codemod fix MendKit -c {VIEW}"
    assert one["remedy"].endswith(f" A fix is proved: {command}")
    line = "        x = x.transpose([0, 2, 3, 1]).reshape([2, -1, 3])\n"
    replaced = {"file": NETS, "first": 11, "last": 11, "text": line}
    assert (one["fix"]["command"], one["fix"]["replacements"]) == (command, [replaced])
    log = json.loads(call("check", "--sarif")[1])
    assert [r["fixes"] for run in log["runs"] for r in run["results"] if r["ruleId"] == "D-57"]


def test_the_survey_shows_what_passes_after_the_fix(call: Call, kit: Path, tmp_path: Path) -> None:
    (kit / "train.py").write_text(TRAINER)
    proved(kit, Workspace.at(tmp_path / "ws"))
    (survey,) = json.loads(call("survey", "--json")[1])["kits"]
    told = {one["path"]: one.get("after_fix") for row in survey["rows"] for one in row["configs"]}
    first = {"mode": "ast", "paddle": "2.6.2", "before": "fails", "after": "pass"}
    assert told["configs/sum.yaml"] is None
    assert (len(told[VIEW]), told[VIEW][0]) == (4, first)
    (tmp_path / "out").mkdir()
    assert call("survey", "-o", str(tmp_path / "out"))[0] == 0
    (page,) = (tmp_path / "out").glob("*.en.md")
    text = page.read_text(encoding="utf-8")
    assert "| After fix |" in text
    assert re.search(
        r"\| AST 2\.6\.2: [^|]+ → [^|]+ ×1<br>.*SOT 3\.3\.1: [^|]+ → [^|]+ ×1 \|", text
    )
    (sheet,) = (tmp_path / "out").glob("*.csv")
    assert "sot 3.3.1 pass-partial" in sheet.read_text(encoding="utf-8-sig")


STATED = """\
fixes:
  - id: X-01
    name: twice
    blame: hook
    file: mini/nets.py
    scope: Sum.forward
    old: {old}
    new: {new}
    says: Sum in another way.
    says_zh: 以另一种方式求和。
"""


def stated(folder: Path, old: str, new: str) -> str:
    file = folder / "mine.yaml"
    file.write_text(STATED.format(old=json.dumps(old), new=json.dumps(new)), encoding="utf-8")
    return str(file)


def test_a_file_states_fixes_of_an_expression_and_of_a_statement(
    call: Call, tmp_path: Path
) -> None:
    mine = stated(tmp_path, "paddle.sum( x,axis=1 )", "x.sum(axis=1)")
    out = call("fix", "--fixes", mine, "--dry-run", "--hazard", "MendKit/X-01")[1]
    assert out.startswith(f"MendKit/X-01 {NETS}:")
    assert "+        total = x.sum(axis=1)\n" in out
    mine = stated(tmp_path, "total = paddle.sum(x, axis=1)", "y = x * 1\ntotal = y.sum(axis=1)")
    out = call("fix", "--fixes", mine, "--dry-run", "--hazard", "X-01")[1]
    assert "+        y = x * 1\n+        total = y.sum(axis=1)\n" in out


def test_a_call_that_stands_alone_becomes_a_statement(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    nets = kit / NETS
    text = nets.read_text(encoding="utf-8")
    alone = text.replace("        return", "        total.add_(total)\n        return")
    nets.write_text(alone, encoding="utf-8")
    mine = stated(tmp_path, "total.add_(total)", "total = total.add(total)")
    out = call("fix", "--fixes", mine, "--dry-run", "--hazard", "X-01", "--allow-dirty")[1]
    assert "-        total.add_(total)\n+        total = total.add(total)\n" in out


def test_no_rewrite_leaves_an_if_whose_branches_are_equal(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    nets = kit / NETS
    text = nets.read_text(encoding="utf-8")
    branch = "if self.exports:\n    total = total.add(total)\nelse:\n    total.add_(total)\n"
    within = branch.replace("\n", "\n        ")
    text = text.replace("        return", "        " + within + "return")
    nets.write_text(text, encoding="utf-8")
    asked = ("--dry-run", "--hazard", "X-01", "--allow-dirty")
    half = stated(tmp_path, "total.add_(total)", "total = total.add(total)")
    out = call("fix", "--fixes", half, *asked)[1]
    assert "both branches of an if would be the same" in out
    assert "+++" not in out
    whole = stated(tmp_path, branch, "total = total.add(total)")
    out = call("fix", "--fixes", whole, *asked)[1]
    assert "-        if self.exports:\n" in out
    assert "\n-            total.add_(total)\n" in out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("paddle.sum(x, axis=1)", "paddle.sum(x, axis=1).clone()"),
        (
            "total = paddle.sum(x, axis=1)",
            "with paddle.no_grad():\n    total = paddle.sum(x, axis=1)",
        ),
    ],
)
def test_what_a_stated_fix_has_written_is_left_alone(
    call: Call, kit: Path, tmp_path: Path, old: str, new: str
) -> None:
    nets = kit / NETS
    text = nets.read_text(encoding="utf-8")
    mine = stated(tmp_path, old, new)
    asked = ("fix", "--fixes", mine, "--dry-run", "--hazard", "X-01", "--allow-dirty")
    assert "MendKit: 1 file would change" in call(*asked)[1]
    nets.write_text(text.replace(old, new.replace("\n", "\n        ")), encoding="utf-8")
    assert call(*asked)[1] == "MendKit: nothing to do\n"


@pytest.mark.parametrize(("old", "new"), [("total =", "x"), ("a\nb", "x"), ("total", "x +")])
def test_a_stated_fix_that_is_not_python_is_refused_with_its_line(
    call: Call, tmp_path: Path, old: str, new: str
) -> None:
    code, _, err = call("fix", "--fixes", stated(tmp_path, old, new))
    assert (code, "mine.yaml:2" in err, "has no Python in" in err) == (2, True, True)


@pytest.mark.slow
def test_a_right_fix_is_proved_by_probes_and_written(call: Call, kit: Path, tmp_path: Path) -> None:
    before = (kit / NETS).read_bytes()
    code, out, err = call("fix", "-c", VIEW)
    assert code == 0, out + err
    assert (kit / NETS).read_bytes() == before.replace(b"reshape_(", b"reshape(")
    proofs = {
        proof.paddle: proof for proof in PROOFS.read("MendKit", Workspace.at(tmp_path / "ws"))
    }
    assert set(proofs) == set(PADDLES)
    for proof in proofs.values():
        # What fails is looked at again on the config's own size; so is the fix.
        assert proof.attempt["size"] == 12
        assert proof.dynamic is Dynamic.EQUAL
        assert proof.gains == ("ast", "sot")
        assert (proof.lines_added, proof.lines_removed) == (1, 1)
        assert proof.unexecuted == ()
        assert proof.agree == LEGS


@pytest.mark.slow
def test_a_fix_where_no_run_goes_is_left_out_and_the_others_written(call: Call, kit: Path) -> None:
    nets = kit / NETS
    straight = "        x = x.transpose([0, 2, 3, 1]).reshape_([2, -1, 3])\n"
    beside = "        if x.ndim == 2:\n            x = x.transpose([1, 0]).reshape_([2, -1, 3])\n"
    nets.write_text(nets.read_text().replace(straight, straight + beside))
    before = nets.read_text()
    code, out, err = call("fix", "-c", VIEW, "--allow-dirty")
    assert "so the rest is proved alone" in err
    assert code == 1, out + err
    assert nets.read_text() == before.replace("reshape_", "reshape", 1)


@pytest.mark.slow
def test_a_net_that_keeps_its_local_names_is_proved_as_it_is(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    nets = kit / NETS
    head = "        self.head = nn.Linear(3, 4)\n"
    # As ERNIE-Doc does. In a function that is traced, each line puts `self` back.
    keeps = '        made = locals()\n        made.pop("self")\n'
    held = '        assert "self" not in made\n'
    nets.write_text(nets.read_text().replace(head, keeps + head + held))
    code, out, err = call("fix", "-c", VIEW, "--allow-dirty")
    assert code == 0, out + err
    assert ".reshape([2, -1, 3])" in nets.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "why", "written"),
    [
        (
            "x.mean(1) if self.training else x.mean(1) * 1.5",
            "the eval() outputs are not the same",
            b"reshape_(",
        ),
        (
            "x.mean(1) if x.shape[0] < 20000 else x.mean(1) * 2",
            "no run of this config executes what the fix would write",
            b"reshape(",
        ),
    ],
    ids=["it refutes the fix beside it", "the fix beside it is written"],
)
def test_a_fix_that_is_wrong_where_no_training_step_goes_is_not_offered(
    call: Call, kit: Path, tmp_path: Path, new: str, why: str, written: bytes
) -> None:
    wanted = (kit / NETS).read_bytes().replace(b"reshape_(", written)
    mine = stated(tmp_path, "x.mean(1)", new)
    text = Path(mine).read_text().replace("Sum.forward", "View.forward")
    Path(mine).write_text(text)
    code, out, err = call("fix", "-c", VIEW, "--fixes", mine)
    assert (code, (kit / NETS).read_bytes()) == (1, wanted), out + err
    assert why in out


TRAINS = """\
import json
import sys

import paddle
from mini import nets


def main():
    cfg = json.load(open(sys.argv[1]))
    cfg.update(pair.split("=") for pair in sys.argv[2:])
    model = getattr(nets, cfg["net"])()
    optimizer = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    for _ in range(20):
        model(paddle.rand([2, 3, 12, 12])).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()


main()
"""


@pytest.mark.slow
def test_a_fix_is_proved_by_the_kits_own_trainer_where_that_is_asked_for(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    (kit / "train.py").write_text(TRAINS)
    workspace = Workspace.at(tmp_path / "ws")
    code, out, err = call("fix", "-c", VIEW, "--parity", "--steps", "6")
    assert code == 0, out + err
    assert ".reshape([2, -1, 3])" in (kit / NETS).read_text()
    assert (kit / "train.py").read_text() == TRAINS, "the hook is tried in a copy"
    proofs = {proof.paddle: proof.trained for proof in PROOFS.read("MendKit", workspace)}
    assert set(proofs) == set(PADDLES)
    for trained in proofs.values():
        assert trained is not None
        assert (trained.dynamic, trained.steps) == (Dynamic.EQUAL, 6)
        assert all(verdict.passed for verdict in trained.modes.values()), trained
        assert set(trained.modes) == {"ast", "sot"}
    runs = workspace.root / "runs" / "MendKit"
    assert len(list(runs.glob("fix-*/after/sot.log"))) == len(PADDLES)
    assert "6 steps of the kit's own trainer: dynamic equal, ast pass, sot pass" in out


def test_what_the_kits_own_trainer_says_counts(call: Call, kit: Path, tmp_path: Path) -> None:
    before, workspace = (kit / NETS).read_bytes(), Workspace.at(tmp_path / "ws")
    good = {"ast": Verdict.PASS, "sot": Verdict.PASS_PARTIAL}
    bad = {"ast": Verdict.LOSS_DIFFERS, "sot": Verdict.FAILS}
    for trained, words in (
        (TrainedProof(Dynamic.DIFFERS, good, 50, reason="the loss"), "not shown to be the same"),
        (TrainedProof(Dynamic.EQUAL, bad, 50), "passes in the kit's own trainer"),
    ):
        proved(kit, workspace, trained=trained)
        code, out, _ = call("fix", "-c", VIEW)
        assert (code, words in out) == (1, True), out
        assert (kit / NETS).read_bytes() == before
    proved(kit, workspace, trained=TrainedProof(Dynamic.EQUAL, good, 50))
    code, out, _ = call("fix", "-c", VIEW)
    assert "50 steps of the kit's own trainer: dynamic equal, ast pass, sot pass-partial" in out
    assert (code, ".reshape([2, -1, 3])" in (kit / NETS).read_text()) == (0, True)


@pytest.mark.slow
def test_a_fix_that_changes_one_bit_of_dynamic_training_is_refused(
    call: Call, kit: Path, tmp_path: Path
) -> None:
    before = (kit / NETS).read_bytes()
    # Right but for rounding: another order of the same sum.
    wrong = stated(tmp_path, "paddle.sum(x, axis=1)", "x[:, 2] + x[:, 1] + x[:, 0]")
    code, out, _ = call("fix", "-c", "configs/sum.yaml", "--fixes", wrong)
    assert code == 1
    assert "not offered: dynamic training on Paddle 2.6.2 is not the same: " in out
    assert (kit / NETS).read_bytes() == before


@pytest.mark.slow
def test_the_page_shows_the_proofs_on_record() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text, "run: python -m bench.fixes --write"
    # New evidence makes the second table longer; it is written anew with new proofs.
    assert failing.table(list(failing.failing())) in failing.filled(text)


def test_a_probe_that_stopped_in_dynamic_mode_is_told_and_not_counted() -> None:
    failed = failing.Failing("Kit", "a.yml", "2.6.2", {"ast": Verdict.FAILS}, None, "a cause")
    silent = failing.Failing(
        "Kit", "b.yml", "2.6.2", {"ast": Verdict.NOT_RUN}, None, "", "forward: a | b"
    )
    told = failing.table([failed, silent])
    assert "| 2.6.2 | AST | 1 | 1 |" in told
    assert "The probes of 1 more (Kit 1) stopped in dynamic mode" in told
    assert "| Kit, `b.yml` | 2.6.2 | forward: a \\| b |" in told
    assert "| Kit, `b.yml` | 2.6.2 | not-run" not in told


def mended(before: Verdict) -> FixProof:
    """A proof of a fix with which both modes pass."""
    return FixProof(
        kit="Kit",
        config="a.yml",
        paddle="2.6.2",
        fixes=("D-57 net.py:1",),
        ground="0",
        dynamic=Dynamic.EQUAL,
        before=dict.fromkeys(failing.MODES, before),
        after=dict.fromkeys(failing.MODES, Verdict.PASS),
        lines_added=1,
        lines_removed=1,
        steps=2,
    )


def test_what_a_fix_mends_is_counted_though_nothing_ran_before() -> None:
    before = dict.fromkeys(failing.MODES, Verdict.NOT_RUN)
    proof = mended(Verdict.NOT_RUN)
    one = failing.Failing("Kit", "a.yml", "2.6.2", before, proof, "", "forward: error")
    assert one.is_judged
    assert "| Kit, `a.yml` | 2.6.2 | not-run" in failing.table([one])


def test_no_reason_why_a_mode_is_left_is_hidden_by_an_earlier_one() -> None:
    # Rows come and go with today's code; why a config failed is kept until it is measured again.
    stated = yaml.safe_load(failing.REASONS.read_text(encoding="utf-8"))
    for kit, reasons in stated.items():
        for glob, why in reasons.items():
            path, _, only = glob.partition(" ")
            told = failing.reason_of(kit, path.replace("*", "x"), only)
            assert why and told == with_kit(kit, why), (kit, glob)


def test_what_fails_is_told_before_and_after_its_fix() -> None:
    before = dict.fromkeys(failing.MODES, Verdict.FAILS)
    one = failing.Failing("Kit", "a.yml", "2.6.2", before, mended(Verdict.FAILS), "")
    assert {str(verdict) for verdict in one.before.values()} == {"fails"}
    assert all(verdict.passed for verdict in one.after.values())


@pytest.mark.parametrize("words", [("check",), ("fix", "--dry-run"), ("survey", "-o", "a.json")])
def test_a_command_parses_each_file_of_a_kit_once(
    call: Call, kit: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Plan, audit, hazards and fixes of one command share what they read."""
    monkeypatch.chdir(kit.parent)
    (kit / "train.py").write_text(TRAINER)
    read: list[str] = []
    forget()
    real = ast.parse

    def counted(source: Any, *args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1).f_globals["__name__"]
        read.extend([str(source)] if caller == "codemod.code.module" else [])
        return real(source, *args, **kwargs)

    monkeypatch.setattr(ast, "parse", counted)
    assert call(*words)[0] == int(words[0] == "check")
    assert str(NETS_CODE.encode()) in read
    assert [text for text in set(read) if read.count(text) > 1] == []
    assert parse.cache_info().currsize == 0 or words[0] == "fix"
