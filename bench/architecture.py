"""The tables of wings, what they import, modules and programs. `--write` updates them.

What a table says of a wing, a module or a program is the first line of its docstring; the Chinese
page has the lines of `architecture.yaml`. They stand in docs/architecture.md, in
docs/measured/modules.md and in docs/measured/benches.md.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections import defaultdict
from pathlib import Path

import yaml

TOP = Path(__file__).parent.parent
PAGES = tuple(
    TOP / "docs" / name
    for name in (
        "architecture.md",
        "architecture.zh-CN.md",
        "measured/modules.md",
        "measured/benches.md",
    )
)
# A wing imports from wings before it, never from one after it.
WINGS = (
    "base",
    "code",
    "kits",
    "engine",
    "hazards",
    "training",
    "judging",
    "audit",
    "experiments",
    "reports",
    "work",
    "cli",
)
# Packages that run in a process of their own, or inside a kit's, under a name of their own.
INSIDE = (
    "base/launch/inside",
    "training/inject",
    "experiments/inside",
    "experiments/probe/inside",
    "experiments/reduce/inside",
    "experiments/switch/inside",
    "experiments/rehearse/inside",
)
_STARTS = '\nif __name__ == "__main__":\n'
_CITED = re.compile(r"\b(?:docs/[\w/-]+|README|SECURITY)\.md\b")
_BLOCK = re.compile(r"<!-- (\w+)(?:: ([\w/]+))? -->\n.*?<!-- end -->\n", re.S)


def modules(wing: str) -> dict[str, Path]:
    """The modules of a wing by their path in it (`patterns.py`, `patch/hunks.py`), sorted.

    A package's `__init__.py` stands for the package (`patch/`); the wing's own is left out.
    """
    folder = TOP / "codemod" / wing
    found = {}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name != "__init__.py":
            found[name.removesuffix("__init__.py")] = path
    return found


@functools.cache
def tree(path: Path) -> ast.Module:
    """A module's tree, which nobody may change."""
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def job(path: Path) -> str:
    """The first line of a module's docstring."""
    text = ast.get_docstring(tree(path)) or ""
    return text.partition("\n")[0]


def inside(path: Path) -> bool:
    """Whether a module runs inside a kit's process."""
    name = path.relative_to(TOP / "codemod").as_posix()
    return name.startswith(INSIDE)


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """The modules and names of `codemod` that a file imports anywhere, also for types alone."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "codemod":
            found |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.split(".")[0] == "codemod"}
    return frozenset(found)


def arrows() -> dict[str, set[str]]:
    """The wings that each wing imports from."""
    found: dict[str, set[str]] = defaultdict(set)
    for wing in WINGS:
        folder = TOP / "codemod" / wing
        for path in folder.rglob("*.py"):
            for name in imported(path):
                parts = name.split(".")
                if len(parts) > 1 and parts[1] in WINGS and parts[1] != wing:
                    found[wing].add(parts[1])
    return found


def circles() -> list[list[str]]:
    """Groups of modules that import each other, by whatever way, also for types alone."""
    return _circles(_uses())


def room_circles() -> list[list[str]]:
    """Groups of folders that import each other so; what a folder is in, or has in it, is no other.

    A wing's own modules use those in its rooms, and are used by them.
    """
    rooms: dict[str, set[str]] = defaultdict(set)
    for name, others in _uses().items():
        room = _room(name)
        rooms[room] |= {other for other in map(_room, others) if not _nested(room, other)}
    return _circles(rooms)


def _nested(one: str, other: str) -> bool:
    first, second = f"{one}/", f"{other}/"
    return first.startswith(second) or second.startswith(first)


def _room(name: str) -> str:
    folder = TOP.joinpath(*name.split("."))
    return (folder if folder.is_dir() else folder.parent).relative_to(TOP).as_posix()


def _uses() -> dict[str, set[str]]:
    """The modules that each module imports."""
    files = {_dotted(path): path for path in (TOP / "codemod").rglob("*.py") if not inside(path)}
    return {
        name: {_module(other, files) for other in imported(path)} & (files.keys() - {name})
        for name, path in files.items()
    }


def _circles(uses: dict[str, set[str]]) -> list[list[str]]:
    behind = {name: _behind(name, uses) for name in uses}
    groups = {
        tuple(sorted(other for other in behind[name] if name in behind[other])) for name in uses
    }
    return [list(group) for group in sorted(groups) if group]


def _behind(name: str, uses: dict[str, set[str]]) -> set[str]:
    """Every module that one imports, directly or by way of others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = uses[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__")


def _module(name: str, files: dict[str, Path]) -> str:
    return name if name in files else name.rpartition(".")[0]


def wings_table(language: str = "en") -> str:
    """One row a wing; a wing whose Chinese line is not of today's docstring has none."""
    uses, lines = arrows(), yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    heads = {"en": "| wing | its job | imports from |", "zh": "| 翼 | 职责 | 导入自 |"}
    comma, nothing = {"en": (", ", "nothing"), "zh": ("、", "无")}[language]
    rows = [heads[language], "|---|---|---|"]
    for wing in WINGS:
        about = job(TOP / "codemod" / wing / "__init__.py")
        if about != lines[wing]["en"]:
            lines[wing] = {"en": about, "zh": ""}
        names = comma.join(f"`{name}`" for name in WINGS if name in uses[wing])
        rows.append(f"| `{wing}/` | {lines[wing][language]} | {names or nothing} |")
    return "\n".join(rows) + "\n"


def modules_table(wing: str) -> str:
    """One row a module."""
    rows = ["| module | its one job |", "|---|---|"]
    rows += [f"| `{name}` | {job(path)} |" for name, path in modules(wing).items()]
    return "\n".join(rows) + "\n"


def programs() -> dict[str, Path]:
    """The modules of `bench/` that are run, by the name that follows `python -m`, sorted."""
    files = sorted((TOP / "bench").rglob("*.py"))
    run = [path for path in files if _STARTS in path.read_text(encoding="utf-8")]
    return {_dotted(path).removesuffix(".__main__"): path for path in run}


def pages_of(program: Path) -> list[str]:
    """The pages that a program writes, as its docstring names them."""
    about = ast.get_docstring(tree(program)) or ""
    return sorted(set(_CITED.findall(about)))


def programs_table() -> str:
    """One row a program."""
    rows = ["| `python -m` | pages | what it does |", "|---|---|---|"]
    rows += [
        f"| `{name}` | {', '.join(pages_of(path))} | {job(path)} |"
        for name, path in programs().items()
    ]
    return "\n".join(rows) + "\n"


def filled(text: str) -> str:
    """The page with its tables as the code is now."""

    def table(match: re.Match[str]) -> str:
        kind, wing = match.groups()
        if kind == "programs":
            content = programs_table()
        else:
            content = wings_table(wing or "en") if kind == "wings" else modules_table(wing)
        head = match.group(0).partition("\n")[0]
        return f"{head}\n{content}<!-- end -->\n"

    return _BLOCK.sub(table, text)


def main() -> int:
    """Update the pages with `--write`, else say whether it is up to date."""
    old = [page.read_text(encoding="utf-8") for page in PAGES]
    new = [filled(text) for text in old]
    if "--write" in sys.argv[1:]:
        for page, text in zip(PAGES, new, strict=True):
            page.write_text(text, encoding="utf-8")
        return 0
    print("up to date" if new == old else "out of date: run python -m bench.architecture --write")
    return int(new != old)


if __name__ == "__main__":
    raise SystemExit(main())
