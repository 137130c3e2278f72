"""Hazards: code that a model's `forward` can reach and that breaks or freezes a static graph."""

from __future__ import annotations

from codemod.hazards.hazard import Effect, Hazard, Mode, Occurrence
from codemod.hazards.scan import ModelHazards, scan, scan_kit

__all__ = ["Effect", "Hazard", "Mode", "ModelHazards", "Occurrence", "scan", "scan_kit"]
