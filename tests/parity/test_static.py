"""What was static is counted once: graph breaks among the errors that SOT makes of them."""

from __future__ import annotations

import types

import pytest

from codemod.training.inject.parity_recorder.graphs.static import Static, _translated_place

INLINED = {
    "2.6": "({inner}) raised while inline call <code object forward at 0x7f, file 'rnn.py', line 9>.",
    "3.x": 'File "rnn.py", line 9, in forward encountered breakgraph error caused by\n    {inner}',
}


class BreakGraph(Exception):
    """Stands where Paddle's BreakGraphError does: made anew at every level of inlining."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


@pytest.mark.parametrize("paddle", INLINED)
def test_a_break_in_inlined_code_is_one_break(paddle: str) -> None:
    static = Static(types.SimpleNamespace(paddle=types, journal=None))
    original = BreakGraph.__init__
    static._patch_reason(BreakGraph, "breaks")
    try:
        for cause in ("no such builtin", "no such builtin", "value of a tensor " * 40):
            message = cause
            for _ in range(4):
                BreakGraph(message)
                message = INLINED[paddle].format(inner=message)
    finally:
        BreakGraph.__init__ = original  # type: ignore[method-assign]
    assert static._counts == {"breaks": 3}
    assert [event["reason"][:15] for event in static._pending] == [
        "no such builtin",
        "value of a tens",
    ]


class Refusing:
    """A function in SOT, which says no when it is asked for its code."""

    @property
    def code(self) -> str:
        raise RuntimeError("Can't call code when full_graph=False.")

    def calls(self) -> list[object]:
        return _noted()


class Executor:
    """What translates a function for SOT: it knows its code and its line."""

    def __init__(self) -> None:
        self._current_line = 7
        self._code = Executor.calls.__code__

    def calls(self) -> list[object]:
        return Refusing().calls()


def _noted() -> list[object]:
    return _translated_place()


def test_the_line_that_sot_translates_is_asked_of_its_executor_alone() -> None:
    assert Executor().calls() == [__file__, 7]
    assert Refusing().calls() == []
