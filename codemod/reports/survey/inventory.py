"""All that a kit can train: its configs, those of further roots, and scripts without a config."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from codemod.audit import reach
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit
from codemod.kits.config_files import config_files
from codemod.kits.config_rule import ConfigRule, configs_of, lookup
from codemod.reports.survey.families import Catalogue, DeclaredInputs, Root, Scripts
from codemod.reports.survey.rows import Trainable

MAIN = ""


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything that trains, each once by path; `loaded` are its configs, by the rule they obey.

    `unreadable` maps the config files that cannot be read to the reason, `files` each config to the
    files that it is made from.
    """

    units: tuple[Trainable, ...]
    unreadable: dict[str, str]
    loaded: tuple[tuple[ConfigRule, dict[str, dict[str, Any]]], ...]
    files: dict[str, tuple[str, ...]]


def take(
    kit: Kit, rule: ConfigRule | None, known: Catalogue, tree: Tree, change_set: ChangeSet
) -> Inventory:
    """The inventory of a kit; `rule` says how its configs are read."""
    found: dict[str, Trainable] = {}
    faults: dict[str, str] = {}
    files: dict[str, tuple[str, ...]] = {}
    loaded = []
    for name, where, how in roots(kit, rule, known):
        configs = configs_of(tree, how.base)
        own: dict[str, dict[str, Any]] = {}
        for row in reach.survey(where, how, tree, change_set, configs):
            if row.config not in found:
                own[row.config] = configs.load(row.config) or {}
                files[row.config] = configs.files(row.config)
                found[row.config] = _unit(name, row, known, own[row.config])
        loaded.append((how, own))
        listed = set(config_files(where, tree))
        faults |= {path: why.text() for path, why in configs.faults.items() if path in listed}
    for script in _scripts(known, tree, change_set):
        found.setdefault(script.path, script)
    return Inventory(tuple(found[path] for path in sorted(found)), faults, tuple(loaded), files)


def roots(kit: Kit, rule: ConfigRule | None, known: Catalogue) -> list[tuple[str, Kit, ConfigRule]]:
    """The kit's own configs and its further roots: name, the kit with their globs, their rule.

    Most further roots build the kit's own classes: what is another program to the kit's configs, or
    none of a net's, is so to theirs.
    """
    if rule is None:
        return [_further(kit, root) for root in known.roots]
    apart, aside = rule.apart, rule.aside
    more = (replace(r, apart=(*r.apart, *apart), aside=(*r.aside, *aside)) for r in known.roots)
    return [(MAIN, kit, rule), *(_further(kit, root) for root in more)]


def _further(kit: Kit, root: Root) -> tuple[str, Kit, ConfigRule]:
    return root.name, replace(kit, configs=root.files, excluded=root.excluded), root


def _unit(root: str, row: reach.Reach, known: Catalogue, config: dict[str, Any]) -> Trainable:
    kinds = (lookup(config, key) for key in known.data)
    data = next((kind for kind in kinds if isinstance(kind, str) and kind), "")
    inputs = next((i.structure for i in known.inputs if _fits(i, row.config, config)), "")
    return Trainable(row.config, row.model, row.before, row.after, row.trainer, root, data, inputs)


def _fits(inputs: DeclaredInputs, path: str, config: dict[str, Any]) -> bool:
    near = not inputs.configs or any(fnmatchcase(path, glob) for glob in inputs.configs)
    return near and all(reach.holds(path, condition, config) for condition in inputs.when)


def _scripts(known: Catalogue, tree: Tree, change_set: ChangeSet) -> Iterator[Trainable]:
    for wanted in known.scripts:
        reason = _shared(wanted, change_set)
        abstained = {
            skip.file: skip.reason
            for skip in change_set.skipped
            if not (skip.fault or skip.covered)
        }
        for path in tree.paths(".py"):
            if not any(fnmatchcase(path, glob) for glob in wanted.files):
                continue
            if any(fnmatchcase(path, glob) for glob in wanted.excluded):
                continue
            own = [hook for hook in change_set.hooks if hook.file == path]
            if own:
                yield _hooked(path, own)
            elif path in abstained:
                yield _script(path, abstained[path], abstained[path], None)
            elif wanted.holds and _matches(tree.read(path), wanted.holds):
                yield _script(path, *reason)


def _matches(data: bytes, patterns: tuple[str, ...]) -> bool:
    text = data.decode("utf-8", "replace")
    return all(re.search(pattern, text) for pattern in patterns)


_Shared = tuple[Reason | None, Reason | None, str | None]


def _shared(wanted: Scripts, change_set: ChangeSet) -> _Shared:
    """Why a script that uses the kit's trainer reaches no hook, before and after; that hook."""
    if not wanted.hook:
        why = Reason.of("audit.own-loop")
        return why, why, None
    hooks = [h for h in change_set.hooks if f"{h.file}:{h.scope}" == wanted.hook]
    missing = Reason.of("audit.no-hook", hooks=wanted.hook)
    now = any(hook.exists for hook in hooks)
    later = any(hook.status is not Status.UNPLACED for hook in hooks)
    return None if now else missing, None if later else missing, wanted.hook


def _hooked(path: str, hooks: list[Hook]) -> Trainable:
    """A script's own hooks: it trains static when one of them is placed."""
    best = min(hooks, key=lambda hook: list(Status).index(hook.status))
    now = any(hook.exists for hook in hooks)
    before = None if now else Reason.of("audit.no-hook", hooks=f"{best.file}:{best.scope}")
    placed = any(hook.status is not Status.UNPLACED for hook in hooks)
    return _script(path, before, None if placed else best.reason, f"{path}:{best.scope}")


def _script(
    path: str, before: Reason | None, after: Reason | None, trainer: str | None
) -> Trainable:
    return Trainable(path, path.split("/")[-2], before, after, trainer, script=True)
