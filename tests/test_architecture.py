"""The pages on architecture say how the code is, and the code keeps to them."""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.architecture import (
    INSIDE,
    PAGES,
    TOP,
    WINGS,
    arrows,
    circles,
    filled,
    imported,
    inside,
    modules,
    pages_of,
    programs,
    room_circles,
    wings_table,
)
from tests import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)


def test_every_folder_of_the_package_is_a_wing() -> None:
    folders = {path.parent.name for path in (TOP / "codemod").glob("*/__init__.py")}
    assert folders == set(WINGS)


@pytest.mark.parametrize("wing", WINGS)
def test_the_page_names_every_module_and_no_other(wing: str) -> None:
    _, _, rest = TEXT.partition(f"<!-- modules: {wing} -->\n")
    rows = rest.partition("<!-- end -->")[0].splitlines()[2:]
    named = [row.split("`")[1] for row in rows]
    assert named == list(modules(wing)), "run: python -m bench.architecture --write"


def test_the_tables_are_as_the_code_is() -> None:
    assert filled(TEXT) == TEXT, "run: python -m bench.architecture --write"


_STEP = re.compile(r"`([a-z_]+/[\w/]+\.py):(\w+)`")


def test_the_walk_goes_by_functions_that_are_there() -> None:
    english, chinese = (_STEP.findall(page.read_text(encoding="utf-8")) for page in PAGES[:2])
    steps = set(english)
    assert len(steps) > 10 and steps == set(chinese)
    for file, name in steps:
        tree = ast.parse((TOP / "codemod" / file).read_text(encoding="utf-8"))
        assert name in {getattr(node, "name", "") for node in tree.body}, f"{file}:{name}"


def test_the_page_names_every_package_that_runs_elsewhere() -> None:
    inits = (TOP / "codemod" / folder for folder in INSIDE)
    packages = {file.parent for folder in inits for file in folder.glob("*/__init__.py")}
    named = {package.relative_to(TOP / "codemod").as_posix() for package in packages}
    for page in PAGES[:2]:
        text = page.read_text(encoding="utf-8")
        assert {name for name in named if f"`{name}`" not in text} == set(), page.name


def test_every_wing_has_today_s_line_in_chinese() -> None:
    rows = wings_table("zh").splitlines()[2:]
    assert [row for row in rows if "|  |" in row] == []


def test_every_module_says_its_one_job() -> None:
    assert "| |\n" not in TEXT
    assert "|  |\n" not in TEXT


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_imports_from_wings_before_it_alone(wing: str) -> None:
    assert arrows()[wing] <= set(WINGS[: WINGS.index(wing)])


def test_no_two_modules_import_each_other() -> None:
    assert circles() == []


def test_no_two_rooms_import_each_other() -> None:
    assert room_circles() == []


# What takes time to load before the first word is said, by whose types name it: Jinja, what
# `apply` and `diff` load while git lists the kit's files, and what `codemod.work` gives when it is
# asked for. Base and cli start with each command.
_JINJA = {"jinja2", "markupsafe"}
_HEAVY = {
    "experiments/parity/pages.py": _JINJA,
    "experiments/reduce/report.py": {"jinja2"},
    "reports/pullrequest/text.py": {"jinja2"},
    "reports/survey/pages/document.py": {"jinja2"},
    "work/__init__.py": {
        f"codemod.work.{name}" for name in ("auditing", "mending", "planning", "surveying")
    },
    "work/planning.py": {
        *("codemod.base.changeset", "codemod.engine.plan"),
        "codemod.experiments.rehearse.rehearsal",
    },
    "rules/PaddleSeg/launch.py": {"collections.abc"},  # runs on record have read it as it is
}


def _for_types_alone(path: Path) -> set[str]:
    """The modules that a module names under `if TYPE_CHECKING:`."""
    blocks = [
        node
        for node in (parsed.nodes(path) if "TYPE_CHECKING" in parsed.text(path) else ())
        if isinstance(node, ast.If) and parsed.dotted(node.test) == "TYPE_CHECKING"
    ]
    nodes = [node for block in blocks for node in block.body]
    plain = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_types_are_imported_as_what_they_are_where_that_costs_no_time() -> None:
    found: dict[str, set[str]] = {}
    for path in [*(TOP / "codemod").rglob("*.py"), *(TOP / "rules").rglob("*.py")]:
        name = path.relative_to(TOP).as_posix().removeprefix("codemod/")
        # The recorder is on record with its text.
        if not name.startswith(("base/", "cli/", "training/inject/parity_recorder/")):
            modules = _for_types_alone(path)
            found |= {name: modules} if modules else {}
    assert found == _HEAVY


# Rooms of one module a command, and one a theme of hazards: each is looked up by its name and has
# nothing to do with its neighbours, so that halves would only be one place more to look in.
_LARGE = {"cli/commands", "hazards/catalog"}


