"""PaddleDetection and PaddleYOLO: `tools/train.py`, with their reader, options and trainers."""

from __future__ import annotations

import importlib
import inspect
import types
from typing import Any

from switch_inside.stand_ins import Anything, begins, net, replace, ways

WAYS = ways("to_static", ["-o", "to_static={}"], flag="--to_static")


def prepare() -> None:
    """Import the trainers, then replace what costs time."""
    trainer = "ppdet.engine.trainer"
    names = {
        trainer + ":create": _created,
        trainer + ":Trainer.load_weights": Anything(),
        trainer + ":ModelEMA": Anything(),
        "ppdet.engine.callbacks:ComposeCallback.on_train_begin": begins,
        "ppdet.utils.check:check_gpu": Anything(),
    }
    try:
        importlib.import_module(trainer + "_ssod")
        names[trainer + "_ssod:create"] = _created
        names[trainer + "_ssod:Trainer_DenseTeacher.load_semi_weights"] = Anything()
    except ImportError:
        pass
    importlib.import_module(trainer)
    replace(names)


def _created(kind: Any, **fields: Any) -> Any:
    """What the registry would build; of a detector, the parts of its config by their classes."""
    name = kind if isinstance(kind, str) else type(kind).__name__
    if name.endswith(("Dataset", "Reader")) or name in ("LearningRate", "OptimizerBuilder"):
        return Anything()
    detector = net()
    workspace: Any = importlib.import_module("ppdet.core.workspace")
    for part, value in workspace.global_config.get(name, {}).items():
        if isinstance(value, str) and value in workspace.global_config:
            object.__setattr__(detector, part, _part(workspace.global_config[value], value))
    return detector


def _part(schema: Any, name: str) -> Any:
    """A part with its own methods and what its constructor takes: a trainer may ask for more."""
    built = getattr(getattr(schema, "pymodule", None), name, None)
    if built is None:
        return Anything()
    layer: Any = importlib.import_module("paddle").nn.Layer
    known = {*inspect.signature(built.__init__).parameters, *dir(built)} - set(dir(layer))
    return types.SimpleNamespace(**{each: Anything() for each in known})


def command(config: str) -> list[str]:
    """The training command of a config."""
    return ["tools/train.py", "-c", config]
