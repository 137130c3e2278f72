"""All that a training step reads and leaves behind: taken at one moment, put back at another.

Weights with their trainable flags, buffers, gradients, optimizers' states, schedules, loss scalers,
averages beside the nets, layers' plain attributes and the random generators of Python, NumPy and
Paddle.
"""

from __future__ import annotations

import copy
import gc
import random
from typing import Any, Iterator

import numpy as np

from ..values.naming import caches

_PLAIN = (bool, int, float, str, type(None))


def gradient_copy(paddle: Any, tensor: Any) -> Any:
    """A copy of the tensor's gradient, None where there is none.

    Paddle cannot clone row-sparse ones, so the copy is what a look-up of the same rows is given.
    """
    grad = tensor._grad_ivar()
    if grad is None or not grad.is_selected_rows():
        return None if grad is None else grad.clone()
    rows = grad.get_selected_rows()
    table = tensor.detach()
    table.stop_gradient = False
    with paddle.enable_grad():
        numbers = paddle.to_tensor(np.array(rows.rows()))
        picked = paddle.nn.functional.embedding(numbers, table, sparse=True)
        values = paddle.to_tensor(np.array(rows.get_tensor()))
        return paddle.grad(picked, table, grad_outputs=values)[0]


def put(tensor: Any, value: Any) -> None:
    """Give a tensor the values of another one of its form, in place."""
    if tensor._is_initialized() and tensor.shape == value.shape and tensor.dtype == value.dtype:
        tensor.copy_(value, True)
    else:
        tensor.set_value(value)


def _is_tensor(value: Any) -> bool:
    # Asked of the type, for a kit's mapping may raise KeyError for a name that it lacks.
    return hasattr(type(value), "_grad_ivar")


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) <= 64 and all(isinstance(item, _PLAIN) for item in value)
    return isinstance(value, _PLAIN)


class Accumulators:
    """What optimizers keep of each weight. One made after a snapshot goes back to its first value.

    Optimizers make these tensors in their first step, so a snapshot of before has none of them.
    """

    def __init__(self, paddle: Any) -> None:
        self._first: dict[int, tuple[Any, Any]] = {}
        base = paddle.optimizer.Optimizer
        for name in ("_add_accumulator", "_create_master_weight"):
            if hasattr(base, name):
                setattr(base, name, self._noting(getattr(base, name)))

    def _noting(self, original: Any) -> Any:
        def made(*args: Any, **kwargs: Any) -> Any:
            tensor = original(*args, **kwargs)
            if _is_tensor(tensor) and id(tensor) not in self._first:
                # Kept alive, so that no other tensor can take its identity.
                self._first[id(tensor)] = (tensor, tensor.detach().clone())
            return tensor

        return made

    def first(self, tensor: Any) -> Any:
        """The value with which it was made, None where that was not seen."""
        found = self._first.get(id(tensor))
        return None if found is None else found[1]


def accumulators_of(optimizer: Any) -> Iterator[Any]:
    """The tensors that an optimizer keeps, through wrappers."""
    inner = getattr(optimizer, "inner_optimizer", None) or getattr(optimizer, "_inner_opt", None)
    if inner is not None:
        yield from accumulators_of(inner)
    held = dict(getattr(optimizer, "_accumulators", None) or {})
    held["master"] = getattr(optimizer, "_master_weights", None) or {}
    for by_parameter in held.values():
        for tensor in by_parameter.values():
            if _is_tensor(tensor) and tensor._is_initialized():
                yield tensor


class Holders:
    """Objects beside layers and optimizers that a step moves on: schedules and loss scalers."""

    def __init__(self, paddle: Any) -> None:
        self._kinds = [paddle.optimizer.lr.LRScheduler]
        scaler = getattr(paddle.amp, "AmpScaler", None) or getattr(paddle.amp, "GradScaler", None)
        if scaler is not None:
            self._kinds.append(scaler)
        self._found: list[Any] = []

    def refresh(self) -> None:
        """Look at all living objects again."""
        kinds = tuple(self._kinds)
        self._found = [one for one in gc.get_objects() if issubclass(type(one), kinds)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)


