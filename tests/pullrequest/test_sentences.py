"""Sentences of a text that were once untrue, broken or told twice, each as a class."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.findings import Finding, Level
from codemod.audit.fixes.catalog import REMEDIES
from codemod.audit.fixes.find import Fix, ModelFixes, NoFix
from codemod.audit.fixes.offers import Offer
from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    EditOrigin,
    FileChange,
    Skip,
    Source,
    Status,
)
from codemod.base.reason import Reason, spoken
from codemod.engine.hook_files import digest
from codemod.engine.rewrite.ops import Insert, Op, Rename, Replace
from codemod.engine.rewrite.told import origin_of
from codemod.judging.speed.speed import SpeedVerdict
from codemod.judging.verdict import Verdict
from codemod.kits.rule import load
from codemod.kits.rulebook import rule_files
from codemod.reports.pullrequest.branch_plan import told_by
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence
from codemod.reports.pullrequest.claims.executed_lines import Coverage, coverage
from codemod.reports.pullrequest.claims.facts import concerning, groups, notes
from codemod.reports.pullrequest.claims.kit_findings import KitFindings
from codemod.reports.pullrequest.claims.rewritten_code import beside, rewritten, statements
from codemod.reports.pullrequest.headline import Headline, Purpose, completing, prepares
from codemod.reports.pullrequest.text import LANGUAGES, PullRequest, render
from tests.judging.test_timings import row
from tests.pullrequest.test_text import HOOK, crowded, request, run_of, shown

if TYPE_CHECKING:
    from pathlib import Path


def hooks(number: int) -> PullRequest:
    made = request()
    new = (HOOK,) * number
    return replace(made, change_set=replace(made.change_set, hooks=new))


def test_one_call_is_not_called_all() -> None:
    assert "插入的 1 处转换受读取开关的" in render(hooks(1), "zh")
    assert "插入的 2 处转换都受读取开关的" in render(hooks(2), "zh")
    assert "guards both inserted hooks" in render(hooks(2), "en")
    assert "guards all 3 inserted hooks" in render(hooks(3), "en")


def test_hooks_of_one_trainer_are_counted_as_hooks() -> None:
    """A trainer may build two nets: the headline counts it once, the list each of its hooks."""
    assert "- 5 hooks, listed below: " in render(hooks(5), "en")
    assert "- 5 处转换（列于下方）：" in render(hooks(5), "zh")


@pytest.mark.parametrize("count", [1, 3])
def test_code_stands_off_from_the_words_beside_it(count: int) -> None:
    does = Reason.said("`self.images = self.images.detach()` is added")
    edits = tuple(
        Edit(f"m{n}.py", EditKind.PLUMBING, 1, 0, (0,), origin=EditOrigin(does))
        for n in range(count)
    )
    made = request()
    text = render(replace(made, change_set=replace(made.change_set, edits=edits)), "zh")
    assert re.findall(r"`[^`\n]+`(?=中有)", text) == []
    assert "中有不含开关名称的改动" in text


def test_a_method_that_is_cut_off_is_told_even_if_no_line_goes() -> None:
    """Of 28 files whose `forward` was parted, the text told of the 11 that lost a line, too."""
    why = Reason.said("the part is static")
    parted = EditOrigin(Reason.of("engine.edit-extracts", name="dense"))
    edits = tuple(
        Edit(f"m{n}.py", EditKind.PLUMBING, 4, n, (0,), why, origin=parted) for n in range(3)
    )
    assert notes(replace(request().change_set, edits=edits)) == {why: ["m0.py", "m1.py", "m2.py"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_shows_what_changes_before_all_that_runs_found(language: str) -> None:
    """Much to tell of runs left nothing of the change itself outside of the fold."""
    asked = crowded()
    assert "`trainers/t0.py:4`" in shown(render(asked, language))


def test_each_slower_run_is_told_once_and_most_of_them_in_the_fold() -> None:
    asked = crowded()
    rows = tuple(run_of(f"configs/c{n}.yml", Verdict.PASS) for n in range(30))
    slow = tuple(replace(row(), config=f"configs/c{n}.yml", hook=asked.hook) for n in range(30))
    text = render(replace(asked, evidence=replace(asked.evidence, rows=rows, speed=slow)), "en")
    told = re.findall(r"^- `(configs/c\d+\.yml)` in", text, re.MULTILINE)
    assert sorted(told) == sorted(one.config for one in slow)
    assert len(re.findall(r"^- `configs/\S+ in", shown(text), re.MULTILINE)) < len(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_timing_that_is_counted_is_named(language: str) -> None:
    """PaddleVideo's text told of "2 faster", and nowhere which they were."""
    asked = request()
    verdicts = (SpeedVerdict.FASTER, SpeedVerdict.SAME, SpeedVerdict.UNCLEAR, SpeedVerdict.SLOWER)
    rows = tuple(
        replace(row(verdict), config=f"c{n}.yml", hook=asked.hook)
        for n, verdict in enumerate(verdicts)
    )
    runs = tuple(run_of(one.config, Verdict.PASS) for one in rows)
    for timed in (rows, rows[:3]):
        text = render(replace(asked, evidence=CitedEvidence(runs, speed=timed)), language)
        named = [re.search(rf"^- `{one.config}`", text, re.MULTILINE) for one in timed]
        assert all(named)
        other = {"en": "Other timings:", "zh": "其他计时："}[language]
        assert (other in text) is (len(timed) > 3)
    assert "`c0.yml` in AST on Paddle 3.3.1: 0.50 times as fast" in text or language == "zh"


