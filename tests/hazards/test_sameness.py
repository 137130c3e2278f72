"""Configs that build the same computation: sizes do not count, all else does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codemod.code.tree import Tree
from codemod.hazards import scan_kit
from codemod.kits.config_rule import ConfigRule

if TYPE_CHECKING:
    from pathlib import Path

NETS = """\
import paddle.nn as nn

NET_CONFIG = {
    "18": {"block": "Basic", "depth": [2, 2, 2, 2]},
    "50": {"block": "Bottleneck", "depth": [3, 4, 6, 3]},
    "101": {"block": "Bottleneck", "depth": [3, 4, 23, 3]},
}


class Small(nn.Layer):
    def __init__(self, scale=1.0, use_se=False, **kwargs):
        super().__init__()
        self.conv = nn.Conv2D(3, int(8 * scale), 1)

    def forward(self, x):
        return self.conv(x)


class Res(nn.Layer):
    def __init__(self, config, version="vb", **kwargs):
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 1)

    def forward(self, x):
        return self.conv(x)


def Small_x0_25(pretrained=False, **kwargs):
    return Small(scale=0.25, **kwargs)


def Small_x1_0(pretrained=False, **kwargs):
    return Small(scale=1.0, **kwargs)


def Small_x1_0_se(pretrained=False, **kwargs):
    return Small(scale=1.0, use_se=True, **kwargs)


def _res(depth, version, **kwargs):
    return Res(config=NET_CONFIG[depth], version=version, **kwargs)


def Res18(**kwargs):
    return Res(config=NET_CONFIG["18"], version="vb", **kwargs)


def Res50(**kwargs):
    return Res(config=NET_CONFIG["50"], version="vb", **kwargs)


def Res101(**kwargs):
    return Res(config=NET_CONFIG["101"], version="vb", **kwargs)


def Res50_vd(**kwargs):
    return Res(config=NET_CONFIG["50"], version="vd", **kwargs)


STAGES = {18: ("Basic", [2, 2, 2]), 50: ("Neck", [3, 4, 6]), 101: ("Neck", [3, 4, 23, 3])}


class Table(nn.Layer):
    # Reads its depth by a table, a comparison, a branch that names weights, and an attribute.

    def __init__(self, depth=50, kind="plain", drop=0.0, act=None, odd_layers=1):
        super().__init__()
        assert depth in STAGES, f"no depth {depth}"
        self.depth = depth
        block, counts = STAGES[depth]
        width = 4 if depth >= 50 else 1
        for stage in range(3):
            if depth in [101, 152] and stage == 2:
                name = "res" + str(stage)
            else:
                name = "res%d" % stage
        if kind == "plain":
            self.sizes = [8, 16]
        elif kind == "broad":
            self.sizes = [32, 64, 128]
        else:
            self.sizes = None
        self.odd = unknown_maker(odd_layers)
        self.conv = nn.Conv2D(3, 8, 1)

    def forward(self, x):
        if self.depth < 50:
            return self.conv(x)
        return self.conv(x + 1)


class Branches(nn.Layer):
    # Chooses its sizes by branches, in a method of its own.

    def __init__(self, layers=50):
        super().__init__()
        self.conv = nn.Conv2D(3, self.widths(layers)[0], 1)

    def widths(self, layers):
        if layers == 18:
            sizes, block = [8, 8], "Basic"
        elif layers == 34 or layers == 50:
            sizes, block = [8, 16], "Neck"
        elif not layers > 101:
            sizes, block = [8, 16, 32], "Neck"
        return sizes

    def forward(self, x):
        return self.conv(x)


class Rebound(nn.Layer):
    # Its arguments are other things later, are called, and stand behind others of unknown number.
    def __init__(self, depth=50, mode="a", arch="p", more=()):
        super().__init__()
        depth = depth + 1
        self.wide = depth > 1
        self.mode = mode
        self.mode = "b" if self.wide else "c"
        self.arch = arch
        self.filled(*more, mode)
        self.conv = nn.Conv2D(3, 8, 1)

    def filled(self, mode):
        return [1, 2] if mode == "z" else [2, 3]

    def arch(self):
        return 1

    def forward(self, x):
        return self.conv(x) * self.arch()


class SmallNarrow(Small):
    def __init__(self, **kwargs):
        super().__init__(scale=0.5, sizes=[1, 2], depth=18, **kwargs)

    def forward(self, x):
        return super(SmallNarrow, self).forward(x)


class SmallWide(Small):
    def __init__(self, **kwargs):
        super().__init__(scale=2.0, sizes=[3, 4, 5], depth=18, **kwargs)

    def forward(self, x):
        return super(SmallWide, self).forward(x)


