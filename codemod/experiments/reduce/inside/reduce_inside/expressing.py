"""Values as Python source: literals, tensors by their shape, other objects as they are.

A layer of Paddle's is made again with its arguments. An object of the kit's gets its attributes one
by one, as they are now, so that nothing that made it is needed: no registry, no config.
"""

from __future__ import annotations

import functools
import inspect
import logging
import math
from typing import Any

import numpy as np

from .states import Moment

# Up to so many numbers a tensor is written out; more are drawn in its range. Whole numbers are
# often indices: each column has a range of its own, and none may come twice.
_WRITTEN, _WHOLE_WRITTEN = 24, 512
_CONTAINERS = ("Sequential", "LayerList", "LayerDict", "ParameterList")


class NoSource(Exception):
    """A value that no source can be written for."""


class ValueSources:
    """Writes values; `program.name(definition)` gives a class's or function's name in the program.

    Attributes and shapes are those of `moment`. Of a list's layers of one class that follow each
    other the first one alone is written if it is `short`.
    What cannot be one expression goes to `lines`, statements that stand before it. Tensors that
    are `fed`, by their `id`, take a gradient, which is compared as well.
    """

    def __init__(self, paddle: Any, watch: Any, program: Any, moment: Moment, short: bool) -> None:
        self._paddle, self._watch, self._program = paddle, watch, program
        self._moment, self._short = moment, short
        self._plain = set(vars(paddle.nn.Layer()))
        self._alike = {
            _likeness(known.made): known
            for known in watch.made.values()
            if isinstance(known.made, paddle.nn.Layer)
        }
        self._open: list[int] = []
        self._variables: dict[int, str] = {}
        self.lines: list[str] = []
        self.fed: set[int] = set()

    def of(self, value: Any) -> str:
        """The source of a value. Raises NoSource."""
        if value is None or isinstance(value, (bool, int, str, bytes, range, type(...))):
            return repr(value)
        if isinstance(value, slice):
            return f"slice({', '.join(map(self.of, (value.start, value.stop, value.step)))})"
        if isinstance(value, float):
            return repr(float(value)) if math.isfinite(value) else f'float("{value}")'
        if isinstance(value, self._paddle.Tensor):
            source = self.tensor(value)
            return f"fed(net, {source})" if id(value) in self.fed else source
        if type(value) in (list, tuple, set) or self._is_shape(value):
            return _bracketed(value, [self.of(item) for item in value])
        if isinstance(value, dict) and not self._of_kit(type(value)):
            items = (f"{self.of(k)}: {self.of(v)}" for k, v in value.items())
            return "{" + ", ".join(items) + "}"
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array(value)
        if isinstance(value, type) or inspect.isfunction(value) or inspect.isbuiltin(value):
            return str(self._program.name(value))
        if inspect.ismethod(value):
            return f"{self.of(value.__self__)}.{value.__name__}"
        return self._object(value)

    def _is_shape(self, value: Any) -> bool:
        """Whether it is a list of Paddle's own class, which tensors of Paddle 3 give as shapes."""
        return isinstance(value, list) and type(value).__module__.startswith("paddle.")

    def _array(self, value: Any) -> str:
        numpy = self._program.module(np)
        if value.dtype.kind not in "biuf":
            raise NoSource(f"an array of {value.dtype}")
        if value.size > _WHOLE_WRITTEN:
            drawn = value.astype("float32" if value.dtype.kind == "f" else "int64")
            source = self.tensor(self._paddle.to_tensor(drawn))
            return f"{source}.numpy().astype({str(value.dtype)!r})"
        return f"{numpy}.array({value.tolist()!r}, {str(value.dtype)!r})"

    def table(self, value: dict[Any, Any]) -> str:
        """The source of a dictionary without the items that have none."""
        items = filter(None, (self._item(key, item) for key, item in value.items()))
        return "{" + ", ".join(items) + "}"

    def _item(self, key: Any, item: Any) -> str:
        try:
            return f"{self.of(key)}: {self.of(item)}"
        except (NoSource, OSError, TypeError, SyntaxError):
            return ""

    def tensor(self, value: Any) -> str:
        """A tensor with the shape, the type and about the values of this one."""
        shape, dtype = self._moment.shape(value), str(value.dtype).rpartition(".")[2]
        if "complex" in dtype or "float16" in dtype:
            raise NoSource(dtype)
        array = value.numpy().reshape(shape)
        # A program that runs in float64 makes tensors of the default type.
        if array.size <= (_WRITTEN if "float" in dtype else _WHOLE_WRITTEN):
            kind = "" if dtype == "float32" else f", dtype={dtype!r}"
            return f"paddle.to_tensor({array.tolist()!r}{kind})"
        if "float" in dtype:
            drawn = "randn" if float(array.min()) < 0 else "rand"
            return f"paddle.{drawn}({shape})"
        if dtype == "bool":
            return f"paddle.randint(0, 2, {shape}).astype('bool')"
        low, high = int(array.min()), int(array.max()) + 1
        return f"paddle.randint({low}, {high}, {shape}, dtype={dtype!r})"

    def _object(self, value: Any) -> str:
        if id(value) in self._variables:
            return self._variables[id(value)]
        if isinstance(value, logging.Logger):
            return f"{self._program.module(logging)}.getLogger()"
        if isinstance(value, functools.partial):
            name = self._program.name(functools.partial)
            options = [f"{k}={self.of(v)}" for k, v in value.keywords.items()]
            given = [self.of(value.func), *map(self.of, value.args), *options]
            return f"{name}({', '.join(given)})"
        if isinstance(value, type(self._paddle.float32)):
            return (
                str(value) if str(value).startswith("paddle.") else f"paddle.{value.name.lower()}"
            )
        layer = isinstance(value, self._paddle.nn.Layer)
        if self._of_kit(type(value)) or (layer and self._holds(value)):
            return self._as_built(value)
        text = self._made(value)
        put = self._put_on(value) if layer else []
        if not put and not self._still(value):
            return text
        name = self._variable(value, text, "\n{}.training = False" if self._still(value) else "")
        for key in put:
            self._try(name + ".{} = {}", key, self._moment.attributes(value)[key])
        return name

    def _put_on(self, layer: Any) -> list[str]:
        """Plain attributes of a layer of Paddle's that functions of the kit's on its class read."""
        codes = [getattr(one, "__code__", None) for one in vars(type(layer)).values()]
        if not any(code and self._watch.owns(code.co_filename) for code in codes):
            return []
        found = self._moment.attributes(layer).items()
        plain = [k for k, part in found if part is None or type(part) in (bool, int, float, str)]
        return [key for key in plain if key in self._watch.used and key not in self._plain]

    def _of_kit(self, kind: type) -> bool:
        return bool(self._watch.is_kits(kind))

    def _still(self, value: Any) -> bool:
        return self._moment.attributes(value).get("training", True) is False

    def _holds(self, value: Any) -> bool:
        kinds = tuple(getattr(self._paddle.nn, n) for n in _CONTAINERS)
        return isinstance(value, kinds)

    def _made(self, value: Any) -> str:
        """The call that makes an object of Paddle's."""
        known = self._watch.made.get(id(value))
        if known is None and isinstance(value, self._paddle.nn.Layer):
            known = self._alike.get(_likeness(value))  # a copy of another one
        if known is None or id(value) in self._open:
            raise NoSource(type(value).__name__)
        self._open.append(id(value))
        try:
            name = self._program.name(type(value))
            return "{}({})".format(name, ", ".join(self._arguments(known)))
        finally:
            self._open.pop()

    def _arguments(self, known: Any) -> list[str]:
        if known.more:
            return [self.of(item) for item in known.more]
        defaults: dict[str, Any] = {}
        for kind in type(known.made).__mro__:
            if getattr(vars(kind).get("__init__"), "__code__", None) is known.code:
                found = inspect.signature(kind.__init__).parameters  # type: ignore[misc]
                defaults = {name: one.default for name, one in found.items()}
        given = []
        for name, value in known.named.items():
            plain = value is None or isinstance(value, (bool, int, float, str))
            # A net is made twice in a process, and two tensors cannot have one name.
            naming = name == "name" or name.endswith("_name")
            if name == "dtype" and value == "float32":  # in float64 it has to follow the rest
                given.append("dtype=paddle.get_default_dtype()")
                continue
            if naming or (plain and name in defaults and defaults[name] == value):
                continue
            try:
                given.append(f"{name}={self.of(value)}")
            except NoSource:
                # A copy of a ParamAttr says how a weight starts, which decides nothing here.
                if not name.endswith("_attr"):
                    raise
        return given

    def _as_built(self, value: Any) -> str:
        """The name of an object that gets its attributes by statements of their own."""
        kind = self._program.name(type(value))
        known = self._watch.made.get(id(value))
        layer = isinstance(value, self._paddle.nn.Layer)
        if self._program.makes(type(value)):
            start = f"{kind}.__new__({kind})"
        elif layer and known is not None and not self._holds(value):
            start = "{}({})".format(kind, ", ".join(self._arguments(known)))
        else:
            start = f"{kind}()"
        name = self._variable(value, start)
        if layer:
            self._layer_parts(name, value)
        elif isinstance(value, dict):
            for key, part in value.items():
                self._try(name + "[{!r}] = {}", key, part)
        every = not layer and self._looks_up(type(value))
        for key, part in self._moment.attributes(value).items():
            if (every or key in self._watch.used) and not (layer and key in self._plain):
                self._try(name + ".{} = {}", key, part)
        return name

    def _looks_up(self, kind: type) -> bool:
        """Whether the kit has a lookup of its own: code may then name attributes otherwise."""
        own = [vars(one) for one in kind.__mro__ if self._of_kit(one)]
        return any("__getattribute__" in names or "__getattr__" in names for names in own)

    def _layer_parts(self, name: str, value: Any) -> None:
        numbered, parts = self._holds(value), self._moment.attributes(value)
        # Paddle's own constructor has made what a subclass of its layers takes from it.
        own = type(value).__mro__
        direct = own[next(n for n, k in enumerate(own) if not self._of_kit(k))]
        if direct in (self._paddle.nn.Layer,) or numbered:
            for key, part in parts["_parameters"].items():
                self._parameter(name, key, part)
        before: type | None = None
        for key, part in parts["_sub_layers"].items():
            again, before = type(part) is before, type(part)
            if self._short and numbered and again and key.isdigit():
                continue
            if numbered:
                self._try(name + ".add_sublayer({!r}, {})", key, part)
            elif key in self._watch.used:
                self._try(name + ".{} = {}", key, part)
            elif part is not None and self._is_called(part):
                self._try(name + ".add_sublayer({!r}, {})", key, part)
        for key, part in parts["_buffers"].items():
            if key in self._watch.used:
                self._try(name + ".register_buffer({!r}, {})", key, part)
        if self._still(value):
            self.lines.append(f"{name}.training = False")

    def _is_called(self, layer: Any) -> bool:
        layers = layer.sublayers(include_self=True)
        return any(id(one) in self._watch.calls for one in layers)

    def _parameter(self, name: str, key: str, part: Any) -> None:
        if part is None:
            self.lines.append(f"{name}.{key} = None")
            return
        array = part.numpy()
        start = ""
        if array.size and float(array.min()) == float(array.max()):
            value = float(array.min())
            start = f", default_initializer=paddle.nn.initializer.Constant({value!r})"
        shape = [int(n) for n in part.shape]
        made = f"paddle.create_parameter({shape}, paddle.get_default_dtype(){start})"
        # Not by add_parameter, which first looks the name up, as the kit's own `__getattr__` does.
        plain = f"{name}.{key} = {made}"
        numbered = f"{name}.add_parameter({key!r}, {made})"
        self.lines.append(plain if key.isidentifier() else numbered)
        if part.stop_gradient:
            self.lines.append(f"{name}.{key}.stop_gradient = True")

    def _try(self, form: str, key: str, part: Any) -> None:
        """Add a statement for a part, and those that it needs; nothing where it has no source."""
        lines, known = len(self.lines), len(self._variables)
        try:
            self.lines.append(form.format(key, self.of(part)))
        except (NoSource, OSError, TypeError, SyntaxError):
            del self.lines[lines:]
            for made in list(self._variables)[known:]:
                del self._variables[made]

    def _variable(self, value: Any, source: str, then: str = "") -> str:
        name = str(self._program.fresh(type(value).__name__.lower().strip("_")))
        self._variables[id(value)] = name
        self.lines.extend((f"{name} = {source}" + then.format(name)).splitlines())
        return name


def _bracketed(value: Any, items: list[str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    if type(value) is set:
        return f"set([{', '.join(items)}])"
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _likeness(layer: Any) -> Any:
    """What two layers share that are made with the same arguments."""
    shapes = tuple((name, tuple(part.shape)) for name, part in layer.named_parameters())
    return type(layer), layer.extra_repr(), shapes