@pytest.mark.parametrize("verdict", [Verdict.GRADIENT_DIFFERS, Verdict.NOT_RUN])
def test_what_is_equal_after_the_steps_does_not_lean_on_steps_that_differ(verdict: Verdict) -> None:
    """ "Equal as well" stood behind the gradient that differed, and "not judged" twice in a row."""
    legs = (Reason.of("judging.leg-export"),)
    said = (
        Reason.of("judging.no-lockstep", why="SystemError: gone"),
        Reason.of("judging.legs-equal", legs=legs),
    )
    one = replace(run_of("a.yml", verdict), said=said, reason=spoken(said))
    evidence = CitedEvidence((one,))
    english, chinese = (render(replace(request(), evidence=evidence), lang) for lang in LANGUAGES)
    assert "Compared after the last step and equal: the exported program." in english
    assert "最后一步之后的比较中，以下各项一致：导出的程序。" in chinese
    assert "as well" not in english and "也一致" not in chinese
    assert "无法判断：无法判断" not in chinese


def offer(*fixes: tuple[str, int], without: tuple[NoFix, ...] = ()) -> Offer:
    remedies = {remedy.id: remedy for remedy in REMEDIES}
    made = tuple(Fix(remedies[id_], "net.py", line, "Net.forward", ()) for id_, line in fixes)
    change = request().change_set
    return Offer(ModelFixes("net.yaml", made, without, ("net.py",)), change, "")


def test_remedies_that_do_the_same_are_told_as_one() -> None:
    told = rewritten([offer(("D-77", 3), ("D-78", 7), ("D-69", 9))], request().change_set)
    assert list(told.values()) == [["net.py:3", "net.py:7"], ["net.py:9"]]


def test_code_beside_a_rewrite_that_looks_the_same_has_a_reason() -> None:
    why = Reason.of("audit.no-gradient", name="boxes")
    near = NoFix("D-69", "net.py", 10, "Net.forward", why)
    far = replace(near, line=90, scope="Other.forward")
    mended = [offer(("D-69", 9), without=(near, far))]
    assert beside(mended, request().change_set) == {why: ["net.py:10"]}


NET = "class Net:\n    def forward(self, x):\n        y = x.detach()\n        return x, y\n"
WHY = "        # Paddle may overwrite what shares memory.\n"
MENDED = NET.replace("        y = x.detach()\n", WHY + "        y = x.clone().detach()\n")


