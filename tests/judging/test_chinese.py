"""What judging says in Chinese: every reason that it gives has its words."""

from __future__ import annotations

import re

import pytest

from codemod.judging.chinese import reason_in_chinese, verdict_in_chinese
from codemod.judging.judge import HARMLESS
from codemod.judging.verdict import HINTS, Verdict
from codemod.reports.survey.words import Words

ENGLISH = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+")


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_has_the_same_words_here_and_in_the_survey(verdict: Verdict) -> None:
    assert verdict_in_chinese(verdict) == Words("zh")("verdicts", verdict.value)


@pytest.mark.parametrize("kind", HINTS)
def test_every_hint_has_its_chinese(kind: str) -> None:
    told = reason_in_chinese(HINTS[kind])
    assert told != HINTS[kind]
    assert not ENGLISH.search(told)


@pytest.mark.parametrize(
    ("english", "told"),
    [
        (
            "First at step 0: Net#1.scale and 1 more (isolated, 2.2e-01 relative).",
            "首次出现在第 0 步：Net#1.scale，另有 1 项（isolated，相对差 2.2e-01）。",
        ),
        ("First at step 49: w (weights).", "首次出现在第 49 步：w（weights）。"),
        (
            (
                "9 steps are equal to the bit in losses, gradients, buffers, learning rates and "
                "watched state. Part of the model runs dynamically: only 3 of 4 steps ran a static "
                "graph, 5 graphs a step where the hooked layers are called 1 times, 2 distinct graph "
                "breaks."
            ),
            (
                "9 步的 loss、梯度、缓冲区、学习率与所观察的状态全部逐位一致。模型的一部分以动态图运行："
                "4 步中只有 3 步运行了静态图，转换后的层每步调用 1 次，却运行了 5 个图，2 处不同的图断裂。"
            ),
        ),
        (
            "Interrupted: dynamic training made 3 of 50 steps, ast 4.",
            "中断：动态图训练了 3/50 步，ast 训练了 4 步。",
        ),
        (
            "The dynamic run reached the time limit of 300 s (--limit): after 4 recorded steps",
            "动态图训练达到了 300 秒的时限（--limit）：已记录 4 步",
        ),
        (
            "The kit fails with the hook off (fails): ValueError: bad shape of x",
            "开关关闭时套件自身就失败（fails）：ValueError: bad shape of x",
        ),
        (
            f"First at step 1: w (extra). {HARMLESS}",
            (
                "首次出现在第 1 步：w（extra）。没有任何一步"
                "更新这些参数，其余全部逐位一致：此差异没有影响。"
            ),
        ),
        ("a reason of a recipe", "a reason of a recipe"),
    ],
)
def test_a_reason_in_chinese(english: str, told: str) -> None:
    assert reason_in_chinese(english) == told
