"""What makes two parity runs the same run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from codemod.training.launch import slug


@dataclass(frozen=True, slots=True)
class Identity:
    """What a run is before it is made: a repeated one is skipped unless asked for.

    `options` holds the user's options, steps, seed, recipe and samples; `packages` is a digest of
    the environment's packages. Whether a kept result is of this tree, what it read decides.
    """

    kit: str
    revision: str | None
    config: str
    device: str
    paddle: str
    hook: str
    options: tuple[str, ...] = ()
    packages: str = ""

    @property
    def request(self) -> str:
        """A digest of all that was asked for, the tree apart."""
        return _digest([self.config, self.device, self.paddle, self.packages, self.options])

    @property
    def name(self) -> str:
        """The result's file name without ending: results of several trees stand side by side."""
        return f"{slug(self.config)}-{_digest([self.revision, self.hook, self.request])[:12]}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]
