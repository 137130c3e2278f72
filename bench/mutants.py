"""Mutation testing: the small changes of a module that its tests do not notice.

    python -m bench.mutants codemod/judging/judge.py tests/judging [-k EXPRESSION] [--line N]...
        [--every N] [--floor SHARE]

The tests are collected once. For each mutant (a comparison turned round, a condition dropped, a
number one larger, a statement left out), or for every N-th one, a forked process exchanges the code
of the one function that it lies in, and runs the tests until one fails. What no test notices is
listed. Code outside of functions is left alone, and so are texts with a space: they are for people.
With `--floor` the exit code is 1 only where a smaller share is noticed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import importlib
import io
import itertools
import os
import resource
import sys
import tempfile
import time
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# A mutant may take this many times the processor time of the tests themselves, and some seconds.
PATIENCE, GRACE_S = 5, 5
FLAGS = ("-m", "not slow", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")


@dataclass(frozen=True)
class Mutant:
    """One change: the function that it lies in, by qualified name, and that function's new code."""

    line: int
    what: str
    function: str
    code: types.CodeType


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What a node may become, each with a word for it."""
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                for other in COMPARED[type(op)]:
                    twin = copy.copy(node)
                    twin.ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield f"{type(op).__name__} to {other.__name__}", twin
        case ast.BoolOp():
            other_way = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", ast.BoolOp(other_way, node.values)
            for value in node.values:
                rest = [one for one in node.values if one is not value]
                dropped = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
                yield f"without `{ast.unparse(value)}`", dropped
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "without its sign", node.operand
        case ast.BinOp() if type(node.op) in COMPUTED:
            yield "another operator", ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
        case ast.Constant(value=bool(truth)):
            yield "the other truth", ast.Constant(not truth)
        case ast.Constant(value=int(number) | float(number)):
            yield "one more", ast.Constant(number + 1)
        case ast.Constant(value=str(text)) if " " not in text:
            yield "another text", ast.Constant(text + "XX")
        case ast.IfExp():
            yield "branches exchanged", ast.IfExp(node.test, node.orelse, node.body)
        case ast.comprehension():
            for test in node.ifs:
                twin_loop = copy.copy(node)
                twin_loop.ifs = [one for one in node.ifs if one is not test]
                yield f"without `if {ast.unparse(test)}`", twin_loop
        case ast.If() | ast.While() if isinstance(node.test, ast.Name | ast.Call | ast.Attribute):
            twin_branch = copy.copy(node)
            twin_branch.test = ast.UnaryOp(ast.Not(), node.test)
            yield "condition turned round", twin_branch
        case ast.Return() if node.value is not None and not _is_none(node.value):
            yield "returns None", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield "left out", ast.Pass()
        case ast.Continue() | ast.Break():
            yield "left out", ast.Pass()
        case ast.Name(id=name, ctx=ast.Load()) if name in TWINS:
            yield f"{name} to {TWINS[name]}", ast.Name(TWINS[name], ast.Load())


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes within a function that are code, not types, docstrings or pieces of a text."""
    yield node
    skipped: list[Any] = []
    if isinstance(node, ast.JoinedStr):
        skipped = [part for part in node.values if isinstance(part, ast.Constant)]
    if isinstance(node, ast.AnnAssign):
        skipped = [node.annotation]
    if isinstance(node, ast.FunctionDef):
        skipped = [*node.decorator_list, node.returns, node.args]
    for child in ast.iter_child_nodes(node):
        if child not in skipped:
            yield from _places(child)


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions of the module and methods of its classes, by qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def mutants(file: Path) -> Iterator[Mutant]:
    """All mutants of a module, from top to bottom."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for name, function in _functions(tree):
        for node in _places(function):
            for what, other in changes(node):
                changed = ast.fix_missing_locations(_copied(tree, node, other))
                code = compile(changed, str(file), "exec", dont_inherit=True)
                line = getattr(node, "lineno", None) or node.target.lineno  # type: ignore[attr-defined]
                yield Mutant(line, what, name, _code_of(code, name))


def _copied(tree: ast.Module, node: ast.AST, other: ast.AST) -> ast.Module:
    known = {id(node): other}
    # A copy of the tree in which the node's place is taken by the other.
    whole: ast.Module = copy.deepcopy(tree, known)
    return whole


def _code_of(code: types.CodeType, name: str) -> types.CodeType:
    for part in name.split("."):
        inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
        code = next(one for one in inner if one.co_name == part)
    return code


def function_in(module: types.ModuleType, name: str) -> types.FunctionType:
    """The function behind a qualified name, out of its property, cache or class method."""
    found: Any = module
    for part in name.split("."):
        found = vars(found)[part]
    while not isinstance(found, types.FunctionType):
        if isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.cached_property):
            found = found.func
        else:
            found = found.__wrapped__
    inner: types.FunctionType = getattr(found, "__wrapped__", found)
    return inner


class Trials:
    """A pytest plugin: runs the collected tests once for each mutant."""

    def __init__(self, file: Path, lines: list[int], every: int) -> None:
        self._file, self._lines, self._every = file, lines, every
        self.survivors: list[Mutant] = []
        self.total = 0
        self.sound = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        module = importlib.import_module(".".join(self._file.with_suffix("").parts))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.sound = _passes(session, None, None, 3600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if not self.sound:
            return True
        for mutant in itertools.islice(mutants(self._file), 0, None, self._every):
            if self._lines and mutant.line not in self._lines:
                continue
            self.total += 1
            function = function_in(module, mutant.function)
            if _passes(session, function, mutant.code, int(PATIENCE * spent + GRACE_S)):
                self.survivors.append(mutant)
        return True


def _passes(
    session: pytest.Session,
    function: types.FunctionType | None,
    code: types.CodeType | None,
    limit_s: int,
) -> bool:
    """Whether all tests pass with that code in the function's place, in a process of its own."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    failed = True
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        if function is not None and code is not None:
            function.__code__ = code
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                break
        failed = bool(session.testsfailed)
    finally:
        os._exit(int(failed))


def main() -> int:
    """Print the score and the survivors; the exit code is 1 if there are too many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("-k", default="")
    parser.add_argument("--line", type=int, action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--floor", type=float)
    args = parser.parse_args()
    trials = Trials(args.module, args.line, args.every)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        words = [*FLAGS, "-k", args.k, f"--basetemp={folder}/base", *args.tests]
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main(words, plugins=[trials])
    if not trials.sound:
        sys.exit("The tests do not pass as they are.")
    killed = trials.total - len(trials.survivors)
    seconds = time.monotonic() - started
    print(f"{args.module}: {killed} of {trials.total} mutants noticed, {seconds:.0f} s")
    source = args.module.read_text(encoding="utf-8").splitlines()
    for mutant in trials.survivors:
        print(f"{mutant.line}: {mutant.what}: {source[mutant.line - 1].strip()}")
    if args.floor is not None:
        return int(killed < args.floor * trials.total)
    return int(bool(trials.survivors))


if __name__ == "__main__":
    raise SystemExit(main())
