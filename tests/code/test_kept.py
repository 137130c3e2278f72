"""What is kept of a kit is one thing for all who read it, and goes when it is let go."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

from codemod.code.kept import forget
from codemod.code.module import Module, parse
from codemod.code.project import project_of
from codemod.code.tree import Tree
from codemod.hazards.reach.index import index_of
from codemod.kits.config_rule import configs_of

if TYPE_CHECKING:
    from pathlib import Path


def test_all_who_read_a_tree_share_what_was_read(tmp_path: Path) -> None:
    tree, other = Tree(tmp_path), Tree(tmp_path)
    assert project_of(tree) is project_of(tree)
    assert index_of(tree).project is project_of(tree)
    assert configs_of(tree, ("_base_",)) is configs_of(tree, ("_base_",))
    assert configs_of(tree, ()) is not configs_of(tree, ("_base_",))
    assert project_of(other) is not project_of(tree)


def test_what_is_let_go_leaves_the_memory(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    project = project_of(Tree(tmp_path))
    module = project.module("a.py")
    assert isinstance(module, Module)
    assert parse("a.py", b"x = 1\n") is module, "one parse of a text"
    gone = weakref.ref(module)
    del module, project
    forget()
    gc.collect()
    assert gone() is None
