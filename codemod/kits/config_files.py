"""A kit's model configs: the files that its globs name."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


@cache
def _regex(glob: str) -> re.Pattern[str]:
    """A glob in which `**/` spans any number of folders and `*` stays within one."""
    parts = re.split(r"(\*\*/|\*|\?)", glob)
    table = {"**/": r"(?:[^/]+/)*", "*": r"[^/]*", "?": r"[^/]"}
    return re.compile("".join(table.get(part, re.escape(part)) for part in parts))
