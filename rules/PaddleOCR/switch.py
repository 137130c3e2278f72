"""PaddleOCR: `tools/train.py`, with the reader, options, heads and helper of its own."""

from __future__ import annotations

import importlib
from typing import Any, List

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("Global.to_static", ["-o", "Global.to_static={}"])

_OWN: List[Any] = []


def _decoder(*args: Any, **kwargs: Any) -> Any:
    """The kit's decoder, whose alphabet sizes the heads; one without where a file or tool lacks."""
    try:
        return _OWN[0](*args, **kwargs)
    except (OSError, ImportError, RuntimeError):
        return object()


def prepare() -> None:
    """Import what the trainer imports, then replace what costs time."""
    for name in ("tools.program", "ppocr.data", "ppocr.modeling.architectures"):
        importlib.import_module(name)
    _OWN.append(importlib.import_module("ppocr.postprocess").build_post_process)
    replace(
        {
            "ppocr.postprocess:build_post_process": _decoder,
            "tools.program:check_device": Anything(),
            "ppocr.data:build_dataloader": Anything(),
            "ppocr.modeling.architectures:build_model": lambda config: net(),
            "ppocr.losses:build_loss": Anything(),
            "ppocr.optimizer:build_optimizer": begins,
        }
    )


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/train.py", "-c", config]
