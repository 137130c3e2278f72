"""The fewest configs whose training comes to every part of a change that any config comes to."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from codemod.audit.reach import survey
from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.errors import UsageError
from codemod.base.patch.hunks import hunks_of
from codemod.code.imports import Imports
from codemod.code.module import Module, parse
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit
from codemod.kits.config_loading import Configs
from codemod.kits.config_rule import ConfigRule
from codemod.reports.pullrequest.facts import inserted
from codemod.training.recipes import read_recipe


class _Text(ast.Constant):
    value: str


# A changed file, and a text of the config that it reads; "" for the file itself.
Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ProvingSet:
    """Configs to train, and the changed files to which no config on file comes."""

    configs: tuple[str, ...]
    beyond: tuple[str, ...]


def proving_set(tree: Tree, change_set: ChangeSet, kit: Kit, rule: ConfigRule | None) -> ProvingSet:
    """The fewest configs, as far as code tells it; a run says which lines it really executed.

    A config comes to the trainer with its hook, what that and the kit's training command import,
    the files beside itself, and what reads one of its keys or texts. A script for which the kit's
    recipe has a case of its own counts as a config.
    """
    found = {path: frozenset({(path, "")}) for path in runnable(change_set, kit.name)}
    found |= _by_config(tree, change_set, kit, rule) if rule else {}
    plain = read_recipe(kit.name, "-") if found else None
    known = {one for one in found if plain is None or read_recipe(kit.name, one) != plain}
    configs = tuple(_greedy(found, known or set(found)))
    reached = {path for config in configs for path, _ in found[config]}
    files = (change.path for change in change_set.changes if change.path.endswith(".py"))
    return ProvingSet(configs, tuple(path for path in files if path not in reached))


def _greedy(found: Mapping[str, frozenset[Part]], known: Collection[str]) -> Iterator[str]:
    """Of configs that the recipe knows as many as they come to; of others, for files alone."""
    left = frozenset[Part]().union(*(found[one] for one in known))
    for among in ({one: found[one] for one in known}, found):
        while left:
            best = min(among, key=lambda config: (-len(among[config] & left), config))
            yield best
            left -= among[best]
        reached = {part for one in known for part in found[one]}
        left = frozenset(p for parts in found.values() for p in parts if not p[1]) - reached


def runnable(change_set: ChangeSet, kit: str) -> frozenset[str]:
    """The hooked scripts for which the kit's recipe has a case of their own."""
    return frozenset(hook.file for hook in inserted(change_set) if _has_case(kit, hook.file))


def _has_case(kit: str, script: str) -> bool:
    other = posixpath.join(posixpath.dirname(script), "-")
    try:
        return read_recipe(kit, script) != read_recipe(kit, other)
    except UsageError:
        return False


def _by_config(
    tree: Tree, change_set: ChangeSet, kit: Kit, rule: ConfigRule
) -> dict[str, frozenset[Part]]:
    configs, imports = Configs(tree, rule.base), Imports(Project(tree))
    words = {c.path: _words(c) for c in change_set.changes if c.path.endswith(".py")}
    hooked, files = {hook.file for hook in change_set.hooks}, frozenset(tree.paths(".py"))
    found: dict[str, frozenset[Part]] = {}
    for row in survey(kit, rule, tree, change_set, configs):
        if row.after is not None or row.trainer is None:
            continue
        trainer = row.trainer.partition(":")[0]
        launched = (word for word in read_recipe(kit.name, row.config).argv if word.endswith(".py"))
        roots = (one for one in launched if one in files and trainer in imports.reached(one))
        # Of what is imported, other trainers do not run; the helper of this one does.
        others = hooked - {trainer} - imports.direct(trainer)
        run = imports.reached(trainer).union(*map(imports.reached, roots)) - others
        folder = posixpath.dirname(row.config)
        near = {path for path in words if path in run or posixpath.dirname(path) == folder}
        said = set(_said(configs.load(row.config)))
        opened = {(path, word) for path in near for word in words[path] & said}
        found[row.config] = frozenset({(path, "") for path in near} | opened)
    return found


def _said(config: Any) -> Iterator[str]:
    """The keys and the texts of a config, at any depth."""
    if isinstance(config, str):
        yield config
    parts = [*config, *config.values()] if isinstance(config, dict) else config
    for part in parts if isinstance(parts, list) else ():
        yield from _said(part)


def _words(change: FileChange) -> frozenset[str]:
    """The texts that functions read between their changed lines, and in the tests around them."""
    module = parse(change.path, change.new)
    if not isinstance(module, Module):
        return frozenset()
    lines = {n for h in hunks_of(change) for n in (h.new_start + 1, h.new_start + len(h.new))}
    found: set[str] = set()
    for scope in module.scopes:
        last = getattr(scope.node, "end_lineno", 0) or 0
        own = [line for line in lines if getattr(scope.node, "lineno", 0) <= line <= last]
        for node in scope.nodes if own else ():
            if isinstance(node, ast.If) and node.lineno <= max(own) <= (node.end_lineno or 0):
                found |= {one.value for one in ast.walk(node.test) if _is_text(one)}
            elif _is_text(node) and min(own) <= node.lineno <= max(own):
                found.add(node.value)
    return frozenset(found)


def _is_text(node: ast.AST) -> TypeGuard[_Text]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
