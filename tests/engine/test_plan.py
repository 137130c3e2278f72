"""Plans: a subset of hooks takes its plumbing along, a file that fails takes its hooks out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.changeset import EditKind, FileChange, Source, Status
from codemod.engine import plan_change
from codemod.engine.plan import _hook_lines

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.engine.plan import Plan

ARGS = """\
import argparse


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    return parser.parse_args()
"""
SCRIPT = """\
import paddle
from args import parse_args


def do_train(args):
    model = Net()
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(args.lr, parameters=model.parameters())
    model(1).backward()


if __name__ == "__main__":
    do_train(parse_args())
"""


def plan_of(root: Path, files: dict[str, str]) -> Plan:
    for path, text in files.items():
        (root / path).write_bytes(text.encode())
    return plan_change(Source(None, root, None))


def test_shared_plumbing_stays_while_one_hook_needs_it(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, {"args.py": ARGS, "a.py": SCRIPT, "b.py": SCRIPT})
    assert [h.file for h in plan.hooks] == ["a.py", "b.py"]
    both = plan.change_set()
    assert [c.path for c in both.changes if b"to_static" in c.new] == [c.path for c in both.changes]
    assert {c.path for c in both.changes} == {"a.py", "args.py", "b.py"}
    (flag,) = [e for e in both.edits if e.kind is EditKind.PLUMBING]
    assert flag.hooks == (0, 1)
    one = plan.change_set(frozenset({1}))
    assert {c.path for c in one.changes} == {"args.py", "b.py"}
    assert [h.file for h in one.hooks] == ["b.py"]
    assert {e.hooks for e in one.edits} == {(0,)}
    none = plan.change_set(frozenset())
    assert none.changes == ()
    assert none.hooks == ()


def test_counts_are_those_of_the_files(tmp_path: Path) -> None:
    change_set = plan_of(tmp_path, {"args.py": ARGS, "a.py": SCRIPT}).change_set()
    for change in change_set.changes:
        added = sum(e.lines_added for e in change_set.edits if e.file == change.path)
        assert len(change.new.splitlines()) - len(change.old.splitlines()) == added
    assert all(e.lines_removed == 0 for e in change_set.edits)


def test_a_file_that_cannot_be_rewritten_takes_its_hooks_out_everywhere(tmp_path: Path) -> None:
    # LibCST drops an indented comment before a last line of blanks alone.
    broken = ARGS + " #c\n \n"
    change_set = plan_of(tmp_path, {"args.py": broken, "a.py": SCRIPT}).change_set()
    assert change_set.changes == ()
    (hook,) = change_set.hooks
    assert hook.status is Status.UNPLACED
    assert "byte for byte" in str(hook.reason)
    assert [(s.file, s.fault) for s in change_set.skipped] == [("args.py", True)]
    assert change_set.wants_a_human


def test_a_file_that_does_not_parse_is_told(tmp_path: Path) -> None:
    change_set = plan_of(tmp_path, {"a.py": SCRIPT + "def (\n"}).change_set()
    (skip,) = change_set.skipped
    assert skip.file == "a.py"
    assert "line 14" in str(skip.reason)
    assert change_set.wants_a_human


def test_planning_writes_nothing(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, {"args.py": ARGS, "a.py": SCRIPT})
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    plan.change_set()
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_what_switches_static_graphs_off_is_not_the_hook_s_line() -> None:
    for other in (b"paddle.jit.enable_to_static(False)", b"f = paddle.jit.not_to_static(f)"):
        new = b"a = 1\n" + other + b"\nmodel = paddle.jit.to_static(model)\n"
        assert _hook_lines([FileChange("a.py", b"a = 1\n", new)]) == {"a.py": [3]}
    helper = b"a = 1\nmodel = apply_to_static(config, model)\n"
    assert _hook_lines([FileChange("a.py", b"a = 1\n", helper)]) == {"a.py": [2]}
