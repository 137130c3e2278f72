"""Text that is made to cost time, to forge lines, or to name what is not ours."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import json
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import codemod
from codemod.base.changeset import FileChange
from codemod.base.files.workspace import Workspace
from codemod.base.patch.hunks import compose, counts, hunks_of
from codemod.base.terminal.text import one_line
from codemod.code.imports import _names
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import kit_file
from codemod.kits.tipc import ends_with_options
from codemod.reports.pullrequest.claims.cited_evidence import read_evidence
from codemod.reports.pullrequest.markdown import plain, shell_line
from tests.attack.counting import Calls, Matcher, TooManyStepsError
from tests.parsed import nodes
from tests.parsed import text as text_of

pytestmark = pytest.mark.slow

HOME = Path(codemod.__path__[0])


@functools.cache
def patterns() -> dict[str, re.Pattern[Any]]:
    """Every compiled pattern that stands at the top of one of the tool's modules."""
    found = {}
    for module in pkgutil.walk_packages(codemod.__path__, "codemod."):
        if ".inject" in module.name or ".inside" in module.name or "__main__" in module.name:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                found[f"{module.name}.{name}"] = value
    return found


CALLED = ("compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "split")


def spelt_out() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """Every pattern that a function spells out, and whether it is looked for anywhere.

    What is put into one from outside stands for a word.
    """
    found = {}
    for file in sorted(HOME.rglob("*.py")):
        for node in nodes(file) if "re." in text_of(file) else ():
            called = node.func if isinstance(node, ast.Call) else None
            if (
                isinstance(node, ast.Call)
                and isinstance(called, ast.Attribute)
                and isinstance(called.value, ast.Name)
                and (called.value.id, called.attr in CALLED) == ("re", True)
                and (text := spelt(node.args[0])) is not None
            ):
                flags = re.MULTILINE if "re.M" in ast.unparse(node) else 0
                where = f"{file.relative_to(HOME)}:{node.lineno}"
                anywhere = called.attr not in ("match", "fullmatch")
                found[where] = (re.compile(text, flags), anywhere)
    return found


def spelt(node: ast.AST) -> str | None:
    """The text of a pattern, where the code spells it out."""
    if isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "word" for one in node.values]
        return "".join(map(str, parts))
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        text = node.value
        # A latin-1 text costs what the bytes cost.
        return text if isinstance(text, str) else text.decode("latin-1").replace("%s", "word")
    return None


def written_in_data() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """The patterns in YAML: where a kit's document is changed, and what a message means."""
    found = {}
    for kit in load_kits():
        file = kit_file(kit, "docs.yaml")
        text = file.read_text() if file else ""
        for number, line in enumerate(re.findall(r"(?m)^\s*(?:- )?(?:after|before): (.*)$", text)):
            pattern = yaml.safe_load(line)
            found[f"{kit}/docs.yaml {number}"] = (re.compile(pattern), True)
    for file in sorted(HOME.rglob("*.yaml")):
        content = yaml.load(file.read_bytes(), yaml.CSafeLoader)
        listed = content.get("patterns", []) if isinstance(content, dict) else []
        for number, one in enumerate(listed):
            found[f"{file.name} {number}"] = (re.compile(one["en"]), True)
    return found


@functools.cache
def built() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """Every pattern that is not at the top of a module, and whether it is looked for anywhere."""
    at_the_top = {pattern.pattern for pattern in patterns().values()}
    return {
        name: (pattern, anywhere)
        for name, (pattern, anywhere) in (spelt_out() | written_in_data()).items()
        if pattern.pattern not in at_the_top
    }


def folder_of(name: str) -> str:
    """Where the module of a pattern lies, or `DATA`."""
    if name in patterns():
        module = importlib.import_module(name.rpartition(".")[0])
        return Path(str(module.__file__)).parent.relative_to(HOME).as_posix()
    file = HOME / name.rpartition(":")[0]
    return file.parent.relative_to(HOME).as_posix() if file.suffix == ".py" else DATA


@functools.cache
def named(folder: str) -> list[str]:
    """The patterns of a folder."""
    return sorted(name for name in patterns() | built() if folder_of(name) == folder)


