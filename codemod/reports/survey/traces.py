"""What is left in a kit of a family that none of its configs names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from codemod.code.tree import Tree
from codemod.reports.survey.families import Family
from codemod.reports.survey.rows import Row, RowState, Trace

_LINK = re.compile(r"\]\((https?://[^)\s]+)\)|href=\"(https?://[^\"]+)\"")
_BRANCH = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/tree/release/[^)\s]+")
_LONGEST = 160


def traced(row: Row, family: Family, tree: Tree) -> Row:
    """The row with what was found: code without a config, a link to elsewhere, or nothing."""
    moved = next(_moved(family, tree), None)
    if moved is not None:
        return replace(row, state=RowState.MOVED, trace=moved)
    code = code_files(family, tree)
    if code:
        return replace(row, state=RowState.CODE_ONLY, trace=Trace(code[0]))
    found = next(_mentions(family, tree), None)
    if found is None:
        return row
    state = RowState.MOVED if found.link else RowState.ABSENT
    return replace(row, state=state, trace=found)


def _moved(family: Family, tree: Tree) -> Iterator[Trace]:
    """What a document in the family's own folder says of another branch that has it."""
    for path in tree.paths(".md"):
        if any(fnmatchcase(path, glob) for glob in family.configs):
            for number, line in enumerate(_text(tree, path).splitlines(), 1):
                if match := _BRANCH.search(line):
                    yield Trace(f"{path}:{number}", line.strip()[:_LONGEST], match.group())


def code_files(family: Family, tree: Tree) -> tuple[str, ...]:
    """The files of the family's code."""
    paths = tree.paths() if family.code else ()
    return tuple(p for p in paths if any(fnmatchcase(p, g) for g in family.code))


def _mentions(family: Family, tree: Tree) -> Iterator[Trace]:
    """Lines of the kit's documents that name it: those with a link elsewhere first."""
    words = family.words or (family.name,)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])")
    found = []
    for path in sorted(tree.paths(".md"), key=lambda path: (path.count("/"), path)):
        text = _text(tree, path)
        if not any(word in text for word in words):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if match := pattern.search(line):
                link = _link(line, match.start())
                found.append(Trace(f"{path}:{number}", line.strip()[:_LONGEST], link))
    yield from sorted(found, key=lambda trace: not trace.link)


def _text(tree: Tree, path: str) -> str:
    try:
        return tree.read(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def _link(line: str, at: int) -> str:
    """The address that the name on this line links to."""
    for match in _LINK.finditer(line):
        if match.end() > at:
            return match.group(1) or match.group(2)
    return ""