def mending(before: str = "", path: str = "net.py") -> tuple[ChangeSet, Offer]:
    """A change that mends a net, with lines `before` it that are no fix's, and its offer."""
    one = offer(("D-77", 3), without=())
    parted = FileChange(path, NET.encode(), MENDED.encode())
    one = replace(one, change=replace(one.change, changes=(parted,)))
    whole = FileChange(path, NET.encode(), (before + MENDED).encode())
    return replace(request().change_set, changes=(whole,)), one


@pytest.mark.parametrize("before", ["", "import os\n\n"])
def test_a_rewritten_place_is_told_by_its_line_in_the_branch(before: str) -> None:
    """A text told of lines 135 and 138 of one file for the same statement."""
    change_set, one = mending(before)
    line = (before + MENDED).splitlines().index("        y = x.clone().detach()") + 1
    assert list(rewritten([one], change_set).values()) == [[f"net.py:{line}"]]
    near = NoFix("D-77", "net.py", 4, "Net.forward", Reason.of("audit.no-gradient", name="x"))
    found = replace(one.found, without=(near,))
    assert list(beside([replace(one, found=found)], change_set).values()) == [
        [f"net.py:{line + 1}"]
    ]


def test_what_proofs_executed_is_not_called_unexecuted() -> None:
    """Of 17 statements that "no run is known to have executed" proofs had executed each."""
    more = "def hook(cfg):\n    on = cfg.get('to_static')\n    return on\n\n\n"
    change_set, one = mending(more)
    assert statements([one], change_set) == {"net.py:9"}
    broken = MENDED.replace("x.clone().detach()", "x.clone(\n            ).detach()")
    other = FileChange("net.py", NET.encode(), (more + broken).encode())
    assert statements([one], replace(change_set, changes=(other,))) == {"net.py:9"}
    ran = {"net.py": f"{digest(change_set.changes[0].new)} 2"}
    found = coverage(change_set, [replace(run_of("a.yml", Verdict.PASS), off=ran)], {"net.py:9"})
    assert found == Coverage(2, 1, 0, ("net.py:3",))


def test_a_call_of_the_kits_that_moves_is_not_called_an_insertion() -> None:
    @dataclass(frozen=True)
    class Trainer:
        id: str = HOOK.trainer
        completes: bool = True

    @dataclass(frozen=True)
    class Kit:
        trainers: tuple[Trainer, ...] = (Trainer(),)

    made = request(new="def train(cfg):\n    model = build(cfg)\n    to_static(model)\n")
    about = Reason.said("Behind the copy.")
    moved = replace(HOOK, reason=Reason.of("engine.moved", line=2, about=about), moved_from=2)
    one = replace(made, change_set=replace(made.change_set, hooks=(moved,)), rule=Kit())  # type: ignore[arg-type]
    english, chinese = (render(one, language) for language in LANGUAGES)
    assert "1 insertion" not in english
    assert "inserted" not in english and "插入" not in chinese
    assert "`a|b.py:4`: The kit's call moves here from line 2. Behind the copy." in shown(english)
    assert "The call that moves to `a|b.py:4` is the kit's own" in english
    assert "移到 `a|b.py:4` 的调用是套件自己的" in chinese


def test_a_headline_names_files_in_both_languages() -> None:
    passes = EditOrigin(Reason.of("engine.edit-passes", callee="train", name="on", value="True"))
    edits = [Edit(f"tools/{name}.py", EditKind.PLUMBING, 1, 0, (), origin=passes) for name in "ab"]
    assert completing(edits[:1], ()).text("zh") == "在 a.py 中传递动转静训练的开关"
    assert completing(edits, ()).text() == (
        "Pass on the switch for static training in a.py and 1 more file"
    )
    assert completing(edits, ()).text("zh") == "在 a.py 和另外 1 个文件中传递动转静训练的开关"