DATA = "data"
# To find the patterns takes seconds, which no collection of tests has.
FOLDERS = [
    *sorted({file.parent.relative_to(HOME).as_posix() for file in HOME.rglob("*.py")}),
    DATA,
]


def nested(parsed: Any, repeated: bool = False) -> bool:
    """Whether an unbounded repeat holds another one: the form that can be exponential."""
    for op, value in parsed:
        if str(op) in ("MAX_REPEAT", "MIN_REPEAT"):
            unbounded = int(value[1]) > 1000
            if (repeated and unbounded) or nested(value[2], repeated or unbounded):
                return True
        elif (str(op) == "SUBPATTERN" and nested(value[3], repeated)) or (
            str(op) == "BRANCH" and any(nested(branch, repeated) for branch in value[1])
        ):
            return True
    return False


def test_there_are_patterns_to_look_at() -> None:
    assert len(patterns()) > 50
    assert len(built()) > 30
    assert {folder_of(name) for name in patterns() | built()} <= set(FOLDERS)


# A repeat in a repeat whose parts cannot stand for each other: each has its own first letter.
TOLD_APART = {"codemod.judging.evidence.rows._FOLDERS", "codemod.kits.catalogue._VERSIONS"}
# Lines that end where the next begins, with nothing after them that could fail.
LINES = "^Global:"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_pattern_repeats_a_repeat(folder: str) -> None:
    parser = sys.modules.get("re._parser") or importlib.import_module("sre_parse")
    found = []
    for name in named(folder):
        pattern = patterns()[name] if name in patterns() else built()[name][0]
        apart = name in TOLD_APART or (name in built() and pattern.pattern.startswith(LINES))
        if nested(parser.parse(pattern.pattern, pattern.flags)) and not apart:
            found.append(name)
    assert found == []


PIECES = [
    " ",
    "\t",
    "a",
    "=",
    "-o ",
    "a=b ",
    "#",
    ".",
    "/",
    "from . import (",
    "import ",
    "url=",
    "\n",
]
PIECES += ["x_", "(", "a,", "@", ":", "`", "[", "$", "{", "to_static", "dist", "0", "'", "_", "\\"]


@functools.cache
def searches(name: str) -> bool:
    """Whether a pattern is looked for anywhere in a text, and not at its beginning alone."""
    module, _, variable = name.rpartition(".")
    source = Path(str(importlib.import_module(module).__file__)).read_text()
    return re.search(rf"{variable}\.(search|findall|finditer|sub|split)\(", source) is not None


def cost(matcher: Matcher, text: str, *, anywhere: bool) -> int:
    """Steps of a backtracking matcher, or of one that was stopped."""
    matcher.steps = 0
    with contextlib.suppress(TooManyStepsError):
        matcher.search(text) if anywhere else matcher.match(text)
    return matcher.steps


# What they are given is never long: a path or a name of a class, a command's one word. The
# other refers back to what it has found, which the counting matcher does not know.
SHORT = {"codemod.engine.find.present.UTILITIES"}
# Compiled in a function, and looked for at the beginning of one line or word alone.
AT_THE_BEGINNING = {r"[0-9][\w.]*\Z", r"=+[ \t]*([A-Za-z0-9_]+)[ \t]*=+\s*$"}


def short(name: str) -> bool:
    """Whether a pattern is given short texts alone."""
    text = built()[name][0].pattern if name in built() else ""
    return name in SHORT or r"\1" in text or text in AT_THE_BEGINNING


@pytest.mark.parametrize("folder", FOLDERS)
def test_twice_the_text_costs_twice_the_steps(folder: str) -> None:
    """Texts of one piece over and over, with an end at which what was found must be given up."""
    for name in named(folder):
        if not short(name):
            costs_twice(name)


def costs_twice(name: str) -> None:
    pattern, anywhere = built()[name] if name in built() else (patterns()[name], searches(name))
    matcher = Matcher(pattern, most=3_000_000)
    for piece in PIECES:
        for end in ("", "!"):
            texts = [piece * count + end for count in (60, 120)]
            single, double = (cost(matcher, text, anywhere=anywhere) for text in texts)
            assert double <= 2.6 * single + 200, (name, piece, end, single, double)


