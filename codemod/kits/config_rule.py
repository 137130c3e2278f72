"""How a kit's configs are read and lead to its hooks: `rules/<Kit>/configs.yaml`."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.base.files.yaml_file import read_yaml
from codemod.base.reason import Reason
from codemod.base.schema import read_record
from codemod.kits.catalogue import Kit
from codemod.kits.folder import CONFIGS, kit_file


@dataclass(frozen=True)
class Need:
    """What a config must have for a hook to act on it.

    The value at the first of `key` that is there must exist, be `one_of` the given and stand in
    the literal list that the code calls `listed`, as far as these are stated; or name a class
    whose constructor `accepts` an argument. `absent` turns it round. `files` are where the code is
    looked up, and code that holds the text `unless` makes the need void. `refused` says that the
    rule leaves such configs alone on purpose, which is nothing to mend. With `behind` the hook is
    reached all the same, and training with it fails or is wrong.
    """

    key: tuple[str, ...]
    why: str
    one_of: tuple[str, ...] = ()
    listed: str = ""
    accepts: str = ""
    absent: bool = False
    files: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    unless: str = ""
    refused: bool = False
    behind: bool = False
    why_zh: str = ""

    @property
    def reason(self) -> Reason:
        """`why`, in both languages."""
        return Reason.said(self.why, self.why_zh)


@dataclass(frozen=True)
class Route:
    """A way from configs to a hook: `FILE:SCOPE` globs, conditions, and needs."""

    hooks: tuple[str, ...]
    when: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class NamedNets:
    """The trained layers of configs whose `model` is one of these globs, as `nets` tells them."""

    models: tuple[str, ...]
    nets: tuple[str, ...]


@dataclass(frozen=True)
class ConfigRule:
    """How the kit's configs are read: which train, what they inherit, what names the model.

    `nets` are the keys under which the names of the trained layers stand, or places in the
    code (`{folder}/net.py:*`, `file.py:Class.factory`); without it `model`. The first of `named`
    whose globs the name of the model matches has others instead. `aside` are globs of dotted
    keys below them that name something else (a criterion outside of the model).
    `apart` are names of folders, in small letters, that hold programs of their own: a config that
    does not name the folder does not mean their classes.
    `code` are globs of files whose layers are trained as they are: a probe takes such a file in the
    place of a config.
    `settled` are hazards (D-71) that the kit's hook itself sees to: notes, no longer warnings.
    """

    routes: tuple[Route, ...]
    trains: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    nets: tuple[str, ...] = ()
    named: tuple[NamedNets, ...] = ()
    aside: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


def config_rule(kit: Kit) -> ConfigRule | None:
    """The config rule of a kit, None where there is none.

    Raises:
        UsageError: the file is broken, with file and line.
    """
    file = kit_file(kit.name, CONFIGS)
    return read_record(ConfigRule, read_yaml(file)) if file else None
