from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Edit, EditKind, FileChange, Source, Status
from codemod.base.patch.hunks import compose, hunks_of
from codemod.engine import plan_change
from codemod.engine.plan import PlannedOp
from codemod.engine.rewrite.ops import Insert, Op
from codemod.reports.pullrequest.commit_stages import parts_of, with_more

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.engine.plan import Plan


@pytest.fixture
def plan(minikit: Path) -> Plan:
    return plan_change(Source(None, minikit, None))


def everything(plan: Plan) -> frozenset[int]:
    return frozenset(range(len(plan.hooks)))


def test_the_parts_together_are_the_whole(plan: Plan) -> None:
    whole = plan.change_set()
    parts = parts_of(plan, whole, everything(plan))
    assert [part.stage.name for part in parts] == ["plumbing", "hook"]
    files = {change.path: change.old for change in whole.changes}
    for part in parts:
        for change in part.changes:
            assert files[change.path] == change.old
            files[change.path] = change.new
            compile(change.new, change.path, "exec")
    assert files == {change.path: change.new for change in whole.changes}
    assert [edit for part in parts for edit in part.edits] == sorted(
        whole.edits, key=lambda edit: edit.kind is not EditKind.PLUMBING
    )


def test_the_first_part_adds_the_switch_and_the_second_the_call(plan: Plan) -> None:
    first, second = parts_of(plan, plan.change_set(), everything(plan))
    added = [b"".join(h.new) for part in (first, second) for c in part.changes for h in hunks_of(c)]
    assert b"--to_static" in added[0] and b"jit.to_static(" not in added[0]
    assert b"jit.to_static(" in added[1] and b"add_argument" not in added[1]
    assert compose(first.changes[0].old, hunks_of(first.changes[0])) == second.changes[0].old


def test_files_beyond_the_plan_come_last(plan: Plan) -> None:
    more = [
        (Edit("a.md", EditKind.DOC, 1), FileChange("a.md", b"a\n", b"a\nb\n")),
        (Edit("t.txt", EditKind.TIPC, 1), FileChange("t.txt", b"t\n", b"t\nu\n")),
    ]
    whole = with_more(plan.change_set(), more)
    parts = parts_of(plan, whole, everything(plan))
    assert [part.stage.name for part in parts] == ["plumbing", "hook", "config", "tipc"]
    assert [change.path for part in parts[2:] for change in part.changes] == ["a.md", "t.txt"]


def test_a_part_of_config_keys_alone_says_so(plan: Plan) -> None:
    more = [(Edit("a.yml", EditKind.CONFIG, 1), FileChange("a.yml", b"a: 1\n", b"a: 1\nb: 2\n"))]
    last = parts_of(plan, with_more(plan.change_set(), more), everything(plan))[-1]
    assert last.subject.endswith("to the configs")


def test_trainers_are_prepared_by_what_they_alone_need(plan: Plan) -> None:
    """One file for all hooks, the kit's own too, does not make each of them a trainer prepared."""
    (hook,) = plan.hooks
    standing = replace(hook, status=Status.PRESENT, scope="other")
    more = replace(hook, scope="evaluate")
    shared = Op("tools/train.py", EditKind.PLUMBING, Insert((), "body", 0, "SHARED = 1"))
    mended = replace(
        plan,
        hooks=(hook, standing, more),
        steps=(*plan.steps, PlannedOp(shared, frozenset({0, 1, 2}))),
    )
    first = parts_of(mended, mended.change_set(), everything(mended))[0]
    assert {index for edit in first.edits for index in edit.hooks} == {0, 1, 2}
    assert first.subject == "Prepare dynamic-to-static training in train.py"


def test_nothing_to_do_has_no_parts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import paddle\n")
    plan = plan_change(Source(None, tmp_path, None))
    assert parts_of(plan, plan.change_set(), everything(plan)) == ()
