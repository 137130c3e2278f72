"""The documents: links lead somewhere, languages say the same, the tutorial's output is real."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codemod.base.errors import EnvironmentFault
from codemod.base.files.workspace import Workspace
from codemod.kits.catalogue import load_kits
from codemod.kits.sources import resolve
from codemod.training.environment.environments import find_python

TOP = Path(__file__).parent.parent
MEASURED = sorted(TOP.glob("docs/measured/*.md"))
DOCUMENTS = sorted(
    file
    for folder in (".", "docs", "docs/paddle-issues", "rules")
    for file in TOP.glob(f"{folder}/*.md")
)
PAGES = sorted([*DOCUMENTS, *MEASURED])
_LINK = re.compile(r"(?:\]\(|\bsrc(?:set)?=\")(?!https?:|mailto:)([^)\s\"]*)[)\"]")
_BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A mirror of the kits, where the network does not reach them.
MIRROR = os.environ.get("CODEMOD_MIRROR")


def anchors(page: Path) -> set[str]:
    """The headings of a page as a code host names them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", sorted(TOP.glob("docs/*.md")), ids=lambda page: page.name)
def test_a_page_is_read_in_one_go(page: Path) -> None:
    """What was measured stands in docs/measured.

    Chinese is counted in characters: one takes three bytes, and says more than three letters.
    """
    limit = 1024 * (20 if page.name.startswith("architecture.") else 15)
    text = page.read_text(encoding="utf-8")
    size = len(text if page.name.endswith(CHINESE) else text.encode())
    assert size < limit, (
        f"{size - limit + 1} too many: tables to docs/measured/, a part to another guide"
    )


def commands(page: Path) -> list[str]:
    """The command lines of a page, without comments."""
    lines = "\n".join(_BLOCK.findall(page.read_text(encoding="utf-8"))).splitlines()
    return [line.partition("#")[0].strip().removeprefix("$ ") for line in lines if line[:1].strip()]


def outline(page: Path) -> list[str]:
    """What a page is made of, in turn: levels of headings, pictures, tables, rows of kits, code."""
    found: list[str] = []
    within = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            within = not within
            found += ["code"] * within
        elif line.startswith("#") and not within:
            found.append(line.split(" ")[0])
        elif line.startswith("!["):
            found.append(line)
        elif line.startswith("|---"):
            found.append(f"table of {line.count('|') - 1}")
        elif line.startswith("| Paddle"):
            found.append(line)
    return found


def test_both_readmes_have_the_same_structure() -> None:
    english, chinese = outline(TOP / "README.md"), outline(TOP / "README.zh-CN.md")
    assert english == chinese
    kits = sum(kit.startswith("Paddle") for kit in load_kits())
    assert sum(one.startswith("| Paddle") for one in english) == kits, "every kit, in figures"
    assert english.index("![codemod apply PaddleGAN --dry-run](docs/pictures/dry-run.svg)") < 3


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_a_readme_leads_to_pages_of_its_language(name: str) -> None:
    text = (TOP / name).read_text(encoding="utf-8")
    for link in re.findall(r"\]\((docs/[\w-]+)(\.zh-CN)?\.md", text):
        twin = (TOP / f"{link[0]}.zh-CN.md").exists()
        assert bool(link[1]) is (twin and name == "README.zh-CN.md"), link


def test_both_readmes_show_the_same_commands() -> None:
    english, chinese = set(commands(TOP / "README.md")), set(commands(TOP / "README.zh-CN.md"))
    # Work on the tool itself is described in English alone.
    own = {line for line in english if line.startswith("make ") and line not in chinese}
    assert english - own == chinese


# What is in English alone: the log of changes, and `docs/measured/`, which is figures.
ENGLISH_ALONE = {"CHANGELOG"}
CHINESE = ".zh-CN.md"
DOCUMENT_NAMES = {
    file.relative_to(TOP).as_posix().removesuffix(CHINESE).removesuffix(".md") for file in DOCUMENTS
}
# The README's own tests allow it comments of its own beside its commands.
GUIDES = sorted(DOCUMENT_NAMES - ENGLISH_ALONE - {"README"})
# Their Chinese version leads to the English tables of what was measured, or has its own of them.
OTHER_TABLES = ("docs/fixes", "docs/probe")


def tables(page: Path) -> list[tuple[int, int]]:
    """The columns and rows of each table."""
    found = re.findall(r"(?:^\|.*\n?)+", prose(page), re.MULTILINE)
    return [(one.splitlines()[0].count("|") - 1, one.count("\n|")) for one in found]


@pytest.mark.parametrize(
    "page", sorted(TOP.glob("docs/**/*.md")), ids=lambda page: str(page.relative_to(TOP))
)
def test_each_row_of_a_table_has_the_columns_of_its_head(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`|\\\|", "", prose(page))
    for one in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        head, *rows = one.splitlines()
        assert [row for row in rows if row.count("|") != head.count("|")] == []


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.DOTALL)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_and_its_chinese_version_have_the_same_parts(name: str) -> None:
    english, chinese = (TOP / f"{name}{end}" for end in (".md", CHINESE))
    levels = [re.findall(r"^(#+) ", prose(page), re.MULTILINE) for page in (english, chinese)]
    assert levels[0] == levels[1]
    fenced = [
        re.findall(r"^```.*?^```", page.read_text(encoding="utf-8"), re.M | re.DOTALL)
        for page in (english, chinese)
    ]
    assert name in OTHER_TABLES or tables(english) == tables(chinese)
    # The tutorials leave out other lines of their output; a test of its own runs both.
    assert name == "docs/tutorial" or fenced[0] == fenced[1]
    indented = [set(re.findall(r"^    (\S.*)$", prose(page), re.M)) for page in (english, chinese)]
    # English lists go on in indented lines, so there are more of those.
    assert indented[1] <= indented[0]
    assert f"]({chinese.name})" in english.read_text(encoding="utf-8")
    assert f"]({english.name})" in chinese.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GUIDES)
def test_a_chinese_guide_is_in_chinese(name: str) -> None:
    text = prose(TOP / f"{name}{CHINESE}")
    text = re.sub(r"`[^`]*`|“[^”]*”|\]\([^)]*\)|^    .*$", " ", text, flags=re.MULTILINE)
    assert re.findall(r"(?:\b[A-Za-z]+\b[ ,]+){5,}", text) == []


