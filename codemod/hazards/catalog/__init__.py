"""The catalogue: one module a hazard, in the order of their numbers."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemod.hazards.hazard import Hazard


def _load() -> tuple[Hazard, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(
        import_module(f"{__name__}.{name}").HAZARD for name in names if name[1:3].isdigit()
    )


CATALOG = _load()
