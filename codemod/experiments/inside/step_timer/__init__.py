"""The timer that runs inside the kit's training process: dynamic and static steps in turn.

It stands on the parity recorder's modules, which it leaves as they are, and hashes nothing. Only
the standard library, NumPy and Paddle may be imported here, and Paddle only after the kit
imported it. Works on Python 3.8 to 3.13, Paddle 2.6 and 3.x.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any


def install(options: str) -> None:
    """Arrange for timing to begin as soon as the kit has imported Paddle.

    `options` is JSON: `first` is the side, 0 or 1, that goes first in the first pair, and so builds
    first; `fixed` feeds the first batch over and over. CODEMOD_TIMING holds the recorder's
    configuration.
    """
    config = import_module("parity_recorder").Config(os.environ.pop("CODEMOD_TIMING"))

    def start(paddle: Any) -> None:
        from .timing_session import TimingSession

        TimingSession(config, json.loads(options), paddle).begin()

    import_module("parity_recorder.importhook").after_import("paddle", start)
