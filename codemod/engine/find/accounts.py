"""Accounts for every file that trains: it has a hook, or the reason why it has none is told.

A file trains when it differentiates a loss, wraps a model for several cards, or fits a
`paddle.Model`. The planner tells of those in which it found a model; the others would be passed
over in silence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import chain

from codemod.base.changeset import Hook, Skip, Status
from codemod.base.grouping import grouped_once
from codemod.base.reason import Reason
from codemod.code.imports import Imports
from codemod.code.lineage import lineage
from codemod.code.module import DEFINITIONS, Module, Scope, callee, dotted
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import OPTIMIZERS, WRAPS, first_argument
from codemod.code.traversal import below
from codemod.engine.assignments import binds
from codemod.engine.find.candidates import IGNORED, ignored
from codemod.engine.find.discover import HINTS
from codemod.engine.find.foreign import foreign_file, of_pytorch
from codemod.engine.find.highlevel import trains_by_model
from codemod.engine.find.target import is_fluid
from codemod.engine.find.unsound.inherited import lost_hook
from codemod.kits.rule import Rule

# What a file that is left alone holds, by its text: hundreds of tests need not be parsed.
TRAINS = re.compile(
    rb"^[^#\n]*(\.backward\(|\b(DataParallel|distributed_model|group_sharded_parallel)\()", re.M
)
BACKWARD = "backward"
# Methods of layers and optimizers, which say nothing of whose training they belong to.
_OF_LAYERS = frozenset(("train", "eval", "forward", "step", "backward", "minimize", "clear_grad"))
# Calls that have to do with an optimizer and hand none over.
_KEEPS = re.compile(r"_?(save|load|dump|check|is|has|log|print|update|step)_")


def account(
    project: Project, rule: Rule, hooks: Iterable[Hook], skipped: Iterable[Skip]
) -> tuple[frozenset[str], tuple[Skip, ...]]:
    """All files that train, and a reason for each that neither a hook nor a skip names."""
    placed = tuple(hooks)
    told = {hook.file for hook in placed} | {skip.file for skip in skipped}
    reasons = _Reasons(project, rule, placed)
    training: set[str] = set()
    found: list[Skip] = []
    for path in project.matching(HINTS):
        if ignored(path, rule):
            if TRAINS.search(project.tree.read(path)):
                training.add(path)
                found.append(Skip(path, _left_alone(path)))
            continue
        module = project.module(path)
        evidence = _evidence(module) if module else None
        if module is None or evidence is None:
            continue
        training.add(path)
        if path not in told:
            found.append(reasons.of(module, *evidence))
    return frozenset(training), tuple(found)


def _left_alone(path: str) -> Reason:
    if any(fnmatchcase(path, pattern) for pattern in IGNORED):
        return Reason.of("engine.left-alone-tests")
    return Reason.of("engine.left-alone-by-rule")


def _evidence(module: Module) -> tuple[Scope, ast.Call] | None:
    """The call that says that a file trains: a backward pass rather than a wrap or a fit."""
    wraps: list[tuple[Scope, ast.Call]] = []
    fits: list[tuple[Scope, ast.Call]] = []
    for scope in module.scopes:
        for call in scope.calls:
            name = callee(call)
            if name == BACKWARD and dotted(call.func) != "self.backward":
                return scope, call
            if name in WRAPS:
                wraps.append((scope, call))
            elif trains_by_model(module, call):
                fits.append((scope, call))
    return next(iter((*wraps, *fits)), None)


class _Reasons:
    """Why a file that trains has no hook of its own; imports and calls are followed once."""

    def __init__(self, project: Project, rule: Rule, hooks: tuple[Hook, ...]) -> None:
        self._project = project
        self._rule = rule
        placed = (hook for hook in hooks if hook.status is not Status.UNPLACED)
        self._hooks = sorted(placed, key=lambda hook: hook.status is not Status.INSERTED)
        self._imports = Imports(project)
        self._called: dict[str, dict[str, list[str]]] = {}

    def of(self, module: Module, scope: Scope, call: ast.Call) -> Skip:
        """The file with its reason: a hook elsewhere that covers it, or why it has none."""
        reason = self._none_needed(module, scope, call)
        lost: list[Reason] = []
        found = None if reason else self._hook_handing_over(module, lost)
        if not (reason or found) and not _updates(module):
            reason = (
                Reason.of("engine.updates-nothing")
                if callee(call) == BACKWARD
                else Reason.of("engine.evaluates-only")
            )
        alone = not self._rule.kits and _optimizes_by_itself(module)
        found = found or (None if reason or alone else self._hook_of_engine(module, scope))
        if found:
            return Skip(module.path, found[0], line=call.lineno, covered_by=found[1].place)
        why = reason or next(iter(lost), None) or _unclear(module, scope, call)
        return Skip(module.path, why, line=call.lineno)

    def _none_needed(self, module: Module, scope: Scope, call: ast.Call) -> Reason | None:
        """Why no hook belongs to the file, as far as its own text says."""
        for abstention in self._rule.abstain:
            if abstention.covers(module.path, scope.name, module.text):
                return Reason.of("engine.abstained", scope=scope.name, why=abstention.why)
        if of_pytorch(module):
            return Reason.of("engine.pytorch")
        if any(is_fluid(each) for each in module.scopes):
            return Reason.of("engine.fluid")
        if not self._rule.kits and (reason := foreign_file(module)):
            return reason
        if not self._rule.kits and _differentiates_what_it_is_given(scope, call):
            return Reason.of("engine.differentiates-for-others", scope=scope.name)
        if scope.owner and callee(call) == BACKWARD == scope.function:
            return Reason.of("engine.differentiates-for-others", scope=scope.name)
        return self._continues_another(module)

    def _hook_handing_over(self, module: Module, lost: list[Reason]) -> tuple[Reason, Hook] | None:
        """The hook of a base class, or of a file that calls this one with its model.

        Why the file does not come to a base's hook goes to `lost`.
        """
        bases = [
            (kin, base)
            for owner in module.classes.values()
            for kin, *above in [lineage(self._project, ClassInModule(module, owner))]
            for base in above
        ]
        for hook in self._hooks:
            for kin, base in bases:
                name = base.node.name
                if hook.file == base.module.path and hook.scope.startswith(f"{name}."):
                    why = lost_hook(self._project, kin, base, hook)
                    if why is not None:
                        lost.append(why)
                        continue
                    return Reason.of(
                        "engine.base-has-hook", name=kin.node.name, base=name, hook=hook.place
                    ), hook
        made = {node.name for node in module.tree.body if isinstance(node, DEFINITIONS)}
        for hook in self._hooks:
            if hook.file != module.path and self._calls(hook.file, module, made):
                return Reason.of("engine.given-model", hook=hook.place), hook
        return None

    def _hook_of_engine(self, module: Module, scope: Scope) -> tuple[Reason, Hook] | None:
        """The hook of an engine that calls what trains in the file, under whatever object."""
        run = _leading_to(self._project, module, scope)
        for hook in self._hooks:
            engine = self._project.module(hook.file)
            library = engine is not None and "__main__" not in engine.text
            if (
                engine is not None
                and library
                and (_named_by(engine, hook) & run or self._takes_from(engine, module))
                and module.path in self._imports.reached(hook.file)
            ):
                why = Reason.of("engine.engine-has-hook", file=hook.file, scope=hook.scope)
                return why, hook
        return None

    def _takes_from(self, engine: Module, module: Module) -> bool:
        """Whether an engine looks functions up by name where a package offers this file's."""
        looked_up = {
            dotted(first_argument(call))
            for scope in engine.scopes
            for call in scope.calls
            if callee(call) == "getattr"
        }
        packages = (engine.imports[name] for name in looked_up if name in engine.imports)
        offered = (self._project.resolve(engine.path, package) for package in packages)
        return any(path and module.path in self._imports.direct(path) for path in offered)

    def _calls(self, path: str, module: Module, made: set[str]) -> bool:
        """Whether a file calls what another makes; only names that may be meant are looked up."""
        caller = self._project.module(path)
        if caller is None:
            return False
        if path not in self._called:
            names = (name for scope in caller.scopes for name in scope.called)
            whole = ((caller.imports.get(name, name), name) for name in names)
            self._called[path] = grouped_once((one.rpartition(".")[2], name) for one, name in whole)
        for name in chain.from_iterable(self._called[path].get(end, ()) for end in made):
            found = self._project.definition(caller, name)
            if found and found[0].path == module.path:
                return True
        return False

    def _continues_another(self, module: Module) -> Reason | None:
        """Whether a class of the file is derived from a trainer that this repository lacks."""
        for owner in module.classes.values():
            for name in map(dotted, owner.bases):
                head, _, rest = (name or "").partition(".")
                whole = ".".join(filter(None, (module.imports.get(head, ""), rest)))
                if whole.endswith("Trainer") and not self._project.definition(module, name or ""):
                    return Reason.of("engine.derived-elsewhere", name=owner.name, base=whole)
        return None


