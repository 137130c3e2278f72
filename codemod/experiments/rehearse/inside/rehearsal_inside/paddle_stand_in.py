"""The modules that stand for Paddle: any `paddle.…` can be imported, and what is asked is there."""

from __future__ import annotations

import sys
import types
from typing import Any

from .importing import NowhereFinder
from .journal import JOURNAL, Gradients, SetGradients, no_grad
from .layers import (
    WEIGHTED,
    Chain,
    LayerGroup,
    OwnLayer,
    Parallel,
    StandInLayer,
    StandInOptimizer,
    StandInTensor,
    name_of,
)
from .made import MadeModule, MadeUp

NO_MODEL = "hook-without-model"


def to_static(model: Any = None, *_: Any, **__: Any) -> Any:
    """Make a model static, or note that it cannot be; functions stay what they are."""
    if model is None:
        return lambda function: function
    layer = getattr(model, "__self__", model) if isinstance(model, types.MethodType) else model
    if isinstance(layer, StandInLayer) and not isinstance(layer, Parallel):
        JOURNAL.note("hook", name_of(layer))
        layer.__dict__["static"] = True
    elif isinstance(layer, MadeUp) and not isinstance(layer, StandInTensor):
        JOURNAL.note("hook", name_of(layer))
    elif not isinstance(layer, (types.FunctionType, type)):
        JOURNAL.note(NO_MODEL, name_of(layer))
    return model


def convert_sync_batchnorm(layer: Any) -> Any:
    """Conversion may replace the root, and here always does."""
    JOURNAL.note("convert", name_of(layer))
    if isinstance(layer, MadeUp):
        return MadeUp(f"{layer._name} converted", layer._layers)
    if not isinstance(layer, StandInLayer):
        return layer
    made = type(layer).__new__(type(layer))
    made.__dict__.update({**layer.__dict__, "number": made.number})
    return made


def summary(net: Any, *_: Any, **__: Any) -> dict[str, int]:
    """A forward without gradients, with hooks on all that is in the net."""
    JOURNAL.note("summary", name_of(net))
    return {"total_params": 0, "trainable_params": 0}


class HighLevelModel:
    """`paddle.Model`: trains its network; one that is static has no signature to read."""

    def __init__(self, network: Any, inputs: Any = None, labels: Any = None) -> None:
        if inputs is None and getattr(network, "static", False):
            raise TypeError("unsupported callable: the forward of a static net")
        self.network = network
        self.callbacks: tuple[Any, ...] = ()

    def prepare(self, *_: Any, **__: Any) -> None:
        """Optimizer, loss and metrics."""

    def summary(self, *_: Any, **__: Any) -> None:
        """As `paddle.summary`."""
        summary(self.network)

    def fit(self, *_: Any, **__: Any) -> None:
        """Two steps."""
        for _step in range(2):
            self.train_batch([StandInTensor("batch")])

    def train_batch(self, inputs: Any, *_: Any, **__: Any) -> None:
        """One step."""
        self.network(*inputs).backward()

    def parameters(self, *_: Any, **__: Any) -> Any:
        """The network's."""
        return self.network.parameters()

    def evaluate(self, *_: Any, **__: Any) -> None:
        """Nothing that trains."""

    predict = save = load = evaluate


def _decorate(models: Any = None, optimizers: Any = None, *_: Any, **__: Any) -> Any:
    return models if optimizers is None else (models, optimizers)


class PaddleModule(MadeModule):
    """A module of Paddle's: names that are not listed are functions that give tensors."""

    def _made_up(self, name: str) -> Any:
        whole = f"{self.__name__}.{name}"
        if whole in sys.modules:
            return sys.modules[whole]
        if self.__name__ == "paddle.nn" and name[0].isupper():
            return type(name, (OwnLayer,), {"weighted": name in WEIGHTED, "noted": False})
        if self.__name__ == "paddle.optimizer" and name[0].isupper():
            return StandInOptimizer
        # Models of Paddle's own are made by functions.
        models = whole.startswith("paddle.vision.models")
        return MadeUp(whole) if models else StandInTensor(whole)


class PaddleFinder(NowhereFinder):
    """Finds whatever begins with `paddle.`."""

    def has(self, top: str) -> bool:
        """Every module of Paddle's is there."""
        return top == "paddle"

    def create_module(self, spec: Any) -> PaddleModule:
        """An empty one: it answers everything."""
        return PaddleModule(spec.name)


_BELOW = (
    "nn nn.functional jit optimizer distributed distributed.fleet distributed.sharding incubate "
    "amp io vision vision.models"
)


def paddle_modules(version: str) -> dict[str, types.ModuleType]:
    """The modules that hold what is noted, by name; the finder makes up the others.

    `version` is the one that they say they are of.
    """
    made: dict[str, types.ModuleType] = {"paddle": PaddleModule("paddle")}
    for name in _BELOW.split():
        module = made[f"paddle.{name}"] = PaddleModule(f"paddle.{name}")
        parent, _, last = module.__name__.rpartition(".")
        vars(made[parent])[last] = module
    for name, content in _CONTENTS.items():
        vars(made[name]).update(content)
    vars(made["paddle"])["__version__"] = version
    return made


_CONTENTS: dict[str, dict[str, Any]] = {
    "paddle": {
        "DataParallel": Parallel,
        "Model": HighLevelModel,
        "Tensor": StandInTensor,
        "no_grad": no_grad,
        "enable_grad": lambda: Gradients(True),
        "set_grad_enabled": SetGradients,
        "is_grad_enabled": lambda: JOURNAL.gradients,
        "in_dynamic_mode": lambda: True,
        "summary": summary,
        "flops": summary,
    },
    "paddle.nn": {
        "Layer": StandInLayer,
        "Sequential": Chain,
        "LayerList": LayerGroup,
        "LayerDict": LayerGroup,
        "SyncBatchNorm": type(
            "SyncBatchNorm",
            (OwnLayer,),
            {"weighted": True, "convert_sync_batchnorm": staticmethod(convert_sync_batchnorm)},
        ),
    },
    "paddle.jit": {"to_static": to_static},
    "paddle.amp": {"decorate": _decorate},
    "paddle.distributed": {
        "get_world_size": lambda *_: 2,
        "get_rank": lambda *_: 0,
        "spawn": lambda function, args=(), **_: function(*args),
    },
    "paddle.distributed.fleet": {
        "distributed_model": lambda model, *_, **__: Parallel(model),
        "distributed_optimizer": lambda optimizer, *_, **__: optimizer,
        "init": lambda *_, **__: None,
    },
    "paddle.distributed.sharding": {
        "group_sharded_parallel": lambda model, optimizer, *_, **__: (
            Parallel(model),
            optimizer,
            None,
        )
    },
}
