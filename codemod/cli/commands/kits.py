"""`codemod kits`: what the tool knows of each kit, and what the workspace holds of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from codemod.audit.reach import trainable
from codemod.base.files.workspace import Workspace
from codemod.base.tally import hook_counts
from codemod.base.terminal.doing import note
from codemod.cli import options
from codemod.cli.output import print_object
from codemod.cli.table import print_table
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit, load_kits
from codemod.kits.config_files import config_files
from codemod.kits.config_rule import Configs, config_rule
from codemod.kits.sources.fetch import Copy, kept
from codemod.work.planning import PlanOutcome, Request, outcomes

_HEADINGS = ("kit", "source", "revision", "configs", "hooks")
_UNKNOWN = "-"


@click.command(name="kits")
@options.as_json
@options.workspace
def command(as_json: bool, workspace: Path | None) -> int:
    """List the kits: where each comes from, its revision, its models, its hooks.

    Models and hooks are counted in what the workspace holds; nothing is fetched.
    """
    place = Workspace.at(workspace)
    kits = load_kits()
    copies = {name: copy for name, kit in kits.items() if (copy := kept(kit, place))}
    plans = outcomes([Request(name, copy.root, (), place.root) for name, copy in copies.items()])
    states = dict(zip(copies, plans, strict=True))
    rows = [_row(kit, copies.get(name), states.get(name)) for name, kit in kits.items()]
    if as_json:
        listed = [row | {"configs": row["models"]} for row in rows]
        print_object({"kits": listed}, indent=1)
    else:
        print_table(_HEADINGS, [_cells(**row) for row in rows])
        if any(row["models"] is None for row in rows):
            note("-: not fetched yet; a command that names the kit fetches it.")
    return 0


def _row(kit: Kit, copy: Copy | None, state: PlanOutcome | None) -> dict[str, Any]:
    """One kit; `models` counts the configs that train, None without sources."""
    row = {"kit": kit.name, "source": kit.git, "revision": kit.revision}
    if copy is None or state is None:
        return {**row, "models": None, "hooks": None}
    origin = str(copy.root) if copy.origin == "git" else f"{copy.root} (package)"
    models = _trained(kit, Tree(copy.root))
    row |= {"source": origin, "revision": copy.revision}
    return {**row, "models": models, "hooks": _hooks(state)}


def _cells(
    kit: str, source: str, revision: str, models: int | None, hooks: str | None
) -> tuple[str, ...]:
    short = revision[:12] if len(revision) == 40 else revision
    return (kit, source, short, _UNKNOWN if models is None else str(models), hooks or _UNKNOWN)


def _trained(kit: Kit, tree: Tree) -> int:
    """How many configs train, as `check` and `survey` count them."""
    rule = config_rule(kit)
    if rule is None:
        return len(config_files(kit, tree))
    return sum(1 for _ in trainable(kit, rule, tree, Configs(tree, rule.base)))


def _hooks(state: PlanOutcome) -> str:
    """What one kit has, what `apply` would add, what it could not place."""
    if state.error is not None:
        return f"error: {state.error.message}"
    hooks = state.change_set.hooks if state.change_set else ()
    return hook_counts(hooks, written=False)
