"""What `codemod spec` found of each layer: derived, compared with the kit's own, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from codemod.base.grouping import grouped
from codemod.experiments.spec.derive import Derived, derive
from codemod.experiments.spec.nodes import (
    Constant,
    Dictionary,
    Node,
    Opaque,
    Place,
    Sequence,
    Tensor,
    describe,
    inner,
    to_json,
)
from codemod.experiments.spec.observe import Observation
from codemod.experiments.spec.observed import Layer, ObservedHook
from codemod.experiments.spec.render import SpecSource


@dataclass(frozen=True, slots=True)
class SpecResult:
    """What was found of one layer, or of several that one call hooks and that are fed alike."""

    layer: Layer
    derived: Derived
    differences: tuple[SpecDifference, ...]
    alike: int = 1

    @property
    def hook(self) -> ObservedHook | None:
        """The hook of the layer, None where the tree has none."""
        return self.layer.hook

    def to_json(self, root: Path) -> dict[str, Any]:
        """The result as one JSON object; files of the kit are relative to `root`."""
        hook, derived = self.hook, self.derived
        place = {"file": within(hook.file, root), "line": hook.line} if hook else None
        kit = describe(hook.spec) if hook and hook.spec is not None else None
        return {
            "layer": self.layer.cls,
            "layers_alike": self.alike,
            "forward": {"file": within(self.layer.file, root), "line": self.layer.line},
            "hook": place,
            "calls": {"train": self.layer.count(True), "eval": self.layer.count(False)},
            "input_spec": SpecSource().line(derived.spec) if derived.fits_training else None,
            "fits": derived.fits,
            "fits_training": derived.fits_training,
            "arguments": {
                name: to_json(node) for name, node in zip(derived.names, derived.spec, strict=True)
            },
            "notes": [note.to_json() for note in derived.notes],
            "kit_spec": kit,
            "differences": [{**asdict(d), "file": within(d.file, root)} for d in self.differences],
        }


def results(observation: Observation, shrunk: bool = False) -> tuple[SpecResult, ...]:
    """One result for each layer; layers of one class, hooked by one call, are merged.

    `shrunk` says that the run's sizes are not the config's: a fixed dim of the kit's spec that
    differs is then no fault.
    """
    trained = (layer for layer in observation.layers if layer.count(True))
    groups = grouped(
        ((layer.cls, layer.hook and (layer.hook.file, layer.hook.line)), layer) for layer in trained
    )
    return tuple(_result(group, shrunk) for group in groups.values())


def _result(group: list[Layer], shrunk: bool) -> SpecResult:
    derived = derive(call for layer in group for call in layer.calls)
    differences = tuple(
        replace(one, kind="size") if shrunk and one.kind == "dim" else one
        for one in compare(group[0], derived.spec, derived.names)
    )
    return SpecResult(group[0], derived, differences, len(group))


def within(file: str, root: Path) -> str:
    """A kit's file relative to its root; any other file as it is."""
    path, top = Path(file).resolve(), root.resolve()
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else file


@dataclass(frozen=True, slots=True)
class SpecDifference:
    """One difference. `file` and `line` are the InputSpec's, or the hook's where it has none.

    `kind` is structure (raises), rank or dim (Paddle warns, ignores the spec of that tensor, and
    traces once a shape), dtype (Paddle from 2.6 takes the real one), wider (a None where nothing
    was seen to vary: no fault), or size (a dim in a run whose sizes are not the config's: no
    fault).
    """

    kind: str
    path: str
    kit: str
    fed: str
    file: str
    line: int

    @property
    def fault(self) -> bool:
        """Whether the kit's spec is wrong."""
        return self.kind not in ("wider", "size")


def compare(layer: Layer, spec: tuple[Node, ...], names: tuple[str, ...]) -> list[SpecDifference]:
    """All differences between the hook's own spec and the derived one."""
    hook = layer.hook
    if hook is None or hook.spec is None:
        return []
    place = (hook.file, hook.line)
    if not isinstance(hook.spec, Sequence):
        return [SpecDifference("structure", "spec", describe(hook.spec), "list", *place)]
    found: list[SpecDifference] = []
    kit = hook.spec.items
    if len(kit) > len(spec):
        rest = kit[len(spec) :]
        # Non-tensors behind the last tensor may be named or not.
        if any(not isinstance(node, Constant) for node in rest):
            text = f"{len(kit)} arguments"
            shown = f"{len(spec)} (more in the spec: {', '.join(map(describe, rest))})"
            found.append(SpecDifference("structure", "forward", text, shown, *place))
    for index, (name, fed) in enumerate(zip(names, spec, strict=True)):
        found += _key(name, kit[index] if index < len(kit) else None, fed, place)
    return found


def _node(path: str, kit: Node, fed: Node, place: Place) -> Iterator[SpecDifference]:
    if isinstance(kit, Tensor) and isinstance(fed, Tensor):
        yield from _tensor(path, kit, fed, kit.place or place)
    elif isinstance(kit, Sequence) and isinstance(fed, Sequence) and kit.cls == fed.cls:
        where = _place(kit) or place
        if len(kit.items) != len(fed.items):
            text = f"{kit.cls} of {len(kit.items)}", f"{fed.cls} of {len(fed.items)}"
            yield SpecDifference("structure", path, *text, *where)
        for index, pair in enumerate(zip(kit.items, fed.items, strict=False)):
            yield from _node(f"{path}[{index}]", *pair, where)
    elif isinstance(kit, Dictionary) and isinstance(fed, Dictionary):
        where = _place(kit) or place
        for name in dict.fromkeys((*kit.items, *fed.items)):
            key = f'{path}["{name}"]'
            yield from _key(key, kit.items.get(name), fed.items.get(name), where)
    elif not isinstance(fed, Opaque) and kit != fed:
        yield SpecDifference("structure", path, describe(kit), describe(fed), *place)


def _key(path: str, kit: Node | None, fed: Node | None, place: Place) -> Iterator[SpecDifference]:
    if kit is None or fed is None:
        shown = (
            ("not in the spec" if kit is None else describe(kit)),
            ("not fed" if fed is None else describe(fed)),
        )
        yield SpecDifference("structure", path, *shown, *place)
    else:
        yield from _node(path, kit, fed, place)


def _tensor(path: str, kit: Tensor, fed: Tensor, place: Place) -> Iterator[SpecDifference]:
    shown = describe(kit), describe(fed)
    if len(kit.shape) != len(fed.shape):
        yield SpecDifference("rank", path, *shown, *place)
        return
    pairs = [(a, b) for a, b in zip(kit.shape, fed.shape, strict=True) if a != b]
    if any(a is not None for a, _ in pairs):
        yield SpecDifference("dim", path, *shown, *place)
    elif pairs:
        yield SpecDifference("wider", path, *shown, *place)
    if kit.dtype != fed.dtype:
        yield SpecDifference("dtype", path, *shown, *place)


def _place(node: Node) -> Place | None:
    """The first line of a group of specs."""
    items = (item for item in inner(node) if isinstance(item, Tensor))
    return next((item.place for item in items if item.place), None)
