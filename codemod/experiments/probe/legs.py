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
    doing(f"{model.name} ({model.config}): outputs, two batches, Adam")
    watched = {str(root / path): path for path in lines}
    wanted = {str(root / path): sorted(some) for path, some in lines.items()}
    asked = {"config": model.config, "attempt": attempt, "watched": wanted}
    out = server.ask("legs", "legs.json", _LIMIT_S, **asked).out
    content = given.content(out)
    if content is None:
        return LegOutcomes()
    with given.believed(out):
        executed, partly = (
            frozenset((watched[path], int(line)) for path, line in content[name])
            for name in ("executed", "partly")
        )
        return LegOutcomes(dict(content["legs"]), executed, partly)


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
