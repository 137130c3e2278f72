"""Training hooks that a kit already has, in whatever form they were written.

A call of `to_static` trains when nothing says that it exports: export scripts, decorators
on inference methods, scopes that save a program, `dist.to_static` (another API) and dead
imports are not hooks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.code.module import Module, Scope, by_name, callee, dotted, handed
from codemod.code.project import Project
from codemod.code.sites import HOOKS, first_argument

EXPORTING = re.compile(
    r"export|infer|predict|serving|deploy|(^|[/_.])save|to_static\.py$|quant_post|"
    r"generat|(^|/)tests?/|unittest|onnx|taskflow|static_|/static/",
    re.IGNORECASE,
)
UTILITIES = re.compile(r"\w+_utils\.py$")
NOT_THE_MODEL = re.compile(r"to_static|static$|config|cfg|logger|shape|spec|^args$", re.IGNORECASE)
MODELS = re.compile(r"model|net|transformer|generator", re.IGNORECASE)
SWITCH = re.compile(r"static|d2s|dy2st", re.IGNORECASE)
DISTRIBUTED = re.compile(r"(^|[._])dist(ributed)?$")
# Read before parsing: most files that name `to_static` have a flag or a comment of it.
HELPER = re.compile(rb"def _?(apply_)?to_static")
CALL = re.compile(rb"to_static\w{0,60}\s{0,60}\(")
SAVES = frozenset({"save_inference_model", "save_program", "save_jit_model"})


@dataclass(frozen=True)
class Present:
    """A hook that stands: `node` is the call, `gate` the condition on it as source text."""

    module: Module
    scope: Scope
    node: ast.Call
    target: str
    gate: str | None
    input_spec: str | None = None

    @property
    def line(self) -> int:
        """1-based line of the call."""
        return self.node.lineno


def is_hook_call(call: ast.Call) -> bool:
    """Whether the call is `to_static` itself, not of the distributed API."""
    name = dotted(call.func) or ""
    if callee(call) != "to_static":
        return False
    base = name.rpartition(".")[0]
    return not DISTRIBUTED.search(base) and base != "self"


def _helpers(project: Project) -> Iterator[tuple[str, Scope]]:
    """Functions that hook what they are given, `apply_to_static(config, model)`, by file."""
    for path in project.mentioning("to_static"):
        # Helpers of training may stand in `export_utils.py`: such a file is not an export script.
        exporting = EXPORTING.search(UTILITIES.sub("", path))
        defines = HELPER.search(project.tree.read(path))
        module = project.module(path) if defines and not exporting else None
        for scope in module.scopes if module else ():
            exports_itself = scope.owner is not None and scope.function == "to_static"
            named = HOOKS.match(scope.function) and not exports_itself
            if named and any(map(is_hook_call, scope.calls)):
                yield path, scope


def scan(project: Project) -> tuple[Present, ...]:
    """All training hooks of the kit, by file and line."""
    known = tuple(_helpers(project))
    inner = {(path, scope.name) for path, scope in known}
    names = {scope.function for _, scope in known}
    found: list[Present] = []
    for path in project.mentioning("to_static"):
        calls = CALL.search(project.tree.read(path))
        module = project.module(path) if calls and not EXPORTING.search(path) else None
        for scope in module.scopes if module else ():
            if module and (path, scope.name) not in inner and not _exports(scope):
                found.extend(_in_scope(project, module, scope, names))
    return tuple(sorted(found, key=lambda p: (p.module.path, p.line)))


def _exports(scope: Scope) -> bool:
    """Whether a scope exports, or has no call at all that would hook for training."""
    if not scope.mentions("to_static") or EXPORTING.search(scope.name):
        return True
    names = [(callee(call), dotted(call.func) or "") for call in scope.calls]
    saves = any(last in SAVES or name.endswith("jit.save") for last, name in names)
    return saves or not any("to_static" in last for last, _ in names)


def _in_scope(project: Project, module: Module, scope: Scope, names: set[str]) -> Iterator[Present]:
    for call in scope.calls:
        if is_hook_call(call):
            given, target = by_name(call, "input_spec"), first_argument(call)
            if target is not None and "not_to_static" not in ast.unparse(call.func):
                spec = ast.unparse(given) if given else None
                yield Present(module, scope, call, ast.unparse(target), gate_of(scope, call), spec)
        elif callee(call) in names - {scope.function, "to_static"}:
            yield Present(
                module,
                scope,
                call,
                _model_argument(call),
                helper_gate(project, module, scope, call),
            )


def _model_argument(call: ast.Call) -> str:
    """The argument of a helper that is the model: neither the switch nor the config."""
    given = [ast.unparse(value) for value in handed(call)]
    rest = [name for name in given if not NOT_THE_MODEL.search(name)]
    return next((name for name in rest if MODELS.search(name)), next(iter(rest), ""))


def gate_of(scope: Scope, call: ast.Call) -> str | None:
    """The condition around a call that names static training, else the innermost one."""
    tests: list[str] = []
    for statement in scope.statements:
        node = statement.node
        if isinstance(node, ast.If) and node.lineno <= call.lineno <= (node.end_lineno or 0):
            tests.append(ast.unparse(node.test))
    naming = [test for test in tests if SWITCH.search(test)]
    return next(iter((*reversed(naming), *reversed(tests))), None)


def helper_gate(project: Project, module: Module, scope: Scope, call: ast.Call) -> str | None:
    """The condition on a hook, which may be in the helper that is called instead of around it."""
    around = gate_of(scope, call)
    if around and SWITCH.search(around):
        return around
    name = dotted(call.func) or ""
    found = project.function_named(module, call.func)
    inner = found[1] if found else None
    if scope.owner is not None and name.startswith("self."):
        inner = module.scope(f"{scope.owner.name}.{name[5:]}")
    if inner is None:
        return around
    for statement in inner.statements:
        node = statement.node
        if isinstance(node, ast.If) and SWITCH.search(ast.unparse(node.test)):
            return ast.unparse(node.test)
    return around
