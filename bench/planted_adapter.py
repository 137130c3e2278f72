"""A kit's adapter with faults in it that only static training has; see `bench/planted.py`.

Runs in the kit's environment, served by the probe's server, whose training loop it leaves as it is:
`build` arms the fault that the attempt names, `paddle.jit.to_static` sets it off, and the backward
pass and the optimizer carry it out. The trainer's SGD becomes SGD with momentum.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

LEARNING_RATE, MOMENTUM = 0.01, 0.9
# The update that is left out, and the first of the two batches that change places.
STEP = 1


def _inner() -> Any:
    file = os.environ["CODEMOD_PLANTED_ADAPTER"]
    spec = importlib.util.spec_from_file_location("planted_inner", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


INNER = _inner()
VERSION = INNER.VERSION
CONFIGS = getattr(INNER, "CONFIGS", [])
NOTE = getattr(INNER, "NOTE", [])
models = INNER.models


class Plan:
    """The one fault of this process. `live` once the hook is in place: dynamic runs never are."""

    kind = ""
    size = 0.0
    index = 0
    draws = False
    live = False
    drawn: Any = None
    kept: Any = None
    layers: Any = ()

    def is_live(self, *kinds: str) -> bool:
        """Whether a fault of one of these kinds is to be carried out."""
        return self.live and self.kind in kinds


PLAN = Plan()


def trained(layers: Any) -> list[Any]:
    """The trainable parameters in the trainer's order, each once."""
    found = {id(p): p for layer in layers for p in layer.parameters() if not p.stop_gradient}
    return list(found.values())


def norms(layers: Any) -> list[Any]:
    """The batch norms, which have a momentum and running statistics."""
    parts = [part for layer in layers for part in layer.sublayers(include_self=True)]
    return [part for part in parts if hasattr(part, "_momentum") and hasattr(part, "_mean")]


def prepare() -> None:
    """Import the kit and put the places of faults into Paddle."""
    INNER.prepare()
    paddle = importlib.import_module("paddle")
    _patch_hook(paddle)
    _patch_backward(paddle)
    _patch_optimizer(paddle)


def _patch_hook(paddle: Any) -> None:
    original = paddle.jit.to_static

    def to_static(layer: Any, *args: Any, **kwargs: Any) -> Any:
        if not PLAN.live and PLAN.layers and any(layer is one for one in PLAN.layers):
            PLAN.live = True
            _on_hook(paddle)
        return original(layer, *args, **kwargs)

    paddle.jit.to_static = to_static


def _on_hook(paddle: Any) -> None:
    """Faults that lie in the model."""
    parameters = trained(PLAN.layers)
    chosen = parameters[PLAN.index % len(parameters)]
    if PLAN.kind == "gradient":
        chosen.register_hook(lambda grad: grad * (1.0 + PLAN.size))
    elif PLAN.kind == "weight-decay":
        chosen.regularizer = paddle.regularizer.L2Decay(PLAN.size)
    elif PLAN.kind == "rate-of-one":
        chosen.optimize_attr["learning_rate"] *= 1.0 + PLAN.size
    elif PLAN.kind == "norm-momentum":
        part = norms(PLAN.layers)[PLAN.index % len(norms(PLAN.layers))]
        part._momentum -= PLAN.size
    elif PLAN.kind == "stale-buffer":
        part = norms(PLAN.layers)[PLAN.index % len(norms(PLAN.layers))]
        PLAN.kept = (part._mean, part._mean.numpy().copy())


def _patch_backward(paddle: Any) -> None:
    original = paddle.Tensor.backward

    def backward(loss: Any, *args: Any, **kwargs: Any) -> Any:
        if PLAN.draws:
            if PLAN.drawn is None or not PLAN.is_live("frozen-draw"):
                PLAN.drawn = random.random()
            loss = loss * (1.0 + 0.1 * PLAN.drawn)
        if PLAN.is_live("loss-scale"):
            loss = loss * (1.0 + PLAN.size)
        result = original(loss, *args, **kwargs)
        if PLAN.is_live("missing"):
            parameters = trained(PLAN.layers)
            parameters[PLAN.index % len(parameters)].clear_gradient(False)
        if PLAN.is_live("stale-buffer"):
            tensor, value = PLAN.kept
            tensor.set_value(value)
        return result

    paddle.Tensor.backward = backward


def _patch_optimizer(paddle: Any) -> None:
    class SGD(paddle.optimizer.Momentum):  # type: ignore[misc, unused-ignore]
        """Momentum in the place of the trainer's SGD, with the faults of an update."""

        def __init__(self, learning_rate: float, parameters: Any) -> None:
            rate, momentum = LEARNING_RATE, MOMENTUM
            if PLAN.is_live("learning-rate"):
                rate *= 1.0 + PLAN.size
            if PLAN.is_live("momentum"):
                momentum -= PLAN.size
            self._made = 0
            super().__init__(rate, momentum, parameters=parameters)

        def step(self) -> None:
            """One update, unless it is the one that is left out."""
            self._made += 1
            if not (PLAN.is_live("skipped-step") and self._made == STEP + 1):
                super().step()

    paddle.optimizer.SGD = SGD


class Swapped:
    """A subject whose batches change places."""

    def __init__(self, subject: Any) -> None:
        self.layers = subject.layers
        self._subject = subject

    def forward(self, step: int) -> Any:
        """The output for the batch whose turn it is."""
        return self._subject.forward(turn(step))

    def loss(self, outputs: Any, step: int) -> Any:
        """The kit's loss with the labels of that batch."""
        return self._subject.loss(outputs, turn(step))


def turn(step: int) -> int:
    """Which batch a step is fed."""
    if PLAN.is_live("batch-order") and step in (STEP, STEP + 1):
        return 2 * STEP + 1 - step
    return step


def build(config: str, attempt: dict[str, Any]) -> Any:
    """The kit's model, with the attempt's fault armed."""
    make: Callable[[str, dict[str, Any]], Any] = INNER.build
    subject = make(config, {k: v for k, v in attempt.items() if k not in ("fault", "draws")})
    fault = attempt.get("fault") or {}
    PLAN.kind, PLAN.size = fault.get("kind", ""), float(fault.get("size", 0.0))
    PLAN.index = int(fault.get("index", 0))
    PLAN.draws = bool(attempt.get("draws"))
    PLAN.layers = tuple(subject.layers)
    return Swapped(subject)
