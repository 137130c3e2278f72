"""After the last step: the hooked nets in evaluation, exported and loaded again, and checkpoints.

Both sides run in the static process, with the hook switched off and on, on the inputs of the last
call cut to another batch size. What cannot be exported is tried without the hook: if that fails as
well, it is not the hook's doing. Each leg writes a line when it begins and one with what it found,
so that a crash is seen.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import weakref
from typing import Any, Callable

import numpy as np

from ..values.tensors import to_array
from .exact import distances, sizes

_ERROR_KEPT = 600


def _is_tensor(value: Any) -> bool:
    return hasattr(type(value), "_grad_ivar")


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nesting with every tensor changed."""
    if _is_tensor(value):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    return value


def _tensors(value: Any) -> list[Any]:
    found: list[Any] = []
    _mapped(value, found.append)
    return found


def _batch(inputs: Any) -> int:
    """The number of samples: the first length that tensors with an axis share; 0 if they do not."""
    lengths = {int(t.shape[0]) for t in _tensors(inputs) if len(t.shape) > 0}
    return lengths.pop() if len(lengths) == 1 else 0


def _owner(function: Any) -> tuple[Any, str]:
    """The layer of a hooked function, and the method that is hooked."""
    layer = getattr(function, "_class_instance", None)
    layer = layer() if isinstance(layer, weakref.ref) else layer
    method = getattr(function, "_dygraph_function", None)
    return layer, str(getattr(method, "__name__", "forward"))


class _Net:
    """One net with its hooked function and its last call."""

    def __init__(self, function: Any, args: Any, kwargs: dict[str, Any]) -> None:
        layer, method = _owner(function)
        self.function = function
        self.layer = layer
        self.method = method
        self.given = (args, kwargs)
        kind = type(layer).__name__
        self.name = kind if method == "forward" else f"{kind}.{method}"

    def call(self, given: Any) -> Any:
        """The outputs for `(args, kwargs)`; a layer is called as a trainer calls it."""
        args, kwargs = given
        called = self.layer if self.method == "forward" else getattr(self.layer, self.method)
        return called(*args, **kwargs)


