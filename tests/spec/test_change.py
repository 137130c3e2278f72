"""Where a derived spec is written, and where that is refused with a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.reason import Reason
from codemod.experiments.spec.change import change_set
from codemod.experiments.spec.derive import Derived, Note
from codemod.experiments.spec.nodes import Node, Sequence, Tensor
from codemod.experiments.spec.observed import Layer, ObservedHook
from codemod.experiments.spec.spec_result import SpecDifference, SpecResult

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = Tensor((None, 3, 32, None), "float32")
HOOK = "from paddle.jit import to_static\nfrom paddle.static import InputSpec\nto_static(net)\n"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets/net.py").write_text("")
    (tmp_path / "hook.py").write_text(HOOK)
    (tmp_path / "a.yml").write_text("Global:\n  epochs: 1\n")
    return tmp_path


def result(
    kit: Path,
    spec: tuple[Node, ...],
    own: Node | None,
    differences: tuple[SpecDifference, ...] = (),
) -> SpecResult:
    hook = ObservedHook(0, "Net", str(kit / "hook.py"), 3, own)
    layer = Layer("Net", str(kit / "nets/net.py"), 1, 10, hook, ())
    names = tuple(f"a{number}" for number in range(len(spec)))
    return SpecResult(layer, Derived(spec, names, True, True, ()), differences)


def test_a_hook_that_stands_apart_gets_a_table(kit: Path) -> None:
    (change,) = change_set(
        Source(None, kit, None), "a.yml", (result(kit, (PICTURE,), None),)
    ).changes
    assert change.path == "hook.py"
    assert b'"Net": [InputSpec([None, 3, 32, None], "float32")]' in change.new


def test_a_size_of_a_shrunk_run_is_refused(kit: Path) -> None:
    found = (result(kit, (PICTURE,), None),)
    for size in (32, 128):
        with pytest.raises(UsageError, match="32 may be a size of this run alone, which"):
            change_set(Source(None, kit, None), "a.yml", found, (f"Train.size=[{size}, 7]",))
    assert change_set(Source(None, kit, None), "a.yml", found, ("Train.size=[3, 48]",)).changes


def test_a_spec_of_the_kits_that_fits_is_left_alone(kit: Path) -> None:
    own = Sequence((PICTURE,))
    with pytest.raises(UsageError, match="own spec fits what Net is fed"):
        change_set(Source(None, kit, None), "a.yml", (result(kit, (PICTURE,), own),))


def test_a_hook_that_reads_the_config_gets_the_key_or_names_its_table(kit: Path) -> None:
    (kit / "hook.py").write_text(f"{HOOK}shape = config['d2s_train_image_shape']\n")
    own = result(kit, (PICTURE,), Sequence((PICTURE,)))
    (change,) = change_set(Source(None, kit, None), "a.yml", (own,)).changes
    assert change.new.decode().splitlines()[-1] == "  d2s_train_image_shape: [3, 32, -1]"
    with pytest.raises(UsageError, match="its own table of specs by model") as caught:
        change_set(Source(None, kit, None), "a.yml", (result(kit, (PICTURE,), None),))
    assert "InputSpec([None, 3, 32, None]" in caught.value.remedy
    wrong = SpecDifference("structure", "a1", "list of 3", "list of 4", str(kit / "hook.py"), 9)
    label = Tensor((None, 25), "int64")
    two = result(kit, (PICTURE, label), Sequence((PICTURE,)), (wrong,))
    with pytest.raises(UsageError, match=r"wrong at hook.py:9 \(a1: list of 3, fed list of 4\)"):
        change_set(Source(None, kit, None), "a.yml", (two,))


def test_what_would_change_nothing_is_refused(kit: Path) -> None:
    fixed = Tensor((4, 3), "float32")
    with pytest.raises(UsageError, match="no effect"):
        change_set(Source(None, kit, None), "a.yml", (result(kit, (fixed,), None),))


def test_a_spec_that_evaluation_does_not_fit_is_refused_with_that_reason(kit: Path) -> None:
    notes = (
        Note("retrace", "a0", Reason.of("experiments.spec-gradients")),
        Note("structure", "a1", Reason.of("experiments.spec-is", seen=("missing",))),
    )
    found = result(kit, (PICTURE,), None)
    derived = replace(found.derived, fits=False, notes=notes)
    with pytest.raises(UsageError, match="fits all calls of Net: a1 is missing"):
        change_set(Source(None, kit, None), "a.yml", (replace(found, derived=derived),))