@pytest.mark.parametrize("name", [*GUIDES, "README"])
def test_a_chinese_guide_leads_to_chinese_ones(name: str) -> None:
    """But to its own English version, which may say more."""
    page = TOP / f"{name}{CHINESE}"
    links = re.findall(r"\]\(([^)#:]+)\.md[)#]", page.read_text(encoding="utf-8"))
    led = {link for link in links if (page.parent / f"{link}{CHINESE}").exists()}
    assert led <= {page.name.removesuffix(CHINESE)}


def test_the_count_of_unknown_repositories_is_that_of_its_table() -> None:
    row = re.search(r"\| all \|(.*)", (TOP / "docs/measured/unknown.md").read_text("utf-8"))
    assert row is not None
    files, right, wrong, left, _, _, silent, to_hook, hooked = re.findall(r"\d+", row[1])
    english, chinese = (
        (TOP / "docs" / f"unknown-repositories{end}").read_text("utf-8")
        for end in (".md", ".zh-CN.md")
    )
    assert silent == "0"
    told = "none" if wrong == "0" else wrong
    assert f"{right} hooks that are right and {told} that is wrong, {left} files left" in english
    assert f"{files} training files" in english and f"of the {to_hook} files" in english
    told = "没有错误" if wrong == "0" else f"{wrong} 处错误"
    assert f"{right} 处转换正确，{told}，{left} 个文件不处理" in chinese
    assert f"{to_hook} 个文件中，{hooked} 个的转换" in chinese


def test_every_document_is_in_both_languages() -> None:
    lacking = {name for name in DOCUMENT_NAMES if not (TOP / f"{name}{CHINESE}").exists()}
    assert lacking == ENGLISH_ALONE
    assert [name for name in DOCUMENT_NAMES if not (TOP / f"{name}.md").exists()] == []


