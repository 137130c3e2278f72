"""PaddleRec: `tools/trainer.py`, or a model's own copy of it, with its reader and options."""

from __future__ import annotations

import importlib
import os
from typing import Any

from switch_inside.stand_ins import begins, net, replace, ways

PATHS = ["tools", "."]
WAYS = ways("runner.to_static", ["-o", "runner.to_static={}"])


def prepare() -> None:
    """Import Paddle's layers, then replace tables of millions of rows and the data."""
    nn: Any = importlib.import_module("paddle").nn
    importlib.import_module("utils.utils_single")
    nn.Embedding = lambda *args, **kwargs: net()
    replace({"utils.utils_single:create_data_loader": begins})


def command(config: str) -> list[str]:
    """The training command of a config: with the trainer beside it, where there is one."""
    own = os.path.join(os.path.dirname(config), "trainer.py")
    return [own if os.path.exists(own) else "tools/trainer.py", "-m", config]
