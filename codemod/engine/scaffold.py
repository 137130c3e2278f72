"""A draft rule for a repository without one: what discovery finds, to be checked by a person.

The draft narrows discovery to the files and scopes in which it found something, so that it
gives the same hooks as no rule at all; what could not be placed stands there as comments.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator

from codemod.base.changeset import Hook, Skip, Source, Status, by_reason
from codemod.base.grouping import grouped
from codemod.engine import plan_change
from codemod.engine.gate.gates import DEFAULT_GATES
from codemod.engine.gate.variable import SWITCH

Group = tuple[tuple[str, ...], str]
HEAD = """\
# Draft rule for {plain}: {inserted} hooks can be placed, {present} exist, {open} cannot be placed.
# Check the comments, then save it as rules/{plain}/rule.yaml.
# See what a trainer's keys mean in docs/eleventh-kit.md.
kits: [{name}]
about: {about}
"""
CHECKS = """\
    # Check: is this model what trains; does training call it and not another of its methods;
    # is the switch set the way the users of this kit set options; are these files worth it?
"""
# A mapping is told by its `.get(`; of the others the first that fits is the one that was found.
OTHER_GATES = tuple(gate.kind for gate in DEFAULT_GATES if gate.kind != "mapping")


def scaffold(source: Source) -> str:
    """The YAML text of a draft rule for a source."""
    plan = plan_change(source)
    name = source.kit or source.root.resolve().name
    by_status = {s: [h for h in plan.hooks if h.status is s] for s in Status}
    inserted = by_status[Status.INSERTED]
    about = f"What discovery found in {name}; not yet checked by anyone."
    text = HEAD.format(
        plain=" ".join(name.split()),
        name=json.dumps(name, ensure_ascii=False),
        about=json.dumps(about, ensure_ascii=False),
        inserted=len(inserted),
        present=len(by_status[Status.PRESENT]),
        open=len(by_status[Status.UNPLACED]),
    )
    text += "".join(_remarks("Stands already", by_status[Status.PRESENT]))
    text += "".join(_remarks("Not placed", by_status[Status.UNPLACED]))
    text += "".join(_left_alone(plan.skipped))
    groups = grouped((_group(hook), hook) for hook in inserted)
    if not groups:
        return text + "trainers: []\n"
    return text + "trainers:\n" + "".join(_trainers(groups))


def _group(hook: Hook) -> Group:
    """The kind of gate and the scope's name: one trainer can describe the hooks of such a group."""
    kinds = ("mapping",) if ".get(" in (hook.gate or "") else OTHER_GATES
    return ("variable",) if hook.switch == SWITCH else kinds, hook.scope


def _trainers(groups: dict[Group, list[Hook]]) -> Iterator[str]:
    used: dict[str, int] = defaultdict(int)
    for (kinds, scope), hooks in groups.items():
        stem = scope.strip("<>").replace(".<locals>", "").replace(".", "-").lower()
        used[stem] += 1
        name = stem if used[stem] == 1 else f"{stem}-{used[stem]}"
        yield f"  - id: {json.dumps(name)}\n"
        for hook in hooks:
            yield f"    # {hook.file}: {hook.target} if {hook.gate}, on by {hook.switch}\n"
        yield CHECKS
        files = list(dict.fromkeys(hook.file for hook in hooks))
        yield f"    files:{_list(files)}"
        yield f"    scopes: [{json.dumps(scope)}]\n"
        yield "    gates:\n" + "".join(f"      - kind: {kind}\n" for kind in kinds)


def _list(items: list[str]) -> str:
    quoted = [json.dumps(_literal(item), ensure_ascii=False) for item in items]
    if len(quoted) == 1:
        return f" [{quoted[0]}]\n"
    return "\n" + "".join(f"      - {item}\n" for item in quoted)


def _literal(path: str) -> str:
    """A pattern that means just this path."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)


def _remarks(what: str, hooks: list[Hook]) -> Iterator[str]:
    for hook in hooks:
        yield f"# {what}: {hook.file}:{hook.line} {hook.scope}, {hook.target}: {hook.reason}\n"


def _left_alone(skips: tuple[Skip, ...]) -> Iterator[str]:
    for reason, places in by_reason(skips).items():
        yield f"# Left alone: {', '.join(places)}: {reason}\n"
