"""What observes a kit's training beside the recorder's hooks: the spec's observer, the timer."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from codemod.training.runner import Command

INSIDE = Path(__file__).parent / "inside"


def observed_by(package: str, command: Command, request: dict[str, Any]) -> Command:
    """The command with a package of `inside/` that is installed in its process with the request."""
    paths = [str(INSIDE), command.env.get("PYTHONPATH", "")]
    env = {
        **command.env,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "CODEMOD_OBSERVER": package,
        "CODEMOD_OBSERVED": json.dumps(request),
    }
    return replace(command, env=env)
