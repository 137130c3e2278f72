"""Paddle3D: `tools/train.py`, with its reader, options, model classes and trainer."""

from __future__ import annotations

import importlib
from typing import Any

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("to_static", ["--to_static", "{}"], on=("True", "true", "1"), off=("False", "0"))


def prepare() -> None:
    """Import the trainer, then replace data, optimizers and the parts of models."""
    importlib.import_module("paddle3d.apis.trainer")
    config = "paddle3d.apis.config:Config."
    replace(
        {
            config + "model": property(_model),
            config + "train_dataset": Anything(),
            config + "val_dataset": None,
            config + "optimizer": property(lambda self: Anything()),
            config + "lr_scheduler": property(lambda self: Anything()),
            "paddle3d.apis.trainer:default_dataloader_build_fn": lambda **kwargs: _loaded,
            "paddle3d.apis.trainer:Trainer.train": begins,
        }
    )


def _loaded(*args: Any) -> Any:
    return Anything()


def _model(config: Any) -> Any:
    """A net in the place of a model; one whose constructor takes the switch hooks its own parts."""
    if getattr(config, "_stand_in", None) is None:
        content = dict(config.dic["model"])
        built = config._load_component(content.pop("type"))
        import inspect

        taken = inspect.signature(built).parameters
        refused = [name for name in content if name == "to_static" and name not in taken]
        if refused:
            raise TypeError("{} takes no to_static".format(built.__name__))
        config._stand_in = net()
        if content.get("to_static"):
            paddle: Any = importlib.import_module("paddle")
            paddle.jit.to_static(config._stand_in)
    return config._stand_in


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/train.py", "--config", config]
