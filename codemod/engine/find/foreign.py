"""Trainers of an unknown repository whose models are no nets that a static graph is known to fit.

What a model is, its class says, wherever that is defined and whoever hands the model over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import group
from codemod.code.traversal import names_in, walk
from codemod.engine.assignments import assignments
from codemod.engine.find.handover import givers
from codemod.engine.find.target import Target
from codemod.engine.find.unsound.soundness import creates_graph

# Libraries whose graphs are objects: a forward takes them beside its tensors.
GRAPHS = frozenset(("pgl", "dgl"))
# What makes a net that samples a part of itself in each step.
SUPERNETS = {"OFA": "paddleslim"}
# So far is a model followed to the calls that build it, and `forward` to the methods that it calls.
_LEVELS = 4
_METHOD_LEVELS = 3


def foreign_file(module: Module) -> Reason | None:
    """Why a trainer of this file is left alone, as its imports say; None where they do not."""
    if of_pytorch(module):
        return Reason.of("engine.pytorch")
    if graphs := sorted(_roots(module) & GRAPHS):
        return Reason.of("engine.graph-objects", library=graphs[0])
    return None


def foreign(project: Project, target: Target) -> Reason | None:
    """Why a model is left alone, as the file, its class and the trainer's class say."""
    module, scope = target.module, target.scope
    if reason := foreign_file(module) or _supernet(target):
        return reason
    if scope.owner and (reason := _differentiates(module, scope.owner)):
        return reason
    for home, class_ in _classes(project, module, scope, target.name, _LEVELS):
        if graphs := sorted(_roots(home) & GRAPHS):
            return Reason.of("engine.graph-classes", place=home.path, library=graphs[0])
        if reason := _differentiates(home, class_):
            return reason
        if line := written_by_forward(home, class_):
            place = Reason.of("code.place", file=home.path, line=line)
            return Reason.of("engine.written-by-forward", place=place)
        if found := object_of_forward(home, class_):
            place = Reason.of("code.place", file=home.path, line=found[0])
            return Reason.of("engine.object-of-forward", place=place, read=found[1])
    return None


def _roots(module: Module) -> set[str]:
    return {name.lstrip(".").partition(".")[0] for name in module.imports.values()}


def of_pytorch(module: Module) -> bool:
    """Whether a file imports PyTorch and not Paddle."""
    return "torch" in (roots := _roots(module)) and "paddle" not in roots


def _supernet(target: Target) -> Reason | None:
    for _, bound, value in assignments(target.scope):
        if not isinstance(value, ast.Call) or callee(value) not in SUPERNETS:
            continue
        whole = any(f"{one}.".startswith(f"{net}.") for one in target.names for net in bound)
        library = target.module.imports.get((dotted(value.func) or "").partition(".")[0], "")
        if whole and library.startswith(SUPERNETS[callee(value)]):
            return Reason.of("engine.another-net", line=value.lineno, builder=callee(value))
    return None


def _differentiates(module: Module, class_: ast.ClassDef) -> Reason | None:
    """Whether a method of the class keeps a gradient to differentiate it."""
    for method in module.methods(class_):
        for call in method.calls if method.mentions("create_graph") else ():
            if creates_graph(call):
                place = Reason.of("code.place", file=module.path, line=call.lineno)
                return Reason.of("engine.gradient-of-gradient", place=place)
    return None


def _classes(
    project: Project, module: Module, scope: Scope, name: str, levels: int
) -> Iterator[ClassInModule]:
    """The classes of this repository that a model may be of, callers and builders followed."""
    names = group(scope, name)
    shared = name.startswith("self.") and scope.owner is not None and levels
    for method in module.methods(scope.owner) if shared and scope.owner else ():
        if method is not scope and method.mentions(f"{name} ="):
            yield from _classes(project, module, method, name, 0)
            for parameter in group(method, name).intersection(method.parameters):
                yield from _classes(project, module, method, parameter, levels - 1)
    for _, targets, value in assignments(scope):
        if isinstance(value, ast.Call) and names.intersection(targets):
            yield from _made_by(project, module, value, levels)
    for parameter in sorted(names.intersection(scope.parameters)) if levels else ():
        for caller, given in givers(project, module, scope, frozenset({parameter})):
            yield from _classes(project, caller.module, caller.scope, given, levels - 1)


def _made_by(
    project: Project, module: Module, call: ast.Call, levels: int
) -> Iterator[ClassInModule]:
    if isinstance(call.func, ast.Subscript):
        yield from _named_at_run_time(project, module, call)
        return
    if made := project.class_named(module, call.func):
        yield made
        return
    found = project.function_named(module, call.func) if levels else None
    for statement in found[1].statements if found else ():
        value = statement.node.value if isinstance(statement.node, ast.Return) else None
        if found and isinstance(value, ast.Call):
            yield from _made_by(project, found[0], value, levels - 1)
        elif found and isinstance(value, ast.Name):
            yield from _classes(project, *found, value.id, levels - 1)


