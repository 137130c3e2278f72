"""The legs of a proof: run on one tree each, and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.terminal.doing import doing
from codemod.experiments.probe.models import Model
from codemod.experiments.probe.server import Server

LEGS = (
    "train() outputs",
    "train() outputs of a longer batch",
    "eval() outputs",
    "eval() outputs of a longer batch",
    "weights and optimizer's state of Adam",
)
_LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class LegOutcomes:
    """What each leg gave, and the lines that were executed meanwhile, as (path in the tree, line).

    `partly` are lines of which an instruction was not, such as one side of a condition. A leg gave
    a text that begins with `error` where it could not be run.
    """

    given: dict[str, Any] = field(default_factory=dict)
    executed: frozenset[tuple[str, int]] = frozenset()
    partly: frozenset[tuple[str, int]] = frozenset()

    @property
    def ran(self) -> tuple[str, ...]:
        """The legs that ran."""
        return tuple(name for name, told in self.given.items() if not str(told).startswith("error"))


def run_legs(
    server: Server,
    root: Path,
    model: Model,
    attempt: dict[str, Any],
    lines: Mapping[str, Collection[int]],
) -> LegOutcomes:
    """Run the legs in the tree at `root`, watching which of these lines of its files are executed.

    Only functions that hold one are watched: in a watched one `locals()` is made anew at each line,
    which is another thing for a model that keeps it.
    """
    watched = {str(root / path): path for path in lines}
    wanted = {str(root / path): sorted(some) for path, some in lines.items()}
    asked = {"config": model.config, "attempt": attempt, "watched": wanted}
    gave: dict[str, Any] = {}
    seen: dict[str, set[tuple[str, int, str]]] = {"executed": set(), "done": set(), "left": set()}
    for number, leg in enumerate(LEGS):
        doing(f"{model.name} ({model.config}): {leg}")
        # A process each: some kits build a net but once in one.
        out = server.ask("leg", f"leg{number}.json", _LIMIT_S, leg=leg, **asked).out
        content = given.content(out)
        if content is None:
            gave[leg] = "error: it ended"
            continue
        with given.believed(out):
            gave[leg] = content["gave"]
            for kind, places in seen.items():
                told = content[kind]
                places |= {(watched[path], int(line), str(name)) for path, line, name in told}
    executed = frozenset((path, line) for path, line, _ in seen["executed"])
    partly = frozenset((path, line) for path, line, _ in seen["left"] - seen["done"])
    return LegOutcomes(gave, executed, partly & executed)


def compared(before: LegOutcomes, after: LegOutcomes) -> tuple[tuple[str, ...], str]:
    """The legs that agree, and in words the first that does not, "" where all do.

    A leg that could not be run before the change says nothing.
    """
    agree: list[str] = []
    for name in before.ran:
        if after.given.get(name) != before.given[name]:
            told = after.given.get(name)
            error = f" ({told})" if str(told).startswith("error") else ""
            return tuple(agree), f"the {name} are not the same{error}"
        agree.append(name)
    return tuple(agree), ""
