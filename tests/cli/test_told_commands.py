"""Every command that the tool tells people to run is one that its own options take."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import codemod
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.cli.main import cli
from codemod.kits.catalogue import load_kits
from codemod.reports.pullrequest.claims.cited_evidence import read_evidence
from tests import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(codemod.__file__).parent
TOP = PACKAGE.parent
TEXTS = ("*.yaml", "*.j2")
PAGES = [
    *TOP.glob("README*.md"),
    TOP / "CONTRIBUTING.md",
    *TOP.glob("docs/*.md"),
    *TOP.glob("rules/*.md"),
]
_TOLD = re.compile(r"`(codemod [^`\n]+)`")
_BLOCK = re.compile(
    r"^```(?:sh|shell|console)\n(.*?)^```|^((?: {4}.*\n)+)", re.MULTILINE | re.DOTALL
)
# What is filled in when it is told: a placeholder of a template, a place for one's own.
_FILLED = re.compile(r"\{\{.*?\}\}|\{.*?\}|<[^>]*>|…")
# Syntax of help: what may be left out or repeated, and one of several.
_HELP = re.compile(r"[\[\]]|\.\.\.")


def literals(file: Path) -> Iterator[str]:
    """The strings of a module that names the tool, with `1` for what an f-string fills in."""
    for node in parsed.nodes(file) if "codemod " in parsed.text(file) else ():
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else "1" for one in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def told() -> Iterator[tuple[str, str]]:
    """Each command with the file that tells it."""
    for file in PACKAGE.rglob("*.py"):
        for text in literals(file):
            yield from ((file.name, one) for one in _TOLD.findall(text))
    for file in (one for glob in TEXTS for one in PACKAGE.rglob(glob)):
        yield from ((file.name, one) for one in _TOLD.findall(file.read_text(encoding="utf-8")))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        yield from ((page.name, one) for one in _TOLD.findall(text))
        lines = "\n".join(a or b for a, b in _BLOCK.findall(text)).splitlines()
        shown = (line.strip().removeprefix("$ ") for line in lines)
        yield from ((page.name, one) for one in shown if one.startswith("codemod "))


def fault(command: str) -> str:
    """Why the tool does not take a command; "" where it does."""
    words = shlex.split(_HELP.sub("", _FILLED.sub("1", command)), comments=True)[1:]
    words = words[: next((n for n, one in enumerate(words) if one in ("|", ">", "&&", ";")), None)]
    group: click.Command = cli
    context = click.Context(cli)
    while isinstance(group, click.Group):
        name = words.pop(0) if words else ""
        found = group.get_command(context, name)
        if found is None:
            # A mention of the group itself, such as `codemod evidence`.
            return "" if name in ("", "--help") else f"no command {name}"
        group = found
    try:
        group.make_context(group.name, list(words))
    except click.MissingParameter:
        return ""  # `codemod fix` names the command
    except click.BadOptionUsage as error:
        # `codemod parity --cluster` names the option
        return "" if words[-1] == error.option_name else error.format_message()
    except click.exceptions.Exit:
        return ""
    except click.UsageError as error:
        return error.format_message()
    except UsageError as error:
        # In a checkout of a kit, none is needed.
        return "" if error.message.startswith("No target is given") else error.message
    return ""


def test_the_tool_takes_every_command_that_it_tells() -> None:
    wrong = {(name, command): why for name, command in told() if (why := fault(command))}
    assert wrong == {}


def test_a_wrong_option_is_seen() -> None:
    assert "--nonsense" in fault("codemod apply PaddleSeg --nonsense")
    assert fault("codemod parity PaddleSeg -c a.yml --device 2xcpu --steps 0")
    assert fault("codemod nonsense")


# One kit's rows for an option that goes; all of them are data.
@pytest.mark.parametrize(
    "kit",
    [
        pytest.param(kit, marks=[] if kit == "PaddleVideo" else pytest.mark.slow)
        for kit in load_kits()
    ],
)
def test_the_tool_takes_the_command_of_every_row_of_the_base(kit: str, tmp_path: Path) -> None:
    evidence = read_evidence(Workspace.at(tmp_path), kit)
    wrong = {row.command: why for row in evidence.rows if (why := fault(row.command))}
    assert wrong == {}
    assert all(f"--paddle {row.paddle}" in row.command for row in evidence.rows)
