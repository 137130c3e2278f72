from __future__ import annotations

from dataclasses import replace

from codemod.base.changeset import Hook, Status
from codemod.base.reason import Reason
from codemod.base.tally import hook_counts

INSERTED, PRESENT, UNPLACED = (
    Hook("train", status, "train.py", "main", 3, "model", None, Reason.said("why"))
    for status in Status
)


def test_what_is_planned_counts_in_hooks_and_what_stands_in_calls() -> None:
    hooks = [PRESENT, INSERTED, PRESENT, UNPLACED]
    assert (
        hook_counts(hooks, written=False)
        == "1 hook to insert, 2 to_static calls present, 1 hook unplaced"
    )
    assert hook_counts([INSERTED, INSERTED], written=False) == "2 hooks to insert"


def test_only_what_was_written_is_said_to_be_inserted() -> None:
    assert hook_counts([INSERTED, PRESENT], written=True) == (
        "1 hook inserted, 1 to_static call present"
    )


def test_a_hook_of_the_kit_s_own_that_moves_is_not_called_inserted() -> None:
    moved = replace(INSERTED, moved_from=9)
    assert hook_counts([moved, INSERTED], written=False) == "1 hook to insert, 1 hook to move"
    assert hook_counts([moved], written=True) == "1 hook moved"
    assert hook_counts([replace(UNPLACED, moved_from=9)], written=True) == "1 hook unplaced"


def test_a_kit_without_any_says_so() -> None:
    assert hook_counts([], written=True) == "no hooks"