def test_only_what_passes_a_switch_on_is_said_to_pass_it_on() -> None:
    other = EditOrigin(Reason.of("engine.edit-adds", code="net.forward = static"))
    edit = Edit("tools/a.py", EditKind.PLUMBING, 1, 0, (), origin=other)
    assert completing([edit], ()).text() == "Complete dynamic-to-static training in a.py"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("contrib/A/train.py", "A/train.py"),
        ("contrib/LongNameOfAProject/core/train.py", "LongNameOfAProject/core/train.py"),
        ("contrib/VeryLongNameOfAProject/core/b/train.py", "VeryLongNameOfAProject/.../train.py"),
        (f"contrib/{'Long' * 9}/train.py", "train.py"),
        ("tools/only.py", "only.py"),
        ("train.py", "train.py"),
    ],
)
def test_a_subject_names_a_file_by_what_tells_it_apart(path: str, name: str) -> None:
    """PaddleSeg's seven trainers are all called `train.py`."""
    others = {"core/train.py", "contrib/B/core/train.py", "contrib/B/core/b/train.py"}
    hook = replace(HOOK, file=path)
    subject = prepares([hook], {path, *others}).text()
    assert subject.endswith(f" training in {name}") and len(subject) <= 64


def test_each_part_of_a_kit_has_a_headline_of_its_own() -> None:
    """PaddleSeg's seven parts were all called "… to 1 more trainer"."""
    plain = Headline(Purpose.WIDER, Reason.said("Extend it to 1 more trainer", "新增 1 个训练器"))
    found = [plain.of_part(folder) for folder in ("", "contrib/A")]
    assert [one.said.text() for one in found] == [
        "Extend it to 1 more trainer (core)",
        "Extend it to 1 more trainer (contrib/A)",
    ]
    assert [one.said.text("zh") for one in found] == [
        "新增 1 个训练器（核心部分）",
        "新增 1 个训练器（contrib/A）",
    ]
    assert tuple(map(str, found[1].shorter)) == (
        "Support dynamic-to-static training in contrib/A",
        "Support static training in contrib/A",
        "Support static training in A",
    )


def test_hooks_that_the_change_shuts_off_are_not_said_to_stay() -> None:
    """PaddleGAN's constructors get no `to_static` any more: "7 hooks stay where they are"."""
    old = [replace(HOOK, status=Status.PRESENT, file=f"models/{n}.py", line=n) for n in (3, 4)]
    does = EditOrigin(Reason.of("engine.edit-adds", code="cfg.pop()"), idles=("*models/*.py",))
    edit = Edit("build.py", EditKind.PLUMBING, 1, 0, (0,), origin=does)
    made = request()
    whole = replace(made.change_set, hooks=(HOOK, *old), edits=(edit,))
    english, chinese = (render(replace(made, change_set=whole), one) for one in LANGUAGES)
    assert (
        "- 2 hooks that PaddleDemo has stay in the code and are no longer reached, since "
        "`build.py` changes: `models/3.py:3` and 1 more." in english
    )
    assert "留在代码中，但由于 `build.py` 的改动不再执行：`models/3.py:3` 等。" in chinese
    assert "where they are" not in english and "位置不变" not in chinese


