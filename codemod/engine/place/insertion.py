"""One candidate's hook: its place, its code, and how it is reported."""

from __future__ import annotations

import ast
import math
from dataclasses import replace

from codemod.base.changeset import EditKind, Hook, Status
from codemod.base.reason import Reason, Refusal
from codemod.code.calls import Called
from codemod.code.happenings import handed_sites, own_sites
from codemod.code.module import Scope, callee, dotted
from codemod.code.pattern import fill
from codemod.code.project import Project
from codemod.code.sites import Kind, Site, assigned, find, first_argument
from codemod.code.traversal import walk
from codemod.code.wraps import all_sites, handed_to_train
from codemod.engine.find.candidates import Candidate
from codemod.engine.find.target import Target
from codemod.engine.gate.gates import Gate, in_quotes
from codemod.engine.place.hookcode import hook_code, logger
from codemod.engine.place.placement import LIMITS, ORIGINS, Position, place
from codemod.engine.rewrite.ops import Insert, Op, Replace

_RUNS = (Kind.FORWARD, Kind.PEEK, Kind.CHANGE)


def parts_of(project: Project, candidate: Candidate) -> tuple[tuple[Site, ...], ...]:
    """The candidate's sites, one part for each time that the scope builds and trains it."""
    names = candidate.names
    # For an object of each class that runs the scope: a derived one may do more.
    runs = [Called(candidate.module, candidate.scope, heir) for heir in candidate.heirs or (None,)]
    sites = tuple(dict.fromkeys(s for one in runs for s in all_sites(project, one, names)))
    if candidate.statement:
        return (sites,)
    if candidate.measured:
        plain = Called(candidate.module, candidate.scope)
        return stretches(candidate.scope, (*sites, *handed_to_train(project, plain, names)))
    own = (site for site in own_sites(candidate.scope, names) if site.kind in _RUNS)
    kept = (site for site in sites if site.kind not in _RUNS)
    handed = dict.fromkeys(
        site
        for one in runs
        for sites_of in (handed_sites, handed_to_train)
        for site in sites_of(project, one, names)
    )
    found: tuple[Site, ...] = (*kept, *own, *handed)
    made = (Kind.BUILD, Kind.PARAMETER)
    if candidate.settled and not any(site.kind in made for site in found):
        found = (Site(Kind.PARAMETER, candidate.name, None), *found)
    if candidate.trainer.dynamic_under_no_grad:
        found = tuple(site for site in found if site.kind is not Kind.PEEK)
    return stretches(candidate.scope, found)


def position_of(candidate: Candidate, gate: Gate, sites: tuple[Site, ...]) -> Position | Refusal:
    """Where the hook of these sites goes, or why it can go nowhere."""
    scope, trainer = candidate.scope, candidate.trainer
    if candidate.statement and trainer.position in ("before", "after", "replace"):
        field_, index = candidate.statement.path[-1]
        if trainer.position == "after":
            index += 1
        owner = candidate.statement.path[:-1]
        wraps = any(site.kind is Kind.WRAP for site in sites)
        here = {site.kind for site in sites if site.statement is candidate.statement}
        after = "copy" if Kind.COPY in here else "build"
        before = "wrap" if wraps else "loop"
        reason = trainer.reason or Reason.of("engine.taken-over")
        return Position(owner, field_, index, after, before, reason)
    return place(scope, sites, gate.bound(scope))


def insertion(candidate: Candidate, gate: Gate, position: Position) -> tuple[Op, Hook]:
    """The operation that writes the hook there, and the hook as it is reported."""
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    words = {name: ast.unparse(node) for name, node in candidate.bindings.items()}
    words |= {"MODEL": candidate.name, "LOG": logger(module, scope, position)}
    target = fill(trainer.target, words) if trainer.target else _target(candidate)
    words["MODEL"] = target
    spec = fill(trainer.input_spec, words) if trainer.input_spec else None
    template = fill(trainer.hook, words | {"SPEC": spec or "None"}) if trainer.hook else ""
    code = in_quotes(module, template)
    logs = "$LOG" not in trainer.hook
    if not trainer.completes:
        code = hook_code(module, scope, position, target, gate.test, spec, code, logs)
    said = (trainer.told, trainer.repairs)
    if trainer.position == "replace" and candidate.statement:
        replaced = Replace(candidate.statement.path, code)
        op = Op(module.path, EditKind.HOOK, replaced, trainer.reason, *said)
    else:
        insert = Insert(position.owner, position.field, position.index, code)
        op = Op(module.path, EditKind.HOOK, insert, None, *said)
    return op, replace(hook_of(candidate, gate, position), target=target, input_spec=spec)


def hook_of(candidate: Candidate, gate: Gate, position: Position) -> Hook:
    """The hook at a position as it is reported, before it is known at which line."""
    hook = candidate.hook(Status.INSERTED, position.reason, None, gate.test)
    return replace(hook, after=position.after, before=position.before, switch=gate.switch)


def _target(target: Target) -> str:
    """The name that is wrapped, else the one that was found: what the code reads later."""
    for site in find(target.scope, target.names):
        if site.kind is Kind.WRAP and site.call is not None:
            return dotted(first_argument(site.call)) or target.name
    return target.name


_BACKWARD = "backward"


def stretches(scope: Scope, sites: tuple[Site, ...]) -> tuple[tuple[Site, ...], ...]:
    """The sites, divided where a model that was used is built anew and trained; at least one part.

    What is built anew and only evaluated stays with the part before it.
    """
    placed = sorted((s for s in sites if s.statement), key=lambda site: site.line)
    names = frozenset(site.name for site in sites)
    parts: list[list[Site]] = [[s for s in sites if s.statement is None]]
    for site in placed:
        made = any(earlier.kind in ORIGINS for earlier in parts[-1])
        used = any(earlier.kind in LIMITS for earlier in parts[-1])
        if made and used and _anew(site, names):
            parts.append([])
        parts[-1].append(site)
    kept: list[list[Site]] = parts[:1]
    ends = (*(following[0].line for following in parts[2:]), math.inf)
    for part, after in zip(parts[1:], ends, strict=False):
        if _trained(scope, part, after):
            kept.append(part)
        else:
            kept[-1] += part
    return tuple(map(tuple, kept))


def _anew(site: Site, names: frozenset[str]) -> bool:
    """Whether a site builds a model by a call, and not out of the model itself."""
    value = assigned(site.statement.node)[1] if site.statement else None
    return (
        site.kind is Kind.BUILD
        and isinstance(value, ast.Call)
        and not any(dotted(n) in names for n in walk(value))
    )


def _trained(scope: Scope, part: list[Site], end: float) -> bool:
    """Whether the scope wraps what it built for training, or differentiates its loss.

    A site in a function that the scope calls (`where`) is a wrap or a training loop.
    """
    if any(site.kind is Kind.WRAP or site.where for site in part):
        return True
    begin = part[0].line
    called = any(site.kind is Kind.FORWARD for site in part)
    return called and any(
        callee(call) == _BACKWARD and begin < call.lineno < end for call in scope.calls
    )
