"""What a hazard is, and what it means to have found one."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum
from typing import Any

from codemod.base.json_form import named
from codemod.base.reason import Reason
from codemod.hazards.finders import Finder
from codemod.hazards.measured import VERSIONS, nearest
from codemod.hazards.reach.reached import Reached


class Mode(str, Enum):
    """The two ways in which `to_static` makes a graph; SOT is the default from Paddle 2.6 on."""

    AST = "ast"
    SOT = "sot"


class Effect(str, Enum):
    """What becomes of the code, the worst first."""

    WRONG = "wrong"  # runs, and the numbers differ
    ERROR = "error"  # raises
    EAGER = "eager"  # equal, nothing of the function is compiled
    BREAK = "break"  # equal, in several graphs
    RETRACE = "retrace"  # equal, one more program for each new value
    OK = "ok"


SEVERE = (Effect.WRONG, Effect.ERROR)


@dataclass(frozen=True, slots=True)
class Hazard:
    """One row of the catalogue.

    `effects` are those of AST on each measured Paddle (`measured.py`), the oldest first, then those
    of SOT. `find` yields the nodes that show the pattern; a hazard of the
    trainer's code, which no model's code can show, has none. An effect is `doubtful` where fewer
    than four of five models that have the pattern showed it.
    """

    id: str
    name: str
    effects: tuple[Effect, ...]
    remedy: str
    remedy_zh: str
    find: Finder | None
    doubtful: tuple[bool, ...] = (False,) * (2 * len(VERSIONS))

    def effect(self, mode: Mode, paddle: str = VERSIONS[-1]) -> Effect:
        """The effect in one mode on the nearest measured Paddle (`3.2.1` counts as 3.3)."""
        return self.effects[_column(mode, paddle)]


def _column(mode: Mode, paddle: str) -> int:
    """The place of a mode and Paddle among the effects."""
    return list(Mode).index(mode) * len(VERSIONS) + VERSIONS.index(nearest(paddle))


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A hazard at a line of a kit's file; `line` is 1-based, `scope` is `Class.method`.

    `reason` is what is there. `switches` are the arguments, off by default, that a config must set
    for the code to run.
    """

    id: str
    name: str
    file: str
    line: int
    scope: str
    reason: Reason
    modes: dict[str, dict[str, str]]
    remedy: str
    remedy_zh: str
    switches: tuple[str, ...] = ()
    doubtful: tuple[bool, ...] = (False,) * (2 * len(VERSIONS))

    @property
    def detail(self) -> str:
        """What is there, in English."""
        return self.reason.text()

    def is_doubtful(self, mode: Mode, paddle: str) -> bool:
        """Whether most models that have it may well not show the effect in a mode on a Paddle."""
        return self.doubtful[_column(mode, paddle)]

    def effect(self, mode: Mode = Mode.SOT, paddle: str = VERSIONS[-1]) -> Effect:
        """What it does in a mode; the default is the mode that a plain hook asks for."""
        return Effect(self.modes[mode.value][nearest(paddle)])

    def to_json(self) -> dict[str, Any]:
        """The occurrence as one JSON object."""
        where = ("file", "line", "scope", "detail")
        known = named(self, "id", "name", *where, "modes", "remedy", "remedy_zh", "switches")
        return {**known, **self.reason.to_json()}


def occurrence(hazard: Hazard, reached: Reached, node: ast.AST, reason: Reason) -> Occurrence:
    """The occurrence of a hazard at a node of a function."""
    modes = {
        mode.value: {version: hazard.effect(mode, version).value for version in VERSIONS}
        for mode in Mode
    }
    return Occurrence(
        hazard.id,
        hazard.name,
        reached.function.module.path,
        getattr(node, "lineno", reached.function.node.lineno),
        reached.function.scope,
        reason,
        modes,
        hazard.remedy,
        hazard.remedy_zh,
        reached.switches(node),
        hazard.doubtful,
    )
