"""A kit's model configs: the files that its globs name."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Collection, Iterable
from functools import cache

from codemod.base.errors import UsageError
from codemod.base.grouping import grouped
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit


def config_files(kit: Kit, tree: Tree) -> list[str]:
    """The paths of the configs that name a model, sorted."""
    suffixes = tuple({"." + glob.rpartition(".")[2] for glob in kit.configs})
    return [
        path
        for path in tree.paths(suffixes)
        if any(_regex(glob).fullmatch(path) for glob in kit.configs)
        and not any(_regex(glob).fullmatch(path) for glob in kit.excluded)
    ]


def named_configs(kit: str, tree: Tree, wanted: Iterable[str]) -> list[str]:
    """The files that paths or globs name, each once, in their order.

    Raises:
        UsageError: one of them names no file of the tree; says which are near.
    """
    paths = tree.paths()
    chosen: list[str] = []
    for pattern in wanted:
        found = [path for path in paths if fnmatch.fnmatch(path, pattern)]
        if not found:
            raise no_config(kit, tree, pattern)
        chosen.extend(found)
    return list(dict.fromkeys(chosen))


def no_config(kit: str, tree: Tree, wanted: str) -> UsageError:
    """What to tell who asked for a config that is not there, with the nearest of the tree's."""
    near = _nearest(wanted, tree.paths((".yml", ".yaml")))
    where = f"Looked in {tree.root}."
    if near:
        where = f"Did you mean {' or '.join(near)}? {where}"
    return UsageError(f"{kit} has no config {wanted}.", where)


_NAMED = 3


def _nearest(wanted: str, names: Collection[str]) -> list[str]:
    """The paths that are most like it: by the file's name, of equal ones by the whole path."""
    by_stem = grouped((_stem(name), name) for name in names)
    found: list[str] = []
    stem = _stem(wanted)
    same = [stem] if stem in by_stem else []
    for one in same or difflib.get_close_matches(stem, by_stem, n=_NAMED, cutoff=0.6):
        found += sorted(
            by_stem[one], key=lambda name: -difflib.SequenceMatcher(None, wanted, name).ratio()
        )
    return found[:_NAMED]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0].lower() or path.lower()


@cache
def _regex(glob: str) -> re.Pattern[str]:
    """A glob in which `**/` spans any number of folders and `*` stays within one."""
    parts = re.split(r"(\*\*/|\*|\?)", glob)
    table = {"**/": r"(?:[^/]+/)*", "*": r"[^/]*", "?": r"[^/]"}
    return re.compile("".join(table.get(part, re.escape(part)) for part in parts))
