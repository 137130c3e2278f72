"""`python -m switch_inside FILE`: try every job of a kit, as JSON lines; see `tries.py`."""

from __future__ import annotations

import sys

from .tries import main

main(sys.argv[1])
