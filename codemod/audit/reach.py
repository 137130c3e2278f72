"""Which configs reach a hook: before a change, with the existing hooks, and after it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.reason import Reason
from codemod.code.kept import once_each
from codemod.code.module import Module, parse
from codemod.code.traversal import every_statement, walk
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit
from codemod.kits.config_files import config_files
from codemod.kits.config_rule import ConfigRule, Configs, Need, Route, configs_of, lookup

_CONDITION = re.compile(r"^(!?)([\w.*-]+)(?:(!?=)(.*))?$")


@dataclass(frozen=True, slots=True)
class Reach:
    """One config: its model, and for the tree before and after why it reaches no hook.

    `trainer` is the hook on its way, as FILE:SCOPE, None where no trainer of the kit runs it.
    """

    config: str
    model: str
    before: Reason | None
    after: Reason | None
    trainer: str | None = None

    @property
    def refused(self) -> bool:
        """Whether the kit's rule leaves it alone on purpose."""
        return self.before is not None and self.before.code in _REFUSED

    @property
    def behind(self) -> bool:
        """Whether the hook is reached, though training with it fails or is wrong."""
        return self.before is not None and self.before.code in _BEHIND


_NEEDED = ("audit.need", "audit.need-value")
_REFUSED = ("audit.refused", "audit.refused-value")
_BEHIND = ("audit.behind", "audit.behind-value")


class _Code:
    """The kit's files, with the changed ones as they would be."""

    def __init__(self, tree: Tree, changed: Mapping[str, bytes]) -> None:
        self.tree = tree
        self.changed = changed
        self.found: dict[tuple[object, ...], Any] = {}

    def text(self, path: str) -> str:
        """The text of a file."""
        return self.changed.get(path, self.tree.read(path)).decode("utf-8", "replace")

    def _module(self, path: str) -> ast.Module | None:
        """The syntax tree of a file; None where it is no Python."""
        found = parse(path, self.changed.get(path, self.tree.read(path)))
        return found.tree if isinstance(found, Module) else None

    @once_each
    def files(self, globs: tuple[str, ...]) -> list[str]:
        """The Python files that a need applies to."""
        return [p for p in self.tree.paths(".py") if any(fnmatchcase(p, g) for g in globs)]

    @once_each
    def listed(self, path: str, name: str) -> frozenset[str]:
        """The strings of a literal list that a file assigns to `name`."""
        return frozenset(_strings(self.text(path), name))

    @once_each
    def arguments(self, globs: tuple[str, ...], name: str) -> frozenset[str] | None:
        """The constructor arguments of a class, None when there is no such class."""
        modules = (self._module(path) for path in self.files(globs) if name in self.text(path))
        return dict(pair for one in modules for pair in _constructors(one)).get(name)


def survey(
    kit: Kit, rule: ConfigRule, tree: Tree, change_set: ChangeSet, configs: Configs | None = None
) -> tuple[Reach, ...]:
    """Every trainable config of the kit, sorted by path; `configs` keeps what is loaded."""
    configs = configs or configs_of(tree, rule.base)
    old = _Code(tree, {})
    new = _Code(tree, {change.path: change.new for change in change_set.changes})
    present = tuple(h for h in change_set.hooks if h.exists)
    hooks = tuple(h for h in change_set.hooks if h.status is not Status.UNPLACED)
    rows = []
    for path, config in trainable(kit, rule, tree, configs):
        before = _blocked(rule, path, config, old, present)
        after = _blocked(rule, path, config, new, hooks)
        trainer = _trainer(rule, path, config, hooks)
        rows.append(Reach(path, _model(rule, path, config), before, after, trainer))
    return tuple(rows)


