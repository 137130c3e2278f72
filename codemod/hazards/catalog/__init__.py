"""The catalogue: the table `hazards.yaml`, joined with the functions that look for its rows.

Each module here is a theme; `THEME.yaml` beside it holds the cases of its hazards.
"""

from __future__ import annotations

from importlib import import_module

from codemod.base.files.data_folder import modules_beside
from codemod.base.files.yaml_file import YamlValue
from codemod.hazards.finders import FINDERS
from codemod.hazards.hazard import SEVERE, Effect, Hazard, Mode
from codemod.hazards.measured import COLUMNS, LATER, SECTIONS

_CELLS = len(Mode) * len(COLUMNS)
_EFFECTS = tuple(effect.value for effect in Effect)
_DOUBTFUL = tuple(f"{effect.value}?" for effect in SEVERE)


def _hazard(id_: str, row: YamlValue) -> Hazard:
    cells = row.entries()
    if len(cells) != _CELLS + 3:
        raise row.fault(f"must hold a name, {_CELLS} effects and two remedies")
    stated = _stated(id_, cells[1:-2])
    effects = tuple(Effect(text.rstrip("?")) for text in stated)
    doubtful = tuple(text.endswith("?") for text in stated)
    name, remedy, remedy_zh = (cells[i].text() for i in (0, -2, -1))
    return Hazard(id_, name, effects, remedy, remedy_zh, FINDERS.get(id_), doubtful)


def _stated(id_: str, cells: tuple[YamlValue, ...]) -> list[str]:
    """The effects in AST on each measured Paddle, then those in SOT, as the table has them."""
    stated = []
    for place, mode in enumerate(Mode):
        told = [*cells[place * len(COLUMNS) :][: len(COLUMNS)]]
        for changed in LATER.values():
            told.append(changed.get(id_, {}).get(mode.value, told[-1]))
        stated += [cell.one_of((*_EFFECTS, *_DOUBTFUL)) for cell in told]
    return stated


def _texts(row: YamlValue) -> tuple[str, str, str]:
    name, remedy, remedy_zh = row.texts()
    return name, remedy, remedy_zh


for _name in modules_beside(__file__):
    import_module(f"{__name__}.{_name}")

CATALOG = tuple(_hazard(id_, row) for id_, row in SECTIONS["models"].items())
"""The hazards of models, in the order of their numbers."""

_training = {id_: _texts(row) for id_, row in SECTIONS["training"].items()}
TEXTS = {hazard.id: (hazard.name, hazard.remedy) for hazard in CATALOG} | {
    id_: (name, remedy) for id_, (name, remedy, _) in _training.items()
}
"""Name and remedy of every hazard by its id, those that only a training run shows included."""

CHINESE_REMEDIES = {hazard.id: hazard.remedy_zh for hazard in CATALOG} | {
    id_: remedy_zh for id_, (_, _, remedy_zh) in _training.items()
}
"""The remedy of every hazard in Chinese, by its id."""
