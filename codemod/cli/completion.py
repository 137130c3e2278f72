"""What the shell offers after TAB: kits, the ids of a kit's rule, configs, kinds of findings."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace

if TYPE_CHECKING:
    import click

    from codemod.kits.catalogue import Kit

    Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def _named_by(module: str, table: str) -> Completer:
    """The names in what a function gives, those that begin like what is typed, in any case."""

    def complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
        names = getattr(importlib.import_module(module), table)()
        return [name for name in names if name.lower().startswith(start.lower())]

    return complete


kits = _named_by("codemod.kits.catalogue", "load_kits")
finding_kinds = _named_by("codemod.audit.kinds", "kinds")
# What `explain` knows.
explained = _named_by("codemod.work.explaining", "known_ids")


def rule_ids(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """The trainers that the rule of the target knows."""
    from codemod.kits.rulebook import rule_for

    kit = _kit(context)
    found = [trainer.id for trainer in rule_for(kit.name).trainers] if kit else []
    return [name for name in found if name.startswith(start)]


def configs(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """The target's configs, where its files are at hand; nothing is fetched."""
    from codemod.code.tree import Tree
    from codemod.kits.config_files import config_files
    from codemod.kits.sources.fetch import kept

    kit = _kit(context)
    if kit is None:
        return []
    root: Path | None = context.params.get("path")
    copy = None if root else kept(kit, Workspace.at(context.params.get("workspace")))
    root = copy.root if copy else root
    found = config_files(kit, Tree(root)) if root else ()
    return [name for name in found if name.startswith(start)]


def _kit(context: click.Context) -> Kit | None:
    """The kit that the command line names so far."""
    from codemod.kits.catalogue import find_kit

    # While an option lacks its value, click leaves what stood before it unparsed.
    words = (context.params.get("target"), *(context.params.get("targets") or ()), *context.args)
    named = next((word for word in words if word), None)
    try:
        return find_kit(Path(named).name) if named else None
    except CodemodError:
        return None
