"""What this machine has of all that the commands need, and what to do where it is lacking."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
    remedy: str = ""


def checks(workspace: Path) -> Iterator[Symptom]:
    """Look at one thing after the other; nothing is fetched, and nothing is written."""
    yield Symptom("python", True, platform.python_version(), "the tool itself")
    yield _program("git", ("git", "--version"), "fetching kits, branches", "Install git.")
    yield _program("uv", ("uv", "--version"), "quick environments", "Install uv; venv and pip do.")
    yield _program("gh", ("gh", "--version"), "opening pull requests", "Install gh, or push only.")
    yield _pythons()
    yield _environments()
    yield _cards()
    yield _disk(workspace)
    yield _mirror()
    yield _index()
    yield _plots()
    yield _locale()


def _program(name: str, command: tuple[str, ...], need: str, remedy: str) -> Symptom:
    path = tools.found(command[0])
    if path is None:
        return Symptom(name, False, "not on the PATH", need, remedy)
    told = tools.ask([path, *command[1:]])
    first = (told.text.splitlines() or ["it does not run"])[0]
    return Symptom(name, told.code == 0, f"{first}, {path}", need, remedy)


def _pythons() -> Symptom:
    from codemod.training.environment.environments import BEST_PYTHON, find_python

    found = [version for version in _PYTHONS if find_python(version)]
    return Symptom(
        "pythons",
        BEST_PYTHON in found,
        ", ".join(found) or "none",
        f"environments; SOT sees most on {BEST_PYTHON}",
        f"Install Python {BEST_PYTHON}, or uv, which brings it.",
    )


def _environments() -> Symptom:
    from codemod.training.environment.environments import default_root

    root = default_root()
    found = sorted(path.parent.name for path in root.glob("*/.ready"))
    return Symptom(
        "environments",
        bool(found),
        f"{len(found)} in {root}" if found else f"none in {root}",
        "parity, probe, spec, check --exec",
        "`codemod env KIT` makes one; the commands that need one do so themselves.",
    )


def _cards() -> Symptom:
    from codemod.training.environment.cards import cards

    here = cards()
    told = "; ".join(f"{card}, driver {card.driver}" for card in here.cards) or here.why
    return Symptom("gpu", bool(here.cards), told, "parity on a GPU", "Without one the CPU is used.")


def _disk(workspace: Path) -> Symptom:
    place = next(folder for folder in (workspace, *workspace.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    return Symptom(
        "disk",
        free > _ROOM_B,
        f"{size(free)} free at {place}",
        "environments of 1 to 8 GB each, records, samples",
        "Free some, or name another --workspace and XDG_CACHE_HOME.",
    )


def _mirror() -> Symptom:
    mirror = os.environ.get("CODEMOD_MIRROR", "")
    good = not mirror or "://" in mirror or Path(mirror).is_dir()
    return Symptom(
        "mirror",
        good,
        mirror or "none, kits come from where kits.yaml says",
        "kits behind a firewall",
        "CODEMOD_MIRROR names no folder and no address.",
    )


def _index() -> Symptom:
    named = ("UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_INDEX_URL", "CODEMOD_PADDLE_INDEX")
    found = [name for name in named if os.environ.get(name)]
    told = f"set by {', '.join(found)}" if found else "as pip and uv are set up"
    return Symptom("index", True, told, "packages of environments")


def _plots() -> Symptom:
    import importlib.util

    there = importlib.util.find_spec("matplotlib") is not None
    return Symptom(
        "matplotlib",
        there,
        "there" if there else "not there",
        "loss curves in reports",
        "Install the extra: paddle-codemod[parity].",
    )


def _locale() -> Symptom:
    encoding = sys.stdout.encoding or locale.getpreferredencoding(False)
    good = encoding.lower().replace("-", "") == "utf8"
    return Symptom(
        "locale", good, encoding, "Chinese text, symbols", "Set LANG=C.UTF-8 or another UTF-8."
    )
