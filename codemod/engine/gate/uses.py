"""Every use of the options that a parser gave: whether one option more would change what runs.

`Conf(**vars(args))` refuses a keyword that it does not know, `vars(args) == saved` is no longer
so, a folder named after all options is another one. Reading one option, printing and storing them
changes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.gate.handing import (
    binds,
    declares_global,
    elements_of,
    loads,
    parameters_of,
    parents_of,
    returned_to,
    run_with,
    unpacked,
)

OBJECT, MAPPING, ITEMS, TEXT = "object", "mapping", "items", "text"
_TO_MAPPING = frozenset({"vars", "asdict", "as_dict", "to_dict"})
_SAME = frozenset({"copy", "deepcopy", "dict", "OrderedDict", "clone"})
_OBJECTS = frozenset({"Namespace", "SimpleNamespace"})
_MAPPINGS = frozenset({"EasyDict", "edict", "AttrDict", "Munch", "Box", "DotMap"})
_OF_OBJECTS = frozenset({"_get_kwargs", "fields", "astuple"})
_ITEMS = frozenset(
    {"items", "keys", "values", "sorted", "list", "tuple", "enumerate"} | _OF_OBJECTS
)
_TEXT = frozenset(
    {"str", "repr", "format", "dumps", "pformat", "len", "join", "zip", "map", "hash"}
)
_OF_SEQUENCES = frozenset({"len", "join", "zip", "map"})
_HARMLESS = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "isinstance", "type", "id", "bool"}
)
# What shows or stores all options: a further one is a further line there.
SAYS = frozenset(
    {"print", "pprint", "info", "debug", "warning", "log", "write", "writelines", "dump", "echo"}
    | {"warn", "error", "fatal", "critical", "exception"}
    | {
        "save",
        "add_text",
        "add_hparams",
        "add_row",
        "safe_dump",
        "print_arguments",
        "append",
        "put",
    }
)
# What a loop over all options must not do for one more of them.
_ENDS = (ast.Assert, ast.Raise, ast.Return, ast.Break, ast.Yield)
_READS = frozenset({"get", "pop", "setdefault", "update"})


@dataclass(frozen=True)
class _OptionsName:
    """A name under which a scope has the options, in one form."""

    module: Module
    scope: Scope
    name: str
    form: str


class _Follower:
    """Follows the options from name to name; ends at the first use that one more would change."""

    def __init__(self, project: Project, name: str) -> None:
        self.project = project
        self.option = name
        self.seen: set[tuple[str, str, str, str]] = set()
        self.waiting: list[_OptionsName] = []

    def hold(self, module: Module, scope: Scope, name: str, form: str) -> None:
        """Have the uses of one more name looked at."""
        if scope.mentions("global ") and declares_global(scope, name):
            scope = module.scopes[0]
        key = (module.path, scope.name, name, form)
        if key not in self.seen:
            self.seen.add(key)
            self.waiting.append(_OptionsName(module, scope, name, form))

    def run(self) -> Reason | None:
        """The first use that one option more would change, over all that is held."""
        while self.waiting:
            held = self.waiting.pop()
            for module, scope in self._readers(held):
                for node in loads(scope, held.name):
                    fault = self.use(module, scope, node, held.form, parents_of(scope))
                    if fault:
                        return fault
        return None

    def _readers(self, held: _OptionsName) -> Iterator[tuple[Module, Scope]]:
        """The scopes that read a name: its own, its class's for an attribute, all for a global."""
        module, scope = held.module, held.scope
        if held.name.startswith("self.") and scope.owner is not None:
            yield from ((module, method) for method in module.methods(scope.owner))
            return
        yield module, scope
        if isinstance(scope.node, ast.Module) and "." not in held.name:
            for other in module.scopes[1:]:
                if held.name not in other.parameters and not binds(other, held.name):
                    yield module, other
            yield from self._importers(module, held.name)

    def _importers(self, module: Module, name: str) -> Iterator[tuple[Module, Scope]]:
        stem = module.path.rpartition("/")[2].removesuffix(".py")
        for path in self.project.importing(stem, name):
            other = self.project.module(path) if path != module.path else None
            if other is None or other.imports.get(name, "").rpartition(".")[2] != name:
                continue
            base = other.imports[name].rpartition(".")[0]
            if base and self.project.resolve(path, base) == module.path:
                yield from ((other, scope) for scope in other.scopes)

    def use(
        self,
        module: Module,
        scope: Scope,
        node: ast.AST,
        form: str,
        parents: dict[ast.AST, ast.AST],
    ) -> Reason | None:
        """What becomes of one expression that is the options, in this form."""
        above = parents.get(node)
        match above:
            case ast.Attribute():
                return self._attribute(module, scope, above, form, parents)
            case ast.keyword(arg=None):
                call = parents[above]
                assert isinstance(call, ast.Call)
                return self._spread(module, scope, call, parents)
            case ast.keyword():
                call = parents[above]
                if not isinstance(call, ast.Call):
                    return None
                return self._given(module, scope, call, node, form, parents)
            case ast.Call() if above.func is not node:
                return self._given(module, scope, above, node, form, parents)
            case ast.Dict():
                at = above.values.index(node) if node in above.values else -1
                spreads = at >= 0 and above.keys[at] is None
                return self.use(module, scope, above, MAPPING, parents) if spreads else None
            case ast.Tuple() | ast.List() | ast.Starred():
                return self._listed(module, scope, above, node, form, parents)
            case ast.NamedExpr():
                self.hold(module, scope, above.target.id, form)
                return self.use(module, scope, above, form, parents)
            case ast.Assign() | ast.AnnAssign():
                if form in (MAPPING, ITEMS) and _takes_apart(above):
                    return _listed_at(module, above)
                for name in assigned(above)[0]:
                    self.hold(module, scope, name, form)
                return None
            case ast.AugAssign() if form == TEXT:
                self.hold(module, scope, dotted(above.target) or "", form)
                return None
            case ast.Return():
                return self._returned(module, scope, form)
            case ast.Subscript() if above.value is node and form != TEXT:
                stores = isinstance(above.ctx, ast.Store)
                return None if stores or form != ITEMS else _listed_at(module, node)
            case ast.Compare():
                return self._compared(module, above, form)
            case ast.BoolOp() | ast.IfExp() | ast.Await() if above is not node:
                return self.use(module, scope, above, form, parents)
            case ast.JoinedStr() | ast.FormattedValue() | ast.BinOp():
                return self.use(module, scope, above, TEXT, parents)
            case ast.For() | ast.AsyncFor() if above.iter is node and form != OBJECT:
                return self._loop(module, scope, above)
            case ast.comprehension() if form != OBJECT:
                return self.use(module, scope, parents[above], ITEMS, parents)
        told = isinstance(above, ast.Expr) or (isinstance(above, ast.Assert) and above.msg is node)
        made = form in (ITEMS, TEXT) and not told
        return _listed_at(module, node) if made else None

    def _returned(self, module: Module, scope: Scope, form: str) -> Reason | None:
        for caller, call in returned_to(self.project, module, scope):
            above = parents_of(caller.scope)
            fault = self.use(caller.module, caller.scope, call, form, above)
            if fault:
                return fault
        return None

    def _attribute(
        self,
        module: Module,
        scope: Scope,
        node: ast.Attribute,
        form: str,
        parents: dict[ast.AST, ast.AST],
    ) -> Reason | None:
        call = parents.get(node)
        called = isinstance(call, ast.Call) and call.func is node
        if node.attr == "__dict__":
            return self.use(module, scope, node, MAPPING, parents)
        if not called or call is None:
            return None
        if node.attr in (_OF_OBJECTS if form == OBJECT else _ITEMS):
            return self.use(module, scope, call, ITEMS, parents)
        if node.attr == "popitem" and form == MAPPING:
            return _listed_at(module, node)
        if node.attr in _TO_MAPPING or (form == MAPPING and node.attr in _SAME):
            return self.use(module, scope, call, MAPPING, parents)
        if form == TEXT and node.attr not in SAYS:
            return self.use(module, scope, call, TEXT, parents)
        return None

    def _given(
        self,
        module: Module,
        scope: Scope,
        call: ast.Call,
        node: ast.AST,
        form: str,
        parents: dict[ast.AST, ast.AST],
    ) -> Reason | None:
        """The options are an argument of a call."""
        name = callee(call)
        if name in _HARMLESS or name in SAYS or isinstance(parents.get(call), ast.Raise):
            return None
        if name in _TO_MAPPING:
            return self.use(module, scope, call, MAPPING, parents)
        if name in _OBJECTS | _SAME | _MAPPINGS and node not in call.args:
            return None  # one value among others: `dict(args=args, seed=1)`
        if name in _OBJECTS | _SAME | _MAPPINGS:
            kept = MAPPING if name in _MAPPINGS else form
            return self.use(module, scope, call, kept, parents)
        if name in (_OF_OBJECTS if form == OBJECT else _ITEMS):
            return self.use(module, scope, call, ITEMS, parents)
        if name in _TEXT and (form != OBJECT or name not in _OF_SEQUENCES):
            return self.use(module, scope, call, TEXT, parents)
        received = list(parameters_of(self.project, module, scope, call, node))
        for other, inner, parameter in received:
            self.hold(other, inner, parameter, form)
        if received or form == OBJECT or (form == MAPPING and name in _READS):
            return None
        return _listed_at(module, call)

    def _spread(
        self, module: Module, scope: Scope, call: ast.Call, parents: dict[ast.AST, ast.AST]
    ) -> Reason | None:
        """`f(**options)`: taken as a mapping, taken by `**kwargs`, or refused."""
        name = callee(call)
        if name in _OBJECTS | _SAME | _MAPPINGS:
            return self.use(module, scope, call, OBJECT if name in _OBJECTS else MAPPING, parents)
        if name == "format":
            return None
        for other, inner, parameter in elements_of(self.project, module, scope, call):
            if self.option in inner.parameters:
                break
            self.hold(other, inner, parameter, MAPPING)
            return None
        return Reason.of("engine.option-spread", place=f"{module.path}:{call.lineno}")

    def _listed(
        self,
        module: Module,
        scope: Scope,
        above: ast.Tuple | ast.List | ast.Starred,
        node: ast.AST,
        form: str,
        parents: dict[ast.AST, ast.AST],
    ) -> Reason | None:
        """One of several values: returned, assigned to several names, or handed to a process."""
        if isinstance(above, ast.Starred):
            further = parents.get(above)
            says = isinstance(further, ast.Call) and callee(further) in SAYS
            return None if says or form in (OBJECT, TEXT) else _listed_at(module, node)
        index = above.elts.index(node)  # type: ignore[arg-type]
        further = parents.get(above)
        if isinstance(further, ast.Return):
            for caller, call in returned_to(self.project, module, scope):
                for name in unpacked(caller.scope, call, index):
                    self.hold(caller.module, caller.scope, name, form)
        elif isinstance(further, ast.Assign) and isinstance(further.targets[0], ast.Tuple):
            target = (
                dotted(further.targets[0].elts[index])
                if index < len(further.targets[0].elts)
                else None
            )
            if target:
                self.hold(module, scope, target, form)
        elif isinstance(further, ast.keyword) and further.arg == "args":
            call_above = parents.get(further)
            if isinstance(call_above, ast.Call):
                for other, inner, name in run_with(self.project, module, scope, call_above, index):
                    self.hold(other, inner, name, form)
        return None

    def _loop(self, module: Module, scope: Scope, loop: ast.For | ast.AsyncFor) -> Reason | None:
        """A loop over all options: what it fills with them is followed, what it says is not."""
        for node in walk(loop):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                filled = dotted(node.value)
                if filled is None:
                    return _listed_at(module, loop)
                self.hold(module, scope, filled, ITEMS)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = callee(node.value)
                owner = dotted(node.value.args[0]) if name == "setattr" else None
                if owner and not self._has_fixed_attributes(module, scope, owner):
                    self.hold(module, scope, owner, OBJECT)
                elif name not in SAYS:
                    return _listed_at(module, loop)
            elif isinstance(node, ast.AugAssign) and dotted(node.target):
                self.hold(module, scope, dotted(node.target) or "", TEXT)
            elif isinstance(node, _ENDS):
                return _listed_at(module, loop)
        return None

    def _has_fixed_attributes(self, module: Module, scope: Scope, name: str) -> bool:
        """Whether an object's class says which attributes it takes."""
        for statement in scope.statements:
            targets, value = assigned(statement.node)
            if name in targets and isinstance(value, ast.Call):
                found = self.project.definition(module, dotted(value.func) or "")
                text = ast.unparse(found[1]) if found else ""
                if "__slots__" in text or "__setattr__" in text or "slots=True" in text:
                    return True
        return False

    def _compared(self, module: Module, node: ast.Compare, form: str) -> Reason | None:
        asks = (ast.Is, ast.IsNot) if form == TEXT else (ast.Is, ast.IsNot, ast.In, ast.NotIn)
        if not all(isinstance(op, asks) for op in node.ops):
            return Reason.of("engine.option-compared", place=f"{module.path}:{node.lineno}")
        return None


def changed_by_option(
    project: Project, module: Module, scope: Scope, name: str, form: str, option: str
) -> Reason | None:
    """The first use of the options, held as `name` in a scope, that one more would change."""
    follower = _Follower(project, option)
    follower.hold(module, scope, name, form)
    return follower.run()


def changed_by_parsed(
    project: Project, module: Module, scope: Scope, call: ast.Call, option: str
) -> Reason | None:
    """The same from the call that parses them on."""
    follower = _Follower(project, option)
    return follower.use(module, scope, call, OBJECT, parents_of(scope)) or follower.run()


def _takes_apart(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(
        isinstance(target, (ast.Tuple, ast.List))
        and not any(isinstance(one, ast.Starred) for one in target.elts)
        for target in targets
    )


def _listed_at(module: Module, node: ast.AST) -> Reason:
    return Reason.of("engine.option-listed", place=f"{module.path}:{getattr(node, 'lineno', 1)}")
