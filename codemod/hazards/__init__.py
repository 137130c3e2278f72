"""Hazards: code that a model's `forward` can reach and that breaks or freezes a static graph.

>>> from codemod.hazards.catalog import TEXTS
>>> name, remedy = TEXTS["D-57"]
>>> name
'inplace-view'
"""

from __future__ import annotations

from codemod.hazards.hazard import Effect, Hazard, Mode, Occurrence
from codemod.hazards.scan import (
    ModelHazards,
    ReachedModel,
    Scanner,
    files_reached,
    reached_code,
    reached_models,
    scan,
    scan_kit,
)

__all__ = [
    "Effect",
    "Hazard",
    "Mode",
    "ModelHazards",
    "Occurrence",
    "ReachedModel",
    "Scanner",
    "files_reached",
    "reached_code",
    "reached_models",
    "scan",
    "scan_kit",
]
