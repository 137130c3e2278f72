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
        ({"name": "Small", "sizes": [1, 2]}, {"name": "Small", "sizes": [1, 2, 3]}),
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


def test_a_config_without_a_net_of_the_kit_is_like_no_other(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    rule = ConfigRule(routes=(), nets=("Arch",))
    assert (
        scan_kit(Tree(tmp_path), rule, {"a": {"Arch": {"name": "Foreign"}}})[0].computation is None
    )
