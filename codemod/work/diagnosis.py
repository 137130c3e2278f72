"""What this machine has of all that the commands need, and what to do where it is lacking."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from codemod.base.files.data_folder import table_beside
from codemod.base.launch import tools
from codemod.base.terminal.amounts import size

# An environment with Paddle takes 1 to 3 GB, one for a GPU up to 8.
_ROOM_B = 10e9
_PYTHONS = ("3.9", "3.10", "3.11", "3.12")


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing: `good` says whether it will do, `need` what it is for, `remedy` what to do."""

    name: str
    good: bool
    found: str
    need: str
    remedy: str


# Whether a thing will do, and what is there of it.
_Found = tuple[bool, str]


def checks(workspace: Path) -> Iterator[Symptom]:
    """Look at one thing after the other; nothing is fetched, and nothing is written."""
    from codemod.training.environment.environments import BEST_PYTHON

    looks: dict[str, Callable[[], _Found]] = {
        "python": lambda: (True, platform.python_version()),
        **{name: partial(_program, name) for name in ("git", "uv", "gh")},
        "pythons": _pythons,
        "environments": _environments,
        "gpu": _cards,
        "disk": partial(_disk, workspace),
        "mirror": _mirror,
        "index": _index,
        "matplotlib": _plots,
        "locale": _locale,
    }
    for name, words in table_beside(__file__, "diagnosis.yaml").items():
        told = {key: text.format(python=BEST_PYTHON) for key, text in words.items()}
        yield Symptom(name, *looks[name](), **told)


def _program(name: str) -> _Found:
    path = tools.found(name)
    if path is None:
        return False, "not on the PATH"
    told = tools.ask([path, "--version"])
    first = (told.text.splitlines() or ["it does not run"])[0]
    return told.code == 0, f"{first}, {path}"


def _pythons() -> _Found:
    from codemod.training.environment.environments import BEST_PYTHON, find_python

    found = [version for version in _PYTHONS if find_python(version)]
    return BEST_PYTHON in found, ", ".join(found) or "none"


def _environments() -> _Found:
    from codemod.training.environment.environments import default_root

    root = default_root()
    number = len(list(root.glob("*/.ready")))
    return bool(number), f"{number or 'none'} in {root}"


def _cards() -> _Found:
    from codemod.training.environment.cards import cards

    here = cards()
    told = "; ".join(f"{card}, driver {card.driver}" for card in here.cards) or here.why
    return bool(here.cards), told


def _disk(workspace: Path) -> _Found:
    place = next(folder for folder in (workspace, *workspace.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    return free > _ROOM_B, f"{size(free)} free at {place}"


def _mirror() -> _Found:
    mirror = os.environ.get("CODEMOD_MIRROR", "")
    good = not mirror or "://" in mirror or Path(mirror).is_dir()
    return good, mirror or "none, kits come from where kits.yaml says"


def _index() -> _Found:
    named = ("UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_INDEX_URL", "CODEMOD_PADDLE_INDEX")
    found = [name for name in named if os.environ.get(name)]
    return True, f"set by {', '.join(found)}" if found else "as pip and uv are set up"


def _plots() -> _Found:
    from codemod.experiments.parity.plots import available

    return available(), "there" if available() else "not there"


def _locale() -> _Found:
    encoding = sys.stdout.encoding or locale.getpreferredencoding(False)
    return encoding.lower().replace("-", "") == "utf8", encoding
