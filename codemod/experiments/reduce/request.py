"""What a user asks of a reduction, and what it gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from codemod.experiments.reduce.signature import Signature

MINUTES = 30.0


@dataclass(frozen=True, slots=True)
class ReduceRequest:
    """The fault that is looked for: a mode (`ast`, `sot`) on a Paddle; `minutes` is on the clock.

    `others` are the Paddles on which the result is run as well.
    """

    mode: str
    paddle: str
    minutes: float = MINUTES
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """What the finished file printed last on one Paddle, and its exit code.

    That is 0 where all modes agree, 1 where they differ, 2 where dynamic mode gave no numbers.
    """

    line: str
    code: int

    @property
    def sound(self) -> bool:
        """Whether it was run to its end, and dynamic mode gave numbers."""
        return bool(self.line) and self.code in (0, 1)


@dataclass(frozen=True, slots=True)
class Reduced:
    """A reduced program. `file` holds it, `shown` what it shows by Paddle and mode.

    `sought` is what the program to begin with showed in the mode that was asked for; `verified`
    says that the result shows it in fresh processes, and that the file run by itself says so.
    `lines` and `code_lines` count the lines of the file that are not blank: all, and those of the
    reduced program. `tests` counts the programs that were tried in this run. `ended` is False where
    the time was over before nothing could be cut. `same` is a program on file that has the same
    cause, as known of the Paddle `same_on`. `place` is the innermost layer of the kit's net that
    shows the fault while the rest is dynamic: the net's number, then the way down.
    """

    mode: str
    paddle: str
    sought: Signature
    file: str
    lines: int
    code_lines: int
    tests: int
    minutes: float
    ended: bool
    verified: bool
    shown: dict[str, dict[str, Signature | None]]
    printed: dict[str, Printed] = field(default_factory=dict)
    same: str = ""
    same_on: str = ""
    place: str = ""

    @property
    def fails_on(self) -> tuple[str, ...]:
        """The Paddles on which it shows in that mode what was sought, the oldest first."""
        # An error may come from another function of another release.
        said = str(self.sought)
        shown = (paddle for paddle, modes in self.shown.items() if str(modes[self.mode]) == said)
        return tuple(sorted(shown))

    def to_json(self) -> dict[str, Any]:
        """The form of `--json` and of `result.json`; what a run shows is one line."""
        shown = {
            paddle: {mode: str(found or "") for mode, found in modes.items()}
            for paddle, modes in self.shown.items()
        }
        more = {"sought": str(self.sought), "shown": shown, "fails_on": list(self.fails_on)}
        return {**asdict(self), **more, "signature": asdict(self.sought)}
