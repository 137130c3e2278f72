from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Hook, Source, Status
from codemod.base.workspace import Workspace
from codemod.hazards.trainer import TrainerHazard
from codemod.pullrequest.chinese import chinese
from codemod.pullrequest.cited_evidence import Evidence, read_evidence
from codemod.pullrequest.git.commits import Commit
from codemod.pullrequest.text import LANGUAGES, PullRequest, cell, code, in_form, render, write

OLD = "def train(cfg):\n    model = build(cfg)\n    run(model)\n"
NEW = OLD.replace(
    "build(cfg)\n",
    "build(cfg)\n    if cfg.get('to_static', False):\n        model = to_static(model)\n",
)
HOOK = Hook(
    rule="train",
    status=Status.INSERTED,
    file="a|b.py",
    scope="train",
    line=4,
    target="model",
    gate="cfg.get('to_static', False)",
    reason="After the model is built.",
    switch="-o to_static=True",
)
BASE, TIP = "b" * 40, "c" * 40


def request(evidence: Evidence | None = None, new: str = NEW) -> PullRequest:
    return PullRequest(
        title="Support dynamic-to-static training",
        branch="to-static-training",
        base=BASE,
        tip=TIP,
        commits=(Commit("1" * 40, "Support dynamic-to-static training"),),
        change_set=ChangeSet(
            Source("PaddleDemo", Path("/kit"), BASE),
            (HOOK,),
            (Edit("a|b.py", EditKind.HOOK, 2, 0, (0,)),),
            (FileChange("a|b.py", OLD.encode(), new.encode()),),
        ),
        evidence=evidence or Evidence(),
        again="codemod branch PaddleDemo --path . --name again",
        hook="abc",
    )


def store(tmp_path: Path, **fields: object) -> Workspace:
    """A workspace with one parity record in its store."""
    record = {
        "kit": "PaddleDemo",
        "config": "configs/small.yml",
        "device": "cpu",
        "paddle": "3.3.1",
        "revision": BASE,
        "hook": "abc",
        "modes": {
            "ast": {"verdict": "pass", "steps": 50, "loss_max_abs": 0.0, "programs": 1},
            "sot": {
                "verdict": "loss-differs",
                "steps": 50,
                "loss_max_abs": 1.25e-3,
                "reason": "Step 3 differs.",
            },
        },
        "report": "report.html",
        "pictures": ["report-losses.svg", "report-losses.png", "../gone.png"],
        **fields,
    }
    results = tmp_path / ".codemod" / "results"
    results.mkdir(parents=True)
    (results / "one.json").write_text(json.dumps(record))
    (results / "report-losses.png").write_bytes(b"\x89PNG")
    (results / "report-losses.svg").write_text("<svg/>")
    return Workspace.at(tmp_path / ".codemod")


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_results_nothing_is_claimed(language: str) -> None:
    text = render(request(), language)
    assert "pass" not in text.lower().replace("passthrough", "")
    wanted = {"en": ("Nothing has been run", "Not looked for."), "zh": ("尚未运行", "未检查。")}
    assert all(word in text for word in wanted[language])
    assert "codemod parity PaddleDemo -c" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_and_fact_is_there(language: str, tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    danger = TrainerHazard("a|b.py", 2, "random-in-forward", "is frozen under AST")
    text = render(replace(request(evidence), hazards=(danger,)), language)
    assert text.count("\n## ") + text.startswith("## ") == 10
    for fact in (
        "```\n-o to_static=True\n```\n",
        "`cfg.get('to_static', False)`",
        "| `a\\|b.py` | 2 | 0 | hook |",
        "| `configs/small.yml` | ast | pass | 50 | 0 | – | – | 1 | – | cpu | 3.3.1 |",
        "| `configs/small.yml` | sot | loss-differs | 50 | 0.00125 |",
        (
            "codemod parity PaddleDemo -c configs/small.yml --steps 50 --modes dynamic,ast"
            " --device cpu"
        ),
        "![report-losses.png](report-losses.png)",
        "results/one.json",
        "random-in-forward",
        "Step 3 differs.",
        "`codemod branch PaddleDemo --path . --name again`",
        f"git revert --no-edit {BASE}..{TIP}",
        f"git diff --numstat {BASE} to-static-training",
    ):
        assert fact in text, fact


def test_both_languages_cite_the_same_commands(tmp_path: Path) -> None:
    import re

    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    english, chinese = (render(request(evidence), language) for language in LANGUAGES)

    def commands(text: str) -> set[str]:
        return {found.split("<")[0] for found in re.findall(r"(?<!-)(?:git|codemod) [^`\n]+", text)}

    assert commands(english) == commands(chinese)


def test_reasons_of_the_engine_read_chinese_in_the_chinese_text(minikit: Path) -> None:
    from codemod.engine import plan_change

    whole = plan_change(Source(None, minikit, None)).change_set()
    assert whole.hooks
    text = render(replace(request(), change_set=whole), "zh")
    assert "在模型构建之后" in text and "After the model" not in text
    assert chinese("Something else, quite new.") == "Something else, quite new."


def test_several_switches_are_told_with_their_files_and_plumbing_is_not_hidden() -> None:
    asked = request()
    assert "is read with the switch off" not in render(asked, "en")
    other = replace(HOOK, file="other.py", gate="args.to_static", switch="--to_static")
    edits = (*asked.change_set.edits, Edit("other.py", EditKind.PLUMBING, 1, 0, (1,)))
    both = replace(asked.change_set, hooks=(HOOK, other), edits=edits)
    text = render(replace(asked, change_set=both), "en")
    assert "`other.py` reads `args.to_static`; switched on by `--to_static`." in text
    assert "is read with the switch off, too: 1 edits" in text
    assert "开启方式为 `--to_static`" in render(replace(asked, change_set=both), "zh")


def test_hooks_that_stood_before_are_told_apart() -> None:
    old = replace(HOOK, status=Status.PRESENT, file="old.py")
    asked = request()
    both = replace(asked.change_set, hooks=(old, HOOK))
    text = render(replace(asked, change_set=both), "en")
    assert "Already there, and left as it is: `model` in `old.py, train`." in text


def test_a_result_of_other_code_is_marked(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path, hook="def", revision=None), "PaddleDemo")
    english = render(request(evidence), "en")
    assert "**Measured on other code" in english
    assert "`configs/small.yml`, ast: revision unknown, checksum def" in english
    assert "与本分支不同的代码" in render(request(evidence), "zh")


