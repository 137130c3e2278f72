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
from codemod.base.reason import Reason
from codemod.base.terminal.amounts import size

# An environment with Paddle takes 1 to 3 GB, one for a GPU up to 8.
_ROOM_B = 10e9
_PYTHONS = ("3.9", "3.10", "3.11", "3.12")


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing: `good` says whether it will do, `need` what it is for, `remedy` what to do."""

    name: str
    good: bool
    found: Reason | str
    need: Reason
    remedy: Reason

    def to_json(self) -> dict[str, str | bool]:
        """The texts in English."""
        texts = {"found": str(self.found), "need": str(self.need), "remedy": str(self.remedy)}
        return {"name": self.name, "good": self.good, **texts}


# Whether a thing will do, and what is there of it.
_Found = tuple[bool, "Reason | str"]


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
        need, remedy = (
            Reason.said(*(text.format(python=BEST_PYTHON) for text in words[key]))
            for key in ("need", "remedy")
        )
        yield Symptom(name, *looks[name](), need, remedy)


def _program(name: str) -> _Found:
    path = tools.found(name)
    if path is None:
        return False, Reason.of("work.not-on-path")
    told = tools.ask([path, "--version"])
    first = next(iter(told.text.splitlines()), Reason.of("work.does-not-run"))
    return told.code == 0, Reason.of("work.program", version=first, path=path)


def _pythons() -> _Found:
    from codemod.training.environment.environments import BEST_PYTHON, find_python

    found = [version for version in _PYTHONS if find_python(version)]
    return BEST_PYTHON in found, ", ".join(found) or Reason.of("work.none")


def _environments() -> _Found:
    from codemod.training.environment.environments import default_root

    root = default_root()
    number = len(list(root.glob("*/.ready")))
    counted = number or Reason.of("work.none")
    return bool(number), Reason.of("work.environments", number=counted, root=str(root))


def _cards() -> _Found:
    from codemod.training.environment.cards import cards

    here = cards()
    told = tuple(
        Reason.of("work.card", name=card.name, id=card.id, driver=card.driver)
        for card in here.cards
    )
    return bool(told), Reason.of("work.cards", cards=told) if told else here.why


def _disk(workspace: Path) -> _Found:
    place = next(folder for folder in (workspace, *workspace.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    return free > _ROOM_B, Reason.of("work.free", size=size(free), place=str(place))


def _mirror() -> _Found:
    mirror = os.environ.get("CODEMOD_MIRROR", "")
    good = not mirror or "://" in mirror or Path(mirror).is_dir()
    return good, mirror or Reason.of("work.no-mirror")


def _index() -> _Found:
    named = ("UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_INDEX_URL", "CODEMOD_PADDLE_INDEX")
    found = tuple(name for name in named if os.environ.get(name))
    default = Reason.of("work.index-default")
    return True, Reason.of("work.index-set", names=found) if found else default


def _plots() -> _Found:
    from codemod.experiments.parity.plots import available

    there = Reason.of("work.there") if available() else Reason.of("work.not-there")
    return available(), there


def _locale() -> _Found:
    encoding = sys.stdout.encoding or locale.getpreferredencoding(False)
    return encoding.lower().replace("-", "") == "utf8", encoding
