"""Laws over every command: a slip names what is near, a table fits a log, help comes soon."""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from bench.architecture import TOP
from codemod.base.errors import EnvironmentFault, UsageError
from codemod.cli.main import BROKEN_PIPE, BUG, INTERRUPTED, cli, run
from codemod.cli.table import PIPE, print_table
from codemod.experiments.probe.request import NODE_GB
from codemod.work.explaining import explain, known_ids
from tests import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def commands(group: click.Group = cli, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command that `--help` shows, by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from commands(found, (*before, name))
        elif found is not None:
            yield (*before, name)


def command_of(words: tuple[str, ...]) -> click.Command:
    found: click.Command = cli
    for word in words:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), word)
        assert inner is not None
        found = inner
    return found


def takes(words: tuple[str, ...], name: str) -> bool:
    return name in {one.name for one in command_of(words).params}


EVERY = list(commands())
WITH_TRAINER = [one for one in EVERY if takes(one, "rules")]
TARGETED = [one for one in EVERY if takes(one, "target") or takes(one, "targets")]
# What these need beside their target before they look at it.
MORE: dict[tuple[str, ...], list[str]] = {
    ("parity",): ["-c", "x"],
    ("spec",): ["-c", "x"],
    ("reduce",): ["-c", "x"],
}


# What each command that takes `--paddle` does without it.
PADDLES: dict[tuple[str, ...], str] = {
    ("check",): "With --exec: the Paddle to run under (default: the recipe's).",
    ("fix",): "Prove on this Paddle alone (default: on each that is measured).",
    ("branch",): "With --prove: the Paddle to train with (default: the recipe's).",
    ("spec",): "(default: the recipe's)",
    ("parity",): "(default: the recipe's)",
    ("probe",): "(default: the recipe's)",
    ("reduce",): "(default: the newest that is measured)",
    ("env",): "(default: the recipe's)",
}


@pytest.mark.parametrize("words", [one for one in EVERY if takes(one, "paddle")], ids=" ".join)
def test_the_help_of_paddle_says_the_command_s_own_default(words: tuple[str, ...]) -> None:
    (option,) = (one for one in command_of(words).params if one.name == "paddle")
    assert isinstance(option, click.Option)
    assert PADDLES[words] in (option.help or "")


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md", "--help"])
def test_every_exit_code_is_told(name: str) -> None:
    ended = 128 + signal.SIGTERM  # as `exit_when_terminated` has it
    codes = {0, 1, UsageError.exit_code, EnvironmentFault.exit_code, BUG}
    codes |= {INTERRUPTED, BROKEN_PIPE, ended}
    if name == "--help":
        told = re.findall(r"(\d+) [a-z]", (cli.epilog or "").partition("Exit codes: ")[2])
    else:
        text = (TOP / name).read_text(encoding="utf-8")
        told = re.findall(r"^\| (\d+) \| ", text, re.MULTILINE)
    assert sorted(map(int, told)) == sorted(codes)


def test_the_help_of_a_probe_s_memory_says_what_it_is_on_a_cluster() -> None:
    (option,) = (one for one in command_of(("probe",)).params if one.name == "memory_gb")
    assert isinstance(option, click.Option)
    assert f"with --cluster {NODE_GB:g})" in (option.help or "")


def test_the_walk_finds_the_commands() -> None:
    assert {("kits",), ("evidence", "add"), ("rules", "list")} <= set(EVERY)
    assert len(TARGETED) > 8 and len(WITH_TRAINER) >= 3


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_a_mistyped_option_names_the_near_one(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--hepl"]) == 2
    assert "--help" in capsys.readouterr().err


@pytest.mark.parametrize("words", TARGETED, ids=" ".join)
def test_a_mistyped_kit_names_the_near_one(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "PadleSeg", *MORE.get(words, [])]) == 2
    assert "PaddleSeg" in capsys.readouterr().err
    assert not (tmp_path / ".codemod" / "kits").exists()


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["schema", "parityy"], "parity"),
        (["explain", "not-statik"], "not-static"),
        (["explain", "D-377"], "D-37"),
        (["evidence", "list", "PadleOCR"], "PaddleOCR"),
        (["rules", "show", "PadleOCR"], "PaddleOCR"),
        (["check", "PaddleOCR", "--select", "copy-after-hok"], "copy-after-hook"),
        (["spec", "PaddleSeg", "-c", "x", "--index", "cu12"], "cu126"),
    ],
)
def test_a_mistyped_name_names_the_near_one(
    words: list[str], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    err = capsys.readouterr().err
    assert "Did you mean" in err and near in err


@pytest.mark.parametrize("words", WITH_TRAINER, ids=" ".join)
def test_a_mistyped_trainer_names_the_near_one(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "PaddleClas", "--trainer", "enginee", *MORE.get(words, [])]) == 2
    assert "Did you mean engine?" in capsys.readouterr().err
    assert not (tmp_path / ".codemod" / "kits").exists()


def test_every_id_is_near_to_itself_with_a_letter_too_many() -> None:
    for id_ in known_ids():
        with pytest.raises(UsageError) as error:
            explain(f"{id_}q")
        assert id_ in error.value.remedy


@pytest.mark.parametrize("words", [["kits"], ["rules", "list"]], ids=" ".join)
def test_a_table_in_a_pipe_fits_eighty_columns(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 8
    assert [line for line in lines if len(line) > PIPE] == []


def test_a_table_that_is_too_wide_loses_no_word(capsys: pytest.CaptureFixture[str]) -> None:
    cells = ["a", "many words " * 12, "z"]
    print_table(("one", "two", "three"), [cells])
    out = capsys.readouterr().out
    assert all(len(line) <= PIPE for line in out.splitlines())
    assert out.count("many") == 12 and "three z" in out


@pytest.mark.slow
@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_comes_within_three_seconds_of_processor_time(words: tuple[str, ...]) -> None:
    """Of the processor, not of the clock: a busy machine is not a fault of the command's."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "codemod", *words, "--help"], check=True, capture_output=True
    )
    after = os.times()
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 3


def test_an_error_is_one_line() -> None:
    """It is printed as one: a line break in it comes out as `^J`."""
    broken = [
        f"{file.relative_to(TOP)}:{node.lineno}"
        for file in sorted((TOP / "codemod").rglob("*.py"))
        for node in parsed.nodes(file)
        if isinstance(node, ast.Raise) and node.exc is not None
        for part in ast.walk(node.exc)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and "\n" in part.value
    ]
    assert broken == []
