"""What docs/check.md states as a fact is so, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from codemod.audit.findings import Level
from codemod.audit.kinds import kinds
from codemod.cli.main import cli
from codemod.experiments.rehearse.rehearsal import SCOPE_RUNS, SEEDS
from codemod.experiments.switch import run

DOCS = Path(__file__).parents[2] / "docs"
NUMBERS = {3: ("three", "三"), 12: ("twelve", "十二")}
LEVELS = {
    Level.ERROR: ("error", "错误"),
    Level.WARNING: ("warning", "警告"),
    Level.NOTE: ("note", "提示"),
}


@pytest.fixture(params=[0, 1], ids=["check.md", "check.zh-CN.md"])
def page(request: pytest.FixtureRequest) -> tuple[int, str]:
    """The language, as an index into the tables above, and the page's text."""
    name = ("check.md", "check.zh-CN.md")[request.param]
    return request.param, " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_each_kind_has_its_row_with_its_level(page: tuple[int, str]) -> None:
    language, text = page
    rows = re.findall(r"\| ((?:`\w[\w-]*`[,、 ]*)+) \| ([^ |]+) \|", text)
    told = {kind: level for names, level in rows for kind in re.findall(r"`([\w-]+)`", names)}
    known = {name: kind.level for name, kind in kinds().items() if not name.startswith("D-")}
    assert {name: LEVELS[level][language] for name, level in known.items()} == {
        name: level for name, level in told.items() if name != "D-nn"
    }


def test_how_often_a_config_and_a_trainer_are_run(page: tuple[int, str]) -> None:
    language, text = page
    sampled, seeds, enough = (NUMBERS[n][language] for n in (run._SAMPLED, SEEDS, SCOPE_RUNS))
    said = (
        (f"ways, {sampled} of them", f"a seed, {seeds} of them, until {enough} runs"),
        (f"尝试，其中{sampled}个", f"最多{seeds}个种子，直到{enough}次"),
    )[language]
    assert all(words in text for words in said)


def test_the_options_in_ci_are_those_of_the_command(page: tuple[int, str]) -> None:
    _, text = page
    command = cli.get_command(click.Context(cli), "check")
    assert command is not None
    options = {name: one for one in command.params for name in one.opts}
    told = re.findall(r"\| ((?:`--[^`]+`[,、 ]*)+) \|", text)
    named = [one for cell in told for one in re.findall(r"`(--[\w-]+)([^`]*)`", cell)]
    assert {"--fail-on", "--baseline"} - set(options) == set()
    assert {name for name, _ in named} <= set(options)
    choices = {name: value.strip() for name, value in named if "|" in value}
    for name, value in choices.items():
        kind = options[name].type
        assert isinstance(kind, click.Choice)
        assert value.split("\\|") == list(kind.choices)
