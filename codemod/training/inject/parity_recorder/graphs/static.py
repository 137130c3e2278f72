"""Count what was really static: hooks, traced programs, captured graphs, breaks and fallbacks.

Some of these functions run while SOT watches every Python frame. They therefore only touch dicts
and lists, and pretend to be Paddle's own files, which SOT leaves alone.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from typing import Any, Callable

from .amp import patch_amp
from .compiling import Compiling
from .outputs import copies_asked, copy_outputs

REASONS_KEPT = 200
# One break is raised anew by every function that the broken one was inlined in (2.6 and 3.x).
RERAISED = ("raised while inline call", "encountered breakgraph error caused by")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _translated_place() -> list[Any]:
    """`[file, line]` of the user's code that SOT is translating now; empty where it is not.

    The simulated program is no Python frame: the innermost executor among our callers knows it.
    """
    frame: Any = sys._getframe(2)
    while frame is not None:
        executor = frame.f_locals.get("self")
        line = getattr(executor, "_current_line", None)
        # Asked of executors alone: `code` of Paddle's function in SOT raises.
        if line is not None:
            holder = getattr(executor, "vframe", executor)
            code: Any = getattr(holder, "_code", None) or getattr(holder, "code", None)
            if hasattr(code, "co_filename"):
                return [code.co_filename, line if line > 0 else code.co_firstlineno]
        frame = frame.f_back
    return []


# Paddle 3 lists a program's parameters and inputs among its operators.
_NO_OPERATORS = ("builtin.", "cf.", "pd_op.data", "pd_op.shadow_output", "feed", "fetch")


def _name(op: Any) -> str:
    return str(op.name()) if callable(getattr(op, "name", None)) else str(op.type)


def _ops(program: Any) -> int:
    try:
        ops = program.global_block().ops
        return sum(1 for op in ops if not _name(op).startswith(_NO_OPERATORS))
    except Exception:  # a program of an unknown kind has no count; the trace itself still counts
        return -1


def _strategy(strategy: Any) -> list[str] | None:
    """The passes that a BuildStrategy switches on; None where none was handed over."""
    if strategy is None:
        return None
    names = [name for name in dir(strategy) if not name.startswith("_")]
    return [name for name in names if getattr(strategy, name, None) is True]


class Static:
    """Counters of one process; `take` hands over what came since the last step."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._counts: dict[str, float] = {}
        self.compiling = Compiling(self._counts)
        self._pending: list[dict[str, Any]] = []
        self.last_calls: dict[int, Any] = {}
        self._paddle_file = os.path.join(os.path.dirname(session.paddle.__file__), "parity.py")

    def take(self) -> dict[str, float]:
        """The counts since the last call; pending events go to the journal."""
        counts = dict(self._counts)
        self._counts.clear()
        pending = list(self._pending)
        del self._pending[:]
        for fields in pending:
            if "program" in fields:
                program = fields.pop("program")
                fields["ops"] = _ops(program.main_program) if program is not None else -1
            self._session.journal.write(**fields)
        return counts

    def patch(self, inputs: Any) -> None:
        """Patch everything that this Paddle has; what it lacks is left out."""
        self._patch_to_static()
        translator = _module("paddle.jit.dy2static.program_translator")
        if translator is not None:
            self._patch_calls(translator.StaticFunction, inputs)
            for name in ("from_func_spec", "pir_from_func_spec"):
                if name in vars(translator.ConcreteProgram):
                    self._patch_trace(translator.ConcreteProgram, name)
            self._time_tracing(translator.ProgramCache, "_build_once")
            if copies_asked():
                copy_outputs(translator, self._session.paddle, self._as_paddle)
        for name in ("partial_program", "pir_partial_program"):
            module = _module("paddle.jit.dy2static." + name)
            if module is not None:
                self._count_calls(module.PartialProgramLayer, "__call__", "ast_runs")
                self._count_operators(module.PartialProgramLayer)
                self._time_runs(module.PartialProgramLayer)
        self._patch_sot()
        patch_amp(self._session, self._counts, self._as_paddle)

    def _as_paddle(self, function: Any) -> Any:
        function.__code__ = function.__code__.replace(co_filename=self._paddle_file)
        return function

    def _time_tracing(self, owner: Any, name: str) -> None:
        timed = self.compiling.tracing(getattr(owner, name))
        setattr(owner, name, self._as_paddle(timed))

    def _time_runs(self, owner: Any) -> None:
        owner.__call__ = self._as_paddle(self.compiling.running(owner.__call__))

    def _count_calls(self, owner: Any, name: str, counter: str) -> None:
        original = getattr(owner, name)
        counts = self._counts

        def counted(*args: Any, **kwargs: Any) -> Any:
            counts[counter] = counts.get(counter, 0) + 1
            return original(*args, **kwargs)

        setattr(owner, name, self._as_paddle(functools.wraps(original)(counted)))

    def _count_operators(self, owner: Any) -> None:
        """Add the operators of the program that a layer's call runs."""
        original = owner.__call__
        counts = self._counts
        known: dict[int, int] = {}

        def counted(layer: Any, *args: Any, **kwargs: Any) -> Any:
            key = id(layer)
            if key not in known:
                known[key] = _ops(getattr(layer, "_origin_main_program", None))
            counts["program_ops"] = counts.get("program_ops", 0) + max(0, known[key])
            return original(layer, *args, **kwargs)

        owner.__call__ = self._as_paddle(functools.wraps(original)(counted))

    def _patch_calls(self, static_function: Any, inputs: Any) -> None:
        original = static_function.__call__
        counts, last = self._counts, self.last_calls

        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            last[id(function)] = (function, args, kwargs)
            if function._program_trans_enabled():
                counts["hooked_calls"] = counts.get("hooked_calls", 0) + 1
            inputs.seen(inputs.name_of(function), args, kwargs)
            return original(function, *args, **kwargs)

        def enabled(function: Any) -> bool:
            manager = getattr(function, "_program_trans", None) or getattr(
                function, "_prog_trans", None
            )
            return bool(getattr(manager, "enable_to_static", True))

        static_function._program_trans_enabled = enabled
        static_function.__call__ = self._as_paddle(functools.wraps(original)(called))

    def _patch_trace(self, owner: Any, name: str) -> None:
        original = getattr(owner, name)
        counts, pending = self._counts, self._pending

        def traced(*args: Any, **kwargs: Any) -> Any:
            program = original(*args, **kwargs)
            counts["traces"] = counts.get("traces", 0) + 1
            # A net in evaluation has a program of its own.
            training = getattr(kwargs.get("class_instance"), "training", None)
            fields = {"t": "trace", "kind": "program", "ops": _ops(program.main_program)}
            pending.append({**fields, "training": training})
            return program

        setattr(owner, name, staticmethod(functools.wraps(original)(traced)))

    def _patch_to_static(self) -> None:
        paddle = self._session.paddle
        original = paddle.jit.to_static

        @functools.wraps(original)
        def to_static(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            caller = sys._getframe(1)
            # Paddle calls its own to_static while it captures graphs.
            if not str(caller.f_globals.get("__name__", "")).startswith("paddle."):
                self._note_hook(caller, args, kwargs)
            return result

        paddle.jit.to_static = to_static

    def _note_hook(self, caller: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        target = args[0] if args else kwargs.get("function")
        layer = isinstance(target, self._session.paddle.nn.Layer)
        forward = type(getattr(target, "forward", None)).__name__ if layer else ""
        spec = kwargs.get("input_spec", args[1] if len(args) > 1 else None)
        self._session.journal.write(
            t="hook",
            target=type(target).__name__ if layer else getattr(target, "__qualname__", "?"),
            kind="layer" if layer else "function",
            forward=forward,
            file=caller.f_code.co_filename,
            line=caller.f_lineno,
            full_graph=kwargs.get("full_graph"),
            input_spec=None if spec is None else repr(spec)[:2000],
            build_strategy=_strategy(kwargs.get("build_strategy", args[2] if args[2:] else None)),
        )

    def _patch_sot(self) -> None:
        cache = _module("paddle.jit.sot.symbolic.compile_cache")
        if cache is None:
            return
        self._patch_graph_runs(cache.FallbackWrapper)
        self._time_runs(cache.FallbackWrapper)
        exceptions = _module("paddle.jit.sot.utils.exceptions")
        for name in ("BreakGraphError", "FallbackError"):
            error = getattr(exceptions, name, None)
            if error is not None:
                self._patch_reason(error, name)
        executor = _module("paddle.jit.sot.opcode_translator.executor.executor_cache")
        if executor is not None and hasattr(executor, "start_translate"):
            self._count_calls(executor, "start_translate", "translations")
            self._time_tracing(executor, "start_translate")

    def _patch_graph_runs(self, wrapper: Any) -> None:
        original = wrapper.__call__
        counts, pending = self._counts, self._pending
        known: dict[int, Any] = {}

        def run(graph: Any, *args: Any, **kwargs: Any) -> Any:
            counts["sot_graphs"] = counts.get("sot_graphs", 0) + 1
            result = original(graph, *args, **kwargs)
            if id(graph) not in known:
                # Kept alive, so that no other graph can take its identity.
                program = getattr(graph, "concrete_program", None)
                known[id(graph)] = (graph, _ops(getattr(program, "main_program", None)))
                pending.append({"t": "trace", "kind": "graph", "program": program})
            counts["program_ops"] = counts.get("program_ops", 0) + max(0, known[id(graph)][1])
            return result

        wrapper.__call__ = self._as_paddle(functools.wraps(original)(run))

    def _patch_reason(self, error: Any, name: str) -> None:
        original: Callable[..., None] = error.__init__
        counts, pending = self._counts, self._pending
        seen: set[str] = set()

        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            whole = str(args[0] if args else "")
            if any(words in whole for words in RERAISED):
                return
            counts[name] = counts.get(name, 0) + 1
            reason = whole[:400]
            if reason not in seen and len(seen) < REASONS_KEPT:
                seen.add(reason)
                event = {"t": "break", "kind": name, "reason": reason, "place": _translated_place()}
                pending.append(event)

        error.__init__ = self._as_paddle(init)
