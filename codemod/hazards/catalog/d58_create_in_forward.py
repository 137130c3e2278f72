"""D-58: a layer with weights, or a parameter, is created in forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.index import Class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Constructors of weighted layers, and `create_parameter`, in a reached function."""
    module = reached.function.module
    for call, name in reached.calls:
        if name.rpartition(".")[2] == "create_parameter":
            yield call, "a parameter is created in the forward pass"
        elif name.startswith("paddle.nn.") and name.rpartition(".")[2] in WEIGHTED:
            yield call, f"{name} is created in the forward pass"
        else:
            found = reached.index.resolve(module, dotted(call.func) or "")
            if isinstance(found, Class) and has_weights(reached, found, 4):
                yield call, f"{found.name} is created in the forward pass"


WEIGHTED = frozenset(
    (
        *(f"{kind}{n}D" for kind in ("Conv", "BatchNorm", "InstanceNorm") for n in (1, 2, 3)),
        *(f"Conv{n}DTranspose" for n in (1, 2, 3)),
        "Linear",
        "Bilinear",
        "Embedding",
        "LayerNorm",
        "GroupNorm",
        "SyncBatchNorm",
        "BatchNorm",
        "PReLU",
        "LSTM",
        "GRU",
        "SimpleRNN",
        "LSTMCell",
        "GRUCell",
        "MultiHeadAttention",
        "TransformerEncoderLayer",
        "TransformerDecoderLayer",
        "Transformer",
        "SpectralNorm",
    )
)


def has_weights(reached: Reached, owner: Class, depth: int) -> bool:
    """Whether instances of a class own parameters, their parts' included."""
    index = reached.index
    maker = index.method(owner, "__init__")
    if maker is None or not depth or not index.is_layer(owner):
        return False
    for node in ast.walk(maker.node):
        if isinstance(node, ast.Call):
            name = index.canonical(maker.module, dotted(node.func) or "")
            last = name.rpartition(".")[2]
            if last == "create_parameter" or (name.startswith("paddle.nn.") and last in WEIGHTED):
                return True
            part = index.resolve(maker.module, dotted(node.func) or "")
            if isinstance(part, Class) and has_weights(reached, part, depth - 1):
                return True
    return False


HAZARD = Hazard(
    "D-58",
    "create-in-forward",
    verdicts("error error error error"),
    "Create layers and parameters in __init__.",
    "移到 __init__ 中创建。",
    find,
)
