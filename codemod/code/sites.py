"""Sites: the places in one scope that matter to one model.

A model goes by several names in a scope (`model = self.model`,
`ddp_model = fleet.distributed_model(model)`), so sites are found for the whole group.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeGuard

from codemod.code.kept import kept, once_each
from codemod.code.module import Path, Scope, Statement, callee, dotted, handed
from codemod.code.traversal import walk

WRAPS = frozenset({"DataParallel", "distributed_model", "group_sharded_parallel"})
# Wrappers that kits write or take from deeper in Paddle: wrap_sharding_2_3, ShardingStage2.
WRAPPERS = re.compile(r"^wrap_|shard(ing|ed)|parallel$|distributed", re.IGNORECASE)
CONVERTS = frozenset({"convert_sync_batchnorm", "convert_syncbn", "decorate"})
COPIES = re.compile(r"^(deepcopy|.*EMA.*|.*[Ee]xponentialMovingAverage.*)$")
EVALUATES = re.compile(r"^(do_|run_)?(eval|evaluate|validate|validation)(_model)?$")
HOOKS = re.compile(r"^_?(apply_)?to_static(_model|_train)?$|^_?apply_to_static")
OPTIMIZERS = re.compile(r"optim|adam|sgd|momentum|rmsprop|lamb|adagrad|lars", re.IGNORECASE)
# Modules that make what an optimizer is given: optim_factory.add_weight_decay(model).
FACTORIES = re.compile(r"(^|\.)optim(s|_\w+)?\.", re.IGNORECASE)
# What makes a `paddle.Model` use (and wrap) its network.
RUNS = frozenset({"prepare", "fit", "train_batch"})


class Kind(Enum):
    """What a site is to the model."""

    BUILD = "build"
    PARAMETER = "parameter"
    ALIAS = "alias"
    DERIVE = "derive"
    CHANGE = "change"
    PEEK = "peek"
    COPY = "copy"
    CONVERT = "convert"
    WRAP = "wrap"
    FORWARD = "loop"
    HOOK = "hook"


@dataclass(frozen=True)
class Site:
    """One site; `statement` is None for a parameter, which has no statement of its own.

    `where` is FILE:LINE of a wrap in a function that the statement calls. A peek is a call without
    gradients in training mode; a forward that does not `trains` is one in evaluation mode.
    """

    kind: Kind
    name: str
    statement: Statement | None
    call: ast.Call | None = None
    where: str = ""
    trains: bool = True

    @property
    def line(self) -> int:
        """The line of the statement; 0 for a parameter."""
        return self.statement.node.lineno if self.statement else 0

    @property
    def path(self) -> Path:
        """The path of the statement; empty for a parameter."""
        return self.statement.path if self.statement else ()


def first_argument(call: ast.Call) -> ast.expr | None:
    """The model that a wrap, copy or conversion is given."""
    for keyword in call.keywords:
        if keyword.arg in ("models", "layers", "model", "layer", "network"):
            return keyword.value
    return call.args[0] if call.args else None


def passes(call: ast.Call, names: frozenset[str]) -> bool:
    """Whether one of the names is handed to the call."""
    flat: list[ast.expr] = []
    for value in handed(call):
        flat.extend(value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value])
    return any(dotted(value) in names for value in flat)


@kept(None)
def assigned(node: ast.stmt) -> tuple[tuple[str, ...], ast.expr | None]:
    """Dotted targets and value of an assignment, else nothing: asked of each a dozen times."""
    if isinstance(node, ast.Assign):
        targets: list[ast.expr] = []
        for target in node.targets:
            targets.extend(target.elts if isinstance(target, ast.Tuple) else [target])
        return tuple(name for name in map(dotted, targets) if name), node.value
    if isinstance(node, ast.AnnAssign):
        name = dotted(node.target)
        return ((name,) if name else ()), node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _set_attribute(node.value)
    if isinstance(node, (ast.If, ast.While, ast.Expr)):
        return _walrus(node.value if isinstance(node, ast.Expr) else node.test)
    return (), None


def _set_attribute(call: ast.Call) -> tuple[tuple[str, ...], ast.expr | None]:
    """Name and value of `setattr(self, "model", net)`, else nothing."""
    match call.args if callee(call) == "setattr" else []:
        case [owner, ast.Constant(value=str() as name), value] if held := dotted(owner):
            return (f"{held}.{name}",), value
    return (), None


def _walrus(test: ast.expr) -> tuple[tuple[str, ...], ast.expr | None]:
    """Name and value of `(model := Net()) is None` or the expression alone, else nothing."""
    for part in (test.left, *test.comparators) if isinstance(test, ast.Compare) else (test,):
        inner = part.operand if isinstance(part, ast.UnaryOp) else part
        if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
            return (inner.target.id,), inner.value
    return (), None


@once_each
def group(scope: Scope, name: str) -> frozenset[str]:
    """All names of the model that `name` is one of."""
    names = {name}
    pairs: list[tuple[tuple[str, ...], str]] = list(_properties(scope.owner))
    for statement in scope.statements:
        targets, value = assigned(statement.node)
        if not targets or value is None:
            continue
        same = first_argument(value) if _wraps_or_hooks(value) else value
        if other := dotted(same):
            pairs.append((targets, other))
    while True:
        more = {other for targets, other in pairs if names.intersection(targets)}
        more |= {target for targets, other in pairs if other in names for target in targets[:1]}
        if more <= names:
            return frozenset(names)
        names |= more


def _properties(owner: ast.ClassDef | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Attributes of a class that are properties, each with the attribute that it gives."""
    for node in owner.body if owner else ():
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        last = node.body[-1]
        given = dotted(last.value) if isinstance(last, ast.Return) else None
        if "property" in map(dotted, node.decorator_list) and (given or "").startswith("self."):
            yield (f"self.{node.name}",), given or ""


