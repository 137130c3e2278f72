"""Where the tool's data lies: `kits.yaml` and `rules/`, data a user may replace or add to."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def data_path(name: str) -> Path:
    """The data file or folder `name` ("kits.yaml", "rules").

    In this order: the folder that `CODEMOD_DATA` names, the top level of a source
    checkout, the data packed into an installed package.
    """
    folder = os.environ.get("CODEMOD_DATA")
    if folder:
        return Path(folder) / name
    beside = _PACKAGE.parent / name
    if (_PACKAGE.parent / "pyproject.toml").is_file() and beside.exists():
        return beside
    return _PACKAGE / "data" / name