class SmallDeep(Small):
    def __init__(self, **kwargs):
        super().__init__(scale=2.0, sizes=[3, 4, 5], depth=50, **kwargs)

    def forward(self, x):
        return super(SmallDeep, self).forward(x)


class SmallWideGated(Small):
    def __init__(self, **kwargs):
        super().__init__(scale=2.0, sizes=[3, 4, 5], depth=18, use_se=True, **kwargs)

    def forward(self, x):
        return super(SmallWideGated, self).forward(x)


class SmallWideTwice(Small):
    def __init__(self, **kwargs):
        super().__init__(scale=2.0, sizes=[3, 4, 5], depth=18, **kwargs)

    def forward(self, x):
        return super(SmallWideTwice, self).forward(2 * x)


def clones(layer, count):
    return [layer for _ in range(count)]


class Stack(nn.Layer):
    def __init__(self, layer, num_layers):
        super().__init__()
        self.layers = clones(layer, num_layers)
        self.num_layers = num_layers

    def forward(self, x):
        return x


class Branching(Stack):
    def __init__(self, layer, num_layers):
        super().__init__(layer, num_layers)
        self.last = "one" if num_layers == 1 else "many"


class Stacked(nn.Layer):
    # Hands its depth on to a class of the kit, which hands it on to a function; `arch` is an entry
    # of a table that the object keeps.
    def __init__(self, num_layers=1, arch="small"):
        super().__init__()
        self.kinds = {"small": [[2, True], [4, True]], "large": [[3, True]], "odd": [[3, False]]}
        self.kind = self.kinds[arch]
        self.num_layers = num_layers
        self.stack = Stack(nn.Conv2D(3, 8, 1), num_layers)

    def forward(self, x):
        return self.stack(x) if self.num_layers > 0 else x


class StackedByBranch(nn.Layer):
    def __init__(self, num_layers=1):
        super().__init__()
        self.stack = Branching(nn.Conv2D(3, 8, 1), num_layers=num_layers)

    def forward(self, x):
        return self.stack(x)


class StackedByName(nn.Layer):
    # What it hands its depth on to is not what the file has by that name.
    def __init__(self, num_layers=1, wide=False):
        super().__init__()
        Stack = nn.Linear if wide else nn.Conv2D
        self.stack = Stack(3, num_layers)

    def forward(self, x):
        return self.stack(x)


def TwoKinds(**kwargs):
    return Table(kind="plain", act=["Conv"] * 6 + ["Global"] * 6, **kwargs)


def TwoKindsDeeper(**kwargs):
    return Table(101, act=["Conv"] * 9 + ["Global"] * 12, drop=0.0, **kwargs)


def TwoKindsTurned(**kwargs):
    return Table(kind="plain", act=["Global"] * 6 + ["Conv"] * 6, **kwargs)