# What the glossary calls "left alone", and a hook in Chinese; a hook of git or of Paddle is 钩子.
_OTHER_WORDS = re.compile(r"\b(?:skipped|abstain(?:s|ed)?)\b|接入|已跳过|损失|对齐实验|试跑")
_SAYING = [
    file
    for room in ("cli", "reports", "work", "base/messages", "experiments")
    for ending in ("py", "yaml", "j2", "html")
    for file in sorted((TOP / "codemod" / room).rglob(f"*.{ending}"))
    if "inside" not in file.parts and file.name != "forms.yaml"
]


def sentences(file: Path) -> str:
    """What a module says to people: its texts of several words, but for docstrings."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        # Names of variables and of keys are no words.
        return re.sub(r"\{[{%].*?[%}]\}|^ *[\w-]+:", "", text, flags=re.M)
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [node for node in ast.walk(tree) if isinstance(node, documented)]
    docs = {id(node.body[0].value) for node in found if isinstance(node.body[0], ast.Expr)}
    said = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]
    return "\n".join(one for one in said if " " in one or not one.isascii())


def test_one_thing_has_one_word() -> None:
    assert len(_SAYING) > 100
    found = {file: _OTHER_WORDS.findall(sentences(file)) for file in _SAYING}
    assert {file: words for file, words in found.items() if words} == {}


def test_one_thing_has_one_word_in_chinese_guides() -> None:
    for page in (file for file in DOCUMENTS if file.name.endswith(CHINESE)):
        assert (
            re.findall("接入|已跳过|证据库|隐患|普查|损失|试跑", page.read_text(encoding="utf-8"))
            == []
        ), page


def told(page: Path) -> list[tuple[str, list[str]]]:
    """The commands of a tutorial, each with the output that it shows."""
    found: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def as_pattern(lines: list[str]) -> str:
    """What is shown as a pattern: `...` alone is any lines, within a line any text."""
    parts = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n"
        for line in lines
    ]
    return "".join(parts)


def test_the_pattern_of_output_is_strict() -> None:
    assert re.fullmatch(as_pattern(["a", "...", "b ... c"]), "a\nx\ny\nb 1 c\n")
    assert not re.fullmatch(as_pattern(["a", "b"]), "a\nx\nb\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["tutorial.md", "tutorial.zh-CN.md"])
def test_the_tutorial_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk(page, [sys.executable, "-m"], tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_the_tutorial_from_a_wheel_on_every_python(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user installs it: a wheel in an environment of its own, its packages from the index."""
    python = find_python(version)
    if python is None:
        pytest.skip(f"There is no Python {version} here.")
    wheels, env = tmp_path / "wheels", tmp_path / "env"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
    subprocess.run(build, cwd=TOP, check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([python, "-m", "venv", str(env)], check=True)
    install = [str(env / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(install, check=True)
    walk("tutorial.md", [str(env / "bin" / "python"), "-I", "-m"], tmp_path, monkeypatch)


def walk(page: str, python: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a tutorial's commands in a folder with the kit, and compare what they print.

    `echo $?` shows the exit code of the command before it.
    """
    if MIRROR:
        monkeypatch.setenv("CODEMOD_MIRROR", MIRROR)
    try:
        source = resolve("PaddleGAN", None, Workspace.at(tmp_path / "fetched"))
    except EnvironmentFault as error:
        pytest.skip(str(error))
    if source.origin != "git":
        pytest.skip(
            "The kit's package, which stands in where git cannot be reached, has no configs."
        )
    source.root.rename(tmp_path / "PaddleGAN")
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.invalid"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    ended = 0
    for command, lines in told(TOP / "docs" / page):
        if command == "echo $?":
            assert lines == [str(ended)]
            continue
        done = subprocess.run(
            [*python, *command.split()],
            cwd=tmp_path,
            env={**os.environ, **who, "XDG_STATE_HOME": str(tmp_path / "state")},
            capture_output=True,
            text=True,
            check=False,
        )
        ended = done.returncode
        assert re.fullmatch(as_pattern(lines), done.stdout), f"{command}\n{done.stdout}"
