from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from bench.executed import row as executed_row
from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    EditOrigin,
    FileChange,
    Hook,
    Skip,
    Source,
    Status,
)
from codemod.base.errors import EnvironmentFault
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.cli.commands.parity import command as parity
from codemod.engine import plan_change
from codemod.engine.hook_files import digest
from codemod.hazards.trainer import TrainerHazard, near
from codemod.judging.evidence.base import write_base
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict
from codemod.kits.catalogue import load_kits
from codemod.kits.rule import Extra, Rule, Trainer
from codemod.kits.rule import load as load_rule
from codemod.kits.rulebook import rule_files, rule_for
from codemod.kits.sources import resolve
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence, CitedRun, read_evidence
from codemod.reports.pullrequest.claims.executed_lines import of_part
from codemod.reports.pullrequest.claims.outcomes import RunOutcome, outcome_of
from codemod.reports.pullrequest.git.commits import Commit
from codemod.reports.pullrequest.headline import Headline, Purpose, ReachCount, headline
from codemod.reports.pullrequest.markdown import cell, code, in_form
from codemod.reports.pullrequest.text import (
    LANGUAGES,
    VISIBLE_WORDS,
    PullRequest,
    render,
    visible_words,
    write,
)
from codemod.training.environment.devices import of_processes

# A mirror of the kits, where the network does not reach them.
MIRROR = os.environ.get("CODEMOD_MIRROR")
OLD = "def train(cfg):\n    model = build(cfg)\n    run(model)\n"
NEW = OLD.replace(
    "build(cfg)\n",
    "build(cfg)\n    if cfg.get('to_static', False):\n        model = to_static(model)\n",
)
HOOK = Hook(
    trainer="train",
    status=Status.INSERTED,
    file="a|b.py",
    scope="train",
    line=4,
    target="model",
    gate="cfg.get('to_static', False)",
    reason=Reason.said("After the model is built."),
    switch="-o to_static=True",
)
BASE, TIP = "b" * 40, "c" * 40


HEADLINE = Headline(
    Purpose.NEW, Reason.said("Support dynamic-to-static training", "支持动转静训练")
)
DANGER = TrainerHazard(
    "a|b.py",
    2,
    Reason.said("D-47 counter", "D-47 计数"),
    Reason.said("is given step", "接收 step"),
)