class Snapshot:
    """One moment. `tensors` are weights and buffers, `layers` those whose attributes are kept."""

    def __init__(
        self,
        paddle: Any,
        tensors: list[Any],
        optimizers: list[Any],
        layers: list[Any],
        holders: Holders,
        made: Accumulators,
        averages: Any = None,
    ) -> None:
        self._paddle = paddle
        self._optimizers = optimizers
        self._made = made
        self.values = {id(t): (t, t.detach().clone()) for t in tensors}
        self._frozen = [(t, bool(t.stop_gradient)) for t in tensors]
        self._grads = [(t, gradient_copy(paddle, t)) for t in tensors if not t.stop_gradient]
        kept = (one for optimizer in optimizers for one in accumulators_of(optimizer))
        self._kept = {id(t): (t, t.detach().clone()) for t in kept}
        self._objects = [(one, _state(one)) for one in (*layers, *holders)]
        self._averages = averages.snapshot() if averages is not None else []
        self._caches = [(one, _caches(one)) for one in layers]
        self._random = (random.getstate(), np.random.get_state(), paddle.get_rng_state())

    def restore(self) -> None:
        """Put everything back."""
        paddle = self._paddle
        with paddle.no_grad():
            for tensor, value in self.values.values():
                put(tensor, value)
            for tensor, frozen in self._frozen:
                if tensor.stop_gradient != frozen:
                    tensor.stop_gradient = frozen
            for tensor, grad in self._grads:
                tensor.clear_gradient(False)
                if grad is not None:
                    tensor.grad = grad if grad.is_selected_rows() else grad.clone()
            for optimizer in self._optimizers:
                for tensor in accumulators_of(optimizer):
                    self._restore_kept(tensor)
            for names, attribute, held, values in self._averages:
                names[attribute] = held
                held.update((key, _put_average(*two)) for key, two in values.items())
        for one, state in self._objects:
            _put(one, state)
        for layer, kept in self._caches:
            _put_caches(layer, kept)
        random.setstate(self._random[0])
        np.random.set_state(self._random[1])
        paddle.set_rng_state(self._random[2])

    def drop_outputs(self) -> None:
        """Take away the outputs that dynamic forwards left on layers, for a static visit.

        Paddle keeps such a tensor as a buffer, and a program has all buffers for inputs: its
        gradient would go through the graph of a step that is over.
        """
        for layer, _ in self._caches:
            for name in [name for name, tensor in _caches(layer).items() if _has_graph(tensor)]:
                _drop_cache(layer, name)

    def _restore_kept(self, tensor: Any) -> None:
        known = self._kept.get(id(tensor))
        value = known[1] if known is not None else self._made.first(tensor)
        if value is not None:
            put(tensor, value)

    def restore_values(self, tensors: list[Any]) -> None:
        """Put the values of some weights back, and nothing else."""
        with self._paddle.no_grad():
            for tensor in tensors:
                put(tensor, self.values[id(tensor)][1])


def _state(holder: Any) -> dict[str, Any]:
    """The plain attributes of an object, and the values of its tensors."""
    kept: dict[str, Any] = {}
    for name, value in holder.__dict__.items():
        if _is_plain(value):
            kept[name] = copy.copy(value)
        elif _is_tensor(value) and value._is_initialized() and not _is_layer(holder):
            kept[name] = (value, value.detach().clone())
    return kept


def _put_average(value: Any, copied: Any) -> Any:
    if isinstance(value, np.ndarray):
        return copied.copy()
    put(value, copied)
    return value


def _is_layer(holder: Any) -> bool:
    return hasattr(holder, "_sub_layers")


def _put(holder: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        if isinstance(value, tuple) and len(value) == 2 and _is_tensor(value[0]):
            put(value[0], value[1])
        elif holder.__dict__.get(name, ...) != value:
            holder.__dict__[name] = copy.copy(value)
    made = [name for name in holder.__dict__ if name not in state]
    for name in made:
        # An attribute that the visit made: the other one is to make it as well.
        if _is_plain(holder.__dict__[name]):
            del holder.__dict__[name]


def _caches(layer: Any) -> dict[str, Any]:
    """The buffers that a layer's checkpoint leaves out, a forward's outputs among them."""
    return {name: layer._buffers[name] for name in caches(layer) if name in layer._buffers}


def _put_caches(layer: Any, kept: dict[str, Any]) -> None:
    """Keep those outputs of a forward that were there, and no other."""
    for name, tensor in _caches(layer).items():
        if name not in kept and _has_graph(tensor):
            _drop_cache(layer, name)
    for name, tensor in kept.items():
        if _has_graph(tensor):
            layer.__dict__.pop(name, None)
            layer._buffers[name] = tensor
            layer._non_persistable_buffer_names_set.add(name)


def _has_graph(tensor: Any) -> bool:
    return _is_tensor(tensor) and not tensor.is_leaf


def _drop_cache(layer: Any, name: str) -> None:
    del layer._buffers[name]
    layer._non_persistable_buffer_names_set.discard(name)
