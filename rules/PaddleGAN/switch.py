"""PaddleGAN: `tools/main.py`, with its reader, options, models and trainer."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("model.to_static", flag="--to_static")
BUILDERS = ("build_generator", "build_discriminator", "build_criterion")


def prepare() -> None:
    """Import the trainer, then replace nets and losses; the models that hold them are built."""
    trainer: Any = importlib.import_module("ppgan.engine.trainer")
    trainer.Trainer.train = _late(trainer.Trainer.train)
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("ppgan."):
            _replace_builders(module)
    replace(
        {
            "ppgan.engine.trainer:build_dataloader": Anything(),
            "ppgan.engine.trainer:IterLoader": _Batches,
            "ppgan.engine.trainer:Trainer.distributed_data_parallel": Anything(),
        }
    )
    base: Any = importlib.import_module("ppgan.models.base_model").BaseModel
    for model in _all(base):
        model.setup_input = begins
    for method in ("setup_lr_schedulers", "setup_optimizers", "setup_metrics"):
        setattr(base, method, lambda *args, **kwargs: Anything())
        for model in base.__subclasses__():
            if method in vars(model):
                delattr(model, method)


class _Batches:
    """An endless loader of batches that hold nothing."""

    epoch = 1

    def __init__(self, loader: Any) -> None:
        pass

    def __next__(self) -> Any:
        return Anything()


def _late(train: Any) -> Any:
    """The training loop, from the step on in which a hook comes that waits for free parameters."""

    def started(self: Any) -> Any:
        self.model.current_iter = getattr(self, "static_from", 1)
        return train(self)

    return started


def _all(base: Any) -> list[Any]:
    """A class with all that are derived from it."""
    return [base, *(one for kind in base.__subclasses__() for one in _all(kind))]


def _replace_builders(module: Any) -> None:
    for name in BUILDERS:
        if hasattr(module, name):
            setattr(module, name, lambda *args, **kwargs: net())
    for name, value in list(vars(module).items()):
        made_for_nets = getattr(value, "__module__", "") == "ppgan.modules.init"
        if callable(value) and (made_for_nets or name == "get_path_from_url"):
            setattr(module, name, Anything())


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/main.py", "-c", config]
