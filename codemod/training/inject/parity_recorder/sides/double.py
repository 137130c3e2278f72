"""float32 means float64 in the kit's own trainer: rounding no longer hides what a hook changes.

The default type, parameters, batches, casts and what is created with a type become float64; mixed
precision is off. An operator that has no float64 kernel is computed in float32 alone, and named.
"""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any

import numpy as np

from .constants import round_constants, single

_NAMES = ("float32", "paddle.float32", "FP32")
# Functions of Paddle that take a type, with its place among their arguments.
_CREATORS = (
    ("cast", 1),
    ("zeros", 1),
    ("ones", 1),
    ("full", 2),
    ("zeros_like", 1),
    ("ones_like", 1),
    ("full_like", 2),
    ("arange", 3),
    ("linspace", 3),
    ("rand", 1),
    ("randn", 1),
    ("uniform", 1),
    ("eye", 2),
    ("empty", 1),
    ("empty_like", 1),
    ("create_parameter", 1),
)
# Their result is float32 whatever they are given.
_SINGLE_RESULTS = ("one_hot",)
_TENSORS = (
    ("paddle.base.framework", "Variable"),
    ("paddle.pir", "Value"),
    ("paddle.base.core", "eager.Tensor"),
)


class Double:
    """Makes one process compute in float64; `singles` are the operators that did not."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._cast = paddle.cast
        self.singles: dict[str, None] = {}

    def patch(self) -> None:
        """Patch Paddle; to be called before the kit makes anything."""
        paddle = self._paddle
        paddle.set_default_dtype("float64")
        self._replace(paddle, "set_default_dtype", lambda original: lambda d: original(self._up(d)))
        for name, place in _CREATORS:
            if hasattr(paddle, name):
                self._patch_creator(name, place)
        self._patch_tensors()
        self._patch_layers()
        self._patch_precision()
        self._patch_single_kernels()
        self._patch_clip()
        for name in _SINGLE_RESULTS:
            self._replace(paddle.nn.functional, name, self._lifted)
        self._patch_loader()
        round_constants(paddle)

    @staticmethod
    def _replace(owner: Any, name: str, wrap: Any) -> None:
        original = getattr(owner, name, None)
        if original is not None:
            setattr(owner, name, functools.wraps(original)(wrap(original)))

    # --- types

    def _is_single(self, dtype: Any) -> bool:
        if dtype is None:
            return False
        if isinstance(dtype, str):
            return dtype in _NAMES
        if dtype is np.float32 or (isinstance(dtype, np.dtype) and dtype == np.float32):
            return True
        try:
            return bool(dtype == self._paddle.float32) or str(dtype) in _NAMES
        except TypeError:
            return False

    def _up(self, dtype: Any) -> Any:
        return "float64" if self._is_single(dtype) else dtype

    def _patch_creator(self, name: str, place: int) -> None:
        """A creator of Paddle, and where its functional layers took it over by name.

        Paddle 2.6's dropout along an axis would compare its draw in float64 with a float32.
        """
        original = getattr(self._paddle, name)
        typed = self._typed(original, place)
        setattr(self._paddle, name, typed)
        functional = self._paddle.nn.functional.common
        if getattr(functional, name, None) is original:
            setattr(functional, name, typed)

    def _typed(self, original: Any, place: int) -> Any:
        def typed(*args: Any, **kwargs: Any) -> Any:
            if "dtype" in kwargs:
                kwargs["dtype"] = self._up(kwargs["dtype"])
            if len(args) > place:
                args = (*args[:place], self._up(args[place]), *args[place + 1 :])
            return original(*args, **kwargs)

        return functools.wraps(original)(typed)

    def lift(self, value: Any) -> Any:
        """A batch, or a result, with float64 for float32."""
        if isinstance(value, np.ndarray):
            return value.astype(np.float64) if value.dtype == np.float32 else value
        if hasattr(type(value), "_grad_ivar"):
            return self._cast(value, "float64") if self._is_single(value.dtype) else value
        if type(value) in (list, tuple):
            return type(value)(self.lift(item) for item in value)
        if type(value) is dict:
            return {key: self.lift(item) for key, item in value.items()}
        return value

    # --- what is patched

    def _patch_tensors(self) -> None:
        for module, path in _TENSORS:
            try:
                owner: Any = importlib.import_module(module)
                for part in path.split("."):
                    owner = getattr(owner, part)
            except (ImportError, AttributeError):
                continue
            for name in ("astype", "cast"):
                if hasattr(owner, name):
                    setattr(owner, name, self._typed(getattr(owner, name), 1))
        paddle = self._paddle

        def to_tensor(original: Any) -> Any:
            def made(data: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
                given = self.lift(data) if isinstance(data, np.ndarray) and dtype is None else data
                return self.lift(original(single(given), self._up(dtype), *args, **kwargs))

            return made

        def set_value(original: Any) -> Any:
            def put(tensor: Any, value: Any) -> Any:
                # A checkpoint of the kit's is float32.
                return original(tensor, value if str(tensor.dtype) in _NAMES else self.lift(value))

            return put

        self._replace(paddle, "to_tensor", to_tensor)
        self._replace(paddle.base.core.eager.Tensor, "set_value", set_value)

    def _patch_layers(self) -> None:
        paddle = self._paddle
        layer = paddle.nn.Layer
        layer.create_parameter = self._typed(layer.create_parameter, 3)
        for name, place in (("to", 2), ("astype", 1)):
            if hasattr(layer, name):
                setattr(layer, name, self._typed(getattr(layer, name), place))
        if hasattr(layer, "float"):
            layer.float = lambda this, *_, **__: this
        norm = paddle.nn.BatchNorm
        norm.__init__ = self._typed(norm.__init__, 7)
        if norm.__init__.__wrapped__.__kwdefaults__ or norm.__init__.__wrapped__.__defaults__:
            self._default(norm, "dtype")
        spec = paddle.static.InputSpec
        spec.__init__ = self._typed(spec.__init__, 2)
        self._default(spec, "dtype")

    def _default(self, owner: Any, name: str) -> None:
        """Where the type is not named, it is this class's own default: name it."""
        import inspect

        original = owner.__init__
        places = list(inspect.signature(original).parameters)
        place = places.index(name) if name in places else len(places)

        def init(*args: Any, **kwargs: Any) -> None:
            if len(args) <= place:
                kwargs[name] = self._up(kwargs.get(name, "float32"))
            original(*args, **kwargs)

        owner.__init__ = functools.wraps(original)(init)

    def _patch_precision(self) -> None:
        """Mixed precision off, and no optimizer that takes float32 alone."""
        paddle = self._paddle
        module = sys.modules.get("paddle.amp.auto_cast")
        for owner in (paddle.amp, module):
            for name in ("auto_cast", "amp_guard"):
                if owner is not None and hasattr(owner, name):
                    self._replace(owner, name, _switched_off)
        self._replace(paddle.amp, "decorate", _undecorated)
        scaler = getattr(paddle.amp, "AmpScaler", None)
        if scaler is not None:
            self._replace(scaler, "__init__", _switched_off_method)
        for name in ("Momentum", "Adam", "AdamW"):
            self._replace(getattr(paddle.optimizer, name), "__init__", _one_by_one)

    def _patch_single_kernels(self) -> None:
        paddle = self._paddle
        lacking = _without_double(paddle.base.core)
        for owner in (paddle, paddle.nn.functional):
            for name in lacking:
                if callable(getattr(owner, name, None)):
                    setattr(owner, name, self._in_single(getattr(owner, name), name))

    def _patch_clip(self) -> None:
        """Clipping a gradient by its own norm: an operator of float32 alone, and easily spelt out.

        In float32 it would round what float64 has told apart.
        """
        paddle = self._paddle

        def clip_by_norm(original: Any) -> Any:
            def clipped(x: Any, max_norm: float, name: Any = None) -> Any:
                if not str(x.dtype).endswith("float64") or not x.is_dense():
                    return original(x, max_norm, name)
                norm = paddle.sqrt(paddle.sum(x * x))
                return x * (max_norm / paddle.clip(norm, min=max_norm))

            return clipped

        self._replace(paddle.nn.clip, "clip_by_norm", clip_by_norm)

    def _in_single(self, original: Any, name: str) -> Any:
        def single(*args: Any, **kwargs: Any) -> Any:
            self.singles[name] = None
            given = [self._down(value) for value in args]
            named = {key: self._down(value) for key, value in kwargs.items()}
            return self._up_again(original(*given, **named))

        return functools.wraps(original)(single)

    def _down(self, value: Any) -> Any:
        dtype = str(getattr(value, "dtype", ""))
        return self._cast(value, "float32") if dtype.endswith(("float64", "FP64")) else value

    def _up_again(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(self._up_again(item) for item in value)
        single = self._is_single(getattr(value, "dtype", None))
        return self._cast(value, "float64") if single else value

    def _lifted(self, original: Any) -> Any:
        def lifted(*args: Any, **kwargs: Any) -> Any:
            return self._up_again(original(*args, **kwargs))

        return lifted

    def _patch_loader(self) -> None:
        loader = self._paddle.io.DataLoader
        original = loader.__iter__

        @functools.wraps(original)
        def lifted(this: Any) -> Any:
            for batch in original(this):
                yield self.lift(batch)

        loader.__iter__ = lifted


def _switched_off(original: Any) -> Any:
    def off(*_: Any, **kwargs: Any) -> Any:
        kwargs.pop("enable", None)
        return original(False, **kwargs)

    return off


def _switched_off_method(original: Any) -> Any:
    def off(this: Any, *_: Any, **kwargs: Any) -> Any:
        kwargs.pop("enable", None)
        return original(this, False, **kwargs)

    return off


def _undecorated(_: Any) -> Any:
    def plain(models: Any = None, optimizers: Any = None, *_: Any, **__: Any) -> Any:
        return models if optimizers is None else (models, optimizers)

    return plain


def _one_by_one(original: Any) -> Any:
    def init(this: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("use_multi_tensor"):
            kwargs["use_multi_tensor"] = False
        return original(this, *args, **kwargs)

    return init


def _without_double(core: Any) -> list[str]:
    """The operators that have a kernel of float32 on the CPU and none of float64."""
    kernels = core._get_registered_phi_kernels("function")
    single = {
        name
        for name, keys in kernels.items()
        if any("CPU" in key and "float32" in key for key in keys)
    }
    double = {name for name, keys in kernels.items() if any("float64" in key for key in keys)}
    return sorted(single - double)