def test_a_room_has_at_most_fifteen_modules() -> None:
    rooms = defaultdict(list)
    for path in (TOP / "codemod").rglob("*.py"):
        if path.name != "__init__.py":
            rooms[path.parent.relative_to(TOP / "codemod").as_posix()].append(path.name)
    assert {room for room, modules in rooms.items() if len(modules) > 15} == _LARGE


def test_what_runs_in_a_kit_s_process_imports_nothing_of_the_tool() -> None:
    paths = [path for path in (TOP / "codemod").rglob("*.py") if inside(path)]
    assert len({path.parts[-2] for path in paths}) >= len(INSIDE)
    assert [path for path in paths if imported(path)] == []


def test_a_class_name_is_one_thing() -> None:
    places = defaultdict(list)
    for path in sorted((TOP / "codemod").rglob("*.py")):
        for node in parsed.nodes(path):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(TOP).as_posix())
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert twice == {}


# Where processes may be started, and how one could be started elsewhere.
_LAUNCHER = "codemod/base/launch/"
_MODULES = {"subprocess", "multiprocessing", "pty", "popen2", "webbrowser", "git", "psutil"}
_MODULES |= {"concurrent.futures.process", "asyncio.subprocess"}
_CALLS = re.compile(
    r"os\.(system|popen|startfile|fork|forkpty|posix_spawn\w*|spawn\w+|exec[lv]\w*)\Z"
    r"|(click|ctx)\.(edit|launch|pager|echo_via_pager)\Z|\w+\.(create_subprocess_\w+|pager)\Z"
    r"|(\w+\.)*(ProcessPoolExecutor|Popen)\Z"
)
# With what a name ends that `_CALLS` matches.
_LAST = re.compile(
    r"system|popen|startfile|fork|forkpty|posix_spawn\w*|spawn\w+|exec[lv]\w*|edit|launch|pager"
    r"|echo_via_pager|create_subprocess_\w+|ProcessPoolExecutor|Popen"
)
# Forks of a kit's process, which stands in the box itself; and Ray, which starts its own.
_GITPYTHON = ("pullrequest/git/commands.py",)  # whose processes `git_output` starts
_FORKS = ("probe_inside/serve.py", "rehearsal_inside/stage.py")


