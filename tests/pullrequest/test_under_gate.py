"""What decides over an inserted call: an `if` around it, above it, or in the helper it calls."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import ChangeSet, FileChange, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.reports.pullrequest.claims.under_gate import (
    Guard,
    guard_of,
    takes_default_mode,
)

if TYPE_CHECKING:
    from pathlib import Path

GATE = "config.get('to_static', False)"


def decided(root: Path, body: str, call: str, helper: str = "") -> bool:
    return guard_of(*hooked(root, body, call, helper)) is not Guard.NOWHERE


def hooked(root: Path, body: str, call: str, helper: str) -> tuple[Hook, ChangeSet]:
    body = indent(dedent(body), "    ")
    text = f"import paddle\nfrom helper import apply\n\n\ndef main(config, model):\n{body}"
    (root / "helper.py").write_text("from paddle.jit import to_static\n\n\n" + dedent(helper))
    line = 1 + next(n for n, found in enumerate(text.splitlines()) if call in found)
    hook = Hook(
        "generic", Status.INSERTED, "train.py", "main", line, "model", GATE, Reason.said("")
    )
    change = FileChange("train.py", b"", text.encode())
    return hook, ChangeSet(Source(None, root, None), (hook,), (), (change,))


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"if {GATE}:\n    model = paddle.jit.to_static(model)\n", True),
        (f"if config.x and {GATE}:\n    if model:\n        paddle.jit.to_static(model)\n", True),
        (f"if not {GATE}:\n    return model\nmodel = paddle.jit.to_static(model)\n", True),
        (f"if {GATE} is not True:\n    return model\npaddle.jit.to_static(model)\n", True),
        (f"if {GATE} is False:\n    raise ValueError\npaddle.jit.to_static(model)\n", True),
        (f"if {GATE}:\n    return model\nmodel = paddle.jit.to_static(model)\n", False),
        (f"if {GATE}:\n    pass\nelse:\n    paddle.jit.to_static(model)\n", False),
        (f"if not {GATE}:\n    print('off')\nmodel = paddle.jit.to_static(model)\n", False),
        (f"if x:\n    if not {GATE}:\n        return\npaddle.jit.to_static(model)\n", False),
        ("if config.other:\n    model = paddle.jit.to_static(model)\n", False),
        ("model = paddle.jit.to_static(model)\n", False),
    ],
)
def test_a_call_of_to_static(tmp_path: Path, body: str, wanted: bool) -> None:
    assert decided(tmp_path, body, "to_static(model)") == wanted


@pytest.mark.parametrize(
    ("helper", "wanted"),
    [
        ("def apply(c, m):\n    if c.to_static:\n        m = to_static(m)\n    return m\n", True),
        (
            "def apply(c, m):\n    if not c.to_static:\n        return m\n    return to_static(m)\n",
            True,
        ),
        ("def apply(c, m):\n    if c.verbose:\n        m = to_static(m)\n    return m\n", False),
        ("def apply(c, m):\n    return to_static(m)\n", False),
        ("def apply(c, m):\n    if c.to_static:\n        print(m)\n    return m\n", False),
    ],
)
def test_a_call_of_a_helper(tmp_path: Path, helper: str, wanted: bool) -> None:
    assert decided(tmp_path, "model = apply(config, model)\n", "apply(config", helper) == wanted


@pytest.mark.parametrize(
    ("body", "helper", "wanted"),
    [
        (f"if {GATE}:\n    model = paddle.jit.to_static(model)\n", "", True),
        (f"if {GATE}:\n    model = paddle.jit.to_static(model, full_graph=True)\n", "", False),
        ("model = apply(config, model)\n", "def apply(c, m):\n    return to_static(m)\n", True),
        (
            "model = apply(config, model)\n",
            "def apply(c, m):\n    return to_static(m, full_graph=c.x)\n",
            False,
        ),
    ],
)
def test_the_mode_is_paddle_s_default(tmp_path: Path, body: str, helper: str, wanted: bool) -> None:
    hook, change_set = hooked(tmp_path, body, "to_static(" if not helper else "apply(", helper)
    assert takes_default_mode(hook, change_set) == wanted
