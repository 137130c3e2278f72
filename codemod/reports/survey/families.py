"""The rows of a kit's survey as data: `rules/<Kit>/families.yaml`.

Patterns of paths and models are fnmatch patterns, in which `*` crosses `/`; conditions are
those of `codemod.audit.reach.holds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.kits.config_rule import ConfigRule
from codemod.kits.folder import FAMILIES, kit_file


@dataclass(frozen=True)
class Family:
    """A row: its name, and the configs that belong to it by path or by the model they name.

    `name` stands in both languages unless `en` is given. `code` says where the kit keeps, or would
    keep, its model code: runs of these files are joined to the row. `words` are what the kit's
    documents call it (by default the name), looked for where no config belongs to it.
    """

    name: str
    en: str = ""
    models: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    task: str = ""
    code: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Root(ConfigRule):
    """Further configs of a kit, beside those that the kit's own entry names.

    `files` and `excluded` are globs as in `kits.yaml`; the rest reads as in
    `rules/<Kit>/configs.yaml`.
    """

    name: str = ""
    files: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scripts:
    """Scripts that train and take no config: those of `files` with a hook, or that hold words.

    A script with a hook of its own, there or to be inserted, is one. So is one whose text matches
    every regular expression of `holds`; its training reaches `hook`, FILE:SCOPE, if that is given.
    """

    files: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    hook: str = ""


@dataclass(frozen=True)
class TaskRule:
    """The task of the configs in some folders."""

    configs: tuple[str, ...]
    task: str


@dataclass(frozen=True)
class DeclaredInputs:
    """What the training loop feeds the model, for configs that meet all conditions.

    Where `configs` are given, one of these patterns must match the path.
    """

    structure: str
    when: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """All that the survey knows of a kit beforehand.

    `families` are those of the plan, `others` name further rows. What is left is grouped by
    `group`: `model`, or path patterns of as many parts as the folder that makes a row.
    `data` are the config keys that name the kind of data.
    """

    task: str
    families: tuple[Family, ...] = ()
    others: tuple[Family, ...] = ()
    group: tuple[str, ...] = ("model",)
    data: tuple[str, ...] = ()
    inputs: tuple[DeclaredInputs, ...] = ()
    tasks: tuple[TaskRule, ...] = ()
    roots: tuple[Root, ...] = ()
    scripts: tuple[Scripts, ...] = ()

    @cached_property
    def rows(self) -> tuple[Family, ...]:
        """The named rows, in the order in which a config is offered to them."""
        return (*self.families, *self.others)


def catalogue(kit: str) -> Catalogue:
    """The catalogue of a kit; a kit without one is grouped by the models that its configs name.

    Raises:
        UsageError: the file is broken, with file and line.
    """
    file = kit_file(kit, FAMILIES)
    return read_record(Catalogue, read_yaml(file)) if file else Catalogue(task="training")
