"""Layers, tensors and optimizers of the stand-in: what is noted of a model, and no arithmetic."""

from __future__ import annotations

import copy
import types
from collections.abc import Iterator
from typing import Any

from .journal import JOURNAL
from .made import Blank, MadeUp, layers_of

# Layers of Paddle's own that have weights; the others are functions.
_WEIGHTED = (
    "Linear Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose Embedding "
    "BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D SyncBatchNorm LayerNorm GroupNorm "
    "InstanceNorm2D LSTM GRU SimpleRNN LSTMCell GRUCell MultiHeadAttention Transformer "
    "TransformerEncoder TransformerEncoderLayer TransformerDecoderLayer Bilinear PReLU"
)
WEIGHTED = frozenset(_WEIGHTED.split())
_KNOWN = (
    "to astype apply register_buffer add_parameter clear_gradients set_state_dict set_dict "
    "load_dict full_name float half bfloat16 buffers named_buffers register_forward_pre_hook "
    "register_forward_post_hook save_pretrained create_parameter"
)
KNOWN = frozenset(_KNOWN.split())


class StandInTensor(MadeUp):
    """A tensor, or a function of Paddle's that gives one: calls of it are no events."""

    def _next(self, step: str, *others: Any) -> StandInTensor:
        if step == ".detach":
            return StandInTensor("tensor.detached")
        return StandInTensor(self._name + step, self._layers | layers_of(*others))

    def __call__(self, *arguments: Any, **words: Any) -> Any:
        """A gradient is noted for every model that the loss came through."""
        method = self._name.rpartition(".")[2]
        only = arguments[0] if len(arguments) == 1 and not words else None
        if method == "backward" or method == "grad":
            for layer in sorted(self._layers | layers_of(*arguments)):
                JOURNAL.note("train", layer)
        if isinstance(only, (types.FunctionType, type)):
            return only
        return self._next("()", *arguments, *words.values())


class Parameter(StandInTensor):
    """A weight; the optimizer that takes it says so."""

    optimized = False
    stop_gradient = False


