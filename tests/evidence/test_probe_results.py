"""What is kept, when it stands, and what it adds up to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.judging.evidence import probe_results as store
from codemod.judging.evidence.result_files import from_content, read_results, write_result
from codemod.judging.rounding.rounding import ENVELOPE
from codemod.judging.verdict import EQUALITY, FirstDifference
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.judging.evidence.result import Result


def _result(ast: str, sot: str, dynamic: str = "ok", **more: Any) -> Result:
    modes = {"dynamic": {"outcome": dynamic}, "ast": {"verdict": ast}, "sot": {"verdict": sot}}
    whole = {"kit": "Small", "config": "a", "paddle": "2.6.2", "revision": "r", "adapter": 1}
    fields = {"built": True, "seconds": 2.0, "limit_s": 10.0, "modes": modes}
    fields["recorder"] = recorder_version()
    return from_content({**whole, **fields, **more})


def test_a_result_of_another_revision_or_adapter_does_not_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_result(path, _result("pass", "pass"))
    assert store.kept_probe(path, 1, 10.0, 4.0) is not None
    assert store.kept_probe(path, 2, 10.0, 4.0) is None
    path.write_text("{")
    assert store.kept_probe(path, 1, 10.0, 4.0) is None


def test_a_result_of_another_recorder_does_not_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for recorder, stands in ((recorder_version(), True), ("0", False), (None, False)):
        write_result(path, _result("pass", "pass", recorder=recorder))
        assert (store.kept_probe(path, 1, 10.0, 4.0) is not None) == stands


def test_what_was_cut_off_is_run_again_with_more_time(tmp_path: Path) -> None:
    for result in (_result("timeout", "pass"), _result("not-run", "not-run", "timeout")):
        write_result(tmp_path / "a.json", result)
        assert store.kept_probe(tmp_path / "a.json", 1, 10.0, 4.0) is not None
        assert store.kept_probe(tmp_path / "a.json", 1, 11.0, 4.0) is None


def test_what_somebody_ended_is_run_again(tmp_path: Path) -> None:
    said = [{"code": "judging.static-killed", "fields": {"last": "x"}}]
    result = _result("not-run", "pass")
    write_result(tmp_path / "a.json", result)
    assert store.kept_probe(tmp_path / "a.json", 1, 99.0, 4.0) is not None
    killed = replace(result.modes["ast"], said=tuple(map(Reason.from_json, said)))
    write_result(tmp_path / "a.json", replace(result, modes={**result.modes, "ast": killed}))
    assert store.kept_probe(tmp_path / "a.json", 1, 99.0, 4.0) is None


def test_a_pass_that_a_fault_could_hide_in_is_run_again(tmp_path: Path) -> None:
    path, result = tmp_path / "a.json", _result("pass-tolerance", "pass")
    for far, rule, stands in (
        (1e-4, ENVELOPE, True),
        (1e-2, ENVELOPE, False),
        (1e-2, "lockstep in float64", True),
    ):
        one = replace(result.modes["ast"], steps=2, rule=rule, grad_max_rel=far)
        write_result(path, replace(result, modes={**result.modes, "ast": one}))
        assert (store.kept_probe(path, 1, 10.0, 4.0) is not None) == stands


def test_a_blame_by_free_runs_alone_is_probed_again(tmp_path: Path) -> None:
    path, result = tmp_path / "a.json", _result("gradient-differs", "pass")
    for kind, rule, stands in (
        ("drift", EQUALITY, False),
        ("drift", ENVELOPE, True),
        ("isolated", "lockstep", True),
        ("missing", EQUALITY, True),
    ):
        first = FirstDifference(1, 0, "body.weight", kind, 0.5)
        one = replace(result.modes["ast"], steps=2, rule=rule, first=first)
        write_result(path, replace(result, modes={**result.modes, "ast": one}))
        assert (store.kept_probe(path, 1, 10.0, 4.0) is not None) == stands


def test_what_had_too_little_memory_is_run_again_with_more(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for ends in (("pass", "oom"), ("not-run", "not-run", "oom")):
        write_result(path, _result(*ends, memory_gb=4.0))
        assert store.kept_probe(path, 1, 99.0, 4.0) is not None
        assert store.kept_probe(path, 1, 10.0, 4.5) is None
        write_result(path, _result(*ends))
        assert store.kept_probe(path, 1, 10.0, 64.0) is not None, "it had the whole machine"


def test_summary_counts_by_kit_and_paddle(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    results = [
        _result("pass", "pass-partial", also=["b", "c"]),
        _result("gradient-differs", "pass-tolerance", config="d"),
        _result("not-run", "not-run", "fails", config="e", built=False),
        _result("pass", "fails", config="a", paddle="3.3.1"),
    ]
    for result in results:
        path = store.path_of(workspace, "Small", result.config, result.paddle)
        write_result(path, result)
    old, new = store.summary(
        kept.result for kept in read_results(store.folder_of(workspace, "Small")).results
    )
    assert (old["models"], old["configs"], old["built"], old["ran"]) == (3, 5, 2, 2)
    assert (old["ast"]["agreed"], old["sot"]["agreed"]) == (1, 2)
    assert old["ast"]["verdicts"] == {"pass": 1, "gradient-differs": 1, "not-run": 1}
    assert (new["paddle"], new["models"], new["sot"]["agreed"]) == ("3.3.1", 1, 0)
