"""Every use of the options that a parser gave: whether one option more would change what runs.

`Conf(**vars(args))` refuses a keyword that it does not know, `vars(args) == saved` is no longer
so, a folder named after all options is another one. Reading one option, printing and storing them
changes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import callee, dotted
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.assignments import binds, values_of
from codemod.engine.gate import handing
from codemod.engine.point import Point

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
    | {"save", "add_text", "add_hparams", "add_row", "safe_dump", "print_arguments"}
    | {"append", "put"}
)
# What a loop over all options must not do for one more of them.
_ENDS = (ast.Assert, ast.Raise, ast.Return, ast.Break, ast.Yield)
_READS = frozenset({"get", "pop", "setdefault", "update"})


class _Follower:
    """Follows the options from name to name; ends at the first use that one more would change."""

    def __init__(self, option: str) -> None:
        self.option = option
        self.seen: set[tuple[str, str, str, str]] = set()
        self.waiting: list[tuple[Point, str, str]] = []

    def hold(self, at: Point, name: str, form: str) -> None:
        """Have the uses of one more name looked at."""
        if at.scope.mentions("global ") and handing.declares_global(at.scope, name):
            at = at.top
        key = (at.module.path, at.scope.name, name, form)
        if key not in self.seen:
            self.seen.add(key)
            self.waiting.append((at, name, form))

    def run(self) -> Reason | None:
        """The first use that one option more would change, over all that is held."""
        while self.waiting:
            held, name, form = self.waiting.pop()
            for at in _readers(held, name):
                for node in handing.loads(at.scope, name):
                    if fault := self.use(at, node, form):
                        return fault
        return None

    def use(self, at: Point, node: ast.AST, form: str) -> Reason | None:
        """What becomes of one expression that is the options, in this form."""
        above = handing.parents_of(at.scope).get(node)
        match above:
            case ast.Attribute():
                return self._attribute(at, above, form)
            case ast.keyword(arg=None):
                call = handing.parents_of(at.scope)[above]
                assert isinstance(call, ast.Call)
                return self._spread(at, call)
            case ast.keyword():
                call = handing.parents_of(at.scope)[above]
                return self._given(at, call, node, form) if isinstance(call, ast.Call) else None
            case ast.Call() if above.func is not node:
                return self._given(at, above, node, form)
            case ast.Dict():
                index = above.values.index(node) if node in above.values else -1
                spreads = index >= 0 and above.keys[index] is None
                return self.use(at, above, MAPPING) if spreads else None
            case ast.Tuple() | ast.List() | ast.Starred():
                return self._listed(at, above, node, form)
            case ast.NamedExpr():
                self.hold(at, above.target.id, form)
                return self.use(at, above, form)
            case ast.Assign() | ast.AnnAssign():
                if form in (MAPPING, ITEMS) and _takes_apart(above):
                    return _all_listed(at, above)
                for name in assigned(above)[0]:
                    self.hold(at, name, form)
                return None
            case ast.AugAssign() if form == TEXT:
                self.hold(at, dotted(above.target) or "", form)
                return None
            case ast.Return():
                return self._returned(at, form)
            case ast.Subscript() if above.value is node and form != TEXT:
                stores = isinstance(above.ctx, ast.Store)
                return None if stores or form != ITEMS else _all_listed(at, node)
            case ast.Compare():
                return _compared(at, above, form)
            case ast.BoolOp() | ast.IfExp() | ast.Await() if above is not node:
                return self.use(at, above, form)
            case ast.JoinedStr() | ast.FormattedValue() | ast.BinOp():
                return self.use(at, above, TEXT)
            case ast.For() | ast.AsyncFor() if above.iter is node and form != OBJECT:
                return self._loop(at, above)
            case ast.comprehension() if form != OBJECT:
                return self.use(at, handing.parents_of(at.scope)[above], ITEMS)
        told = isinstance(above, ast.Expr) or (isinstance(above, ast.Assert) and above.msg is node)
        made = form in (ITEMS, TEXT) and not told
        return _all_listed(at, node) if made else None

    def _returned(self, at: Point, form: str) -> Reason | None:
        for caller in handing.returned_to(at):
            if fault := self.use(at.to(caller.module, caller.scope), caller.call, form):
                return fault
        return None

    def _attribute(self, at: Point, node: ast.Attribute, form: str) -> Reason | None:
        call = handing.parents_of(at.scope).get(node)
        called = isinstance(call, ast.Call) and call.func is node
        if node.attr == "__dict__":
            return self.use(at, node, MAPPING)
        if not called or call is None:
            return None
        if node.attr in (_OF_OBJECTS if form == OBJECT else _ITEMS):
            return self.use(at, call, ITEMS)
        if node.attr == "popitem" and form == MAPPING:
            return _all_listed(at, node)
        if node.attr in _TO_MAPPING or (form == MAPPING and node.attr in _SAME):
            return self.use(at, call, MAPPING)
        if form == TEXT and node.attr not in SAYS:
            return self.use(at, call, TEXT)
        return None

    def _given(self, at: Point, call: ast.Call, node: ast.AST, form: str) -> Reason | None:
        """The options are an argument of a call."""
        name = callee(call)
        if (
            name in _HARMLESS
            or name in SAYS
            or isinstance(handing.parents_of(at.scope).get(call), ast.Raise)
        ):
            return None
        if name in _TO_MAPPING:
            return self.use(at, call, MAPPING)
        if name in _OBJECTS | _SAME | _MAPPINGS and node not in call.args:
            return None  # one value among others: `dict(args=args, seed=1)`
        if name in _OBJECTS | _SAME | _MAPPINGS:
            kept = MAPPING if name in _MAPPINGS else form
            return self.use(at, call, kept)
        if name in (_OF_OBJECTS if form == OBJECT else _ITEMS):
            return self.use(at, call, ITEMS)
        if name in _TEXT and (form != OBJECT or name not in _OF_SEQUENCES):
            return self.use(at, call, TEXT)
        received = list(handing.parameters_of(at, call, node))
        for inner, parameter in received:
            self.hold(inner, parameter, form)
        if received or form == OBJECT or (form == MAPPING and name in _READS):
            return None
        return _all_listed(at, call)

    def _spread(self, at: Point, call: ast.Call) -> Reason | None:
        """`f(**options)`: taken as a mapping, taken by `**kwargs`, or refused."""
        name = callee(call)
        if name in _OBJECTS | _SAME | _MAPPINGS:
            return self.use(at, call, OBJECT if name in _OBJECTS else MAPPING)
        if name == "format":
            return None
        for inner, parameter in handing.elements_of(at, call):
            if self.option in inner.scope.parameters:
                break
            self.hold(inner, parameter, MAPPING)
            return None
        return Reason.of("engine.option-spread", place=at.place(call))

    def _listed(
        self, at: Point, above: ast.Tuple | ast.List | ast.Starred, node: ast.AST, form: str
    ) -> Reason | None:
        """One of several values: returned, assigned to several names, or handed to a process."""
        further = handing.parents_of(at.scope).get(above)
        if isinstance(above, ast.Starred):
            says = isinstance(further, ast.Call) and callee(further) in SAYS
            return None if says or form in (OBJECT, TEXT) else _all_listed(at, node)
        index = above.elts.index(node)  # type: ignore[arg-type]
        if isinstance(further, ast.Return):
            for caller in handing.returned_to(at):
                for name in handing.unpacked(caller.scope, caller.call, index):
                    self.hold(at.to(caller.module, caller.scope), name, form)
        elif isinstance(further, ast.Assign) and isinstance(further.targets[0], ast.Tuple):
            for target in further.targets[0].elts[index : index + 1]:
                if given := dotted(target):
                    self.hold(at, given, form)
        elif isinstance(further, ast.keyword) and further.arg == "args":
            call = handing.parents_of(at.scope).get(further)
            if isinstance(call, ast.Call):
                for inner, name in handing.run_with(at, call, index):
                    self.hold(inner, name, form)
        return None

    def _loop(self, at: Point, loop: ast.For | ast.AsyncFor) -> Reason | None:
        """A loop over all options: what it fills with them is followed, what it says is not."""
        for node in walk(loop):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                filled = dotted(node.value)
                if filled is None:
                    return _all_listed(at, loop)
                self.hold(at, filled, ITEMS)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = callee(node.value)
                owner = dotted(node.value.args[0]) if name == "setattr" else None
                if owner and not _has_fixed_attributes(at, owner):
                    self.hold(at, owner, OBJECT)
                elif name not in SAYS:
                    return _all_listed(at, loop)
            elif isinstance(node, ast.AugAssign) and dotted(node.target):
                self.hold(at, dotted(node.target) or "", TEXT)
            elif isinstance(node, _ENDS):
                return _all_listed(at, loop)
        return None


def _all_listed(at: Point, node: ast.AST) -> Reason:
    """That all options are listed at a node."""
    return Reason.of("engine.option-listed", place=at.place(node))


def _readers(held: Point, name: str) -> Iterator[Point]:
    """The scopes that read a name: its own, its class's for an attribute, all for a global."""
    module, scope = held.module, held.scope
    if name.startswith("self.") and scope.owner is not None:
        yield from (held.to(module, method) for method in module.methods(scope.owner))
        return
    yield held
    if isinstance(scope.node, ast.Module) and "." not in name:
        for other in module.scopes[1:]:
            if name not in other.parameters and not binds(other, name):
                yield held.to(module, other)
        yield from _importers(held, name)