def test_a_hook_that_stays_is_told_with_what_changes_for_it(tmp_path: Path) -> None:
    """PaddleOCR: what a hook calls is edited, though no edit is the hook's own."""
    helper = "def apply(net, cfg):\n    if cfg['to_static']:\n        return to_static(net)\n"
    files = {"net.py": helper, "old.py": "from net import apply\n\n\ndef train(m):\n    apply(m)\n"}
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    old = replace(HOOK, status=Status.PRESENT, file="old.py", scope="train", line=5)
    made = request()
    change = FileChange(
        "net.py", helper.encode(), helper.replace("net)\n", "net, None)\n").encode()
    )
    whole = replace(
        made.change_set,
        source=Source(None, tmp_path, None),
        hooks=(old,),
        edits=(),
        changes=(change,),
    )
    english, chinese = (render(replace(made, change_set=whole), one) for one in LANGUAGES)
    assert "stays where it is; lines for it are in `net.py`." in english
    assert "原有的 1 处转换位置不变，为其所做的改动在 `net.py` 中。" in chinese
    two = replace(whole, hooks=(old, replace(old, file="beside.py")))
    english, chinese = (render(replace(made, change_set=two), one) for one in LANGUAGES)
    assert "stay where they are; lines for 1 of them are in `net.py`." in english
    assert "原有的 2 处转换位置不变，为其中 1 处所做的改动在 `net.py` 中。" in chinese
    untouched = replace(whole, changes=(replace(change, path="other.py"),))
    assert "1 hook that tmp has stays where it is.".replace("tmp", tmp_path.name) in render(
        replace(made, change_set=untouched), "en"
    )


def test_of_several_branches_one_tells_why_a_file_is_left_alone() -> None:
    parts = {"core": ["kit/a.py"], "contrib-A": ["contrib/A/x.py"], "contrib-B": ["contrib/B/y.py"]}
    told = told_by(parts, ("kit",))
    assert [one.folder for one in told] == ["", "contrib/A", "contrib/B"]
    files = ("kit/train.py", "contrib/A/x.py", "contrib/B/y.py", "contrib/C/z.py", "Other/t.py")
    counted = {file: [one.own for one in told if one.of(file)] for file in files}
    assert counted == {
        "kit/train.py": ["core"],
        "contrib/A/x.py": ["contrib-A"],
        "contrib/B/y.py": ["contrib-B"],
        "contrib/C/z.py": ["core"],
        "Other/t.py": ["core"],
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_failed_with_the_switch_off_too_is_not_counted_as_a_comparison(language: str) -> None:
    """A kit without its data fails in any case: six such configs read as a fault of the change."""
    why = Reason.of("judging.dynamic-fails", how="fails", last="FileNotFoundError: data/train")
    lacking = replace(run_of("configs/no_data.yml", Verdict.DYNAMIC_FAILS), said=(why,))
    bad = Reason.of("judging.always-static")
    static = replace(run_of("configs/static.yml", Verdict.DYNAMIC_FAILS), said=(bad,))
    asked = request()
    rows = (lacking, static, run_of("configs/a.yml", Verdict.PASS))
    text = render(replace(asked, evidence=replace(asked.evidence, rows=rows)), language)
    assert re.findall(r"^\| `(\S+)` \| AST", text, re.MULTILINE) == [
        "configs/static.yml",
        "configs/a.yml",
    ]
    error = {
        "en": "- `configs/no_data.yml`, Paddle 3.3.1: FileNotFoundError: data/train\n",
        "zh": "- `configs/no_data.yml`，Paddle 3.3.1：FileNotFoundError: data/train\n",
    }
    assert error[language] in text, "the heading says already that the switch was off"
    assert "codemod parity PaddleDemo -c configs/no_data.yml" not in text
    # At an old revision it read as if the branch itself had been run.
    told = {
        "en": ", of code that differs from this branch, compare",
        "zh": "的代码与本分支不同，无从",
    }
    assert told[language] in text
    own = tuple(replace(row, hook=asked.hook) for row in rows)
    here = render(replace(asked, evidence=replace(asked.evidence, rows=own)), language)
    assert told[language] not in here


@pytest.mark.parametrize("language", LANGUAGES)
def test_runs_of_other_code_are_not_called_runs_of_this_code(language: str) -> None:
    """It said "other configs have no run of this code", as if those of the table had one."""
    asked = request()
    own = run_of("configs/a.yml", Verdict.PASS)
    told = {"en": "no parity run of this code on record", "zh": "没有这份代码的精度对比记录"}
    cases = ((replace(own, hook=asked.hook), True), (replace(own, hook="x"), False))
    for run, expected in cases:
        text = render(replace(asked, evidence=replace(asked.evidence, rows=(run,))), language)
        assert (told[language] in text) is expected


def test_runs_that_differ_by_paddle_alone_are_told_apart() -> None:
    rows = tuple(
        replace(run_of("configs/a.yml", Verdict.FAILS), paddle=paddle, reason="It fails.")
        for paddle in ("2.6.2", "3.3.1")
    )
    asked = request()
    text = render(replace(asked, evidence=replace(asked.evidence, rows=rows)), "en")
    both = "AST on Paddle 2.6.2 (cpu), AST on Paddle 3.3.1 (cpu)"
    assert f"- `configs/a.yml`, {both}, fails: It fails." in text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "if not static:\n    loss.backward()",
            "`if not static:` is put around the kit's `loss.backward()`",
        ),
        (
            "if static:\n    both()\nelse:\n    loss.backward()",
            "the kit's `loss.backward()` goes into the `else` of `if static: both()`",
        ),
        (
            "if static:\n    both()",
            "`if static: both()` takes the place of the kit's `loss.backward()`",
        ),
    ],
)
def test_a_statement_that_stays_is_not_called_replaced(code: str, said: str) -> None:
    op = Op("f.py", EditKind.PLUMBING, Replace((("body", 1),), code), Reason.said("why"))
    tree = ast.parse("loss = f()\nloss.backward()\n")
    assert str(origin_of(op, tree).does) == said


