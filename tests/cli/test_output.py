"""What `apply`, `diff` and `check` say of files that train: list and counts agree."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("skipped", "told"),
    [
        ((("a.py", ""),), "1 left alone with a reason"),
        ((("a.py", ""), ("b.py", "train.py:main")), "1 left alone with a reason"),
        (
            (("a.py", ""), ("aside.py", "")),
            (
                "1 left alone with a reason; the list of what is left alone has 2 places in 2 files, "
                "those with a hook and those that do not train included"
            ),
        ),
        (
            (("a.py", ""), ("train.py", ""), ("train.py", "")),
            (
                "1 left alone with a reason; the list of what is left alone has 3 places in 2 files, "
                "those with a hook and those that do not train included"
            ),
        ),
    ],
)
def test_the_list_and_the_count_agree_or_say_why_not(
    skipped: tuple[tuple[str, str], ...], told: str
) -> None:
    """PaddleSeg's list had three lines, and the count below it was of two files."""
    hook = Hook("r", Status.INSERTED, "train.py", "main", 3, "model", None, WHY)
    skips = tuple(Skip(file, WHY, covered_by=by) for file, by in skipped)
    training = {"train.py", "a.py", *(file for file, by in skipped if by)}
    whole = ChangeSet(
        Source(None, Path(), None), (hook,), skipped=skips, training=frozenset(training)
    )
    listed = sum(not by for _, by in skipped)
    assert len(list(skip_lines(skips))) == listed
    assert training_files(whole).endswith(told)


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