"""


@pytest.fixture
def same(tmp_path: Path) -> Any:
    """Whether two `Arch` blocks build the same computation."""
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    rule = ConfigRule(routes=(), nets=("Arch",), aside=("Arch.loss",))

    def ask(one: dict[str, Any], other: dict[str, Any]) -> bool:
        configs = {"one.yaml": {"Arch": one}, "other.yaml": {"Arch": other}}
        found = [model.computation for model in scan_kit(Tree(tmp_path), rule, configs)]
        assert None not in found
        return found[0] == found[1]

    return ask


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"name": "Small_x0_25"}, {"name": "Small_x1_0"}),
        ({"name": "Small", "scale": 0.5}, {"name": "Small", "scale": 2}),
        ({"name": "Small", "scale": "0.5"}, {"name": "Small", "scale": 2}),
        ({"name": "Small", "pretrained": True}, {"name": "Small"}),
        ({"name": "Small", "data": "a/b"}, {"name": "Small", "data": "a/c"}),
        ({"name": "Small", "loss": {"name": "A"}}, {"name": "Small", "loss": {"name": "B"}}),
        ({"name": "Res50"}, {"name": "Res101"}),
        ({"name": "Small", "sizes": [1, 2]}, {"name": "Small", "sizes": [1, 2, 3]}),
        ({"name": "Small", "lr_mult_list": [0, 1]}, {"name": "Small"}),
        ({"name": "Small", "scale": 0.5}, {"name": "Small"}),
        ({"name": "Small", "use_se": False}, {"name": "Small"}),
        ({"name": "Table", "depth": 101}, {"name": "Table", "depth": 50}),
        ({"name": "Table", "depth": 101}, {"name": "Table"}),
        ({"name": "Table", "kind": "broad"}, {"name": "Table"}),
        ({"name": "Branches", "layers": 101}, {"name": "Branches", "layers": 34}),
        ({"name": "Res", "config": "a", "version": "vb"}, {"name": "Res", "config": "a"}),
        ({"name": "SmallNarrow"}, {"name": "SmallWide"}),
        ({"name": "Stacked", "num_layers": 2}, {"name": "Stacked"}),
        ({"name": "Stacked", "arch": "large"}, {"name": "Stacked"}),
        (
            {"name": "StackedByBranch", "num_layers": 2},
            {"name": "StackedByBranch", "num_layers": 3},
        ),
        ({"name": "TwoKinds"}, {"name": "TwoKindsDeeper"}),
        # Of its letters alone it would be a mode.
        ({"name": "Small", "d_model": 256}, {"name": "Small", "d_model": 384}),
    ],
)
def test_sizes_weights_and_paths_do_not_count(
    same: Any, one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"name": "Small_x1_0"}, {"name": "Small_x1_0_se"}),
        ({"name": "Small", "use_se": True}, {"name": "Small", "use_se": False}),
        ({"name": "Small", "drop": 0}, {"name": "Small", "drop": 0.2}),
        ({"name": "Small", "act": "relu"}, {"name": "Small", "act": "gelu"}),
        ({"name": "Small", "depth": 18}, {"name": "Small", "depth": 50}),
        ({"name": "Small", "sizes": [1, 2]}, {"name": "Small", "sizes": [1, 0, 2]}),
        ({"name": "Small", "stages": [1, 2]}, {"name": "Small", "stages": [-1]}),
        ({"name": "Small", "use_se": True}, {"name": "Small"}),
        ({"name": "Table", "depth": 18}, {"name": "Table"}),
        ({"name": "Table", "drop": 0.1}, {"name": "Table"}),
        ({"name": "Table", "kind": "none"}, {"name": "Table"}),
        ({"name": "Table", "act": "relu"}, {"name": "Table"}),
        ({"name": "Table", "odd_layers": 2}, {"name": "Table"}),
        ({"name": "Branches", "layers": 18}, {"name": "Branches", "layers": 50}),
        ({"name": "Branches", "layers": 152}, {"name": "Branches", "layers": 50}),
        ({"name": "Rebound", "depth": 101}, {"name": "Rebound"}),
        ({"name": "Rebound", "mode": "b"}, {"name": "Rebound"}),
        ({"name": "Rebound", "arch": "q"}, {"name": "Rebound"}),
        ({"name": "SmallDeep"}, {"name": "SmallWide"}),
        ({"name": "SmallWideGated"}, {"name": "SmallWide"}),
        ({"name": "SmallWideTwice"}, {"name": "SmallWide"}),
        ({"name": "Stacked", "num_layers": 0}, {"name": "Stacked"}),
        ({"name": "Stacked", "arch": "odd"}, {"name": "Stacked"}),
        ({"name": "StackedByBranch", "num_layers": 2}, {"name": "StackedByBranch"}),
        ({"name": "StackedByName", "num_layers": 2}, {"name": "StackedByName"}),
        ({"name": "TwoKinds"}, {"name": "TwoKindsTurned"}),
        ({"name": "Res18"}, {"name": "Res50"}),
        ({"name": "Res50"}, {"name": "Res50_vd"}),
        ({"name": "Small"}, {"name": "Res50"}),
    ],
)
def test_classes_flags_and_choices_count(
    same: Any, one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert not same(one, other)


def test_a_block_at_the_top_that_the_model_names_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    rule = ConfigRule(routes=(), nets=("architecture",))
    configs = {
        name: {
            "architecture": "Small",
            "Small": {"use_se": flag},
            "epoch": epoch,
            "Other": {"a": 1},
        }
        for name, flag, epoch in (("a", True, 1), ("b", True, 2), ("c", False, 1))
    }
    a, b, c = (model.computation for model in scan_kit(Tree(tmp_path), rule, configs))
    assert a == b != c


def test_a_block_that_only_a_key_aside_names_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    rule = ConfigRule(routes=(), nets=("architecture",), aside=("*.tracker",))

    def config(**tracker: Any) -> dict[str, Any]:
        net = {"use_se": True, "tracker": "Tracker", "head": "Head"}
        return {"architecture": "Small", "Small": net, "Tracker": tracker, "Head": {"act": "relu"}}

    configs = {
        "a": config(use_byte=True),
        "b": config(),
        "c": {**config(), "Head": {"act": "gelu"}},
    }
    a, b, c = (model.computation for model in scan_kit(Tree(tmp_path), rule, configs))
    assert a == b != c


def test_a_config_without_a_net_of_the_kit_is_like_no_other(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    rule = ConfigRule(routes=(), nets=("Arch",))
    assert (
        scan_kit(Tree(tmp_path), rule, {"a": {"Arch": {"name": "Foreign"}}})[0].computation is None
    )