def test_code_that_was_broken_is_told_without_blanks_in_its_brackets() -> None:
    new = "kind == 'A' and hasattr(\n        head, 'loss'\n    )"
    action = Rename((("body", 0),), "kind == 'A'", new)
    told = str(origin_of(Op("f.py", EditKind.PLUMBING, action), None).does)
    assert told == "`kind == 'A'` becomes `kind == 'A' and hasattr(head, 'loss')`"


def test_each_of_several_hooks_stands_somewhere() -> None:
    where = (Reason.of("engine.where-received"),)
    placed = replace(HOOK, reason=Reason.of("engine.placed", where=where))
    change = request().change_set
    one, two = (groups(replace(change, hooks=(placed,) * count))[0][0] for count in (1, 2))
    assert str(one) == "The hook stands where the trainer receives the model."
    assert str(two) == "Each hook stands where the trainer receives the model."


def test_what_mends_the_kit_is_not_said_to_concern_every_hook() -> None:
    """PaddleOCR's repair of an export was said to concern a benchmark that has an export of its own."""
    there = replace(HOOK, status=Status.PRESENT)
    files = ("mended.py", "flag.py", HOOK.file)
    edits = tuple(
        Edit(
            file,
            EditKind.PLUMBING,
            1,
            hooks=(0, 1),
            origin=EditOrigin(Reason.said("it comes"), mends=file != "flag.py"),
        )
        for file in files
    )
    made = replace(request().change_set, hooks=(there, replace(there, file="b.py")), edits=edits)
    assert concerning(made) == (["flag.py", HOOK.file], list(made.hooks))
    mended = replace(made, edits=edits[:1] + edits[2:])
    assert concerning(mended) == ([HOOK.file], [there])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_list_shortens_the_fold_holds_whole(language: str) -> None:
    """PaddleGAN's seven hooks that are not reached any more were named by the first alone."""
    asked = request()
    gone = [replace(HOOK, status=Status.PRESENT, file=f"m{n}.py") for n in range(7)]
    origin = EditOrigin(Reason.said("it goes"), idles=("m*.py",))
    edit = Edit("build.py", EditKind.PLUMBING, 1, origin=origin)
    change = replace(asked.change_set, hooks=(HOOK, *gone), edits=(edit,))
    wrapped = Finding("hook-after-wrap", Level.WARNING, "w.py", 1, Reason.said("x"))
    left = tuple(replace(wrapped, file=f"w{n}.py") for n in range(9))
    claim = replace(wrapped, id="tipc-no-code")
    claims = tuple(replace(claim, file=f"c{n}.txt") for n in range(9))
    found = KitFindings(settled=claims, left=left)
    text = render(replace(asked, change_set=change, findings=found), language)
    for n in range(7):
        assert f"`m{n}.py:4`" in text
    for n in range(9):
        assert f"`w{n}.py:1`" in text and f"`c{n}.txt:1`" in text


