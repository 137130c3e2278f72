"""PaddleClas: `tools/train.py`, with its reader, options, engine and helper."""

from __future__ import annotations

import importlib

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("Global.to_static", ["-o", "Global.to_static={}"], on=("True", "true"))


class _Loss(Anything):
    """A loss without weights."""

    def parameters(self) -> list[object]:
        """None."""
        return []


def prepare() -> None:
    """Import the engine, then replace what costs time."""
    importlib.import_module("ppcls.engine.engine")
    engine = "ppcls.engine.engine"
    replace(
        {
            engine + ":build_dataloader": Anything(),
            engine + ":build_model": lambda *args, **kwargs: net(),
            engine + ":build_loss": lambda *args: _Loss(),
            engine + ":build_metrics": Anything(),
            engine + ":build_optimizer": lambda *args, **kwargs: ([Anything()], [Anything()]),
            engine + ":load_dygraph_pretrain": Anything(),
            engine + ":Engine.train": begins,
        }
    )


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/train.py", "-c", config]