class Legs:
    """The legs of one process; `calls` has the last call of each hooked layer."""

    def __init__(self, session: Any, calls: dict[int, Any]) -> None:
        self._session = session
        self._calls = calls

    def run(self, optimizers: list[Any], roots: list[tuple[str, Any]]) -> None:
        """All legs; what one of them raises is written down, and the next one runs."""
        self._checkpoint(optimizers, roots)
        if self._session.config.mode == "dynamic":
            return
        for net in self._nets():
            given = self._other_size(net.given)
            wanted = self._eval(net, given)
            if wanted is not None and net.method == "forward" and not given[1]:
                self._export(net, given[0], wanted)

    def _nets(self) -> list[_Net]:
        found: dict[tuple[int, str], _Net] = {}
        for function, args, kwargs in self._calls.values():
            layer, method = _owner(function)
            if hasattr(layer, "eval") and layer.parameters():
                found[id(layer), method] = _Net(function, args, kwargs)
        return list(found.values())

    def _other_size(self, inputs: Any) -> Any:
        count = _batch(inputs)
        if count < 2:
            return inputs
        return _mapped(inputs, lambda t: t[: count - 1] if len(t.shape) > 0 else t)

    def _write(self, leg: str, **fields: Any) -> None:
        self._session.journal.write(t="leg", leg=leg, **fields)

    def _call(self, net: _Net, inputs: Any, static: bool) -> dict[str, Any]:
        paddle = self._session.paddle
        self._session.switch.to(static, [net.layer])
        paddle.seed(self._session.config.seed)
        with paddle.no_grad():
            given = _mapped(inputs, lambda t: t.detach().clone())
            outputs = _tensors(net.call(given))
        return {str(number): to_array(one) for number, one in enumerate(outputs)}

    def _eval(self, net: _Net, inputs: Any) -> dict[str, Any] | None:
        self._write("eval", net=net.name, outcome="begun")
        net.layer.eval()
        try:
            wanted = self._call(net, inputs, static=False)
        except Exception as error:
            self._failed("eval", net.name, "dynamic-fails", error)
            return None
        try:
            found = self._call(net, inputs, static=True)
        except Exception as error:
            self._failed("eval", net.name, "fails", error)
            return wanted
        self._compared("eval", net.name, wanted, found, _batch(inputs))
        return wanted

    def _compared(
        self, leg: str, name: str, wanted: dict[str, Any], found: dict[str, Any], batch: int
    ) -> None:
        self._write(
            leg,
            net=name,
            outcome="ran",
            batch=batch,
            outputs=sizes(wanted),
            differs=distances(wanted, found),
        )

    def _failed(self, leg: str, name: str, outcome: str, error: Exception) -> None:
        message = f"{type(error).__name__}: {error}"[-_ERROR_KEPT:]
        self._write(leg, net=name, outcome=outcome, error=message)

    def _export(self, net: _Net, inputs: Any, wanted: dict[str, Any]) -> None:
        self._write("export", net=net.name, outcome="begun")
        try:
            found = self._exported(net, inputs)
        except Exception as error:
            told = "fails" if self._exports_without(net, inputs) else "dynamic-fails"
            self._failed("export", net.name, told, error)
        else:
            self._compared("export", net.name, wanted, found, _batch(inputs))

    def _exports_without(self, net: _Net, inputs: Any) -> bool:
        """Whether the net can be exported without its hook."""
        try:
            net.function.rollback()
            self._exported(net, inputs)
        except Exception:
            return False
        return True

    def _exported(self, net: _Net, inputs: Any) -> dict[str, Any]:
        """The outputs of the net, written as a program and loaded again."""
        paddle = self._session.paddle
        folder = self._session.config.out + ".export"
        shutil.rmtree(folder, ignore_errors=True)
        path = os.path.join(folder, "net")
        try:
            self._session.switch.to(True, [])
            # As the kits export: hooked anew, with the sizes of what is fed. Paddle refuses those
            # beside a hook's own spec, and inputs that are lists for a net that has a hook.
            hook = paddle.jit.to_static.__wrapped__
            hook(net.layer, input_spec=self._specs(inputs), full_graph=True)
            paddle.jit.save(net.layer, path)
            loaded = paddle.jit.load(path)
            loaded.eval()
            with paddle.no_grad():
                outputs = _tensors(loaded(*_tensors(inputs)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return {str(number): to_array(one) for number, one in enumerate(outputs)}

    def _specs(self, inputs: Any) -> list[Any]:
        spec = self._session.paddle.static.InputSpec
        many = _batch(inputs) > 0

        def of(tensor: Any) -> Any:
            shape = [int(size) for size in tensor.shape]
            if many and shape:
                shape[0] = -1
            return spec(shape, str(tensor.dtype).split(".")[-1])

        return list(_mapped(list(inputs), of))

    def _checkpoint(self, optimizers: list[Any], roots: list[tuple[str, Any]]) -> None:
        """The names, shapes and types of what a checkpoint of nets and optimizers holds."""
        for name, layer in roots:
            self._write("checkpoint", net=name, holds=_contents(layer.state_dict()))
        for number, optimizer in enumerate(optimizers):
            self._write("checkpoint", net=f"optimizer{number}", holds=_state_of(optimizer))


def _contents(state: dict[str, Any]) -> str:
    lines = [
        f"{key} {list(getattr(value, 'shape', ()))} {getattr(value, 'dtype', '')!s}"
        for key, value in sorted(state.items(), key=lambda item: str(item[0]))
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _state_of(optimizer: Any) -> str:
    state: dict[str, Any] = getattr(optimizer, "state_dict", dict)()
    return _contents({k: v for k, v in state.items() if not isinstance(v, (dict, np.ndarray))})