def test_no_path_of_the_user_s_machine_gets_into_the_text(tmp_path: Path) -> None:
    command = "codemod parity PaddleDemo -c a.yml --path /home/me/kit --python /home/me/bin/python"
    evidence = read_evidence(store(tmp_path, command=command), "PaddleDemo")
    text = render(request(evidence), "en")
    assert "/home/me" not in text
    assert "\ncodemod parity PaddleDemo -c a.yml --path .\n" in text


def test_a_call_outside_its_gate_is_not_praised() -> None:
    bare = OLD.replace("build(cfg)\n", "build(cfg)\n\n    model = to_static(model)\n")
    text = render(request(new=bare), "en")
    assert "not seen to be decided by" in text and "calls is decided by" not in text
    assert "1 inserted calls is decided by" in render(request(), "en")


def test_other_kits_and_broken_records_are_left_out(tmp_path: Path) -> None:
    workspace = store(tmp_path)
    results = workspace.root / "results"
    (results / "two.json").write_text("{")
    (results / "three.json").write_text('{"kit": "PaddleDemo", "modes": []}')
    assert read_evidence(workspace, "PaddleOther").rows == ()
    evidence = read_evidence(workspace, "PaddleDemo")
    assert len(evidence.rows) == 2 and evidence.unreadable == ("results/two.json",)
    assert "results/two.json" in render(request(evidence), "en")


def test_files_and_pictures_lie_side_by_side(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    (tmp_path / "out").mkdir()
    files = write(request(evidence), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "pull-request.en.md",
        "pull-request.zh.md",
        "report-losses.png",
    }
    assert files["zh"].read_text(encoding="utf-8").startswith("## 本 PR 做了什么")


def test_the_kit_s_own_form_is_filled_in() -> None:
    form = (
        "### PR types\n<!-- One of -->\n\n### PR changes\n<!-- One of -->\n\n"
        "### Description\n<!-- Describe -->\n\n- [ ] Lint\n"
    )
    text = in_form("TEXT\n", form)
    assert text == (
        "### PR types\n\nNew features\n\n### PR changes\n\nOthers\n\n"
        "### Description\n\nTEXT\n\n- [ ] Lint\n"
    )
    assert in_form("TEXT", "## Checklist\n").endswith("\n\nTEXT\n")
    assert render(replace(request(), form=form), "en").startswith("### PR types\n\nNew features")


def test_code_and_cells_survive_their_own_marks() -> None:
    assert code("a") == "`a`"
    assert code("`a`") == "`` `a` ``"
    assert code("x ``y`` z") == "```x ``y`` z```"
    assert cell("a|b\nc") == "a\\|b c"


def test_a_missing_value_is_a_fault_not_an_empty_text() -> None:
    from jinja2 import UndefinedError

    import codemod.pullrequest.text as module

    values = module._values(request())
    values.pop("switches")
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("codemod.pullrequest", "templates"), undefined=StrictUndefined
    )
    environment.filters |= {"code": code, "cell": cell, "words": str}
    with pytest.raises(UndefinedError):
        environment.get_template("pull_request.en.md.j2").render(values)
