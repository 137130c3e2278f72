"""What Paddle does again and again while it traces a net, done once: the same programs, sooner.

A probe's static run spends most of its time in Paddle's Python code, and there in work that grows
with the square of the net: counting the operators of a block by listing them all, copying sets by
hashing every member, reading the same source once more. Each shortcut here gives what the long way
gives, to the byte. An edit names the text that it replaces: where a Paddle has other text, its
function is left as it is.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import linecache
import os
import sys
import textwrap
import traceback
from typing import Any

_EVERY_FUNCTION = """\
        func
        for module in BUILTIN_LIKELY_MODULES
        for func in get_module_functions(module)
"""
_THIS_FUNCTION = """\
        found
        for module in BUILTIN_LIKELY_MODULES
        for found in _codemod_members(get_module_functions, module, func)
"""
# Module, function, text of it, what stands there instead. No edit moves a line: messages name them.
EDITS = (
    *(
        (
            module,
            "OrderedSet.__init__",
            "dict.fromkeys(items) if",
            "(items._data.copy() if type(items) is OrderedSet else dict.fromkeys(items)) if",
        )
        for module in ("paddle.jit.utils", "paddle.jit.sot.utils.utils")
    ),
    (
        "paddle.jit.sot.opcode_translator.executor.side_effects",
        "SideEffects.get_state",
        "[proxy.version for proxy in",
        "[len(proxy.records) for proxy in",
    ),
    (
        "paddle.jit.dy2static.pir_partial_program",
        "ValuePreservePass.attach_preserved_name",
        "len(program.global_block().ops)",
        "len(program.global_block())",
    ),
    (
        "paddle.autograd.ir_backward",
        "append_backward_ops",
        "_ops_num = len(bwd_block.ops)",
        "_ops_num = len(bwd_block)",
    ),
    (
        "paddle.jit.dy2static.convert_call_func",
        "is_unsupported",
        _EVERY_FUNCTION,
        _THIS_FUNCTION,
    ),
)


def take(paddle: Any) -> list[str]:
    """Make the edits that fit this Paddle; returns the functions that were changed."""
    _read_once(os.path.join(os.path.dirname(paddle.__file__), "shortcuts.py"))
    edited = []
    for module, path, old, new in EDITS:
        function = _function(module, path)
        if function is not None and _edit(function, old, new):
            edited.append(f"{module}.{path}")
    return edited


def _function(module: str, path: str) -> Any:
    """The function of that name; None where this Paddle has none."""
    try:
        found: Any = importlib.import_module(module)
    except ImportError:
        return None
    for name in path.split("."):
        found = getattr(found, name, None)
    return inspect.unwrap(found) if inspect.isfunction(found) else None


def _edit(function: Any, old: str, new: str) -> bool:
    """Give the function the code of its edited source; False where there is no such text in it.

    The function stays the same object, with its file, its lines and its globals.
    """
    try:
        lines, first = inspect.getsourcelines(function)
    except OSError:  # a Paddle that was installed without its source
        return False
    source = "".join(lines)
    if old not in source or function.__closure__:
        return False
    edited = textwrap.dedent(source.replace(old, new))
    # Decorators have done their work.
    body = edited[edited.index("def " + function.__name__) :]
    skipped = edited[: len(edited) - len(body)].count("\n")
    whole = compile("\n" * (first - 1 + skipped) + body, function.__code__.co_filename, "exec")
    code = next(
        const
        for const in whole.co_consts
        if inspect.iscode(const) and const.co_name == function.__name__
    )
    function.__globals__["_codemod_members"] = _members
    function.__code__ = code
    return True


@functools.lru_cache(maxsize=None)
def _by_identity(listing: Any, module: Any) -> dict[int, tuple[Any, ...]]:
    return {id(function): (function,) for function in listing(module)}


def _members(listing: Any, module: Any, function: Any) -> tuple[Any, ...]:
    """Those of `listing(module)`, which keeps them alive, that are this very function."""
    return _by_identity(listing, module).get(id(function), ())


def _read_once(paddle: str) -> None:
    """Look source up once: Paddle asks for the whole stack with its lines at every operator.

    What stands in for functions of the standard library pretends to be a file of Paddle's, which
    SOT leaves alone.
    """

    def hidden(function: Any) -> Any:
        function.__code__ = function.__code__.replace(co_filename=paddle)
        return function

    # No file changes while a run lasts.
    linecache.checkcache = hidden(_unchanged)
    traceback.extract_stack = hidden(_extract_stack)
    inspect.getsourcelines = hidden(_lines_once(inspect.getsourcelines))
    inspect.getmodule = hidden(_module_once(inspect.getmodule))


def _unchanged(filename: Any = None) -> None:
    """In the place of `linecache.checkcache`."""


_long_stack = traceback.extract_stack


@functools.lru_cache(maxsize=None)
def _summary(code: Any, line: int) -> traceback.FrameSummary:
    return traceback.FrameSummary(code.co_filename, line, code.co_name)


def _extract_stack(f: Any = None, limit: Any = None) -> traceback.StackSummary:
    frame = f if f is not None else sys._getframe(1)
    if limit is not None or hasattr(sys, "tracebacklimit"):
        return _long_stack(frame, limit)
    found = traceback.StackSummary()
    while frame is not None:
        if frame.f_code.co_filename not in linecache.cache:
            linecache.lazycache(frame.f_code.co_filename, frame.f_globals)
        found.append(_summary(frame.f_code, frame.f_lineno))
        frame = frame.f_back
    found.reverse()
    return found


def _lines_once(original: Any) -> Any:
    known: dict[Any, tuple[list[str], int]] = {}

    def getsourcelines(thing: Any, /) -> tuple[list[str], int]:
        code = getattr(inspect.unwrap(thing), "__code__", None) if callable(thing) else None
        if not inspect.iscode(code):
            found: tuple[list[str], int] = original(thing)
            return found
        if code not in known:
            known[code] = original(thing)
        lines, first = known[code]
        return list(lines), first

    return getsourcelines


def _module_once(original: Any) -> Any:
    known: dict[Any, Any] = {}

    def getmodule(thing: Any, filename: Any = None, /) -> Any:
        if not inspect.isframe(thing):
            return original(thing, filename)
        # The answer rests on the file and on the modules that are there.
        key = (thing.f_code.co_filename, filename, len(sys.modules))
        if key not in known:
            known[key] = original(thing, filename)
        return known[key]

    return getmodule