def test_a_call_over_several_lines_is_told_to_its_end() -> None:
    code = "if static and epoch != -1:\n    raise ValueError(\n        'No static graph '\n        'here.')"
    op = Op("f.py", EditKind.PLUMBING, Insert((), "body", 0, code), Reason.said("why"))
    told = "`if static and epoch != -1: raise ValueError('No static graph ' 'here.')` is added"
    assert str(origin_of(op, None).does) == told


def test_a_name_that_begins_a_chinese_sentence_keeps_its_letters() -> None:
    skip = Skip(
        "a.py", Reason.of("engine.abstained", scope="f", why=Reason.said("x", "loss 会报错"))
    )
    asked = request()
    text = render(replace(asked, change_set=replace(asked.change_set, skipped=(skip,))), "zh")
    assert "：loss 会报错。" in text


def test_what_a_rule_says_of_a_hook_is_a_sentence() -> None:
    """It stands beside the places: "t.py:3: After the model is built" said not what is there."""
    rules = map(load, rule_files())
    abouts = [trainer.about for rule in rules for trainer in rule.trainers if trainer.about]
    assert len(abouts) > 10
    assert [a for a in abouts if re.match(r"(Right )?(After|Before|Behind|Where|In)\b", a)] == []


def test_a_change_that_only_reads_the_switch_is_said_to_do_so() -> None:
    """PaddleVideo's repair of an `if` left the part on the switch with a heading alone."""
    asked = request()
    there = replace(HOOK, status=Status.PRESENT)
    (change,) = asked.change_set.changes
    old = replace(change, old=change.new, new=change.new.replace(b"False)", b"False) is True"))
    origin = EditOrigin(Reason.of("engine.edit-reads", old="to_static", new="to_static is True"))
    edit = Edit(change.path, EditKind.PLUMBING, 1, 1, (0,), origin=origin)
    made = replace(asked.change_set, hooks=(there,), changes=(old,), edits=(edit,))
    english, chinese = (render(replace(asked, change_set=made), one) for one in LANGUAGES)
    assert (
        "default\n\n- The changed lines do no more than read the switch, or run under it.\n"
        in english
    )
    assert "（默认）\n\n- 改动的行只读取开关，或只在开关打开时执行。\n" in chinese
    assert "no more than read the switch" not in render(asked, "en")


def test_files_are_as_long_as_git_says() -> None:
    """Where the same lines may be paired in two ways, git's count is what a reviewer sees."""
    asked = request()
    text = render(replace(asked, sizes={"a|b.py": (7, 5)}), "en")
    assert "7 lines added, 5 removed (" in text
    assert "2 lines added, 0 removed (" in render(asked, "en")


@pytest.mark.parametrize(
    ("names", "english", "chinese"),
    [
        (("a.yml", "b.yml"), "2 runs of 2 configs (", "共 2 个配置的 2 次运行"),
        (("a.py", "b.py"), "2 runs of 2 scripts (", "共 2 个脚本的 2 次运行"),
        (("a.py", "b.yml"), "2 runs of 2 configs or scripts (", "共 2 个配置或脚本的 2 次运行"),
    ],
)
def test_a_script_is_not_called_a_config(
    names: tuple[str, ...], english: str, chinese: str
) -> None:
    """Of PaddleNLP's 33 "configs" 32 were scripts."""
    asked = request()
    rows = tuple(run_of(name, Verdict.PASS) for name in names)
    made = replace(asked, evidence=replace(asked.evidence, rows=rows))
    assert english in render(made, "en") and chinese in render(made, "zh")
    nouns = re.search(r"^Other (.*) have no parity run", render(made, "en"), re.MULTILINE)
    assert nouns and nouns[1] in english
