"""The catalogue of remedies: the table `remedies.yaml`, joined with the functions that mend.

Each module here is a theme; `THEME.yaml` beside it holds cases: code before and after.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

from codemod.audit.fixes.remedy import FAULT_FINDERS, MENDERS, Blame, Remedy
from codemod.base.files.data_folder import modules_beside
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.hazards.catalog import CATALOG
from codemod.hazards.finders import Finder
from codemod.hazards.reach.reached import Reached

TABLE = Path(__file__).with_name("remedies.yaml")
_HAZARDS = {hazard.id: hazard for hazard in CATALOG}


def _hook_remedy(id_: str, row: YamlValue) -> Remedy:
    says, says_zh = row.texts()
    hazard = _HAZARDS[id_]
    assert hazard.find is not None, id_
    comment, find = _comments.get(id_, ""), partial(_nodes, hazard.find)
    return Remedy(id_, hazard.name, Blame.HOOK, says, says_zh, find, MENDERS[id_], comment)


def _nodes(find: Finder, reached: Reached) -> Iterator[ast.AST]:
    return (node for node, _ in find(reached))


def _kit_remedy(id_: str, row: YamlValue) -> Remedy:
    name, says, says_zh = row.texts()
    return Remedy(id_, name, Blame.KIT, says, says_zh, FAULT_FINDERS[id_], MENDERS[id_])


for _name in modules_beside(__file__):
    import_module(f"{__name__}.{_name}")
_sections = read_yaml(TABLE).fields(frozenset(("hazards", "faults", "comments")), frozenset())
_comments = {id_: row.text() for id_, row in _sections["comments"].items()}

REMEDIES: tuple[Remedy, ...] = (
    *(_hook_remedy(id_, row) for id_, row in _sections["hazards"].items()),
    *(_kit_remedy(id_, row) for id_, row in _sections["faults"].items()),
)
"""The remedies, in the order of the table."""