def trainable(
    kit: Kit, rule: ConfigRule, tree: Tree, configs: Configs
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The configs that hold all keys the rule names, in folders that hold its files."""
    files = frozenset(tree.paths())
    for path in config_files(kit, tree):
        folder = path.rpartition("/")[0]
        if any(f"{folder}/{name}" not in files for name in rule.beside):
            continue
        config = configs.load(path)
        if config is not None and all(_holds(config, key) for key in rule.trains):
            yield path, config


def _holds(config: dict[str, Any], keys: str) -> bool:
    """Whether a config has one of the keys (`TrainReader|SemiTrainReader`)."""
    return any(lookup(config, key) is not None for key in keys.split("|"))


def _model(rule: ConfigRule, path: str, config: dict[str, Any]) -> str:
    found = (lookup(config, key) for key in rule.model)
    name = next((value for value in found if isinstance(value, str)), None)
    return name or path.split("/")[-2]


def _blocked(
    rule: ConfigRule, path: str, config: dict[str, Any], code: _Code, hooks: tuple[Hook, ...]
) -> Reason | None:
    """None when one of the routes leads to a hook, else what stops the nearest one."""
    reasons: list[Reason] = []
    for route in rule.routes:
        if not all(holds(path, condition, config) for condition in route.when):
            continue
        if not any(_leads_to(route, hook) for hook in hooks):
            reasons.append(Reason.of("audit.no-hook", hooks=route.hooks))
            continue
        why = next(filter(None, (_missing(n, path, config, code) for n in route.needs)), None)
        if why is None:
            return None
        reasons.append(why)
    # What the rule refuses on purpose says more than a way that is not there.
    refused = [reason for reason in reasons if reason.code in _REFUSED]
    behind = [reason for reason in reasons if reason.code in _BEHIND]
    return (refused or behind or reasons or [Reason.of("audit.no-trainer")])[-1]


def _trainer(
    rule: ConfigRule, path: str, config: dict[str, Any], hooks: tuple[Hook, ...]
) -> str | None:
    """The hook in the trainer, as FILE:SCOPE; a hook that a constructor holds comes last."""
    routes = [r for r in rule.routes if all(holds(path, c, config) for c in r.when)]
    routes.sort(key=lambda route: any(need.accepts for need in route.needs))
    led = (hook for route in routes for hook in hooks if _leads_to(route, hook))
    hook = next(led, None)
    return hook.place if hook else None


def _leads_to(route: Route, hook: Hook) -> bool:
    return any(fnmatchcase(hook.place, glob) for glob in route.hooks)


def _missing(need: Need, path: str, config: dict[str, Any], code: _Code) -> Reason | None:
    """Why a need is not met; None when it is, or when it does not apply."""
    if not all(holds(path, condition, config) for condition in need.when):
        return None
    if need.unless and any(need.unless in code.text(p) for p in code.files(need.files)):
        return None
    value = next((v for v in (lookup(config, k) for k in need.key) if v is not None), None)
    met = value is not None and (not need.one_of or str(value) in need.one_of)
    if need.listed:
        known = frozenset().union(*(code.listed(p, need.listed) for p in code.files(need.files)))
        met = met and value in known
    if need.accepts:
        arguments = code.arguments(need.files, str(value))
        met = arguments is not None and need.accepts in arguments
    if met == need.absent:
        keys = " / ".join(need.key)
        whole = isinstance(value, (dict, list))  # a whole block would fill the page
        if whole:
            if need.refused:
                return Reason.of("audit.refused", why=need.reason, key=keys)
            if need.behind:
                return Reason.of("audit.behind", why=need.reason, key=keys)
            return Reason.of("audit.need", why=need.reason, key=keys)
        if need.refused:
            return Reason.of("audit.refused-value", why=need.reason, key=keys, value=str(value))
        if need.behind:
            return Reason.of("audit.behind-value", why=need.reason, key=keys, value=str(value))
        return Reason.of("audit.need-value", why=need.reason, key=keys, value=str(value))
    return None


def in_common(reason: Reason) -> Reason:
    """What configs with one reason have in common: not the value that each has at the key."""
    why = reason["why"] if reason.code in (*_NEEDED, *_REFUSED, *_BEHIND) else reason
    return why if isinstance(why, Reason) else reason


def holds(path: str, condition: str, config: dict[str, Any]) -> bool:
    """A condition: `key`, `!key`, `key=a|b`, `key!=a|b`, or `path=glob` for its own path."""
    found = _CONDITION.match(condition)
    if found is None:
        return False
    negated, key, operator, wanted = found.groups()
    if key == "path" and operator:
        return fnmatchcase(path, wanted) == (operator == "=")
    value = lookup(config, key)
    if operator:
        return (str(value) in wanted.split("|")) == (operator == "=")
    return bool(value) != bool(negated)


def _strings(text: str, name: str) -> Iterator[str]:
    for node in walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Assign) and _binds(node, name) else None
        for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                yield item.value


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _constructors(module: ast.Module | None) -> Iterator[tuple[str, frozenset[str]]]:
    for node in every_statement(module) if module else ():
        if not isinstance(node, ast.ClassDef):
            continue
        names: set[str] = set()
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                names = {a.arg for a in (*item.args.args, *item.args.kwonlyargs)}
        yield node.name, frozenset(names)