class StandInLayer:
    """`paddle.nn.Layer`: a model, noted when it is called, copied, changed or made static."""

    weighted = False
    noted = True

    number: str
    training: bool
    static: bool
    weights: list[Any]

    def __new__(cls, *_: Any, **__: Any) -> Any:  # noqa: D102
        made = super().__new__(cls)
        state = made.__dict__
        state["training"], state["static"] = True, False
        state["number"] = JOURNAL.numbered() if cls.noted else ""
        state["weights"] = [Parameter("weight")] if cls.weighted else []
        return made

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setattr__(self, name: str, value: Any) -> None:
        before = self.__dict__.get(name)
        replaced = isinstance(before, StandInLayer) and isinstance(value, StandInLayer)
        if replaced and before is not value and not isinstance(value, Parallel):
            JOURNAL.note("change", self.number)
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        if name in KNOWN:
            return lambda *arguments, **_: self if name in ("to", "astype") else StandInTensor(name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def __call__(self, *arguments: Any, **words: Any) -> Any:
        """Forward: what comes out knows the model, where gradients are on."""
        outermost = not JOURNAL.inside
        if not self.noted:
            return self.forward(*arguments, **words)
        JOURNAL.called(self.number, self.training)
        try:
            made = self.forward(*arguments, **words)
        finally:
            JOURNAL.returned()
        return marked(made, self, arguments, words) if outermost else made

    def forward(self, *arguments: Any, **words: Any) -> Any:
        """What Paddle's own layers compute."""
        return StandInTensor("tensor", layers_of(*arguments, *words.values()))

    def __deepcopy__(self, memo: dict[int, Any]) -> StandInLayer:
        if self.noted:
            JOURNAL.note("copy", self.number)
        made: StandInLayer = type(self).__new__(type(self))
        memo[id(self)] = made
        own = ("number", "static", "weights")
        kept = {name: value for name, value in self.__dict__.items() if name not in own}
        made.__dict__.update(copy.deepcopy(kept, memo))
        return made

    def parameters(self, *_: Any, **__: Any) -> list[Parameter]:
        """The weights of this layer and those in it."""
        return [weight for layer in self.sublayers(include_self=True) for weight in layer.weights]

    def named_parameters(self, *_: Any, **__: Any) -> list[tuple[str, Parameter]]:
        """The weights with names."""
        return [(f"weight_{number}", weight) for number, weight in enumerate(self.parameters())]

    def sublayers(self, include_self: bool = False) -> list[StandInLayer]:
        """The layers in this one, however deep, each once."""
        found: dict[int, StandInLayer] = {}
        _gather(self, found)
        return [layer for layer in found.values() if include_self or layer is not self]

    def named_sublayers(self, *_: Any, **__: Any) -> list[tuple[str, StandInLayer]]:
        """The layers in this one with names."""
        return [(f"layer_{number}", layer) for number, layer in enumerate(self.sublayers())]

    def named_children(self) -> list[tuple[str, StandInLayer]]:
        """The layers that are attributes of this one."""
        return [(n, v) for n, v in self.__dict__.items() if isinstance(v, StandInLayer)]

    def children(self) -> list[StandInLayer]:
        """As `named_children`, without names."""
        return [layer for _, layer in self.named_children()]

    def add_sublayer(self, name: str, layer: Any) -> Any:
        """As an attribute."""
        setattr(self, name, layer)
        return layer

    def train(self) -> None:
        """Training mode, for the layers in this one too."""
        for layer in self.sublayers(include_self=True):
            layer.__dict__["training"] = True

    def eval(self) -> None:
        """Evaluation mode, for the layers in this one too."""
        for layer in self.sublayers(include_self=True):
            layer.__dict__["training"] = False

    def state_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        """The weights by name."""
        return dict(self.named_parameters())


def marked(
    made: Any, layer: StandInLayer, arguments: tuple[Any, ...], words: dict[str, Any]
) -> Any:
    """What a forward gave, as something that came through the layer (and what was handed in)."""
    if isinstance(made, (list, tuple)):
        return type(made)(marked(one, layer, arguments, words) for one in made)
    if isinstance(made, dict):
        return {key: marked(one, layer, arguments, words) for key, one in made.items()}
    if not JOURNAL.gradients:
        return StandInTensor("tensor")
    through = {layer.number} if layer.parameters() else set()
    return StandInTensor("tensor", layers_of(*arguments, *words.values()) | through)


def _gather(value: Any, found: dict[int, StandInLayer]) -> None:
    inner: Any = ()
    if isinstance(value, StandInLayer) and id(value) not in found:
        found[id(value)] = value
        inner = value.__dict__.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    elif type(value) is dict:
        inner = value.values()
    for one in inner:
        _gather(one, found)


class OwnLayer(StandInLayer):
    """A layer of Paddle's own: part of a model, no model by itself."""

    noted = False


class Chain(StandInLayer):
    """`paddle.nn.Sequential`."""

    def __init__(self, *layers: Any) -> None:
        self.inner = [one[1] if isinstance(one, tuple) else one for one in layers]

    def forward(self, value: Any) -> Any:
        """One after the other."""
        for layer in self.inner:
            value = layer(value)
        return value


class LayerGroup(OwnLayer):
    """`paddle.nn.LayerList` and `LayerDict`: holds layers, and is not called."""

    def __init__(self, layers: Any = ()) -> None:
        self.inner = dict(layers) if isinstance(layers, dict) else list(layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.inner)

    def __getitem__(self, key: Any) -> Any:
        return self.inner[key]

    def __len__(self) -> int:
        return len(self.inner)

    def append(self, layer: Any) -> LayerGroup:
        """As a list's."""
        self.inner.append(layer)  # type: ignore[union-attr]
        return self


class Parallel(StandInLayer):
    """`paddle.DataParallel`: calls what it wraps, and cannot be made static."""

    noted = False

    def __init__(self, inner: Any, *_: Any, **__: Any) -> None:
        JOURNAL.note("wrap", name_of(inner))
        self._layers = inner

    def forward(self, *arguments: Any, **words: Any) -> Any:
        """Forward of what is wrapped."""
        return self._layers(*arguments, **words)

    def no_sync(self) -> Any:
        """A context that does nothing."""
        return StandInTensor("no_sync")


class StandInOptimizer(Blank):
    """Any optimizer: takes weights."""

    def __init__(self, *arguments: Any, **words: Any) -> None:
        parameters = words.get("parameters", words.get("parameter_list", arguments))
        for one in parameters if isinstance(parameters, (list, tuple)) else ():
            for weight in one.get("params", ()) if isinstance(one, dict) else [one]:
                if isinstance(weight, Parameter):
                    object.__setattr__(weight, "optimized", True)

    def minimize(self, loss: Any, *_: Any, **__: Any) -> None:
        """A step; the gradients are taken before."""


def name_of(model: Any) -> str:
    """How a model is called in events: its number, or the name of a made-up one."""
    if isinstance(model, MadeUp):
        return model._name
    return getattr(model, "number", "") or "no model"
