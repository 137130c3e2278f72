"""Which class of the kit each layer is of, so that a name in a record leads to a source file."""

from __future__ import annotations

import sys
from typing import Any


def layer_classes(roots: list[tuple[str, Any]]) -> dict[str, Any]:
    """`classes`: [name, file] of each; `layers`: the number of its class for each layer's path.

    Paddle's own layers are named by their module instead of a file. Long models repeat few
    classes, so paths carry numbers.
    """
    numbers: dict[Any, int] = {}
    classes: list[list[str]] = []
    layers: dict[str, int] = {}
    for root, layer in roots:
        for path, part in layer.named_sublayers(include_self=True):
            kind = type(part)
            if kind not in numbers:
                numbers[kind] = len(classes)
                module = str(kind.__module__)
                own = module.split(".")[0] == "paddle"
                file = getattr(sys.modules.get(module), "__file__", None)
                classes.append([kind.__qualname__, module if own else str(file or module)])
            layers[f"{root}.{path}" if path else root] = numbers[kind]
    return {"classes": classes, "layers": layers}