def request(evidence: CitedEvidence | None = None, new: str = NEW) -> PullRequest:
    return PullRequest(
        headline=HEADLINE,
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
        evidence=evidence or CitedEvidence(),
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
        "edited": {},
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


def test_both_languages_cite_the_same_commands(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    english, chinese = (render(request(evidence), language) for language in LANGUAGES)

    def commands(text: str) -> set[str]:
        return {found.split("<")[0] for found in re.findall(r"(?<!-)(?:git|codemod) [^`\n]+", text)}

    assert commands(english) == commands(chinese)


def test_no_path_of_the_user_s_machine_gets_into_the_text(tmp_path: Path) -> None:
    command = "codemod parity PaddleDemo -c a.yml --path /home/me/kit --python /home/me/bin/python"
    evidence = read_evidence(store(tmp_path, command=command), "PaddleDemo")
    text = render(request(evidence), "en")
    assert "/home/me" not in text
    assert "\ncodemod parity PaddleDemo -c a.yml --path . --paddle 3.3.1\n" in text


def test_statements_that_no_run_executed_come_first(tmp_path: Path) -> None:
    read = {"hooks": {"a|b.py": "x"}, "reads": {"file::a|b.py": "x"}}
    state = digest(NEW.encode())
    ran = {"dynamic": {"a|b.py": f"{state} 1-3 5"}, "ast": {"a|b.py": f"{state} 1-5"}}
    evidence = read_evidence(store(tmp_path / "all", **read, ran=ran), "PaddleDemo")
    english, chinese = (render(request(evidence), language) for language in LANGUAGES)
    assert (
        "Of the 2 statements that this change touches in functions, 1 is known to have run with "
        "the switch off and 2 with it on "
    ) in english
    assert "No run is known to have executed" not in english
    assert "2 条语句，有记录表明开关关闭时执行过 1 条，打开时执行过 2 条" in chinese
    off = read_evidence(
        store(tmp_path / "off", **read, ran={"dynamic": ran["dynamic"]}), "PaddleDemo"
    )
    told = render(request(off), "en")
    never = "**No run is known to have executed 1 of the 2 statements that this change touches in functions:**"
    assert f"{never} `a|b.py:4`." in told
    assert "Of these 2, 1 is known to have run with the switch off and 0 with it on " in told
    assert told.index("No run is known to have executed") < told.index("2 runs of 1 config")
    other = {"dynamic": {"a|b.py": "0123 1-5"}}
    unknown = read_evidence(store(tmp_path / "other", **read, ran=other), "PaddleDemo")
    assert "No run on record noted which lines" in render(request(unknown), "en")


@pytest.mark.parametrize(
    ("dynamic", "ast", "english", "chinese"),
    [
        ("1-5", "1-5", "with the switch off and on ", "开关关闭和打开时都执行过"),
        ("1-5", "1-2", "with the switch off alone ", "开关关闭时执行过"),
        ("1-2", "1-5", "with the switch on alone ", "开关打开时执行过"),
        (
            "1-2",
            "1-2",
            "No run is known to have executed the one statement that",
            "一条语句，没有运行记录",
        ),
    ],
)
def test_one_statement_is_told_in_the_singular(
    tmp_path: Path, dynamic: str, ast: str, english: str, chinese: str
) -> None:
    new = OLD.replace("build(cfg)\n", "build(cfg)\n    model = to_static(model)\n")
    read = {"hooks": {"a|b.py": "x"}, "reads": {"file::a|b.py": "x"}}
    state = digest(new.encode())
    ran = {"dynamic": {"a|b.py": f"{state} {dynamic}"}, "ast": {"a|b.py": f"{state} {ast}"}}
    evidence = read_evidence(store(tmp_path, **read, ran=ran), "PaddleDemo")
    told = [render(request(evidence, new), language) for language in LANGUAGES]
    assert english in told[0] and chinese in told[1]
    assert not re.search(r"\b1 statement|1 of the 1|Of these 1|1 条语句", "".join(told))


@pytest.mark.parametrize(
    ("language", "told"), [("en", "both trained in float32"), ("zh", "两者都以 float32 训练")]
)
def test_a_pass_whose_mixed_precision_was_not_real_says_so(
    tmp_path: Path, language: str, told: str
) -> None:
    said = Reason.of("judging.amp-not-real")
    ast = {"verdict": "pass", "steps": 50, "said": [said.to_json()], "reason": str(said)}
    for amp in ("not-real", "real"):
        modes = {"ast": {**ast, "amp": amp}}
        evidence = read_evidence(store(tmp_path / amp, modes=modes), "PaddleDemo")
        assert (told in render(request(evidence), language)) is (amp == "not-real")


def test_runs_of_one_code_are_cited_alone(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    assert evidence.of_code("abc") == evidence
    assert evidence.of_code("def").rows == ()


def test_a_part_cites_runs_that_came_through_its_lines_alone(tmp_path: Path) -> None:
    """Parts of a series each cited every run of the whole change."""
    read = {"hooks": {"a|b.py": "x"}, "reads": {"file::a|b.py": "x"}, "hook": "of the whole"}
    state = digest(NEW.encode())
    came = {"ast": {"a|b.py": f"{state} 3-4"}, "sot": {"a|b.py": f"{state} 1-2"}}
    cited = read_evidence(store(tmp_path, **read, ran=came), "PaddleDemo")
    asked = request()

    def part(hook: str, own: bool) -> list[str]:
        return [row.mode for row in of_part(cited, asked.change_set, hook, lambda _: own).rows]

    assert part("of the part", own=True) == ["ast"]
    assert part("of the whole", own=False) == ["ast", "sot"]
    why = Reason.of("judging.dynamic-fails", how="fails", last="no data")
    ended = replace(cited, rows=tuple(replace(row, said=(why,)) for row in cited.rows))
    asks = {True: lambda _: True, False: lambda _: False}
    told = {own: of_part(ended, asked.change_set, "of the part", ask) for own, ask in asks.items()}
    assert [row.mode for row in told[True].rows] == ["ast", "sot"]
    assert told[False].rows == ()
    for language, words in {
        "en": (
            "Other configs",
            "left out.",
            "No run on record is known to have executed lines of this part",
        ),
        "zh": ("其他配置没有", "运行未列入。", "没有运行记录表明执行过这一部分的代码"),
    }.items():
        others, left_out, nothing = words
        made = replace(asked, evidence=cited, whole=False)
        assert left_out in render(made, language) and others not in render(made, language)
        assert nothing in render(replace(asked, whole=False), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_that_is_equal_but_whose_export_is_not_is_told_outside_of_the_fold(
    language: str,
) -> None:
    run = replace(run_of("configs/a.yml", Verdict.PASS), bad_legs=("export",))
    said = {
        "en": "**1 of the equal runs did not pass a further check**",
        "zh": "**一致的运行中有 1 次没有通过另外的检查**",
    }[language]
    for rows, expected in (((run,), True), ((replace(run, bad_legs=()),), False)):
        evidence = CitedEvidence(rows)
        assert (said in shown(render(request(evidence), language))) is expected


def test_the_table_and_the_count_of_runs_call_a_verdict_the_same() -> None:
    text = render(request(CitedEvidence((run_of("configs/a.yml", Verdict.PASS_PARTIAL),))), "zh")
    assert text.count("一致（部分静态）") == 3  # the count, the table and the reason


def test_a_run_of_a_checkout_without_a_hook_is_left_out(tmp_path: Path) -> None:
    reads = {"file::tools/train.py": "x"}
    assert read_evidence(store(tmp_path, reads=reads, hooks={}), "PaddleDemo").rows == ()


def test_a_run_that_read_other_edits_than_the_change_s_is_left_out(tmp_path: Path) -> None:
    hooks = {"tools/train.py": "x"}
    edited = {"tools/train.py": "x", "configs/a.yml": "y"}
    found = read_evidence(store(tmp_path / "a", hooks=hooks, edited=edited), "PaddleDemo")
    assert found.of_change(["tools/train.py", "configs/a.yml"]).rows == found.rows != ()
    assert found.of_change(["tools/train.py"]).rows == ()
    assert read_evidence(store(tmp_path / "b", edited=None), "PaddleDemo").rows == ()


def test_other_kits_and_broken_records_are_left_out(tmp_path: Path) -> None:
    workspace = store(tmp_path)
    results = workspace.root / "results"
    (results / "two.json").write_text("{")
    (results / "three.json").write_text('{"kit": "PaddleDemo", "modes": []}')
    assert read_evidence(workspace, "PaddleOther").rows == ()
    evidence = read_evidence(workspace, "PaddleDemo")
    assert len(evidence.rows) == 2
    assert [text.partition(": ")[0] for text in evidence.unreadable] == [
        "results/three.json",
        "results/two.json",
    ]
    assert "results/two.json: it is not JSON" in render(request(evidence), "en")


def test_code_and_cells_survive_their_own_marks() -> None:
    assert code("a") == "`a`"
    assert code("`a`") == "`` `a` ``"
    assert code("x ``y`` z") == "```x ``y`` z```"
    assert cell("a|b\nc") == "a\\|b c"


def shown(text: str) -> str:
    """The text without its fold."""
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)


def abstained(why: str) -> Reason:
    return Reason.of("engine.abstained", scope="main", why=Reason.said(why))


def crowded() -> PullRequest:
    """A change with much of everything that a text tells."""
    asked = request()
    hooks = tuple(
        replace(
            HOOK,
            file=f"trainers/t{n}.py",
            reason=Reason.said(
                f"After the model is built as trainer {n} does it, before its loss."
            ),
            switch=f"-o Part{n}.to_static=True",
        )
        for n in range(30)
    )
    skipped = tuple(
        Skip(f"skipped/s{n}.py", abstained(f"the loss {n} reads what forward kept, it fails"))
        for n in range(30)
    )
    edits = (
        *asked.change_set.edits,
        *(Edit(f"d{n}.md", EditKind.DOC, 1, 0, (0,)) for n in range(30)),
    )
    return replace(
        asked,
        change_set=replace(asked.change_set, hooks=hooks, skipped=skipped, edits=edits),
        hazards=tuple(replace(DANGER, line=n) for n in range(30)),
        evidence=CitedEvidence(
            tuple(
                replace(run_of(f"configs/c{n}.yml", verdict), pictures=(Path(f"p{n}.png"),))
                for n, verdict in enumerate(VERDICTS * 8)
            ),
            tuple(f"results/r{n}.json: it is not JSON" for n in range(30)),
        ),
    )


VERDICTS = [one for one in Verdict if one is not Verdict.NOT_RUN]


def run_of(config: str, verdict: Verdict) -> CitedRun:
    return CitedRun(
        config=config,
        mode="ast",
        verdict=verdict,
        steps="10",
        loss_max_abs="0",
        grad_max_rel="0",
        device="cpu",
        paddle="3.3.1",
        revision=BASE,
        hook="other",
        command=f"codemod parity PaddleDemo -c {config}",
        reason="" if verdict is Verdict.PASS else "First at step 3: loss (another value).",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_with_much_of_everything_stays_short_and_its_folds_hold_the_rest(
    language: str,
) -> None:
    asked = crowded()
    text = render(asked, language)
    assert visible_words(text) == len(shown(text).split()) < VISIBLE_WORDS
    assert len(re.findall(r"[\u4e00-\u9fff]", shown(text))) < 2 * VISIBLE_WORDS
    named = [
        *(f"`trainers/t{n}.py:4` `train`" for n in range(30)),
        *(f"`skipped/s{n}.py` `main`" for n in range(30)),
        *(f"| `{row.config}` | AST |" for row in asked.evidence.rows),
        *(f"-o Part{n}.to_static=True" for n in range(30)),
        *(f"a|b.py:{n}`" for n in range(30)),
        *(f"`d{n}.md`" for n in range(30)),
        *(f"(p{n}.png)" for n in range(30)),
        *(f"results/r{n}.json" for n in range(30)),
    ]
    assert [one for one in named if one not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_not_pass_is_counted_outside_of_the_fold(language: str) -> None:
    visible = shown(render(crowded(), language))
    # Eight configs for each verdict; four verdicts each are of a failure and of other numbers.
    wanted = {
        "en": (
            "112 runs of 112 configs",
            "**32 runs (32 configs) did not finish**;",
            "**32 runs (32 configs) gave other numbers**;",
            "**8 runs (8 configs) stayed dynamic**;",
            "**16 runs (16 configs) had nothing sound to compare with**;",
            "8 runs (8 configs) were equal to the bit;",
            "All these runs were made with code that differs from this branch",
            "30 results could not be read",
        ),
        "zh": (
            "112 个配置的 112 次运行",
            "**32 个配置的 32 次未能跑完**；",
            "**32 个配置的 32 次数值不同**；",
            "**8 个配置的 8 次未转静**；",
            "**16 个配置的 16 次没有可靠的对照**；",
            "8 个配置的 8 次逐位一致；",
            "这些运行都是在与本分支不同的代码上进行的",
            "30 个结果无法读取",
        ),
    }
    assert [one for one in wanted[language] if one not in visible] == []


def test_a_short_text_folds_no_result(tmp_path: Path) -> None:
    text = shown(render(request(read_evidence(store(tmp_path), "PaddleDemo")), "en"))
    assert "2 runs of 1 config (" in text
    assert "| `configs/small.yml` | SOT | loss-differs |" in text and "Step 3 differs." in text


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_its_outcome(verdict: Verdict) -> None:
    assert outcome_of(verdict).good == verdict.passed
    assert (outcome_of(verdict) is RunOutcome.NO_COMPARISON) == verdict.silent


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_results_nothing_is_claimed_and_no_section_is_empty(language: str) -> None:
    text = render(request(), language)
    assert "pass" not in text.lower()
    wanted = {"en": "No model was trained", "zh": "没有训练任何模型"}
    assert wanted[language] in text
    assert "codemod parity PaddleDemo -c" in text
    assert "azard" not in text and "风险" not in text
    assert not re.search(r"^#+ .*\n+(#|<details)", text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_is_there(language: str, tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    text = render(replace(request(evidence), hazards=(DANGER,)), language)
    verdicts = {"en": ("pass", "loss-differs"), "zh": ("逐位一致", "loss 不同")}[language]
    for fact in (
        "`-o to_static=True`",
        "`cfg.get('to_static', False)`",
        "| `a\\|b.py` | 2 | 0 |",
        f"| `configs/small.yml` | AST | {verdicts[0]} | 50 | 0 | – |",
        f"| `configs/small.yml` | SOT | {verdicts[1]} | 50 | 0.00125 |",
        (
            "codemod parity PaddleDemo -c configs/small.yml --steps 50 --modes dynamic,ast"
            " --device cpu"
        ),
        "![report-losses.png](report-losses.png)",
        "D-47",
        "codemod branch PaddleDemo --path . --name again",
        f"git revert --no-edit {BASE[:10]}..{TIP[:10]}",
    ):
        assert fact in text, fact
    assert ("Step 3 differs." in text) == (language == "en")


@pytest.mark.parametrize(
    ("purpose", "reach", "words"),
    [
        (Purpose.NEW, ReachCount(0, 5, 7), "5 of 7 configs reach a hook"),
        (
            Purpose.WIDER,
            ReachCount(2, 5, 7),
            "only 2 of 7 configs reach a hook. With this change 5",
        ),
        (Purpose.WIDER, ReachCount(5, 5, 7), "adds it to a trainer that lacks it"),
        (Purpose.REPAIR, ReachCount(5, 5, 7), "repairs what is named below"),
        (Purpose.SHARED, None, "Several later changes need these lines"),
    ],
)
def test_new_support_wider_reach_and_repair_read_differently(
    purpose: Purpose, reach: ReachCount | None, words: str
) -> None:
    headline = replace(HEADLINE, purpose=purpose)
    assert words in render(replace(request(), headline=headline, reach=reach), "en")


def edit(says: str = "", fix: str = "", hooks: tuple[int, ...] = (0,)) -> Edit:
    """An edit with what a rule says of it."""
    said = Reason.said(says, f"{says}（中文）") if says else None
    repaired = Reason.said(fix, "复制后失效") if fix else None
    origin = EditOrigin(Reason.of("engine.edit-adds", code="x = 1"), said, repaired)
    return Edit("a|b.py", EditKind.PLUMBING, 1, 0, hooks, None, origin)


def test_the_headline_comes_from_hooks_reach_and_edits() -> None:
    new = request().change_set
    old = replace(HOOK, status=Status.PRESENT, file="old.py")
    both = replace(new, hooks=(old, HOOK), edits=(edit(fix="lost after a copy"),))
    repairing = Rule(("PaddleDemo",), (Trainer("train", completes=True),))
    plain = Rule(("PaddleDemo",), (Trainer("train"),))
    assert headline(new, plain, None).said.text() == "Support dynamic-to-static training"
    assert headline(new, plain, ReachCount(0, 5, 7)).said.text().endswith(": 5 of 7 configs")
    assert (
        headline(both, plain, ReachCount(2, 5, 7)).said.text("zh")
        == "扩大动转静训练范围：2 → 5 个配置"
    )
    assert headline(both, plain, ReachCount(5, 5, 7)).said.text().endswith("to 1 more trainer")
    found = headline(both, repairing, ReachCount(5, 5, 7))
    assert (found.purpose, found.said.text()) == (Purpose.REPAIR, "Fix: lost after a copy")
    assert found.said.text("zh") == "修复：复制后失效"
    silent = replace(both, edits=(edit(),))
    handed = headline(silent, repairing, None)
    assert handed.said.text() == "Complete dynamic-to-static training in a|b.py"
    assert handed.said.text("zh") == "完善 a|b.py 中的动转静训练"
    assert headline(replace(silent, hooks=()), plain, None).purpose is Purpose.SHARED


def test_what_rules_say_of_their_statements_is_told_where_they_act() -> None:
    other = Extra(files=("*",), code="if cfg.get('to_static', False):", after="x", says="Not here.")
    rule = Rule(("PaddleDemo",), (Trainer("train", extras=(other,)),), mends=(other,))
    asked = request()
    edits = (edit("Tables are dense."), edit("It acts."), edit("It acts."))
    asked = replace(asked, change_set=replace(asked.change_set, edits=edits), rule=rule)
    text = render(asked, "en")
    assert "- `a|b.py`: Tables are dense.\n- `a|b.py`: It acts.\n" in text
    assert text.count("It acts.") == 1
    assert "Not here" not in text  # the rule has it, the change has not
    assert "| `x = 1` is added |" in text
    chinese = render(asked, "zh")
    assert "- `a|b.py`：It acts.（中文）" in chinese
    assert "| 新增 `x = 1` |" in chinese


def test_what_takes_the_kits_lines_is_told_first_with_its_files() -> None:
    """What a maintainer will contest stands before what is added, not in a fold behind it."""
    gone = Edit(
        "core.py",
        EditKind.PLUMBING,
        0,
        1,
        (0,),
        Reason.said("it asks for a shape"),
        EditOrigin(Reason.of("engine.edit-removes", code="assert shape")),
    )
    asked = request()
    contested = replace(HOOK, file="core.py", reason=Reason.said("The helper stopped there."))
    several = (*(replace(HOOK, file=f"test_{n}.py") for n in range(2)), contested)
    whole = Edit("core.py", EditKind.HOOK, 2, 1, (2,), contested.reason, gone.origin)
    edits = (edit("Tables are dense."), gone, replace(gone, file="more.py"), whole)
    text = render(
        replace(asked, change_set=replace(asked.change_set, hooks=several, edits=edits)), "en"
    )
    assert 0 < shown(text).index("- `core.py:") < shown(text).index("- `test_0.py:")
    notes = "- `core.py` and 1 more file: It asks for a shape.\n- `a|b.py`: Tables are dense.\n"
    assert notes in text
    assert text.count("The helper stopped there.") == 2  # among the changes, and with its place


def test_several_switches_are_told_with_their_files_and_plumbing_is_not_hidden() -> None:
    asked = request()
    assert "with it off, too" not in render(asked, "en")
    other = replace(
        HOOK, file="other.py", gate="args.to_static", switch="to_static: True in the config"
    )
    edits = (*asked.change_set.edits, Edit("other.py", EditKind.PLUMBING, 1, 0, (1,)))
    both = replace(asked.change_set, hooks=(HOOK, other), edits=edits)
    text = render(replace(asked, change_set=both), "en")
    assert "Write `to_static: True` in the config (`other.py`)." in text
    assert "- In 1 file, other lines that name the switch act with it off, too, since" in text
    assert "在配置中写 `to_static: True`" in render(replace(asked, change_set=both), "zh")


def test_a_line_that_does_not_name_the_switch_is_not_called_the_switch() -> None:
    does = {
        "flag.py": Reason.said('`parser.add_argument("--to_static")` is added'),
        "model.py": Reason.said("`self.images = self.images.detach()` is added"),
    }
    edits = tuple(
        Edit(file, EditKind.PLUMBING, 1, 0, (0,), origin=EditOrigin(reason))
        for file, reason in does.items()
    )
    made = request()
    made = replace(made, change_set=replace(made.change_set, edits=edits))
    english, chinese = (render(made, language) for language in LANGUAGES)
    assert "- In 1 file, other lines that name the switch act with it off, too, since" in english
    assert "Changed lines in `model.py` do not name the switch and act with it off, too" in english
    assert "`model.py` 中有不含开关名称的改动，开关关闭时也起作用" in chinese
    assert "may run" not in english and "可能" not in chinese


def test_hooks_that_stood_before_are_told_apart() -> None:
    old = replace(HOOK, status=Status.PRESENT, file="old.py")
    asked = request()
    text = render(replace(asked, change_set=replace(asked.change_set, hooks=(old, HOOK))), "en")
    assert "1 hook that PaddleDemo has stays where it is; lines for it are in `a|b.py`." in text


def test_trainers_that_are_left_alone_are_named_with_the_reason() -> None:
    asked = request()
    skip = Skip("quant.py", abstained("the layers fail in SOT. It was measured."))
    text = render(replace(asked, change_set=replace(asked.change_set, skipped=(skip,))), "en")
    assert "- `quant.py` (`main`) gets no hook. The layers fail in SOT.\n" in shown(text)
    assert "- `quant.py` `main`: The layers fail in SOT. It was measured." in text


def test_a_result_of_other_code_is_marked(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path, hook="def", revision=None), "PaddleDemo")
    english = render(request(evidence), "en")
    assert "**All these runs were made with code that differs from this branch.**" in english
    assert "3.3.1, cpu | revision unknown, checksum def |" in english
    assert "与本分支不同的代码" in render(request(evidence), "zh")


def test_a_call_outside_its_gate_is_not_praised() -> None:
    bare = OLD.replace("build(cfg)\n", "build(cfg)\n\n    model = to_static(model)\n")
    text = render(request(new=bare), "en")
    assert "has no `if` of its own" in text and "guards" not in text
    assert "An `if` that reads the switch guards the inserted hook:" in render(request(), "en")


def test_files_and_pictures_lie_side_by_side(tmp_path: Path) -> None:
    evidence = read_evidence(store(tmp_path), "PaddleDemo")
    (tmp_path / "out").mkdir()
    files = write(request(evidence), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        ".written.json",
        "pull-request.en.md",
        "pull-request.zh.md",
        "report-losses.png",
    }
    assert files["zh"].read_text(encoding="utf-8").startswith("**支持动转静训练**")


def test_a_picture_for_dark_pages_goes_with_its_twin(tmp_path: Path) -> None:
    names = ["report-losses.svg", "report-losses.png", "report-losses-dark.png"]
    workspace = store(tmp_path, pictures=names)
    (tmp_path / ".codemod" / "results" / "report-losses-dark.png").write_bytes(b"\x89PNG")
    (tmp_path / "out").mkdir()
    files = write(request(read_evidence(workspace, "PaddleDemo")), tmp_path / "out")
    assert (tmp_path / "out" / "report-losses-dark.png").is_file()
    for file in files.values():
        text = file.read_text(encoding="utf-8")
        assert 'srcset="report-losses-dark.png"><img src="report-losses.png"' in text
        assert "![" not in text


def test_the_chinese_text_says_why_a_mode_does_not_pass(tmp_path: Path) -> None:
    said = Reason.of("judging.first", step=3, name="loss", kind="drift")
    told = {"reason": str(said), "said": [said.to_json()]}
    modes = {"ast": {"verdict": "loss-differs", **told}}
    text = render(request(read_evidence(store(tmp_path, modes=modes), "PaddleDemo")), "zh")
    assert "loss 不同：首次出现在第 3 步：loss（数值不同）。" in text


def test_a_text_that_a_person_edited_stays(tmp_path: Path) -> None:
    first = write(request(), tmp_path)
    first["en"].write_text("Mine.\n")
    again = write(replace(request(), tip="d" * 40), tmp_path)
    assert first["en"].read_text() == "Mine.\n"
    assert again["en"].name == "pull-request.en.new.md"
    assert "d" * 10 in again["en"].read_text()
    assert again["zh"] == first["zh"] and "d" * 10 in again["zh"].read_text(encoding="utf-8")


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
    assert "\nBug fixes\n" in in_form("TEXT", form, Purpose.REPAIR)
    filled = render(replace(request(), form=form), "en")
    assert filled.startswith("### PR types\n\nNew features")
    assert "\n#### Changes\n" in filled


def test_a_missing_value_is_a_fault_not_an_empty_text() -> None:
    from jinja2 import UndefinedError

    with pytest.raises((UndefinedError, AttributeError)):
        render(replace(request(), headline=None), "en")  # type: ignore[arg-type]


def test_reasons_of_the_engine_read_chinese_in_the_chinese_text(minikit: Path) -> None:
    whole = plan_change(Source(None, minikit, None)).change_set()
    assert whole.hooks
    text = render(replace(request(), change_set=whole), "zh")
    assert "放在模型构建之后" in text and "After the model" not in text


# Four English words in a row, outside of code, commands, comments and folded commit subjects.
_ENGLISH = re.compile(r"(?<![\w/.-])[A-Za-z][a-z']*(?: ['\"]?[A-Za-z][a-z'\"]*){3,}")


def english_in(text: str) -> list[str]:
    bare = re.sub(r"```.*?```|`[^`]*`|<[^>]*>", "", text, flags=re.DOTALL)
    return _ENGLISH.findall(bare)


def test_a_stray_english_sentence_is_seen() -> None:
    assert english_in("改动：After the model is built。") == ["After the model is built"]
    assert english_in("- A net without a shape。") == ["A net without a shape"]
    assert english_in("- The string 'false' is on。") == ["The string 'false' is on"]
    assert english_in("在 Paddle 2.6 上运行 `git diff a b c d`") == []


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"device": "2xcpu"},
        {"device": "4xgpu:0", "paddle": "2.6.2"},
        {"modes": {"ast": {"verdict": "fails", "steps": 0, "reason": "It stops."}}},
    ],
)
def test_the_tool_takes_the_commands_that_a_text_tells(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    evidence = read_evidence(store(tmp_path, **fields), "PaddleDemo")
    assert evidence.rows
    for row in evidence.rows:
        program, name, *words = shlex.split(row.command)
        assert (program, name) == ("codemod", "parity")
        given = parity.make_context(name, words).params
        assert given["paddle"] == row.paddle
        assert given["steps"] >= 1
        assert of_processes(given["nproc"], given["device"]) == row.device
        assert shlex.join(["codemod", "parity", *words]) in render(request(evidence), "en")


def test_the_mode_that_the_switch_gives_is_told_where_it_is_paddles_default() -> None:
    told = "On Paddle 2.6 and later this is SOT mode"
    assert told in render(request(), "en")
    assert told not in render(request(new=NEW.replace("(model)", "(model, full_graph=True)")), "en")


def test_every_text_of_a_rule_has_its_chinese() -> None:
    for file in rule_files():
        rule = load_rule(file)
        texts = [(one.reason, one.reason_zh) for one in rule.abstain]
        for trainer in rule.trainers:
            extras = [(extra.says, extra.says_zh) for extra in trainer.extras]
            texts += [
                (trainer.about, trainer.about_zh),
                (trainer.missing, trainer.missing_zh),
                (trainer.fix, trainer.fix_zh),
                (trainer.says, trainer.says_zh),
                *((extra.fix, extra.fix_zh) for extra in trainer.extras),
                *extras,
                *((split.why, split.why_zh) for split in trainer.splits),
            ]
        texts += [(mend.fix, mend.fix_zh) for mend in rule.mends]
        for english, own in texts:
            assert bool(english) == bool(own), (file, english)
            assert re.findall("接入|损失", own) == [], (file, own)
            assert english_in(own) == [], file
        for one in (*rule.mends, *(e for trainer in rule.trainers for e in trainer.extras)):
            own_words = one.reason.text("zh") if one.reason else ""
            assert one.why != own_words or not one.why, (file, one.why)
            assert english_in(own_words) == [], file


def test_each_sentence_of_a_rule_begins_as_one() -> None:
    """Where the first sentence ends is told by the capital that follows."""
    for file in rule_files():
        rule = load_rule(file)
        extras = [extra for trainer in rule.trainers for extra in trainer.extras]
        texts = [one.reason for one in rule.abstain]
        texts += [text for one in rule.trainers for text in (one.about, one.says, one.missing)]
        texts += [one.says for one in (*extras, *rule.mends)]
        for text in texts:
            assert text == text.strip(), (file, text)
            assert not re.search(r"\.\s+[a-z]", text), (file, text)


def test_a_moved_line_is_told_in_chinese_with_and_without_its_reason() -> None:
    about = Reason.said("After the model is built.", "在模型构建之后。")
    moved = Reason.of("engine.moved", line=7, about=about)
    assert moved.text("zh") == "由第 7 行移来。在模型构建之后。"
    assert moved.text() == "Moved from line 7. After the model is built."
    assert Reason.of("engine.moved", line=7, about="").text("zh") == "由第 7 行移来。"


@pytest.mark.parametrize("kit", list(load_kits()))
def test_statements_that_a_rule_only_removes_are_no_obstacle(kit: str) -> None:
    assert render(replace(request(), rule=rule_for(kit)), "en")


@pytest.mark.slow
@pytest.mark.parametrize("kit", list(load_kits()))
def test_the_chinese_text_of_a_kit_is_chinese(
    kit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if MIRROR:
        monkeypatch.setenv("CODEMOD_MIRROR", MIRROR)
    try:
        source = resolve(kit, None, Workspace.at(tmp_path))
    except EnvironmentFault as error:
        pytest.skip(str(error))
    made = plan_change(source).change_set()
    if not made.changes:
        return
    rule = rule_for(kit)
    asked = replace(
        request(),
        change_set=made,
        rule=rule,
        hazards=near(made),
        headline=headline(made, rule, None),
    )
    assert english_in(render(asked, "zh")) == []
    assert len(shown(render(asked, "en")).split()) < 400


def test_the_base_is_cited_where_the_workspace_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    row = EvidenceRow(
        "PaddleDemo", "configs/small.yml", "3.3.1", "ast", "parity", Verdict.FAILS, steps=9
    )
    others = [
        replace(row, config="configs/big.yml", verdict=Verdict.PASS_PARTIAL, reason="Partly."),
        replace(row, config="configs/quick.yml", kind="probe"),
        replace(row, config="configs/lost.yml", verdict=Verdict.NOT_RUN),
    ]
    write_base(tmp_path / "data" / "evidence" / "PaddleDemo.jsonl", [row, *others])
    found = read_evidence(store(tmp_path), "PaddleDemo").rows
    assert [(one.config, one.mode, one.verdict) for one in found] == [
        ("configs/big.yml", "ast", "pass-partial"),
        ("configs/lost.yml", "ast", "not-run"),
        ("configs/small.yml", "ast", "pass"),
        ("configs/small.yml", "sot", "loss-differs"),
    ]
    assert found[0].command.startswith("codemod parity PaddleDemo -c configs/big.yml --steps 9")


def test_what_a_run_came_to_does_not_say_whether_it_executed_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text left out runs that end with the switch off, and the page of measurements did not."""
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    state = digest(NEW.encode())
    why = Reason.of("judging.dynamic-fails", how="fails", last="TypeError: int")
    ended = EvidenceRow(
        *("PaddleDemo", "configs/ended.yml", "3.3.1", "ast", "parity", Verdict.DYNAMIC_FAILS),
        steps=0,
        said=(why,),
        reason=str(why),
        off={"a|b.py": f"{state} 3"},
    )
    lost = replace(ended, config="configs/lost.yml", verdict=Verdict.NOT_RUN, steps=3, said=())
    lost = replace(lost, off={}, ran={"a|b.py": f"{state} 4"})
    bare = replace(ended, config="configs/a.yml", verdict=Verdict.PASS, steps=5, said=(), off={})
    for rows, english, chinese, page in (
        ([bare], "No run on record noted which lines", "都没有记下", ("0", "0 (0 %)")),
        ([bare, ended], "1 of the 2 statements", "其中 1 条没有", ("1", "1 (50 %)")),
        ([bare, ended, lost], "1 is known to have run with the switch off and 1 with it on",
         "开关关闭时执行过 1 条，打开时执行过 1 条", ("1", "2 (100 %)")),
    ):  # fmt: skip
        write_base(tmp_path / "data" / "evidence" / "PaddleDemo.jsonl", rows)
        asked = request(read_evidence(Workspace.at(tmp_path / "none"), "PaddleDemo"))
        assert english in render(asked, "en") and chinese in render(asked, "zh")
        cells, _ = executed_row("PaddleDemo", asked.change_set)
        assert (cells[5], cells[-1]) == page


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_no_run_came_to_the_change_no_zeros_are_told(language: str) -> None:
    """PaddleVideo in 2022: "21 of the 21 statements … Of these 21, 0 … and 0 with it on"."""
    run = replace(
        run_of("configs/a.yml", Verdict.PASS), ran={"a|b.py": f"{digest(NEW.encode())} 1"}
    )
    text = render(request(CitedEvidence((run,))), language)
    told = {"en": "executed any of the 2 statements that", "zh": "2 条语句，全部没有运行记录"}
    assert told[language] in text
    assert "Of these 2" not in text and "0 条" not in text


def test_a_script_among_configs_is_called_one() -> None:
    """PaddleNLP: "for 1 config or script", and the script's name behind it."""
    why = Reason.of("judging.dynamic-fails", how="fails", last="RecursionError")
    ended = replace(run_of("slm/train.py", Verdict.DYNAMIC_FAILS), said=(why,))
    rows = (ended, run_of("configs/a.yml", Verdict.PASS), run_of("slm/b.py", Verdict.FAILS))
    english, chinese = (render(request(CitedEvidence(rows)), one) for one in LANGUAGES)
    assert (
        "Even with the switch off, training ended in an error for 1 script: `slm/train.py`. This run, "
        in english
    )
    assert "**1 run (1 script) did not finish**; 1 run (1 config) was equal to the bit." in english
    assert "2 runs of 2 configs or scripts " in english and "Other configs or scripts" in english
    assert (
        "有 1 个脚本在开关关闭时训练就会报错：`slm/train.py`。这次运行的" in chinese
        and "共 2 个配置或脚本的 2 次运行" in chinese
    )
    assert "**1 个脚本的 1 次未能跑完**；1 个配置的 1 次逐位一致。" in chinese
    both = CitedEvidence((*rows, replace(ended, mode="sot")))
    english, chinese = (render(request(both), one) for one in LANGUAGES)
    assert "These runs, of code that differs from this branch, compare nothing and are" in english
    assert "the error is listed further down" in english, "both runs are of one Paddle"
    assert "这些运行的代码" in chinese


def test_what_is_said_of_a_run_ends_as_a_sentence() -> None:
    why = Reason.said("The process died: 0 steps were recorded", "进程中止：已记录 0 步")
    died = replace(run_of("configs/a.yml", Verdict.CRASH), said=(why,), reason=str(why))
    cut = Reason.said("It stopped: a long error …", "中止：a long error …")
    cut_off = replace(run_of("configs/b.yml", Verdict.FAILS), said=(cut,), reason=str(cut))
    english, chinese = (render(request(CitedEvidence((died, cut_off))), one) for one in LANGUAGES)
    assert "0 steps were recorded.\n" in english and "已记录 0 步。\n" in chinese
    assert "a long error …\n" in english and "a long error …\n" in chinese


def test_a_run_that_could_not_be_judged_is_not_called_one_that_was_not_run() -> None:
    lost = replace(run_of("configs/a.yml", Verdict.NOT_RUN), steps="50")
    english, chinese = (render(request(CitedEvidence((lost,))), one) for one in LANGUAGES)
    assert "| AST | not judged | 50 |" in english and "not-run" not in english
    assert "| AST | 未判定 | 50 |" in chinese and "未能运行" not in chinese
    sound = replace(lost, verdict=Verdict.PASS)
    assert CitedEvidence((lost, sound)).judged == (sound,), "`branch --prove` takes others for it"