def _named_by(engine: Module, hook: Hook) -> frozenset[str]:
    """The functions, methods and classes of others that a hook's class or function names.

    Those of the object itself (`self.step`) are its own; a name in quotes may be looked up.
    """
    owner = hook.scope.rpartition(".")[0]
    own = (s for s in engine.scopes if s.name == hook.scope or owner == s.name.rpartition(".")[0])
    names = {name for one in own for node in one.nodes if (name := _said(node))}
    others = {name for name in names if not re.fullmatch(r"self\.\w+", name)}
    return frozenset(name.rpartition(".")[2] for name in others) - _OF_LAYERS


def _said(node: ast.AST) -> str | None:
    """The name that a node is, or holds in quotes."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) and node.value.isidentifier() else None
    return dotted(node)


def _leading_to(project: Project, module: Module, scope: Scope) -> frozenset[str]:
    """The functions and methods that come to a scope, in its file and its class's bases."""
    owner = scope.owner
    found = {scope.function, owner.name} if owner else {scope.function}
    callers: dict[str, set[str]] = {}
    line = lineage(project, ClassInModule(module, owner)) if owner else ()
    for one in (*module.scopes, *(m for kin in line[1:] for m in kin.module.methods(kin.node))):
        ends = {name.rpartition(".")[2] for name in one.called}
        callers.setdefault(one.function, set()).update(ends)
    while new := {name for name, calls in callers.items() if calls & found} - found:
        found |= new
    return frozenset(found)


