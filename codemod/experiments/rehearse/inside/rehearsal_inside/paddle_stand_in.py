"""The modules that stand for Paddle: any `paddle.…` can be imported, and what is asked is there."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any

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
from .made import MadeUp

NO_MODEL = "hook on no model"


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


def _group_sharded(model: Any, optimizer: Any, *_: Any, **__: Any) -> tuple[Any, Any, Any]:
    return Parallel(model), optimizer, None


def _decorate(models: Any = None, optimizers: Any = None, *_: Any, **__: Any) -> Any:
    return models if optimizers is None else (models, optimizers)


def _spawn(function: Any, args: Any = (), **_: Any) -> None:
    function(*args)


def _wrap(model: Any, *_: Any, **__: Any) -> Parallel:
    return Parallel(model)


def _same(value: Any, *_: Any, **__: Any) -> Any:
    return value


class PaddleModule(types.ModuleType):
    """A module of Paddle's: names that are not listed are functions that give tensors."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        whole = f"{self.__name__}.{name}"
        # Models of Paddle's own are made by functions.
        models = whole.startswith("paddle.vision.models")
        made: Any = MadeUp(whole) if models else StandInTensor(whole)
        if whole in sys.modules:
            made = sys.modules[whole]
        elif self.__name__ == "paddle.nn" and name[0].isupper():
            made = type(name, (OwnLayer,), {"weighted": name in WEIGHTED, "noted": False})
        elif self.__name__ == "paddle.optimizer" and name[0].isupper():
            made = StandInOptimizer
        self.__dict__[name] = made
        return made


class PaddleFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds whatever begins with `paddle.`."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Every module of Paddle's is there."""
        if name.partition(".")[0] != "paddle":
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> PaddleModule:
        """An empty one: it answers everything."""
        return PaddleModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing is run."""


def paddle_modules() -> dict[str, types.ModuleType]:
    """The modules that hold what is noted, by name; the finder makes up the others."""
    names = (
        "paddle",
        "paddle.nn",
        "paddle.nn.functional",
        "paddle.jit",
        "paddle.optimizer",
        "paddle.distributed",
        "paddle.distributed.fleet",
        "paddle.distributed.sharding",
        "paddle.incubate",
        "paddle.amp",
        "paddle.io",
        "paddle.vision",
        "paddle.vision.models",
    )
    made: dict[str, types.ModuleType] = {name: PaddleModule(name) for name in names}
    for name in names[1:]:
        parent, _, last = name.rpartition(".")
        vars(made[parent])[last] = made[name]
    for name, content in _CONTENTS.items():
        vars(made[name]).update(content)
    return made


_CONTENTS: dict[str, dict[str, Any]] = {
    "paddle": {
        "__version__": "3.3.1",
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
        "spawn": _spawn,
    },
    "paddle.distributed.fleet": {
        "distributed_model": _wrap,
        "distributed_optimizer": _same,
        "init": lambda *_, **__: None,
    },
    "paddle.distributed.sharding": {"group_sharded_parallel": _group_sharded},
}
