"""What judging says in Chinese: every reason that it gives has its words."""

from __future__ import annotations

import re

import pytest

from bench.architecture import TOP
from codemod.base.messages import template
from codemod.base.reason import Reason, spoken
from codemod.judging.judge import HARMLESS
from codemod.judging.verdict import Verdict
from codemod.judging.words import hints, verdict_phrase, verdict_word

ENGLISH = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+")


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_its_words_in_both_languages(verdict: Verdict) -> None:
    assert re.search("[\u4e00-\u9fff]", verdict_word(verdict, "zh"))
    assert verdict_phrase(verdict, "zh") == verdict_word(verdict, "zh")
    for english in (verdict_word(verdict, "en"), verdict_phrase(verdict, "en")):
        assert re.fullmatch("[a-z, -]+", english)


@pytest.mark.parametrize("page", ["parity.md", "parity.zh-CN.md"])
def test_every_verdict_stands_in_the_table_of_the_guide(page: str) -> None:
    rows = re.findall(r"^\|.*", (TOP / "docs" / page).read_text(encoding="utf-8"), re.M)
    named = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    missing = {verdict.value for verdict in Verdict} - named
    assert not missing, f"a row of the table of docs/{page}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "CONTRIBUTING.zh-CN.md"])
def test_the_page_names_each_table_that_has_every_verdict(page: str) -> None:
    text = (TOP / page).read_text(encoding="utf-8")
    section = text.partition("codemod/judging/verdict.py")[2].partition("\n## ")[0]
    whole = {
        file.relative_to(TOP).as_posix()
        for file in (TOP / "codemod").rglob("*.yaml")
        if set(map(str, Verdict)) <= set(re.findall(r"[a-z-]+", file.read_text(encoding="utf-8")))
    }
    assert {"codemod/judging/words.yaml", "codemod/work/explaining.yaml"} <= whole
    assert [name for name in sorted(whole) if name not in section] == []


@pytest.mark.parametrize("verdict", [one for one in Verdict if one is not Verdict.NOT_STATIC])
def test_a_verdict_is_of_one_sort(verdict: Verdict) -> None:
    """Pages, exit codes and pull requests ask for the sort; what has none counts as not compared."""
    sorts = (verdict.passed, verdict.differs, verdict.failed, verdict.silent)
    assert sum(sorts) == 1, "name it in one of the properties of codemod/judging/verdict.py"


@pytest.mark.parametrize("kind", hints())
def test_every_hint_has_its_chinese(kind: str) -> None:
    told = hints()[kind].text("zh")
    assert told != hints()[kind].text()
    assert not ENGLISH.search(told)


# Where the name of a class says nothing to who reads it first; ends of a run are told as verbs.
PLAIN = {
    "isolated": "few gradients differ, all else is equal",
    "drift": "another value",
    "absent": "an optimizer has it on one side only",
    "ok": "came to its end",
    "fails": "failed",
    "crash": "crashed",
    "timeout": "reached the time limit",
    "oom": "ran out of memory",
    "killed": "was ended by a signal from outside",
}


@pytest.mark.parametrize("kind", [*hints(), "ok", "fails", "crash", "timeout", "oom", "killed"])
def test_every_class_and_every_end_of_a_run_has_a_word(kind: str) -> None:
    assert template(f"judging.word-{kind}", "en") == PLAIN.get(kind, kind)
    assert not re.search("[A-Za-z]", template(f"judging.word-{kind}", "zh").replace("loss", ""))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            (
                Reason.of(
                    "judging.first-sized",
                    step=0,
                    name=Reason.of("judging.and-more", name="Net#1.scale", others=1),
                    kind="isolated",
                    size="2.2e-01",
                ),
                HARMLESS,
            ),
            (
                "首次出现在第 0 步：Net#1.scale，另有 1 项（仅少数梯度不同，其余一致，相对差 2.2e-01）。"
                "没有任何一步更新这些参数，其余全部逐位一致：此差异没有影响。"
            ),
        ),
        (
            (
                Reason.of(
                    "judging.partial",
                    parts=(
                        Reason.of("judging.some-steps", caught=3, steps=4),
                        Reason.of("judging.graphs", graphs="5", calls="1"),
                        Reason.of("judging.breaks", count=2),
                    ),
                ),
            ),
            (
                "训练只有一部分是静态的：4 步中只有 3 步运行了静态图、转换后的层每步调用 1 次，"
                "运行 5 个图、有 2 处图断裂（重复的只计一次）。"
            ),
        ),
        ((Reason.said("a reason of a recipe"),), "a reason of a recipe"),
    ],
)
def test_a_reason_in_chinese(said: tuple[Reason, ...], told: str) -> None:
    assert spoken(said, "zh") == told
