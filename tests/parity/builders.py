"""Records made by hand, to judge without training."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from codemod.training.inject.parity_recorder.values import digests
from codemod.training.record import Mark, Record, Step

CAUGHT = {"hooked_calls": 1, "ast_runs": 1}


def mark(value: Any) -> Mark:
    """The fingerprint of an array, of a `Sparse`, or of no gradient at all."""
    kind, digest, norm, sketch = digests.fingerprint(value)
    return Mark(kind, digest, norm, sketch)


def step(number: int, grads: dict[str, Any], loss: float = 1.0, **fields: Any) -> Step:
    """A step of one optimizer with these gradients."""
    made = Step(
        opt=0,
        number=number,
        losses=(loss,),
        lr=0.1,
        seconds=0.01,
        recorder_seconds=0.0,
        grads={name: mark(value) for name, value in grads.items()},
        buffers={},
        static={},
        random={"python": "a", "numpy": "b", "paddle": "c"},
        state={},
        rss_kb=1,
    )
    return replace(made, **fields)


def gradients(number: int) -> dict[str, Any]:
    """Two gradients that are the same in every record."""
    random = np.random.RandomState(number)
    return {
        "a": random.randn(20, 30).astype("float32"),
        "b": random.randn(30).astype("float32"),
        "c": random.randn(7).astype("float32"),
        "d": random.randn(9).astype("float32"),
    }


def record(steps: list[Step], caught: bool = False, **fields: Any) -> Record:
    """A run that ended well; `caught` says that a static program ran in every step."""
    if caught:
        steps = [replace(one, static=CAUGHT) for one in steps]
        fields.setdefault("hooks", ({"t": "hook", "file": "train.py", "line": 3},))
    return Record(outcome="ok", start={}, steps=tuple(steps), **fields)


def plain(count: int = 4) -> list[Step]:
    """Steps that are equal whenever they are made."""
    return [step(number, gradients(number)) for number in range(count)]
