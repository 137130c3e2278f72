"""`python -m probe_inside ADAPTER_FILE`: serve probes of one kit; see `serve.py`."""

from __future__ import annotations

import sys

from .serve import serve

serve(sys.argv[1])
