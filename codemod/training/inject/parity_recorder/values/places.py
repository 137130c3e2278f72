"""Where a run computed: the places of its weights, gradients and losses, as Paddle tells them."""

from __future__ import annotations

from collections import Counter
from typing import Any


def place_of(tensor: Any) -> str:
    """A tensor's place in short: `cpu`, `gpu:0`, or what Paddle calls any other."""
    place = tensor.place
    if place.is_gpu_place():
        return "gpu:{}".format(place.gpu_device_id())
    return "cpu" if place.is_cpu_place() else str(place)


class Places:
    """Counts the places of one process: by what lived there, how many tensors at each."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._losses: Counter[str] = Counter()

    def on_losses(self, tensors: Any) -> None:
        """Note where the tensors were on which a backward was called."""
        self._losses.update(place_of(tensor) for tensor in tensors)

    def fields(self, parameters: list[Any]) -> dict[str, Any]:
        """The device that Paddle names, and the places of an optimizer's tensors before a step."""
        held = [p for p in parameters if p._is_initialized()]
        grads = [g for p in held if (g := p._grad_ivar()) is not None]
        counted = {
            "weights": Counter(place_of(p) for p in held),
            "gradients": Counter(place_of(g) for g in grads if not g.is_selected_rows()),
            "losses": self._losses,
        }
        return {
            "device": self._paddle.get_device(),
            "places": {name: dict(found) for name, found in counted.items()},
        }