def _importers(held: Point, name: str) -> Iterator[Point]:
    """The scopes of the files that import a global name."""
    home, project = held.module.path, held.project
    stem = home.rpartition("/")[2].removesuffix(".py")
    for path in project.importing(stem, name):
        other = project.module(path) if path != home else None
        base, _, last = other.imports.get(name, "").rpartition(".") if other else ("", "", "")
        if other and base and last == name and project.resolve(path, base) == home:
            yield from (held.to(other, scope) for scope in other.scopes)


def _has_fixed_attributes(at: Point, name: str) -> bool:
    """Whether an object's class says which attributes it takes."""
    for value in values_of(at.scope, name):
        if isinstance(value, ast.Call):
            found = at.project.definition(at.module, dotted(value.func) or "")
            text = ast.unparse(found[1]) if found else ""
            if "__slots__" in text or "__setattr__" in text or "slots=True" in text:
                return True
    return False


def _compared(at: Point, node: ast.Compare, form: str) -> Reason | None:
    asks = (ast.Is, ast.IsNot) if form == TEXT else (ast.Is, ast.IsNot, ast.In, ast.NotIn)
    if not all(isinstance(op, asks) for op in node.ops):
        return Reason.of("engine.option-compared", place=at.place(node))
    return None


def changed_by_option(at: Point, name: str, form: str, option: str) -> Reason | None:
    """The first use of the options, held as `name` at a point, that one more would change."""
    follower = _Follower(option)
    follower.hold(at, name, form)
    return follower.run()


def changed_by_parsed(at: Point, call: ast.Call, option: str) -> Reason | None:
    """The same from the call that parses them on."""
    follower = _Follower(option)
    return follower.use(at, call, OBJECT) or follower.run()


def _takes_apart(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(
        isinstance(target, (ast.Tuple, ast.List))
        and not any(isinstance(one, ast.Starred) for one in target.elts)
        for target in targets
    )
