"""The fewest configs whose training comes to every part of a change that no run has executed."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codemod.audit.reach import survey
from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.errors import UsageError
from codemod.base.patch.hunks import hunks_of
from codemod.code.imports import Imports
from codemod.code.module import Module, parse
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit
from codemod.kits.config_rule import ConfigRule, Configs
from codemod.reports.pullrequest.claims.cited_evidence import CitedRun
from codemod.reports.pullrequest.claims.executed_lines import coverage
from codemod.reports.pullrequest.claims.facts import inserted
from codemod.training.recipes import Recipe, read_recipe

# Functions that are called for every config.
_COMMON = {"__init__", "forward", "main", "train"}
# A changed file, and a text of the config that it reads; "" for the file itself.
Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ProvingSet:
    """Configs to train, and the changed files to which no config on file comes."""

    configs: tuple[str, ...]
    beyond: tuple[str, ...]


def proving_set(
    tree: Tree,
    change_set: ChangeSet,
    kit: Kit,
    rule: ConfigRule | None,
    runs: Collection[CitedRun] = (),
) -> ProvingSet:
    """The fewest configs, as far as code tells it; a run says which lines it really executed.

    A config comes to the trainer with its hook, what that and the kit's training command import,
    the files beside itself, and what reads one of its keys or texts, or one that the recipe sets
    for it. A script for which the kit's recipe has a case of its own counts as a config. One that
    the recipe says cannot be trained comes to nothing. What
    `runs` have executed needs no config, and what ran is not taken again: for each file with
    something left, the config that opens most of it. One that ended in an error with the switch
    off has not run, whatever lines it came to; it is tried again for what no other comes to.
    """
    failed = {run.config for run in runs if run.ended_by_itself}
    runs = [run for run in runs if not run.ended_by_itself]
    executed = coverage(change_set, runs)
    never = None if executed is None else frozenset(executed.never)
    found = {path: frozenset({(path, "")}) for path in runnable(change_set, kit.name)}
    found |= _by_config(tree, change_set, kit, rule, never) if rule else {}
    files = {change.path for change in change_set.changes if change.path.endswith(".py")}
    if never is not None:
        files &= {place.rpartition(":")[0] for place in never}
    beyond = files - {path for parts in found.values() for path, _ in parts}
    ran = {run.config for run in runs}
    left = {
        config: frozenset(part for part in parts if part[0] in files)
        for config, parts in found.items()
        if config not in ran
    }
    plain = read_recipe(kit.name, "-") if left else None
    known = {one for one in left if plain is None or read_recipe(kit.name, one) != plain}
    configs = tuple(_greedy(left, known or set(left), failed, words=never is None))
    return ProvingSet(configs, tuple(sorted(beyond)))


def _greedy(
    found: Mapping[str, frozenset[Part]], known: Collection[str], failed: set[str], words: bool
) -> Iterator[str]:
    """Of configs that the recipe knows as many as they come to; of others, for files alone.

    One of those that `failed` is taken where none else comes to a part.

    Without `words` that holds for both: what a config opens says only which one is the best.
    """
    left = frozenset[Part]().union(*(found[one] for one in known))
    for among in ({one: found[one] for one in known}, found):
        while left if words else any(not word for _, word in left):
            sound = [one for one in among if one not in failed and among[one] & left]
            best = min(sound or among, key=lambda one: (-len(among[one] & left), one))
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
        own = read_recipe(kit, script)
        return not own.why_not and own != read_recipe(kit, other)
    except UsageError:
        return False


def _by_config(
    tree: Tree, change_set: ChangeSet, kit: Kit, rule: ConfigRule, never: frozenset[str] | None
) -> dict[str, frozenset[Part]]:
    configs, imports = Configs(tree, rule.base), Imports(Project(tree))
    words = {
        change.path: frozenset(_words(tree, change, never))
        for change in change_set.changes
        if change.path.endswith(".py")
    }
    hooked, files = {hook.file for hook in change_set.hooks}, frozenset(tree.paths(".py"))
    found: dict[str, frozenset[Part]] = {}
    for row in survey(kit, rule, tree, change_set, configs):
        recipe = read_recipe(kit.name, row.config)
        if row.after is not None or row.trainer is None or recipe.why_not:
            continue
        trainer = row.trainer.partition(":")[0]
        launched = (word for word in recipe.argv if word.endswith(".py"))
        roots = (one for one in launched if one in files and trainer in imports.reached(one))
        # Of what is imported, other trainers do not run; the helper of this one does.
        others = hooked - {trainer} - imports.direct(trainer)
        run = imports.reached(trainer).union(*map(imports.reached, roots)) - others
        folder = posixpath.dirname(row.config)
        near = {path for path in words if path in run or posixpath.dirname(path) == folder}
        said = {*_said(configs.load(row.config)), *_set(recipe)}
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


def _set(recipe: Recipe) -> Iterator[str]:
    """The keys that a recipe switches on."""
    for pair in recipe.set:
        key, _, value = pair.partition("=")
        if value not in ("", "False", "None"):
            yield from key.split(".")


def _words(tree: Tree, change: FileChange, never: frozenset[str] | None) -> Iterator[str]:
    """The texts by which a config opens changed lines of a file, or those that `never` ran.

    They stand in the tests around these lines, on the changed lines (all that lies between them,
    where nothing ran yet: what a moved line has passed counts), and in the tests under which the
    function is called.
    """
    module = parse(change.path, change.new)
    spans = [(h.new_start + 1, h.new_start + len(h.new)) for h in hunks_of(change)]
    for scope in module.scopes if isinstance(module, Module) else ():
        first, last = getattr(scope.node, "lineno", 0), getattr(scope.node, "end_lineno", 0) or 0
        own = [span for span in spans if any(first <= line <= last for line in span)]
        wanted = [line for span in own for line in span if first <= line <= last]
        if never is not None:
            wanted = [n for n in range(first, last + 1) if f"{change.path}:{n}" in never]
        elif wanted:
            own = [(min(wanted), max(wanted))]
        if not wanted:
            continue
        for node in scope.nodes:
            if isinstance(node, ast.If) and node.lineno <= max(wanted) <= (node.end_lineno or 0):
                yield from _texts(node.test)
            elif isinstance(node, ast.Constant) and any(a <= node.lineno <= b for a, b in own):
                yield from _texts(node)
        if isinstance(scope.node, ast.FunctionDef) and scope.node.name not in _COMMON:
            yield from _of_callers(tree, scope.node.name)


def _of_callers(tree: Tree, function: str) -> Iterator[str]:
    """The names and texts in the tests under which a function is called."""
    for path in tree.grep(function.encode()):
        module = parse(path, tree.read(path))
        for node in ast.walk(module.tree) if isinstance(module, Module) else ():
            if isinstance(node, ast.If) and function in _called(node):
                yield from (one.id for one in ast.walk(node.test) if isinstance(one, ast.Name))
                yield from _texts(node.test)


def _called(node: ast.If) -> set[str]:
    """The last names of what is called under a test."""
    calls = (one.func for part in node.body for one in ast.walk(part) if isinstance(one, ast.Call))
    return {getattr(one, "attr", getattr(one, "id", "")) for one in calls}


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts in a piece of code."""
    values = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return (value for value in values if isinstance(value, str))
