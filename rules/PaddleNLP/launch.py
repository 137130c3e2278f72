"""Run a training script of the kit with the kit's own package, whatever names Paddle lacks.

`python launch.py SCRIPT [ARGUMENT ...]`, with the kit's root on PYTHONPATH. Placeholders stand for
what the package imports and Paddle 2.6.2 or 3.3.1 lacks; see placeholders.py.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
from typing import Any


def main(arguments: list[str]) -> None:
    """Hold the places, then run the script as Python would."""
    # Python puts this file's folder first on the path.
    placeholders: Any = importlib.import_module("placeholders")
    placeholders.hold_known()
    if placeholders.LACKING:
        listed = ", ".join(placeholders.LACKING)
        print("placeholders for what this Paddle lacks: {}".format(listed))
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
