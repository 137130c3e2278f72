"""Verdicts of convergence, a line each: `evidence/convergence/<Kit>.jsonl`, and the workspace's."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.base.reason import Reason
from codemod.judging.convergence.convergence import Convergence, Measure, Window
from codemod.judging.evidence.line_files import LineFiles
from codemod.judging.evidence.rows import bad_names


@dataclass(frozen=True, slots=True)
class ConvergenceRow:
    """Where one static mode of a config ends after `epochs` epochs of each of `seeds` seeds.

    `data` says what was trained on, `steps` how many updates one training made. `measures` and
    `windows` are what the verdict rests on, and `losses` the mean loss of each epoch by seed,
    dynamic before static. `metric` names the kit's own.
    """

    kit: str
    config: str
    paddle: str
    mode: str
    device: str
    verdict: Convergence
    epochs: int
    seeds: tuple[int, ...]
    steps: int = 0
    data: str = ""
    metric: str = ""
    measures: tuple[Measure, ...] = ()
    windows: tuple[Window, ...] = ()
    false_alarms: float | None = None
    undecided: float | None = None
    losses: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = ()
    said: tuple[Reason, ...] = ()
    options: tuple[str, ...] = ()
    revision: str | None = None
    hook: str = ""
    date: str = ""
    kind: str = "convergence"

    @property
    def place(self) -> tuple[str, ...]:
        """What it speaks of: a newer row of one place takes the older one's."""
        return (self.config, self.paddle, self.mode, self.device, *self.options)


CONVERGENCE = LineFiles(
    "convergence",
    "row of convergence",
    ConvergenceRow,
    lambda row: bad_names(row.kit, (row.config,), (row.mode, row.paddle)),
)
