"""The tables of `docs/architecture.md`: rooms, what they import, modules. `--write` updates them.

What a table says of a room or a module is the first line of its docstring.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).parent.parent
PAGE = TOP / "docs" / "architecture.md"
# A room imports from rooms before it, never from one after it.
ROOMS = (
    "base",
    "code",
    "kits",
    "patch",
    "sources",
    "engine",
    "hazards",
    "training",
    "judging",
    "evidence",
    "fixes",
    "audit",
    "review",
    "switch",
    "pullrequest",
    "parity",
    "probe",
    "spec",
    "survey",
    "cli",
)
# Packages that run inside a kit's process, under a name of their own.
INSIDE = (
    "training/inject",
    "spec/inject",
    "probe/inside",
    "switch/inside",
)
_BLOCK = re.compile(r"<!-- (\w+)(?:: (\w+))? -->\n.*?<!-- end -->\n", re.S)


def modules(room: str) -> dict[str, Path]:
    """The modules of a room by their path in it (`patterns.py`, `git/push.py`), sorted.

    A package's `__init__.py` stands for the package (`git/`); the room's own is left out.
    """
    folder = TOP / "codemod" / room
    found = {}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name != "__init__.py":
            found[name.removesuffix("__init__.py")] = path
    return found


def job(path: Path) -> str:
    """The first line of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def inside(path: Path) -> bool:
    """Whether a module runs inside a kit's process."""
    name = path.relative_to(TOP / "codemod").as_posix()
    return name.startswith(INSIDE)


def imported(path: Path) -> set[str]:
    """The modules and names of `codemod` that a file imports anywhere, also for types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "codemod":
            found |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.split(".")[0] == "codemod"}
    return found


def arrows() -> dict[str, set[str]]:
    """The rooms that each room imports from."""
    found: dict[str, set[str]] = defaultdict(set)
    for room in ROOMS:
        folder = TOP / "codemod" / room
        for path in folder.rglob("*.py"):
            for name in imported(path):
                parts = name.split(".")
                if len(parts) > 1 and parts[1] in ROOMS and parts[1] != room:
                    found[room].add(parts[1])
    return found


def rooms_table() -> str:
    """One row a room."""
    uses = arrows()
    rows = ["| room | its job | imports from |", "|---|---|---|"]
    for room in ROOMS:
        about = job(TOP / "codemod" / room / "__init__.py")
        names = ", ".join(f"`{name}`" for name in ROOMS if name in uses[room])
        rows.append(f"| `{room}/` | {about} | {names or 'nothing'} |")
    return "\n".join(rows) + "\n"


def modules_table(room: str) -> str:
    """One row a module."""
    rows = ["| module | its one job |", "|---|---|"]
    rows += [f"| `{name}` | {job(path)} |" for name, path in modules(room).items()]
    return "\n".join(rows) + "\n"


def filled(text: str) -> str:
    """The page with its tables as the code is now."""

    def table(match: re.Match[str]) -> str:
        kind, room = match.groups()
        content = rooms_table() if kind == "rooms" else modules_table(room)
        head = match.group(0).partition("\n")[0]
        return f"{head}\n{content}<!-- end -->\n"

    return _BLOCK.sub(table, text)


def main() -> int:
    """Update the page with `--write`, else say whether it is up to date."""
    old = PAGE.read_text(encoding="utf-8")
    new = filled(old)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    print("up to date" if new == old else "out of date: run python -m bench.architecture --write")
    return int(new != old)


if __name__ == "__main__":
    raise SystemExit(main())
