"""The legs of a proof: run on one tree each, and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.experiments.probe.models import Model
from codemod.experiments.probe.server import Server

# By their names in proofs on record.
_TOLD = {
    "train() outputs": Reason.of("experiments.leg-train"),
    "train() outputs of a longer batch": Reason.of("experiments.leg-train-longer"),
    "eval() outputs": Reason.of("experiments.leg-eval"),
    "eval() outputs of a longer batch": Reason.of("experiments.leg-eval-longer"),
    "weights and optimizer's state of Adam": Reason.of("experiments.leg-adam"),
}
LEGS = tuple(_TOLD)
_LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class LegOutcomes:
    """What each leg gave, and the lines that were executed meanwhile, as (path in the tree, line).

    `partly` are lines of which an instruction was not, such as one side of a condition. A leg that
    could not be run gave `error`: the class of its error, or None where its process ended.
    """

    given: dict[str, Any] = field(default_factory=dict)
    executed: frozenset[tuple[str, int]] = frozenset()
    partly: frozenset[tuple[str, int]] = frozenset()

    @property
    def ran(self) -> tuple[str, ...]:
        """The legs that ran."""
        return tuple(name for name, gave in self.given.items() if not _failed(gave))


def _failed(gave: Any) -> bool:
    return isinstance(gave, dict) and "error" in gave


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
            gave[leg] = {"error": None}
            continue
        with given.believed(out):
            gave[leg] = content["gave"]
            for kind, places in seen.items():
                told = content[kind]
                places |= {(watched[path], int(line), str(name)) for path, line, name in told}
    executed = frozenset((path, line) for path, line, _ in seen["executed"])
    partly = frozenset((path, line) for path, line, _ in seen["left"] - seen["done"])
    return LegOutcomes(gave, executed, partly & executed)


def compared(before: LegOutcomes, after: LegOutcomes) -> tuple[tuple[str, ...], Reason | None]:
    """The legs that agree, and the first that does not, None where all do.

    A leg that could not be run before the change says nothing.
    """
    agree: list[str] = []
    for name in before.ran:
        gave: Any = after.given.get(name)
        if gave != before.given[name]:
            if not _failed(gave):
                return tuple(agree), Reason.of("experiments.leg-differs", leg=_TOLD[name])
            error = gave["error"] or Reason.of("experiments.leg-ended")
            return tuple(agree), Reason.of("experiments.leg-fails", leg=_TOLD[name], error=error)
        agree.append(name)
    return tuple(agree), None
