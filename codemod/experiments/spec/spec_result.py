"""What `codemod spec` found of each layer: derived and compared, and as one JSON object."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from codemod.base.grouping import grouped
from codemod.experiments.spec.compare import SpecDifference, compare
from codemod.experiments.spec.derive import Derived, derive
from codemod.experiments.spec.nodes import describe, to_json
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
