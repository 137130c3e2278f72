"""Where the probe of Paddle3D's own step puts the hook: as the kit's constructors and trainer do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.experiments.probe.server import INSIDE

if TYPE_CHECKING:
    from types import ModuleType

ADAPTER = Path(__file__).parents[2] / "rules" / "Paddle3D" / "adapter.py"


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The adapter as a process of the probe imports it."""
    monkeypatch.syspath_prepend(str(INSIDE))
    spec = importlib.util.spec_from_file_location("paddle3d_adapter", ADAPTER)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def apply_to_static(*_given: Any, **_more: Any) -> None:
    raise AssertionError("the kit's own would hook with shapes of a card")


SHAPES: list[list[int]] = []


class Parts:
    """A net that hooks its parts itself, where it is asked to."""

    def __init__(self, to_static: bool = False) -> None:
        self.backbone, self.head = SimpleNamespace(), SimpleNamespace(to_static=False)
        self.to_static = to_static
        if self.to_static:
            SHAPES.append([12, 3, 320, 800])
            self.head.to_static = True
            apply_to_static(to_static, self.backbone, image_shape=SHAPES[-1])
            apply_to_static(to_static, self.head)
        self.after = True


class Whole:
    """A net that the trainer hooks."""

    def __init__(self) -> None:
        self.backbone = SimpleNamespace()


def test_a_net_that_hooks_its_parts_has_them_hooked_without_shapes(adapter: ModuleType) -> None:
    net = Parts()
    hooked: list[Any] = []
    adapter._hooked(net, hooked.append)
    assert hooked == [net.backbone, net.head]
    assert net.head.to_static, "what else the block does is done"
    assert not net.to_static


def test_every_other_net_is_hooked_whole(adapter: ModuleType) -> None:
    net = Whole()
    hooked: list[Any] = []
    adapter._hooked(net, hooked.append)
    assert hooked == [net]
