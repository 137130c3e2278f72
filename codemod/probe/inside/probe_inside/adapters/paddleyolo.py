"""PaddleYOLO: a fork of PaddleDetection, probed as that is."""

from __future__ import annotations

from .paddledetection import VERSION, build, models, prepare

__all__ = ["VERSION", "build", "models", "prepare"]
