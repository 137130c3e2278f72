"""What a probe's server serves for `check --exec`: tries of the kit whose switch it is told."""

from __future__ import annotations

from typing import Any

from switch_inside import tries

VERSION = 0
# No try trains: Paddle's parts that training needs are not imported.
SHARED = ()
KIT: Any = None


def prepare() -> None:
    """Import the kit behind stand-ins, once before any try."""
    global KIT
    KIT = tries.prepare()


def models(_configs: list[str]) -> Any:
    """The ways to set the switch."""
    return KIT.WAYS
