"""A row stands only on today's code: hook, adapter, the kit's files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Hook, Source, Status
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import apply_changes
from codemod.base.reason import Reason
from codemod.cli.main import run
from codemod.code.tree import Tree
from codemod.engine.hook_files import HookFiles, digest
from codemod.judging.evidence import base
from codemod.judging.evidence.result import ModeResult, ParityPart, ProbePart, Result
from codemod.judging.evidence.result_files import PARITY_FOLDER, PROBE_FOLDER, write_result
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.rounding.rounding import ENVELOPE
from codemod.judging.verdict import EQUALITY, FirstDifference, Verdict
from codemod.reports.survey.grounds import Grounds, tree_fault
from codemod.training.launch import hook_checksum
from codemod.work.standing import Standing, add_rows, results_of, standing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REVISION = "e" * 40
CONFIG = "a.yml"
HOOKED = b"from helper import to_static_model\nto_static_model(net)\n"
HELPER = b"def to_static_model(net):\n    return net\n"
OTHER = b"to_static(other)\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "kit"
    root.mkdir()
    for name in ("train.py", "helper.py", "other.py", "net.py", "a.yml"):
        (root / name).write_bytes(b"x = 1\n")
    return root


def hook(file: str) -> Hook:
    why = Reason.of("engine.model-built")
    return Hook("r", Status.INSERTED, file, "main", 2, "net", None, why)


def ground(root: Path, **changed: bytes) -> Grounds:
    """What `apply` would do: a hook in the trainer with a helper beside it, one elsewhere."""
    new = {"train": HOOKED, "helper": HELPER, "other": OTHER, **changed}
    change = ChangeSet(
        Source("Kit", root, REVISION, "git"),
        hooks=(hook("train.py"), hook("other.py")),
        edits=(
            Edit("train.py", EditKind.HOOK, 2, hooks=(0,)),
            Edit("helper.py", EditKind.HELPER, 2, hooks=(0,)),
            Edit("other.py", EditKind.HOOK, 1, hooks=(1,)),
        ),
        changes=tuple(FileChange(f"{name}.py", b"x = 1\n", data) for name, data in new.items()),
    )
    tree = Tree(root)
    return Grounds(tree, REVISION, {}, HookFiles(tree, change), {CONFIG: "train.py:main"}, 3)


def parity(**fields: object) -> EvidenceRow:
    hooks = {"train.py": digest(HOOKED), "helper.py": digest(HELPER)}
    row = EvidenceRow("Kit", CONFIG, "3.3.1", "ast", "parity", Verdict.PASS)
    return replace(row, revision=REVISION, hooks=hooks, **fields)  # type: ignore[arg-type]


def test_a_run_of_today_s_hook_stands(tree: Path) -> None:
    assert ground(tree).fault(parity(), CONFIG) is None


def test_another_hook_s_change_takes_nothing_from_it(tree: Path) -> None:
    assert ground(tree, other=b"to_static(another)\n").fault(parity(), CONFIG) is None


@pytest.mark.parametrize("name", ["train", "helper"])
def test_a_file_of_its_hook_that_changed_takes_it(tree: Path, name: str) -> None:
    now = ground(tree, **{name: b"to_static(new)\n"})
    assert f"another {name}.py" in str(now.fault(parity(), CONFIG))


def test_a_file_that_the_hook_did_not_need_then_takes_it(tree: Path) -> None:
    row = parity()
    row = replace(row, hooks={"train.py": row.hooks["train.py"]})
    assert "another helper.py" in str(ground(tree).fault(row, CONFIG))


def test_a_file_with_a_hook_that_is_none_now_takes_it(tree: Path) -> None:
    row = parity()
    row = replace(row, hooks={**row.hooks, "net.py": digest(b"to_static(net)\n")})
    assert "another net.py" in str(ground(tree).fault(row, CONFIG))


def test_rows_of_before_are_held_to_the_whole_tree(tree: Path, tmp_path: Path) -> None:
    now = ground(tree)
    applied = tmp_path / "applied"
    applied.mkdir()
    for path in ("train.py", "helper.py", "other.py", "net.py"):
        (applied / path).write_bytes(now.hooks.content(path) or b"" if now.hooks else b"")
    row = replace(parity(), hooks={}, hook=hook_checksum(applied))
    assert now.fault(row, CONFIG) is None
    assert "other hooks" in str(ground(tree, other=b"to_static(another)\n").fault(row, CONFIG))


def test_a_file_that_the_run_never_read_takes_nothing_while_no_hook_changed(
    tree: Path, tmp_path: Path
) -> None:
    now = ground(tree)
    for path in ("train.py", "helper.py", "other.py", "net.py"):
        (tmp_path / "applied").mkdir(exist_ok=True)
        (tmp_path / "applied" / path).write_bytes(
            now.hooks.content(path) or b"" if now.hooks else b""
        )
    row = parity()
    row = replace(row, hooks={"train.py": row.hooks["train.py"]})
    assert now.fault(replace(row, hook=hook_checksum(tmp_path / "applied")), CONFIG) is None
    assert now.fault(replace(row, hook="another"), CONFIG)


def test_a_probe_of_another_adapter_does_not_stand(tree: Path) -> None:
    row = replace(parity(), kind="probe", hooks={}, adapter=3)
    assert ground(tree).fault(row, CONFIG) is None
    assert "version 3 now, and was 2" in str(ground(tree).fault(replace(row, adapter=2), CONFIG))


def test_a_probe_that_passed_though_a_fault_could_hide_does_not_stand(tree: Path) -> None:
    row = replace(parity(), kind="probe", hooks={}, adapter=3, rule=ENVELOPE, grad_max_rel=1e-4)
    row = replace(row, verdict=Verdict.PASS_TOLERANCE)
    assert ground(tree).fault(row, CONFIG) is None
    wide = replace(row, grad_max_rel=0.35)
    assert "off by 3.5e-01 of the global norm" in str(ground(tree).fault(wide, CONFIG))
    assert ground(tree).fault(replace(wide, verdict=Verdict.FAILS), CONFIG) is None
    assert ground(tree).fault(replace(wide, rule="lockstep in float64"), CONFIG) is None


def test_a_probe_that_was_blamed_by_its_free_runs_alone_does_not_stand(
    tree: Path, commit: Callable[[Path], str]
) -> None:
    commit(tree)
    first = FirstDifference(1, 0, "body.weight", "drift", 2.4e5)
    row = replace(parity(), verdict=Verdict.GRADIENT_DIFFERS, first=first, rule=EQUALITY)
    blamed = replace(row, kind="probe", hooks={}, adapter=3)
    assert "blamed for the size of a difference" in str(ground(tree).fault(blamed, CONFIG))
    # A missing gradient is no size; a trainer's run has always had a run of sides.
    missing = replace(blamed, first=replace(first, kind="missing"))
    # Nor does rounding make so much of an update from the same weights.
    gross = replace(blamed, first=replace(first, step=0), grad_max_rel=0.5)
    small = replace(gross, first=replace(first, step=0, relative=1e-4))
    assert "blamed for the size of a difference" in str(ground(tree).fault(small, CONFIG))
    for kept in (missing, gross, replace(blamed, rule="lockstep in float64"), row):
        assert ground(tree).fault(kept, CONFIG) is None
    mode = ModeResult(Verdict.GRADIENT_DIFFERS, rule=EQUALITY, first=first)
    free = replace(measured({}), modes={"ast": mode})
    assert "blamed for the size of a difference" in str(ground(tree).revision_fault(free))
    trained = ground(tree).revision_fault(replace(free, probe=None))
    assert trained is None or trained.code != "judging.blamed-alone"


def test_a_recorder_that_measures_something_else_takes_a_row(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codemod.reports.survey.grounds.recorder_version", lambda: "v2")
    assert ground(tree).fault(parity(recorder="v2"), CONFIG) is None
    assert "v2 now, and was v1" in str(ground(tree).fault(parity(recorder="v1"), CONFIG))


def test_what_does_not_stand_is_taken_out(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "Kit.jsonl"
    old = parity(paddle="2.6.2", hook="0")
    old = replace(old, hooks={"train.py": "0"})
    base.write_base(file, [parity(), old])
    found = standing(file, ground(tree))
    assert isinstance(found, Standing)
    assert (found.stand, [row for row, _ in found.fallen]) == ((parity(),), [old])
    older = standing(file, ground(tree), older=True)
    assert (older.stand, len(older.fallen)) == ((), 2)


def test_kits_without_a_checkout_are_named_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    file = tmp_path / "data" / "evidence" / "PaddleSeg.jsonl"
    base.write_base(file, [EvidenceRow("PaddleSeg", "a", "2.6.2", "ast", "probe", Verdict.PASS)])
    before = file.read_bytes()
    assert run(["evidence", "prune", "PaddleSeg", "--workspace", str(tmp_path / "ws")]) == 0
    assert "no checkout" in capsys.readouterr().out
    assert file.read_bytes() == before


def measured(edited: dict[str, str] | None, **parity: object) -> Result:
    part = ParityPart(**parity) if parity else None  # type: ignore[arg-type]
    probe = None if parity else ProbePart()
    mode = {"ast": ModeResult(Verdict.PASS)}
    return Result(
        "Kit", CONFIG, "3.3.1", mode, revision=REVISION, edited=edited, parity=part, probe=probe
    )


def test_a_result_of_an_edited_tree_is_not_its_revision_s(tree: Path) -> None:
    hooks = ground(tree).hooks
    assert tree_fault(measured({}), hooks) is None
    assert "before what runs read" in str(tree_fault(measured(None), hooks))
    assert "another" not in str(tree_fault(measured({"net.py": "0"}), hooks))
    assert "read a net.py that is not" in str(tree_fault(measured({"net.py": "0"}), hooks))
    # What `apply` writes is the change that is measured, and so is a hook of before.
    assert tree_fault(measured({"train.py": digest(HOOKED)}), hooks) is None
    assert tree_fault(measured({"net.py": "0"}, hooks={"net.py": "0"}), hooks) is None
    assert tree_fault(measured({"net.py": "0"}, hooks={"train.py": "0"}), hooks)
    # A file that was there and is not when it is read.
    assert tree_fault(measured({"net.py": ""}), hooks)


def test_a_checkout_with_edits_vouches_for_nothing_that_reaches_them(
    tree: Path, commit: Callable[[Path], str]
) -> None:
    commit(tree)
    now = replace(ground(tree), files={CONFIG: ("a.yml", "net.py")})
    assert now.revision_fault(measured({})) is None
    far = ModeResult(Verdict.PASS_TOLERANCE, rule=ENVELOPE, grad_max_rel=0.35)
    hidden = replace(measured({}), modes={"ast": far})
    assert "off by 3.5e-01 of the global norm" in str(now.revision_fault(hidden))
    row = replace(parity(), kind="probe", hooks={}, adapter=3)
    assert now.fault(row, CONFIG) is None
    (tree / "other.py").write_bytes(b"x = 2\n")
    now = replace(ground(tree), files={CONFIG: ("a.yml", "net.py")})
    assert now.revision_fault(measured({})) is None and now.fault(row, CONFIG) is None
    (tree / "net.py").write_bytes(b"x = 2\n")
    now = replace(ground(tree), files={CONFIG: ("a.yml", "net.py")})
    assert "checkout has another net.py" in str(now.revision_fault(measured({})))
    # Nor is a row of this revision of this tree, unless it was measured on these very bytes.
    assert str(now.fault(row, CONFIG)) == "the kit's files are others"
    assert now.fault(replace(row, rests_on=now.digest(CONFIG)), CONFIG) is None


def test_what_apply_left_in_the_checkout_is_no_edit(
    tree: Path, commit: Callable[[Path], str]
) -> None:
    commit(tree)
    files: dict[str, tuple[str, ...]] = {CONFIG: ("a.yml", "train.py", "net.py")}
    hooked = ground(tree).hooks
    source = Source("Kit", tree, REVISION, "git")
    change = FileChange("train.py", b"x = 1\n", HOOKED)
    edit = Edit("train.py", EditKind.HOOK, 2, hooks=(0,))
    apply_changes(
        ChangeSet(source, hooks=(hook("train.py"),), edits=(edit,), changes=(change,)),
        allow_dirty=False,
    )
    now = replace(ground(tree), files=files, hooks=hooked)
    assert now.edited == frozenset()
    assert now.revision_fault(measured({"train.py": digest(HOOKED)})) is None
    # A rewrite of the model is written and recorded by the same hand.
    rewrite = FileChange("net.py", b"x = 1\n", b"x = 2\n")
    apply_changes(ChangeSet(source, changes=(rewrite,)), allow_dirty=False)
    now = replace(ground(tree), files=files, hooks=hooked)
    assert now.edited == {"net.py"}
    assert "another net.py" in str(now.revision_fault(measured({})))
    (tree / "train.py").write_bytes(HOOKED + b"x = 2\n")
    now = replace(ground(tree), files={CONFIG: ("a.yml",)}, hooks=hooked)
    read = {"train.py": digest(HOOKED + b"x = 2\n")}
    assert "another train.py" in str(now.revision_fault(measured(read)))
    # A parity run's own hooks are held to what `apply` writes by their digests.
    assert now.revision_fault(measured(read, hooks=read)) is None


def test_what_was_measured_on_an_edited_tree_is_not_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    results = tmp_path / "ws" / PROBE_FOLDER / "Kit"
    for name, edited in (("a", {}), ("b", {"net.py": "0"}), ("c", {"net.py": "0"}), ("d", None)):
        write_result(results / f"{name}.json", replace(measured(edited), config=f"{name}.yml"))
    assert run(["evidence", "add", "--workspace", str(tmp_path / "ws")]) == 0
    rows = base.read_file(tmp_path / "data" / "evidence" / "Kit.jsonl").rows
    assert [row.config for row in rows] == ["a.yml"]
    told = capsys.readouterr().err
    assert "Kit: b.yml on Paddle 3.3.1 and 1 more: left out, its run read a net.py" in told
    assert "Kit: d.yml on Paddle 3.3.1: left out, it was made before what runs read" in told


def test_what_would_be_a_finding_is_not_added(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commit: Callable[[Path], str]
) -> None:
    commit(tree)
    now = replace(ground(tree), files={CONFIG: ("a.yml",)}, adapter=0)
    monkeypatch.setattr("codemod.work.standing.grounds_of", lambda kit, place: now)
    applied = {"train.py": digest(HOOKED), "helper.py": digest(HELPER)}
    runs = {
        "3.3.1": (applied, REVISION),
        # Nobody applied the change.
        "3.2.2": ({"train.py": digest(b"x = 1\n")}, REVISION),
        "3.1.1": ({**applied, "helper.py": "0"}, REVISION),
        "3.0.0": (applied, "f" * 40),
    }
    place = Workspace.at(tmp_path / "ws")
    for paddle, (hooks, revision) in runs.items():
        one = measured({}, hooks=hooks, changed=("train.py",))
        file = place.root / PARITY_FOLDER / "Kit" / f"{paddle}.json"
        write_result(file, replace(one, paddle=paddle, revision=revision))
    probe = measured({})
    write_result(place.root / PROBE_FOLDER / "Kit" / "probe.json", replace(probe, paddle="2.6.2"))
    (added,) = add_rows(results_of(place), place, tmp_path / "to")
    assert {row.paddle for row in added.rows} == {"3.3.1", "2.6.2"}
    assert standing(added.file, now).fallen == ()
    told = {one.paddle: str(why) for why, results in added.foreign.items() for one in results}
    assert set(told) == {"3.2.2", "3.1.1", "3.0.0"}
    assert "another helper.py" in told["3.1.1"] and "files are others" in told["3.0.0"]
