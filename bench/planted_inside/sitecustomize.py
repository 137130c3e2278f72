"""Plant faults in the static side of a run of sides; see `bench/planted.py`.

The runner's own `sitecustomize` runs this one, since it hides it; the recorder is not there yet.
"""

from __future__ import annotations

import os

_plan = os.environ.pop("CODEMOD_PLANTS", "")
# Not in what the kit's process starts: that has no recorder.
if _plan and os.environ.get("CODEMOD_DEVICE"):
    from importlib import import_module

    import_module("planted_faults").install(_plan)
