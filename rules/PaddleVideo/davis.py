"""Stand in for the package davisinteractive, which today's build tools do not build.

The scripts of MA-Net import it whole; of it, training calls two functions: which frames have
scribbles, and the scribbles drawn as masks. The rest can be named, but not used.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

_NAME = "davisinteractive"


def annotated_frames(scribbles: dict[str, Any]) -> list[int]:
    """The numbers of the frames that have scribbles."""
    return [number for number, lines in enumerate(scribbles["scribbles"]) if lines]


def scribbles2mask(scribbles: dict[str, Any], output_resolution: tuple[int, int]) -> Any:
    """Masks of all frames, [frames, height, width]: the object's number on its lines, else -1."""
    numpy: Any = importlib.import_module("numpy")
    height, width = output_resolution
    masks = numpy.full((len(scribbles["scribbles"]), height, width), -1, "int64")
    for mask, lines in zip(masks, scribbles["scribbles"]):
        for line in lines:
            points = (numpy.asarray(line["path"]) * (width - 1, height - 1)).round()
            for start, end in zip(points, points[1:]):
                steps = int(abs(end - start).max()) + 1
                xs, ys = numpy.linspace(start, end, steps).round().astype(int).T
                mask[ys, xs] = line["object_id"]
    return masks


class InteractiveScribblesRobot:
    """It is made before training, and draws scribbles after thirty epochs."""

    def interact(self, *_given: Any) -> None:
        """Raise RuntimeError: it is not held here."""
        raise RuntimeError("No davisinteractive here: nothing draws scribbles between rounds.")


def _unused(*_given: Any) -> None:
    raise RuntimeError("No davisinteractive here: only its scribbles are.")


def hold() -> None:
    """Put the modules that the scripts import in their places."""
    held: dict[str, dict[str, Any]] = {
        "": {},
        ".utils": {},
        ".utils.scribbles": {
            "scribbles2mask": scribbles2mask,
            "annotated_frames": annotated_frames,
        },
        ".utils.operations": {"bresenham": _unused},
        ".robot": {},
        ".robot.interactive_robot": {"InteractiveScribblesRobot": InteractiveScribblesRobot},
    }
    for name, content in held.items():
        module = types.ModuleType(_NAME + name)
        module.__path__ = []
        vars(module).update(content)
        sys.modules[module.__name__] = module
        above, _, last = module.__name__.rpartition(".")
        if above:
            setattr(sys.modules[above], last, module)
