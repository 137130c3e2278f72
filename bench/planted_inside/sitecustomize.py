"""Plant faults in the static side of a run of sides; see `bench/planted.py`.

The runner's own `sitecustomize` runs this one, since it hides it; the recorder is not there yet.
"""

from __future__ import annotations

import os

_plan = os.environ.pop("CODEMOD_PLANTS", "")
_carried = os.environ.pop("CODEMOD_CARRIED", "")
# Not in what the kit's process starts: that has no recorder.
if (_plan or _carried) and os.environ.get("CODEMOD_DEVICE"):
    from importlib import import_module

    faults = import_module("planted_faults")
    if _plan:
        faults.install(_plan)
    else:
        faults.install_carried(_carried)
