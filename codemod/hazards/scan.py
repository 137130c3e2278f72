"""The hazards of models: of named classes, or of everything that a kit's configs train."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codemod.code.kept import once_each
from codemod.code.tree import Tree
from codemod.hazards.catalog import CATALOG
from codemod.hazards.hazard import Occurrence, occurrence
from codemod.hazards.reach.evaluate import Evaluator
from codemod.hazards.reach.index import Class, Unit, index_of
from codemod.hazards.reach.reachable import World
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.roots import Component, RootFinder, Roots
from codemod.hazards.sameness import Sameness
from codemod.kits.config_rule import ConfigRule

_AFTERWARDS = re.compile(r"post_?process|nms|decode|metric|transform$|dataset|reader|export")


@dataclass(frozen=True, slots=True)
class ModelHazards:
    """What one config's model can meet.

    `nets` are `FILE:CLASS` of the trained layers, empty where the config names none of the
    kit's. `found` is sorted by file and line. `files` are those that the nets and the functions
    which their `forward` reaches are written in, sorted. Configs with the same `computation` build
    the same in other sizes, see `codemod.hazards.sameness`; None where that is not known or not
    asked for.
    """

    config: str
    nets: tuple[str, ...]
    found: tuple[Occurrence, ...]
    files: tuple[str, ...] = ()
    computation: str | None = None


@dataclass(frozen=True, slots=True)
class ReachedModel:
    """The functions that one config's model reaches in training.

    `config` may be a file of model code, whose layers are all meant. `words` are those of the
    config: code behind a switch that none of them names does not run; None without a config.
    `files` are as in `ModelHazards`.
    """

    config: str
    nets: tuple[str, ...]
    functions: tuple[Reached, ...]
    words: frozenset[str] | None
    files: tuple[str, ...]


class Scanner:
    """Scans the models of one kit; what one model taught is kept for the next."""

    def __init__(self, tree: Tree) -> None:
        self.index = index_of(tree)
        self.world = World(self.index)
        self.found: dict[tuple[object, ...], Any] = {}

    def units(self, nets: Iterable[Class], components: tuple[Component, ...] = ()) -> list[Unit]:
        """The functions that the nets' forward reaches; open calls go to the components."""
        roots = [unit for net in nets for unit in self._entered(net)]
        while True:
            for unit in self.world.run():
                Evaluator(self.world, unit).run()
            reached, waiting = self._walk(roots, components)
            if not waiting:
                return reached

    def _entered(self, net: Class) -> list[Unit]:
        units = self.world.instance_units(net)
        for unit in units:
            unit.is_net = True
        return units

    def _walk(
        self, roots: list[Unit], components: tuple[Component, ...]
    ) -> tuple[list[Unit], bool]:
        """The closure, and whether new units must be evaluated before it is complete."""
        seen: dict[Unit, None] = dict.fromkeys(roots)
        stack = list(roots)
        waiting = False
        while stack:
            unit = stack.pop()
            waiting = waiting or not unit.passes
            for target in (*unit.edges, *self._opened(unit, components)):
                if target not in seen:
                    seen[target] = None
                    stack.append(target)
        return list(seen), waiting

    def _opened(self, unit: Unit, components: tuple[Component, ...]) -> Iterator[Unit]:
        for (name, method), given in unit.open.items():
            for owner in _candidates(name, components):
                for target in self._targets(owner, method):
                    if target.owner is not None:
                        self.world.call(None, target.function, target.owner, given)
                    yield target

    def _targets(self, owner: Class, method: str) -> list[Unit]:
        if method == "forward":
            return self.world.instance_units(owner)
        found = self.index.method(owner, method)
        return [self.world.unit(found, owner)] if found else []

    @once_each
    def hazards(self, unit: Unit) -> tuple[Occurrence, ...]:
        """The hazards of one function, evaluated already."""
        reached = Reached(self.world, unit)
        return tuple(
            occurrence(hazard, reached, node, reason)
            for hazard in CATALOG
            if hazard.find is not None
            for node, reason in hazard.find(reached)
        )

    def collect(
        self, units: Iterable[Unit], words: frozenset[str] | None
    ) -> tuple[Occurrence, ...]:
        """The hazards of all units, each line once; those behind a switch that is off go."""
        found: dict[tuple[str, str, int], Occurrence] = {}
        for unit in units:
            for hazard in self.hazards(unit):
                if words is not None and any(s not in words for s in hazard.switches):
                    continue
                found.setdefault((hazard.id, hazard.file, hazard.line), hazard)
        return tuple(sorted(found.values(), key=lambda f: (f.file, f.line, f.id)))


