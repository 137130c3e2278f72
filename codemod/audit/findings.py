"""What an audit finds, for people and for machines."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from codemod.base.json_form import named
from codemod.base.messages import Language
from codemod.base.reason import Reason, spoken


class Level(str, Enum):
    """How much a finding matters; by default errors and warnings make the check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Replacement:
    """Whole lines of a file, 1-based with the last one included, and the text in their place."""

    file: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class ProvedFix:
    """A rewrite that takes a finding away, proved for one config; `command` writes it.

    `replacements` are all that was proved together.
    """

    command: str
    says: Reason
    replacements: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: what is so, and what to do about it.

    `line` is 1-based, None where the finding applies to a whole file. `id` is the kind's, followed
    by the hazard's name where it is one (`D-05 int-tensor`).
    """

    id: str
    level: Level
    file: str
    line: int | None
    reason: Reason
    advice: tuple[Reason, ...] = ()
    fix: ProvedFix | None = None

    @property
    def kind(self) -> str:
        """The identifier by which a kind is selected, ignored and suppressed."""
        return self.id.partition(" ")[0]

    @property
    def place(self) -> str:
        """FILE:LINE, or the file."""
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def message(self) -> str:
        """What is so, in English."""
        return self.reason.text()

    @property
    def remedy(self) -> str:
        """What to do about it, in English; empty where nothing is to be said."""
        return spoken(self.advice)

    def text(self, language: Language = "en") -> str:
        """What is so, and what to do about it."""
        return spoken((self.reason, *self.advice), language).strip()

    def to_json(self) -> dict[str, Any]:
        """The finding as one JSON object; `fix` where one is proved."""
        fix = {**asdict(self.fix), "says": self.fix.says.text()} if self.fix else None
        return {
            **named(self, "id", "level", "file", "line", "message", "remedy"),
            **({"fix": fix} if fix else {}),
            **self.reason.to_json(),
        }


CONFIG_BLOCKED = "config-blocked"
HOOK_FAULTY = "hook-faulty"
SLOW_STATIC = "slow-static"
