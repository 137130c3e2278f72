"""What makes two parity runs the same run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from codemod.training.launch import slug


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two runs the same run: a repeated one is skipped unless asked for.

    `options` holds the user's options, steps and seed.
    """

    kit: str
    revision: str | None
    config: str
    device: str
    paddle: str
    hook: str
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The result's file name without ending."""
        text = json.dumps([self.revision, self.device, self.paddle, self.hook, self.options])
        return f"{slug(self.config)}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