def scan(tree: Tree, roots: Iterable[str]) -> tuple[Occurrence, ...]:
    """The hazards of the classes (or factories) named `FILE:NAME`, by file and line.

    Raises:
        KeyError: a root that is not defined there.
    """
    scanner = Scanner(tree)
    nets: list[Class] = []
    for root in roots:
        file, _, name = root.partition(":")
        found = scanner.index.defined(file, name)
        if found is None:
            raise KeyError(root)
        made = {found} if isinstance(found, Class) else None
        nets += made or scanner.world.builder.returned(found, None).classes  # type: ignore[arg-type]
    return scanner.collect(scanner.units(nets), None)


def files_reached(scanner: Scanner, file: str) -> tuple[str, ...]:
    """The files that the forward of any layer defined in `file` reaches, with `file`, sorted."""
    return _files([file], scanner.units(_layers(scanner, file)))


def _layers(scanner: Scanner, file: str) -> list[Class]:
    """The layers that a file defines."""
    return [found for found in scanner.index.classes(file) if scanner.index.is_layer(found)]


def scan_kit(
    tree: Tree, rule: ConfigRule, configs: Mapping[str, dict[str, Any]], *, alike: bool = True
) -> tuple[ModelHazards, ...]:
    """The hazards of every config's model.

    `configs` maps paths to loaded configs, as `codemod.audit.reach.trainable` yields them. Without
    `alike` their computations are not told.
    """
    scanner = Scanner(tree)
    finder = RootFinder(scanner.index, scanner.world.builder, rule)
    sameness = Sameness(finder)
    made = []
    for one, units in _closures(scanner, finder, configs):
        found = scanner.collect(units, one.words)
        same = sameness.of(one, configs[one.config], found) if alike else None
        nets = tuple(net.place for net in one.nets)
        files = _files((net.module.path for net in one.nets), units)
        made.append(ModelHazards(one.config, nets, found, files, same))
    return tuple(made)


def reached_models(
    tree: Tree, rule: ConfigRule, configs: Mapping[str, dict[str, Any]]
) -> tuple[ReachedModel, ...]:
    """What every config's model reaches; `configs` as for `scan_kit`."""
    scanner = Scanner(tree)
    finder = RootFinder(scanner.index, scanner.world.builder, rule)
    return tuple(
        _reached(scanner, one.config, one.nets, units, one.words)
        for one, units in _closures(scanner, finder, configs)
    )


def reached_code(tree: Tree, files: Iterable[str]) -> tuple[ReachedModel, ...]:
    """What the layers that each file of model code defines reach."""
    scanner = Scanner(tree)
    layers = {file: _layers(scanner, file) for file in files}
    closures = {file: scanner.units(nets) for file, nets in layers.items()}
    return tuple(
        _reached(scanner, file, layers[file], units, None) for file, units in closures.items()
    )


def _reached(
    scanner: Scanner,
    config: str,
    nets: Sequence[Class],
    units: list[Unit],
    words: frozenset[str] | None,
) -> ReachedModel:
    functions = tuple(Reached(scanner.world, unit) for unit in units)
    # A file of model code may define no layer.
    own = [config] if words is None else [net.module.path for net in nets]
    places = tuple(net.place for net in nets)
    return ReachedModel(config, places, functions, words, _files(own, units))


def _closures(
    scanner: Scanner, finder: RootFinder, configs: Mapping[str, dict[str, Any]]
) -> list[tuple[Roots, list[Unit]]]:
    """The roots of each config with the units that they reach, evaluated for all of them."""
    roots = [finder.roots(path, config) for path, config in configs.items()]
    different = dict.fromkeys((one.nets, one.components) for one in roots)
    closures = {key: scanner.units(*key) for key in different}
    return [(one, closures[one.nets, one.components]) for one in roots]


def _files(own: Iterable[str], units: list[Unit]) -> tuple[str, ...]:
    """The files of the nets, and those that the functions which they reach are written in."""
    return tuple(sorted({*own, *(unit.function.module.path for unit in units)}))


def _candidates(name: str, components: tuple[Component, ...]) -> list[Class]:
    """The components under a key of that name; if there are none, all of them.

    What works on a model's output (post-processing, metrics) is not part of a training step, so
    it is found by its own key alone.
    """
    wanted = name.lower().strip("_")
    exact = [c.owner for c in components if c.key.lower() == wanted]
    inner = [c for c in components if not _AFTERWARDS.search(c.key.lower())]
    near = exact or [
        c.owner for c in inner if c.key.lower() in wanted or (wanted and wanted in c.key.lower())
    ]
    return list(dict.fromkeys(near or [c.owner for c in inner]))
