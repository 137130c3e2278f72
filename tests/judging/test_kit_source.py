"""Where in a kit's source lies what a record names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging.kit_source import (
    Owner,
    Place,
    attribute_place,
    draw_place,
    in_kit,
    kit_classes,
    line_text,
    made_at,
    owner_of,
    shown,
)
from tests.parity.builders import record

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
import numpy as np
import random


class Block:
    def __init__(self, width):
        self.fc, (self.other, *self.rest) = make(width)
        self.seen: int = random.randint(0, 3)
        self.step = 0

    def reset(self):
        self.step = 0
        self.seen = 0

    def forward(self, x):
        self.step += 1
        x.seen = 3
        return self.fc(x) + np.random.rand() + random.random()


class Net:
    def __init__(self):
        self.blocks = [Block(3)]


class Calm:
    def forward(self, x):
        return randomly(x)
"""


@pytest.fixture
def net(tmp_path: Path) -> str:
    (tmp_path / "net.py").write_text(SOURCE)
    return str(tmp_path / "net.py")


def layers(file: str) -> dict[str, Any]:
    """What a record knows of `Net` and of what it holds."""
    paddle = "paddle.nn.layer.common"
    classes = [["Net", file], ["outer.Block", file], ["Linear", paddle], ["LayerList", paddle]]
    held = {"Net": 0, "Net.blocks": 3, "Net.blocks.0": 1, "Net.blocks.0.fc": 2}
    return {"classes": classes, "layers": held}


@pytest.mark.parametrize(
    ("attribute", "line", "scope"),
    [
        ("step", 16, "forward"),
        ("seen", 17, "forward"),
        ("fc", 7, "__init__"),
        ("other", 7, "__init__"),
        ("rest", 7, "__init__"),
    ],
)
def test_an_attribute_is_looked_for_in_forward_first_and_in_init_last(
    net: str, attribute: str, line: int, scope: str
) -> None:
    assert attribute_place(net, "outer.Block", attribute) == Place(net, line, scope)


def test_another_method_comes_before_init(net: str, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(SOURCE.replace("        x.seen = 3\n", ""))
    assert attribute_place(str(other), "Block", "seen") == Place(str(other), 13, "reset")


def test_what_is_nowhere_has_no_place(net: str, tmp_path: Path) -> None:
    assert attribute_place(net, "Block", "missing") is None
    assert attribute_place(net, "Missing", "step") is None
    assert attribute_place(str(tmp_path / "none.py"), "Block", "step") is None
    broken = tmp_path / "broken.py"
    broken.write_text("class Block:\n    def forward(self:\n")
    assert attribute_place(str(broken), "Block", "step") is None


def test_the_first_draw_outside_of_init(net: str, tmp_path: Path) -> None:
    found = draw_place(net, "Block")
    assert found is not None
    assert (found.line, found.scope) == (18, "forward")
    assert draw_place(net, "Net") is None
    assert draw_place(net, "Calm") is None


def test_a_line_is_read_where_there_is_one(net: str, tmp_path: Path) -> None:
    assert line_text(Place(net, 1)) == "import numpy as np"
    assert line_text(Place(net, SOURCE.count("\n"))) == "        return randomly(x)"
    for line in (0, -1, SOURCE.count("\n") + 1):
        assert line_text(Place(net, line)) == ""
    assert line_text(None) == line_text(Place(str(tmp_path / "none.py"), 1)) == ""


def test_a_kit_s_file_lies_in_it_and_is_no_package(net: str, tmp_path: Path) -> None:
    assert in_kit(net, tmp_path)
    assert in_kit(str(tmp_path / "sub" / ".." / "net.py"), tmp_path)
    assert not in_kit(net, None)
    assert not in_kit(net, tmp_path / "sub")
    assert not in_kit(str(tmp_path / ".venv/lib/site-packages/net.py"), tmp_path)
    assert not in_kit("<string>", tmp_path)
    assert shown(net, tmp_path) == "net.py"
    assert shown(net, None) == net


def test_a_name_belongs_to_the_innermost_layer_around_it(net: str) -> None:
    made = record([], layers=({"classes": [], "layers": {}}, layers(net)))
    assert owner_of(made, "Net.blocks.0.fc.weight") == Owner(
        "Net.blocks.0.fc", "Linear", "paddle.nn.layer.common"
    )
    assert owner_of(made, "Net.blocks.0.step") == Owner("Net.blocks.0", "outer.Block", net)
    assert owner_of(made, "Net.else.where") == Owner("Net", "Net", net)
    assert owner_of(made, "Other.weight") is None
    assert owner_of(record([]), "Net.weight") is None


def test_what_paddle_s_layer_owns_is_made_by_the_kit_s_layer_around_it(
    net: str, tmp_path: Path
) -> None:
    made = record([], layers=(layers(net),))
    assert made_at(made, "Net.blocks.0.fc.weight@grad", tmp_path) == Place(net, 7, "__init__")
    # The block has no `gone`; the net made the block.
    assert made_at(made, "Net.blocks.0.gone.weight", tmp_path) == Place(net, 23, "__init__")
    assert made_at(made, "Net.blocks.0.fc.weight", None) is None
    assert made_at(made, "Net", tmp_path) is None
    assert made_at(made, "Other.fc.weight", tmp_path) is None


def test_classes_of_the_kit_are_named_once(net: str, tmp_path: Path) -> None:
    made = record([], layers=(layers(net), layers(net)))
    assert kit_classes(made, tmp_path) == [["Net", net], ["outer.Block", net]]
    assert kit_classes(made, None) == []