def starts(nodes: Iterable[ast.AST]) -> list[str]:
    """What in a module could start a process."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # As an argument of `import_module`; a docstring is no name.
            names = [node.value] if node.value in _MODULES - {"git"} else []
        elif isinstance(node, (ast.Attribute, ast.Name)):
            last = node.attr if isinstance(node, ast.Attribute) else node.id
            # Most of the time is in writing names anew that end in no word of these.
            name = ast.unparse(node) if _LAST.fullmatch(last) else ""
            names = [name] if _CALLS.match(name) else []
        else:
            continue
        found += [
            name
            for name in names
            if name in _MODULES or name.split(".")[0] in _MODULES or _CALLS.match(name)
        ]
    return found


def test_the_launcher_alone_starts_processes() -> None:
    found = {}
    for path in sorted((TOP / "codemod").rglob("*.py")):
        name = path.relative_to(TOP).as_posix()
        if not name.startswith(_LAUNCHER):
            calls = starts(parsed.nodes(path))
            forks = ["os.fork"] if name.endswith(_FORKS) else []
            if name.endswith(_GITPYTHON):
                calls = [call for call in calls if not call.startswith("git.cmd")]
            if calls != forks:
                found[name] = calls
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess",
        "from subprocess import run",
        "import os\nos.system('a')",
        "from os import execv",
        "import os\nstart = os.posix_spawn",
        "from concurrent.futures import ProcessPoolExecutor",
        "from concurrent import futures\nfutures.ProcessPoolExecutor()",
        "import importlib\nimportlib.import_module('subprocess')",
        "from git.cmd import Git",
        "import click\nclick.edit('a')",
        "from click import edit\nfrom click import launch",
        "import multiprocessing.pool",
        "import asyncio\nasyncio.create_subprocess_exec('a')",
    ],
)
def test_the_law_sees_every_way_to_start_one(text: str) -> None:
    assert starts(ast.walk(ast.parse(text)))


# Where a command begins with the word: our way to run git, GitPython's, and what is only shown.
_GIT = {"base/git_state.py", "reports/pullrequest/git/repository.py"}
_GIT |= {"reports/pullrequest/git/push.py"}


def test_git_is_run_in_one_way() -> None:
    found = set()
    for path in (TOP / "codemod").rglob("*.py"):
        for node in parsed.nodes(path):
            first = node.elts[:1] if isinstance(node, ast.List) else []
            if [getattr(word, "value", "") for word in first] == ["git"]:
                found.add(path.relative_to(TOP / "codemod").as_posix())
    assert found == _GIT


_PATH = re.compile(r"`((?:codemod|rules|bench|tests|docs)/[\w./<>-]+)`")
_PAGES = [*sorted((TOP / "docs").glob("*.md")), *TOP.glob("*.md"), TOP / "rules" / "README.md"]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_documents_cite_files_that_are_there(page: Path) -> None:
    cited = set(_PATH.findall(page.read_text(encoding="utf-8")))
    places = {path: path.replace("<Kit>", "PaddleSeg") for path in cited}
    assert [path for path, place in places.items() if not (TOP / place).exists()] == []


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_documents_name_programs_that_are_there(page: Path) -> None:
    named = re.findall(r"\b(?:python -m |`)(bench(?:\.\w+)+)", page.read_text(encoding="utf-8"))
    packages = {name.rpartition(".")[0] for name in programs()}
    assert set(named) - set(programs()) - packages == set()


@pytest.mark.parametrize(("name", "path"), programs().items(), ids=programs())
def test_a_program_names_the_pages_that_it_writes(name: str, path: Path) -> None:
    """Its constants say which; a Chinese page goes with the English one."""
    if "PAGE" not in path.read_text(encoding="utf-8"):
        return
    module = importlib.import_module(".".join(path.relative_to(TOP).with_suffix("").parts))
    several = getattr(module, "PAGES", ())
    pages = [*(several.values() if isinstance(several, dict) else several)]
    pages += [module.PAGE] if hasattr(module, "PAGE") else []
    written = {page.relative_to(TOP).as_posix() for page in pages if ".zh-CN" not in page.name}
    assert written and written <= set(pages_of(path)), name


_IDENTIFIER = re.compile(r"`[@.]?((?:[A-Za-z]\w*\.)*\w*(?:_\w+|[a-z][A-Z]\w*))(?:\(.*?\))?`")


def comments() -> str:
    """The comments of the data that the tool and its kits bring."""
    files = [file for room in ("codemod", "rules") for file in (TOP / room).rglob("*.yaml")]
    lines = "\n".join(file.read_text(encoding="utf-8") for file in files).splitlines()
    return "\n".join(line for line in lines if line.lstrip().startswith("#"))


def test_comments_of_data_cite_names_that_stand_in_the_module_named() -> None:
    cited = re.findall(r"`([\w.]+)`,? in (codemod/[\w/]+\.py)", comments())
    assert cited
    for name, path in cited:
        text = (TOP / path).read_text(encoding="utf-8")
        assert all(re.search(rf"\b{part}\b", text) for part in name.split(".")), (name, path)


@functools.cache
def words_of_code() -> set[str]:
    """Every word of the code and its data."""
    files = (
        file
        for room in ("codemod", "bench", "tests", "rules")
        for ending in ("py", "yaml")
        for file in (TOP / room).rglob(f"*.{ending}")
        if file != Path(__file__)
    )
    return {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "docs/check.md", "comments"])
def test_documents_cite_names_that_are_there(page: str) -> None:
    """Names of code: of two words, by an underscore or a capital letter within."""
    text = comments() if page == "comments" else (TOP / page).read_text(encoding="utf-8")
    cited = set(_IDENTIFIER.findall(text))
    assert cited
    assert {name for name in cited if name.rpartition(".")[2] not in words_of_code()} == set()


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_page_of_rules_has_a_row_for_each_file_of_a_kit(page: str) -> None:
    table = (TOP / "rules" / page).read_text(encoding="utf-8").partition("\n\n| ")[2]
    named = {name.partition("/")[0] for name in re.findall(r"^\| `([\w./]+)`", table, re.MULTILINE)}
    found = {
        file.name for file in (TOP / "rules").glob("Paddle*/*") if not file.name.startswith("__")
    }
    # Other modules are those that these import.
    assert {name for name in found - named if not name.endswith(".py")} == set()
    assert {"adapter.py", "launch.py", "switch.py"} <= named


def test_kits_files_cite_modules_that_are_there() -> None:
    for file in sorted((TOP / "rules").glob("*/*.yaml")):
        text = file.read_text(encoding="utf-8")
        for path in re.findall(r"\bcodemod/[\w/]+\.py\b", text):
            assert (TOP / path).is_file(), f"{file} cites {path}"


def _raised(function: ast.FunctionDef) -> Iterator[ast.Raise]:
    """The errors of a function's own statements, but those that it catches itself."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node
        if isinstance(node, ast.Try):
            waiting += [*node.handlers, *node.orelse, *node.finalbody]
            waiting += () if node.handlers else node.body
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def _public(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in (*tree.body, *(each for one in classes for each in one.body)):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("wing", [wing for wing in WINGS if wing != "cli"])
def test_a_public_function_that_raises_says_so(wing: str) -> None:
    silent = [
        f"{path.relative_to(TOP)}:{function.lineno} {function.name}"
        for path in modules(wing).values()
        if not inside(path)
        for function in _public(parsed.tree(path))
        if next(_raised(function), None) and "aises" not in (ast.get_docstring(function) or "")
    ]
    assert silent == []
