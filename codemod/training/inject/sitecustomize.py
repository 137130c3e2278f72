"""Start the parity recorder when the runner asks for it, else do nothing.

Python imports this module at start because the runner puts its folder first on PYTHONPATH. The
request is taken out of the environment, so that processes which the kit starts are left alone.
Where several processes are to train together, the launcher leaves it to them.
"""

from __future__ import annotations

import os
import sys


def _run_shadowed() -> None:
    """Run the sitecustomize that the environment itself has, which this one hides."""
    import importlib.machinery

    here = os.path.dirname(os.path.abspath(__file__))
    rest = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None and spec.origin != os.path.abspath(__file__):
        import importlib.util

        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_launcher = "CODEMOD_RANKS" in os.environ and "PADDLE_TRAINER_ID" not in os.environ
_request = "" if _launcher else os.environ.pop("CODEMOD_PARITY", "")
_reads = os.environ.get("CODEMOD_READS", "")
_lines = "" if _launcher else os.environ.pop("CODEMOD_LINES", "")
_run_shadowed()
if _reads:
    from importlib import import_module

    # Left in the environment: what a process that the kit starts reads, the run reads.
    import_module("parity_recorder.files.reads").install(_reads)
if _request:
    from importlib import import_module

    import_module("parity_recorder").install(_request)
if _lines:
    from importlib import import_module

    import_module("parity_recorder.files.executed").install(_lines)
