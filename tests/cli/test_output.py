"""What `apply`, `diff` and `check` say of hooks and of files that train."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    EditOrigin,
    Hook,
    Skip,
    Source,
    Status,
)
from codemod.base.reason import Reason
from codemod.cli.output import print_hooks, skip_lines, training_files

WHY = Reason.said("it evaluates only")


HOOK = Hook("r", Status.INSERTED, "train.py", "main", 3, "model", None, WHY)


@pytest.mark.parametrize(
    ("hook", "written", "told"),
    [
        (HOOK, True, "4 files train: 2 with a hook, 2 without"),
        (HOOK, False, "4 files train: 2 to get one, 2 without"),
        (replace(HOOK, status=Status.PRESENT), False, "4 files train: 2 with a hook, 2 without"),
        (replace(HOOK, status=Status.UNPLACED), True, "4 files train: 4 without"),
    ],
)
def test_files_that_train_have_a_hook_get_one_or_have_none(
    hook: Hook, written: bool, told: str
) -> None:
    """The line told in 49 words why its counts were not those of the list above it."""
    skipped = (Skip("a.py", WHY), Skip("b.py", WHY), Skip("c.py", WHY, covered_by="train.py:main"))
    training = frozenset({"train.py", "a.py", "b.py", "c.py"})
    whole = ChangeSet(Source(None, Path(), None), (hook,), skipped=skipped, training=training)
    assert training_files(whole, written=written) == told
    assert training_files(replace(whole, training=frozenset())) == ""
    assert len(list(skip_lines(skipped))) == 2


def test_a_hook_that_the_change_shuts_off_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    hooks = tuple(
        Hook("r", Status.PRESENT, f"{folder}/a.py", "A.__init__", 3, "net", None, WHY)
        for folder in ("models", "other")
    )
    origin = EditOrigin(Reason.said("it goes"), idles=("models/*.py",))
    edit = Edit("build.py", EditKind.PLUMBING, 1, origin=origin)
    print_hooks(ChangeSet(Source(None, Path(), None), hooks, (edit,)), written=False)
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(f"{WHY} No longer reached: build.py changes.")
    assert second.endswith(str(WHY))
