"""Why something cannot be done, as a value in the place of what was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemod.base.reason import Reason


@dataclass(frozen=True, slots=True)
class Refusal:
    """`reason` is a clause without a full stop, to be put into the sentence of whoever asked."""

    reason: Reason
