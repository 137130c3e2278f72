"""Where data lies: `kits.yaml`, `rules/` and `evidence/`, which a user may replace or add to."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parents[2]


def data_folders() -> tuple[Path, ...]:
    """The folders that hold data, the first to be asked first.

    These are the folder that `CODEMOD_DATA` names, if it is set, and the tool's own: the top
    level of a source checkout, or the data packed into an installed package.
    """
    checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    own = _PACKAGE.parent if checkout else _PACKAGE / "data"
    user = named_folder()
    return (user, own) if user else (own,)


def named_folder() -> Path | None:
    """The folder that `CODEMOD_DATA` names."""
    user = os.environ.get("CODEMOD_DATA")
    return Path(user) if user else None


def git_checkout() -> Path | None:
    """The tool's own checkout, if it runs from one that git knows: contributors add to it."""
    top = _PACKAGE.parent
    return top if (top / "pyproject.toml").is_file() and (top / ".git").exists() else None


def user_folder() -> Path:
    """Where the user's own additions lie: `$XDG_DATA_HOME/codemod`, else `~/.local/share/codemod`.

    An update of the tool does not touch it.
    """
    return user_place("XDG_DATA_HOME", ".local/share")


def user_place(variable: str, usual: str) -> Path:
    """Our folder in the user's own of that variable, else in `usual` below the home.

    A relative path counts as none, as the XDG specification has it.
    """
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / usual) / "codemod"


def folder_to_write() -> Path:
    """Where what a user adds is written: never into an installed tool's own folder."""
    return named_folder() or git_checkout() or user_folder()


def data_path(name: str) -> Path:
    """The data file or folder `name` ("kits.yaml", "rules/PaddleSeg/rule.yaml").

    A file in the user's folder takes the place of the tool's own. Where neither has it, the path
    at which the user would add it.
    """
    places = [folder / name for folder in data_folders()]
    return next((place for place in places if place.exists()), places[0])


def modules_beside(init: str) -> list[str]:
    """The names of the modules beside a package's `__init__.py`.

    Raises:
        OSError: the folder cannot be listed, where `pkgutil` would find it empty.
    """
    listed = (file for file in Path(init).parent.iterdir() if file.suffix == ".py")
    return sorted(file.stem for file in listed if file.stem != "__init__")


@cache
def table_beside(module: str, name: str) -> Any:
    """The YAML file `name` beside a module of ours, as plain data; read once."""
    import yaml

    text = Path(module).with_name(name).read_text(encoding="utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
