"""Small kits in a kit's manner: changed by the tool, then started as a user starts them.

Paddle itself is not needed to see whether a switch reaches its hook, so the kits find a
`paddle` of a few lines that says on standard output what is done to which layer.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.engine import plan_change

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

PADDLE = """\
import sys
from types import SimpleNamespace


class Parameter:
    def __init__(self):
        self.trainable = True


class Layer:
    def __init__(self, name):
        self.name = name
        self.training = True
        self.own = [Parameter(), Parameter()]

    def parameters(self):
        return list(self.own)

    def eval(self):
        self.training = False

    def train(self):
        self.training = True

    def __call__(self, *args, **kwargs):
        print("forward", self.name)
        return SimpleNamespace(backward=lambda: None)


class DataParallel:
    def __init__(self, layers, **kwargs):
        print("wrap", layers.name)
        self.layers = self._layers = layers
        self.name = layers.name

    def __call__(self, *args, **kwargs):
        return self.layers(*args, **kwargs)

    def parameters(self):
        return self.layers.parameters()


def _to_static(layer, input_spec=None):
    if isinstance(layer, DataParallel):
        raise ValueError("to_static was given a wrapper")
    method = getattr(layer, "__self__", None)
    print("static", layer.name if method is None else method.name + "." + layer.__name__)
    if method is None:
        layer.forward = getattr(layer, "forward", print)
    return layer


nn = SimpleNamespace(Layer=Layer)
jit = SimpleNamespace(to_static=_to_static, save=print)
sys.modules["paddle.nn"], sys.modules["paddle.jit"] = nn, jit
static = SimpleNamespace(InputSpec=lambda shape, dtype="float32": (tuple(shape), dtype))
sys.modules["paddle.static"] = static
"""


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., ChangeSet]:
    """Write a small kit into `tmp_path/kit` and plan its change."""

    def run(kit: str, files: dict[str, str]) -> ChangeSet:
        root = tmp_path / "kit"
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")
        return plan_change(Source(kit, root, None)).change_set()

    return run


@pytest.fixture
def applied(plan: Callable[..., ChangeSet], tmp_path: Path) -> Callable[..., Path]:
    """Write a small kit, let the tool change it; returns its folder."""

    def run(kit: str, files: dict[str, str]) -> Path:
        for change in plan(kit, files).changes:
            (tmp_path / "kit" / change.path).write_bytes(change.new)
        return tmp_path / "kit"

    return run


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Start a script of a small kit in its own process, with the kit's root on the path."""

    def run(root: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        stub = tmp_path / "stub" / "paddle" / "__init__.py"
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text(PADDLE, encoding="utf-8")
        where = "import sys; sys.path[:0] = sys.argv[1:3]; sys.argv = sys.argv[3:]; "
        begin = where + "import runpy; runpy.run_path(sys.argv[0], run_name='__main__')"
        paths = [str(tmp_path / "stub"), str(root)]
        command = [sys.executable, "-c", begin, *paths, str(root / script), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=root, timeout=600
        )

    return run
