"""Hazards: code that a model's `forward` can reach and that a static graph breaks or freezes."""

from __future__ import annotations

from codemod.hazards.hazard import Found, Hazard, Mode, Verdict
from codemod.hazards.scan import ModelHazards, scan, scan_kit

__all__ = ["Found", "Hazard", "Mode", "ModelHazards", "Verdict", "scan", "scan_kit"]