def _differentiates_what_it_is_given(scope: Scope, call: ast.Call) -> bool:
    """Whether the loss that a call differentiates is a parameter of the scope: a scaler's is."""
    derived = scope.owner is not None and scope.owner.bases
    if derived or callee(call) != BACKWARD or not isinstance(call.func, ast.Attribute):
        return False
    value = call.func.value
    while isinstance(value, ast.Call) and value.args:
        value = value.args[0]
    name = dotted(value)
    return name is not None and name in scope.parameters and not binds(scope, name)


def _optimizers_made(module: Module) -> Iterator[ast.Call]:
    """The calls in a file that hand an optimizer over, or several, to a name or a caller."""
    for scope in module.scopes:
        dropped = {id(one.node.value) for one in scope.statements if isinstance(one.node, ast.Expr)}
        for call in scope.calls:
            name = callee(call)
            if OPTIMIZERS.search(name) and not _KEEPS.match(name) and id(call) not in dropped:
                yield call


def _weights_given(made: ast.Call) -> Iterator[ast.expr]:
    """What an optimizer is given to update, as far as its name says so."""
    named = [one.value for one in made.keywords if one.arg in ("parameters", "parameter_list")]
    yield from named or (one for one in made.args if "param" in ast.unparse(one).lower())


def _optimizes_by_itself(module: Module) -> bool:
    """Whether a file gives weights to an optimizer of its own: no engine trains for it."""
    return any(
        k.arg == "parameters" and dotted(k.value) not in scope.parameters
        for scope in module.scopes
        for call in scope.calls
        if OPTIMIZERS.search(callee(call))
        for k in call.keywords
    )


def _updates(module: Module) -> bool:
    """Whether a file has to do with an optimizer, by whatever name it is held."""
    for node in below(module.tree):
        name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", "")
        if isinstance(name, str) and OPTIMIZERS.search(name):
            return True
    return any(callee(call) == "fit" for scope in module.scopes for call in scope.calls)


def _unclear(module: Module, scope: Scope, call: ast.Call) -> Reason:
    """What is known where the model that trains cannot be told from the code."""
    given = dotted(first_argument(call))
    if callee(call) in WRAPS and given in scope.parameters:
        return Reason.of("engine.callers-hook", scope=scope.name)
    made = list(_optimizers_made(module))
    parameters = dict.fromkeys(ast.unparse(given) for one in made for given in _weights_given(one))
    if parameters:
        return Reason.of("engine.optimizer-unclear", parameters=tuple(parameters))
    if made:
        what = ast.unparse(made[0].func)
        return Reason.of("engine.optimizer-from", call=what, line=made[0].lineno)
    return Reason.of("engine.origin-unclear")
