"""What comes from outside of the graph: random numbers, time, files, process groups."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached

_CALLS = frozenset(("time.time", "time.perf_counter", "open", "os.getenv", "input"))


@finds("D-68")
def time_io(reached: Reached) -> Iterator[Match]:
    """Time, files or the environment are read in the forward pass.

    `time.time()`, `open()`, `os.environ`, `os.getenv()`.
    """
    for call, name in reached.calls:
        if name in _CALLS or name.startswith(("os.environ", "os.path.")):
            yield call, Reason.of("hazards.call-in-forward", name=name)
    for node in reached.each(ast.Subscript):
        if isinstance(node.value, ast.Attribute) and ast.unparse(node.value) == "os.environ":
            yield node, Reason.of("hazards.reads-environ")


@finds("D-80")
def hybrid_group(reached: Reached) -> Iterator[Match]:
    """The forward pass asks fleet for its communication group.

    `fleet.get_hybrid_communicate_group()`.

    In a single process it raises, which models catch; SOT of 3.3 looks for the group in the
    module of that name and does not come to the `except`. An assertion before it is caught.
    """
    asserted = [
        node.lineno for node in reached.each(ast.Assert) if "_hcg" in ast.unparse(node.test)
    ]
    for call, name in reached.calls:
        asks = name.rpartition(".")[2] == "get_hybrid_communicate_group"
        if asks and not any(line < call.lineno for line in asserted):
            yield call, Reason.of("hazards.no-group", name=name)
