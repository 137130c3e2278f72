"""What happens to a model in the functions that a scope hands it to, before it trains.

A helper may copy it, replace its layers, or call it without gradients; each counts where the scope
calls the helper, and in the order of the calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from codemod.code.calls import Called, meant, reaches, taken
from codemod.code.module import Scope, Statement, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import EVALUATES, Kind, Site, find, passes, trains

_LEVELS = 4
# What looks through a model, or changes its layers, by the names that libraries use.
CHANGES = re.compile(
    r"^(summary|flops|dynamic_flops|get_flops|quantize|\w*[Qq]uanter|prune\w*|\w*Pruner|"
    r"convert_(?!sync)\w+|(add|apply|mark_only|inject)_lora\w*|replace_(layer|module|sublayer)\w*|"
    r"fuse_\w+|sparsify\w*)$"
)
_OFF = ("no_grad", "set_grad_enabled(False)")
_TOLD = (Kind.COPY, Kind.CONVERT, Kind.CHANGE, Kind.PEEK, Kind.FORWARD)


def own_sites(scope: Scope, names: frozenset[str], off: bool = False) -> Iterator[Site]:
    """The sites of a scope; calls without gradients are told from those with them."""
    for site in find(scope, names):
        statement = site.statement
        if site.kind is not Kind.FORWARD or statement is None or site.call is None:
            yield site
            continue
        without = off or without_gradients(scope, statement)
        evaluates = bool(EVALUATES.match(callee(site.call)))
        if evaluates or mode(scope, names, statement.node.lineno) == "eval":
            yield replace(site, trains=False)
        elif without:
            yield replace(site, kind=Kind.PEEK)
        else:
            yield site
    for statement in scope.statements:
        for call in statement.calls:
            if _changes(call, names):
                yield Site(Kind.CHANGE, callee(call), statement, call)


def _changes(call: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call replaces layers of the model, or looks through it by calling it."""
    name = callee(call)
    if name == "setattr" and call.args:
        return dotted(call.args[0]) in names
    if name == "add_sublayer" and isinstance(call.func, ast.Attribute):
        return dotted(call.func.value) in names
    return bool(CHANGES.match(name)) and passes(call, names)


def every_site(project: Project, caller: Called, names: frozenset[str]) -> tuple[Site, ...]:
    """What a scope does to the model itself, then what it does in other functions."""
    return (*own_sites(caller.scope, names), *handed_sites(project, caller, names))


def handed_sites(project: Project, caller: Called, names: frozenset[str]) -> Iterator[Site]:
    """What the scope's calls do to the model in other functions, in the order of the calls."""
    scope = caller.scope
    told = {site.call for site in own_sites(scope, names) if site.call}
    for statement in scope.statements:
        for call in statement.calls:
            if call in told or not reaches(caller, call, names):
                continue
            off = without_gradients(scope, statement)
            yield from _inside(project, caller, statement, call, names, off, _LEVELS)


def _inside(
    project: Project,
    caller: Called,
    statement: Statement,
    call: ast.Call,
    names: frozenset[str],
    off: bool,
    levels: int,
) -> Iterator[Site]:
    """What a call leads to, each as a site of the statement that calls."""
    for function in meant(project, caller, call):
        inner = function.scope
        if inner is caller.scope:
            continue
        known = taken(caller, function, call, names)
        if not known:
            continue
        quiet = off or _decorated(inner)
        found = [s for s in own_sites(inner, known, quiet) if s.kind in _TOLD and s.statement]
        told = {site.call for site in found}
        events: list[tuple[int, tuple[Site, ...]]] = [(site.line, (site,)) for site in found]
        for own in inner.statements:
            for further in own.calls if levels else ():
                if further not in told and reaches(function, further, known):
                    below = quiet or without_gradients(inner, own)
                    deeper = _inside(project, function, own, further, known, below, levels - 1)
                    events.append((own.node.lineno, tuple(deeper)))
        for site in _until_training(inner, events):
            where = site.where or f"{function.module.path}:{site.line}"
            yield replace(site, statement=statement, where=where)


def _until_training(scope: Scope, events: list[tuple[int, tuple[Site, ...]]]) -> Iterator[Site]:
    """What a function does to the model, in order; of one that trains, before its first step."""
    for _, sites in sorted(events, key=lambda event: event[0]):
        for site in sites:
            if site.kind is Kind.FORWARD and site.trains and trains(scope):
                return
            yield site


def _decorated(scope: Scope) -> bool:
    if isinstance(scope.node, ast.Module):
        return False
    return any("no_grad" in ast.unparse(one) for one in scope.node.decorator_list)


def without_gradients(scope: Scope, statement: Statement) -> bool:
    """Whether gradients are off at a statement: by a block around it, or by a call before it."""
    if not scope.mentions("no_grad", "set_grad_enabled"):
        return False
    line = statement.node.lineno
    off = _decorated(scope)
    for other in scope.statements:
        node = other.node
        if isinstance(node, ast.With) and node.lineno <= line <= (node.end_lineno or 0):
            given = " ".join(ast.unparse(item.context_expr) for item in node.items)
            off = off or any(word in given for word in _OFF)
        elif isinstance(node, ast.Expr) and node.lineno < line:
            for call in other.calls:
                if callee(call) == "set_grad_enabled" and call.args:
                    off = getattr(call.args[0], "value", None) is False
    return off


def mode(scope: Scope, names: frozenset[str], line: int) -> str:
    """What the model was last set to before a line; a new model is in training mode."""
    found = "train"
    for call in sorted(scope.calls, key=lambda call: call.lineno):
        owner, _, method = (dotted(call.func) or "").rpartition(".")
        if owner in names and method in ("train", "eval") and call.lineno <= line:
            found = method
    return found
