"""What a probe's server serves where there is no kit: programs that import Paddle alone."""

from __future__ import annotations

import importlib

VERSION = 1


def prepare() -> None:
    """Import Paddle, before any program is run."""
    importlib.import_module("paddle")
