"""What an adapter builds, its nets and layers by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np


def seed_all(paddle: Any) -> None:
    """Let all generators begin anew: two runs draw the same numbers."""
    for seed in (random.seed, np.random.seed, paddle.seed):
        seed(0)


def built(adapter: Any, request: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The subject that is asked for, and its nets, in training mode or as the kit's step has it."""
    subject = adapter.build(request["config"], request["attempt"])
    nets = nets_of(subject)
    if not is_training(subject):
        for net in nets:
            net.train()
    return subject, nets


def nets_of(subject: Any) -> list[Any]:
    """The nets of a subject, or of a kit's own training."""
    return list(subject.nets.values()) if is_training(subject) else list(subject.layers)


def is_training(subject: Any) -> bool:
    """Whether it makes the kit's own steps, in the modes that the kit puts its nets in."""
    return hasattr(subject, "nets")


def caller_of(subject: Any) -> Callable[[int], Any]:
    """What feeds a batch: the net's forward, or the kit's whole step."""
    return subject.step if is_training(subject) else subject.forward  # type: ignore[no-any-return]


def layer_names(nets: list[Any]) -> dict[int, str]:
    """The name of each layer by its `id`: the net's number, then the way down to it."""
    names: dict[int, str] = {}
    for number, net in enumerate(nets):
        for name, layer in net.named_sublayers(include_self=True):
            names.setdefault(id(layer), f"{number}.{name}".rstrip("."))
    return names