@pytest.mark.parametrize("text", ["a" * 12, "aaaa!", "ab" * 8, ""])
def test_the_counting_matcher_finds_what_python_finds(text: str) -> None:
    for source in (r"(a+)+$", r"(a|b)*!", r"^[^b]{2,}?b", r"(?<!a)a\w*\b", r"a(?=b)", r"\Aa.*\Z"):
        pattern = re.compile(source)
        assert Matcher(pattern, 10**6).search(text) == bool(pattern.search(text)), source


def test_the_counting_matcher_sees_what_is_exponential() -> None:
    slow = re.compile(r"\s-o(\s+\S+=\S*)*$")
    counted = []
    for count in (4, 8, 12):
        matcher = Matcher(slow, 10**7)
        matcher.search(" -o" + " a=b=" * count + " !")
        counted.append(matcher.steps)
    assert counted[2] / counted[1] > 1.4


def test_tipc_options_cost_what_they_are_long() -> None:
    """The words of a command are looked at once each."""
    for count in (10, 1000, 100_000):
        assert ends_with_options("train.py -o" + " a=b" * count, ("-o",))
        assert not ends_with_options("train.py -o" + " a=b" * count + " !", ("-o",))
    assert not ends_with_options("-o", ("-o",))
    assert not ends_with_options("train.py -o =b", ("-o",))


def test_imports_that_never_close() -> None:
    counted = []
    for count in (500, 1000, 2000):
        text = "from a import (\n" * count
        with Calls() as calls:
            list(_names(text))
        counted.append(calls.count)
    assert counted[2] - counted[1] <= 2.2 * (counted[1] - counted[0])
    found = set(_names("from . import (a,\n  b)\nfrom .f import (g\nimport c.d, e\n"))
    assert found == {".", ".a", ".b", ".f", ".f.g", "c.d", "e"}


@pytest.mark.parametrize("count", [20_000, 200_000])
def test_like_lines_between_insertions_are_passed_over(count: int) -> None:
    old = b"pass\n" * count
    new = b"first\n" + old + b"last\n"
    change = FileChange("a.py", old, new)
    hunks = hunks_of(change)
    assert compose(old, hunks) == new
    assert counts(hunks) == (2, 0)


def test_a_change_of_like_lines_is_still_a_change() -> None:
    old = b"a\n" + b"pass\n" * 5000 + b"b\n"
    new = b"x\n" + b"pass\n" * 2000 + b"y\n" + b"pass\n" * 2999 + b"z\n"
    change = FileChange("a.py", old, new)
    assert compose(old, hunks_of(change)) == new


@pytest.mark.parametrize(
    "text", ["a\nb", "a\x1b[2Jb", "a\x9bb", "a\u202eb", "a\rb", "a\x07b", "a\tb"]
)
def test_names_make_no_lines_and_no_commands(text: str) -> None:
    shown = one_line(text)
    assert shown.isprintable()
    assert shown.startswith("a") and shown.endswith("b")


@pytest.mark.parametrize(
    "text", ["# heading", "![x](http://y)", "a\n\n## b", "<img src=x>", "| a |", "```", "@someone"]
)
def test_text_in_a_pull_request_is_only_text(text: str) -> None:
    shown = plain(text)
    assert "\n" not in shown
    assert not re.search(r"(?<!\\)[#!\[<|`@]", shown.replace("&#64;", ""))
    assert "```" not in shell_line(text)


def test_a_result_names_no_picture_of_the_disk(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "ws")
    folder = workspace.make("results", "K")
    (folder / "curve.png").write_bytes(b"own")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    named = ["curve.png", "../../../secret.png", str(tmp_path / "secret.png"), "link.png"]
    modes = {"ast": {"verdict": "pass"}}
    result = {
        "kit": "K",
        "config": "c.yml",
        "paddle": "2.6.2",
        "modes": modes,
        "pictures": named,
        "edited": {},
    }
    result |= {"command": "codemod parity 'K"}
    (folder / "a.json").write_text(json.dumps(result))
    (folder / "b.json").write_text(json.dumps(result | {"revision": ["x"]}))
    (folder / "deep.json").write_text("[" * 100_000)
    found = read_evidence(workspace, "K")
    assert found.pictures == (folder / "curve.png",)
    assert found.rows[0].command == "'codemod parity '\"'\"'K'"
    assert found.unreadable == (
        "results/K/b.json: `revision` is not a text",
        "results/K/deep.json: it is not JSON",
    )