@once_each
def find(scope: Scope, names: frozenset[str]) -> tuple[Site, ...]:
    """The sites of a model in a scope, in source order."""
    sites = [Site(Kind.PARAMETER, p, None) for p in scope.parameters if p in names]
    for statement in scope.statements:
        sites.extend(_of(statement, names))
    return tuple(sites)


def _of(statement: Statement, names: frozenset[str]) -> list[Site]:
    sites: list[Site] = []
    targets, value = assigned(statement.node)
    mine = [target for target in targets if target in names]
    for call in statement.calls:
        kind = _kind(call, names)
        if kind:
            subject = dotted(first_argument(call)) or dotted(call.func) or ""
            sites.append(Site(kind, subject, statement, call))
    if value is not None and any(_holds(target, names) for target in targets):
        sites.append(Site(Kind.BUILD, targets[0], statement))
    if mine and isinstance(value, ast.Call) and callee(value) in WRAPS:
        given = first_argument(value)
        if given is not None and dotted(given) is None:
            # Built and wrapped at once: there is no name to hook, and from here on a wrapper.
            sites.append(Site(Kind.WRAP, mine[0], statement))
    if mine and value is not None and not _wraps_or_hooks(value):
        other = dotted(value)
        if other in names:
            sites.append(Site(Kind.ALIAS, mine[0], statement))
        elif not isinstance(value, ast.Constant):
            sites.append(Site(_made(value, names), mine[0], statement))
    return sites


def _made(value: ast.expr, names: frozenset[str]) -> Kind:
    """A model made anew, made out of itself (`model = add_lora(model)`), or wrapped."""
    if not isinstance(value, ast.Call) or not passes(value, names):
        return Kind.BUILD
    return Kind.WRAP if WRAPPERS.search(callee(value)) else Kind.DERIVE


def _holds(target: str, names: frozenset[str]) -> bool:
    """Whether a name is the object that one of the models is an attribute of."""
    return any(name.startswith(f"{target}.") for name in names)


def _wraps_or_hooks(value: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(value, ast.Call) and (
        callee(value) in WRAPS | CONVERTS or bool(HOOKS.match(callee(value)))
    )


def _kind(call: ast.Call, names: frozenset[str]) -> Kind | None:
    name = callee(call)
    func = dotted(call.func) or ""
    if EVALUATES.match(name) and passes(call, names):
        return Kind.FORWARD
    if func in names or (name == "forward" and func.rpartition(".")[0] in names):
        return Kind.FORWARD
    if name in RUNS and f"{func.rpartition('.')[0]}.network" in names:
        return Kind.FORWARD
    given = dotted(first_argument(call)) in names
    if name in WRAPS and given:
        return Kind.WRAP
    if name in CONVERTS and passes(call, names):
        return Kind.CONVERT
    if HOOKS.match(name) and passes(call, names):
        return Kind.HOOK
    if COPIES.match(name) and passes(call, names):
        return Kind.COPY
    return None


def runs(scope: Scope, name: str) -> bool:
    """Whether the model is called in the scope, under whatever name it has there."""
    if not any(called == name or called.endswith(".forward") for called in scope.called):
        names = group(scope, name)
        return len(names) > 1 and not names.isdisjoint(scope.called)
    return any(site.kind is Kind.FORWARD for site in find(scope, group(scope, name)))


@once_each
def trains(scope: Scope) -> bool:
    """Whether the scope runs a backward pass."""
    if not scope.mentions("backward"):
        return False
    return any(callee(call) == "backward" for call in scope.calls)


def optimizes(scope: Scope, names: frozenset[str]) -> bool:
    """Whether the model's parameters reach an optimizer in this scope."""
    for statement in scope.statements:
        for call in statement.calls:
            name = dotted(call.func) or ""
            if not OPTIMIZERS.search(callee(call)) and not FACTORIES.search(name):
                continue
            if passes(call, names) or names.intersection(_parameter_owners(walk(call))):
                return True
    listed = names.intersection(_parameter_owners(scope.calls))
    return bool(listed) and any(OPTIMIZERS.search(callee(call)) for call in scope.calls)


def _parameter_owners(nodes: Iterable[ast.AST]) -> list[str | None]:
    """What the calls of `parameters` among the nodes are methods of."""
    return [
        dotted(node.func.value)
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("parameters", "named_parameters")
    ]


@once_each
def optimized_names(scope: Scope) -> tuple[str, ...]:
    """Names whose parameters some optimizer call of the scope is given."""
    if not scope.mentions("parameters"):
        return ()
    names: list[str] = []
    for call in scope.calls:
        if OPTIMIZERS.search(callee(call)):
            names.extend(name for name in _parameter_owners(walk(call)) if name)
    return tuple(dict.fromkeys(names))
