"""Where the tool's data lies: `kits.yaml` and `rules/`, which a user may replace or add to."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def data_folders() -> tuple[Path, ...]:
    """The folders that hold data, the first to be asked first.

    These are the folder that `CODEMOD_DATA` names, if it is set, and the tool's own: the top
    level of a source checkout, or the data packed into an installed package.
    """
    checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    own = _PACKAGE.parent if checkout else _PACKAGE / "data"
    user = os.environ.get("CODEMOD_DATA")
    return (Path(user), own) if user else (own,)


def data_path(name: str) -> Path:
    """The data file or folder `name` ("kits.yaml", "rules/PaddleSeg/rule.yaml").

    A file in the user's folder takes the place of the tool's own. Where neither has it, the path
    at which the user would add it.
    """
    places = [folder / name for folder in data_folders()]
    return next((place for place in places if place.exists()), places[0])