def _named_at_run_time(project: Project, module: Module, call: ast.Call) -> Iterator[ClassInModule]:
    """What `nets.__dict__[name](...)` makes, where one class takes all keywords of the call.

    The classes are those that functions of the file build; one that only takes them by `**kwargs`
    counts where no other does.
    """
    names = call.func.value if isinstance(call.func, ast.Subscript) else None
    owner, _, last = (dotted(names) or "").rpartition(".")
    path = project.resolve(module.path, module.imports.get(owner, "")) if owner else None
    home = project.module(path) if path and last == "__dict__" else None
    if home is None:
        return
    built = {dotted(one.func) for scope in home.scopes if not scope.owner for one in scope.calls}
    given = {word.arg for word in call.keywords if word.arg}
    taking: dict[bool, list[ast.ClassDef]] = {True: [], False: []}
    for name, class_ in home.classes.items():
        init = next((m for m in home.methods(class_) if m.function == "__init__"), None)
        if name not in built or init is None or isinstance(init.node, ast.Module):
            continue
        explicit = given <= set(init.parameters)
        if explicit or init.node.args.kwarg:
            taking[explicit].append(class_)
    found = taking[True] or taking[False]
    if len(found) == 1:
        yield ClassInModule(home, found[0])


# What a tensor has that is read and not called.
_OF_TENSORS = frozenset(
    {"shape", "dtype", "ndim", "size", "place", "name", "stop_gradient", "grad", "is_leaf"}
    | {"persistable", "data", "T", "mT", "rank", "type", "inplace_version", "itemsize"}
    | {"real", "imag", "strides", "trainable", "block", "lod_level"}
)


def object_of_forward(module: Module, class_: ast.ClassDef) -> tuple[int, str] | None:
    """Where `forward` reads what its first argument has and no tensor has: line and `data.x`.

    Measured on Paddle 2.6.2 and 3.3.1 in AST: the object's tensors become constants of the program.
    One that is kept while its tensors change gives the gradients of the first ones, in silence; a
    new object a step traces a program a step. SOT does as dynamic training.
    """
    forward = next((m for m in module.methods(class_) if m.function == "forward"), None)
    if forward is None or len(forward.parameters) < 2:
        return None
    given = forward.parameters[1]
    called = {id(call.func) for call in forward.calls}
    for node in forward.nodes:
        if isinstance(node, (ast.Assign, ast.For)) and _rebinds(node, given):
            return None
    for node in forward.nodes:
        if not isinstance(node, ast.Attribute) or id(node) in called:
            continue
        of_given = isinstance(node.value, ast.Name) and node.value.id == given
        if of_given and isinstance(node.ctx, ast.Load) and node.attr not in _OF_TENSORS:
            return node.lineno, f"{given}.{node.attr}"
    return None


def _rebinds(node: ast.Assign | ast.For, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = (part for target in targets for part in walk(target))
    return any(
        isinstance(p, ast.Name) and p.id == name and isinstance(p.ctx, ast.Store) for p in parts
    )


_WRITES = frozenset(
    {"scale_", "add_", "subtract_", "multiply_", "lerp_", "copy_", "set_value", "set_state_dict"}
)
_WEIGHTS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers"})


def written_by_forward(module: Module, class_: ast.ClassDef) -> int | None:
    """The line in `forward`, or in a method that it calls, that writes weights; None without.

    A teacher that `forward` moves by `scale_` and `add_`, or by `set_value`, moves in dynamic
    training alone (`D-90`).
    """
    methods = {method.function: method for method in module.methods(class_)}
    waiting = [methods["forward"]] if "forward" in methods else []
    for _ in range(_METHOD_LEVELS):
        for method in waiting:
            if line := next(_written(method), None):
                return line
        called = {name[5:] for method in waiting for name in method.called if name[:5] == "self."}
        waiting = [methods[name] for name in sorted(called) if name in methods]
    return None


def _written(scope: Scope) -> Iterator[int]:
    weights = _weights(scope)
    for call in scope.calls:
        func = call.func
        written: ast.expr | None = None
        if isinstance(func, ast.Attribute) and func.attr in _WRITES:
            written = func.value
        elif dotted(func) == "paddle.assign":
            given = [word.value for word in call.keywords if word.arg == "output"]
            written = next(iter((*given, *call.args[1:2])), None)
        name = dotted(written) or ""
        if name.split(".")[0] in weights or name.startswith("self."):
            yield call.lineno


def _weights(scope: Scope) -> frozenset[str]:
    """What loops over weights call them."""
    return frozenset(
        name
        for node in scope.nodes
        if isinstance(node, (ast.For, ast.comprehension))
        and any(isinstance(one, ast.Call) and callee(one) in _WEIGHTS for one in walk(node.iter))
        for name in names_in(node.target)
    )
