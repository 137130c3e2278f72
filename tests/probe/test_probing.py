"""Probes of the small kit on real Paddle: fork, hang, crash, and whom a failure is laid to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.probe_job import probe_kit
from codemod.experiments.probe.probing import Prober
from codemod.experiments.probe.request import ProbeOutcome, ProbeRequest
from codemod.judging.comparing.lent import BORROWING, SidePair
from codemod.judging.evidence import probe_results as store
from codemod.judging.evidence.result import source_of
from codemod.judging.evidence.result_files import read_results, to_content
from codemod.training.sides import DOUBLE_SIDES
from tests.parity.conftest import PADDLES, paddle_python

if TYPE_CHECKING:
    from codemod.experiments.probe.models import Model

pytestmark = pytest.mark.slow

KIT = Path(__file__).parent / "kit"
NETS = ["Plain", "Blind", "Lucky", "Sizeable", "Broken", "Hanging", "Crashing", "Rootless"]


def _kit(root: Path, nets: list[str]) -> Source:
    (root / "configs").mkdir(parents=True)
    for name in nets:
        (root / "configs" / f"{name.lower()}.json").write_text(json.dumps({"net": name}))
    return Source("Small", root, "abc")


def _probe(source: Source, workspace: Path, paddle: str, **asked: Any) -> ProbeOutcome:
    wanted = ProbeRequest(
        python=paddle_python(paddle), adapter=KIT / "adapter.py", limit_s=3, **asked
    )
    return probe_kit(source, wanted, Workspace.at(workspace))


@pytest.mark.parametrize("paddle", PADDLES)
def test_what_diverges_is_trained_at_a_smaller_rate(tmp_path: Path, paddle: str) -> None:
    (found,) = _probe(_kit(tmp_path / "kit", ["Steep"]), tmp_path / "work", paddle).results
    assert found.probe
    assert found.probe.attempt == {"size": 16, "loss": "kit", "rate": 1e-6}
    assert {mode: one.verdict.value for mode, one in found.modes.items()} == {
        "ast": "pass",
        "sot": "pass",
    }
    assert found.dynamic.tried == (
        "{'size': 16, 'loss': 'kit'}: the loss is not a number, or has no gradient",
    )


@pytest.mark.parametrize("paddle", PADDLES)
def test_rounding_hides_no_fault(tmp_path: Path, paddle: str) -> None:
    made = _kit(tmp_path / "kit", ["Rounding", "Faulty"])
    outcome = _probe(made, tmp_path / "work", paddle)
    modes = {one.probe.model: one.modes["ast"] for one in outcome.results if one.probe}
    assert modes["Rounding"].verdict.value == "pass-tolerance"
    assert modes["Rounding"].rule == "lockstep in float64"
    assert "would have been seen in 4 of 4 parameters" in modes["Rounding"].reason
    assert modes["Faulty"].verdict.value == "loss-differs"


@pytest.mark.parametrize("paddle", PADDLES)
def test_borrowed_control_sides_change_no_verdict(
    tmp_path: Path, paddle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _kit(tmp_path / "kit", ["Powered"])
    asked: list[tuple[str, ...]] = []
    run = Prober._run

    def noted(this: Prober, model: Model, attempt: dict[str, Any], *how: str, **more: Any) -> Any:
        asked.extend(more[name] for name in ("sides",) if name in more)
        return run(this, model, attempt, *how, **more)

    monkeypatch.setattr(Prober, "_run", noted)
    borrowing = _probe(made, tmp_path / "work", paddle)
    assert asked == [DOUBLE_SIDES, DOUBLE_SIDES, BORROWING, BORROWING]
    (found,) = borrowing.results
    assert {mode.verdict.value for mode in found.modes.values()} == {"pass-tolerance"}
    monkeypatch.setattr(SidePair, "lends", False)
    (alone,) = _probe(made, tmp_path / "other", paddle).results
    assert asked[4:] == [DOUBLE_SIDES] * 4
    assert found.modes == alone.modes


def test_a_difference_that_a_flag_takes_away_names_its_cause(tmp_path: Path) -> None:
    # Paddle 3.3 draws the numbers of parallel branches in an order of chance.
    made = _kit(tmp_path / "kit", ["Parallel", "Lucky"])
    outcome = _probe(made, tmp_path / "work", "3.3.1")
    modes = {one.probe.model: one.modes["ast"] for one in outcome.results if one.probe}
    assert {name: mode.verdict.value for name, mode in modes.items()} == {
        "Parallel": "loss-differs",
        "Lucky": "loss-differs",
    }
    assert modes["Parallel"].hazard and modes["Parallel"].hazard.id == "P-08"
    assert modes["Lucky"].hazard is None


def test_a_difference_that_copied_outputs_take_away_names_its_cause(tmp_path: Path) -> None:
    # Paddle 2 loses the gradient of a value that a graph returns beside its last operation on it.
    made = _kit(tmp_path / "kit", ["Keeping", "Whole"])
    outcome = _probe(made, tmp_path / "work", "2.6.2")
    modes = {one.probe.model: one.modes["sot"] for one in outcome.results if one.probe}
    assert modes["Keeping"].verdict.value == "gradient-differs"
    assert modes["Keeping"].hazard and modes["Keeping"].hazard.id == "D-63"
    assert modes["Whole"].verdict.passed and modes["Whole"].hazard is None


@pytest.mark.parametrize("paddle", PADDLES)
def test_every_outcome_is_told_apart(tmp_path: Path, paddle: str) -> None:
    outcome = _probe(_kit(tmp_path / "kit", NETS), tmp_path / "work", paddle)
    found = {to_content(result)["model"]: to_content(result) for result in outcome.results}
    verdicts = {
        name: (content["modes"]["ast"]["verdict"], content["modes"]["sot"]["verdict"])
        for name, content in found.items()
    }
    # What SOT makes of these three differs between versions; AST is what they are made for.
    assert verdicts.pop("Lucky")[0] == "loss-differs"
    assert verdicts.pop("Hanging")[0] == "timeout"
    assert verdicts.pop("Crashing")[0] == "crash"
    assert verdicts == {
        "Plain": ("pass", "pass"),
        "Blind": ("pass", "pass"),
        "Sizeable": ("pass", "pass"),
        "Broken": ("dynamic-fails", "dynamic-fails"),
        "Rootless": ("not-run", "not-run"),
    }
    assert found["Plain"]["attempt"] == {"size": 16, "loss": "kit"}
    assert found["Plain"]["modes"]["ast"]["programs"] == 1
    assert found["Plain"]["modes"]["sot"]["graphs_a_step"] == 1
    assert found["Blind"]["attempt"] == {"size": 16, "loss": "general"}
    assert found["Sizeable"]["attempt"] == {"size": 24, "loss": "kit"}
    assert "this model never worked" in found["Broken"]["modes"]["ast"]["reason"]
    assert found["Broken"]["built"] and not found["Rootless"]["built"]
    assert "FileNotFoundError" in found["Rootless"]["modes"]["ast"]["reason"]


@pytest.mark.parametrize("paddle", PADDLES)
def test_larger_pictures_are_tried_where_their_size_may_be_the_cause(
    tmp_path: Path, paddle: str
) -> None:
    """Not for an error with a known hazard, nor for a gradient that one mode alone has."""
    source = _kit(tmp_path / "kit", ["Cramped", "Deaf", "Reading", "Parted"])
    outcome = _probe(source, tmp_path / "work", paddle)
    found = {to_content(result)["model"]: to_content(result) for result in outcome.results}
    told = {
        name: (content["attempt"]["size"], content["modes"]["ast"]["verdict"])
        for name, content in found.items()
    }
    assert told == {
        "Cramped": (24, "pass"),
        "Deaf": (24, "pass-tolerance"),
        "Reading": (16, "fails"),
        "Parted": (16, "gradient-differs"),
    }
    assert found["Parted"]["modes"]["ast"]["first"]["class"] == "extra"


@pytest.mark.parametrize("paddle", PADDLES)
def test_a_step_of_the_kit_s_own_tells_of_nets_that_no_loss_does(
    tmp_path: Path, paddle: str
) -> None:
    source = _kit(tmp_path / "kit", ["Taught", "Untaught", "Unsteady"])
    outcome = _probe(source, tmp_path / "work", paddle)
    found = {to_content(result)["model"]: to_content(result) for result in outcome.results}
    assert {result.probe.attempt["loss"] for result in outcome.results if result.probe} == {"step"}
    assert {source_of(result) for result in outcome.results} == {"step"}
    assert found["Taught"]["nets"] == {"student": [2, 2], "teacher": [1, 2]}
    for mode in ("ast", "sot"):
        taught = found["Taught"]["modes"][mode]
        assert taught["verdict"] == "buffer-differs"
        assert (taught["first"]["step"], taught["first"]["name"]) == (1, "Taught.teacher.weight")
        assert found["Untaught"]["modes"][mode]["verdict"] == "pass"
        assert found["Unsteady"]["modes"][mode]["verdict"] == "dynamic-fails"
        assert "this training never worked" in found["Unsteady"]["modes"][mode]["reason"]


def test_known_results_are_not_probed_again(tmp_path: Path) -> None:
    source = _kit(tmp_path / "kit", ["Plain", "Broken"])
    first = _probe(source, tmp_path / "work", PADDLES[0], jobs=2)
    again = _probe(source, tmp_path / "work", PADDLES[0])
    assert (first.fresh, again.fresh) == (2, 0)
    assert sorted(first.results, key=str) == sorted(again.results, key=str)
    kept = Workspace.at(tmp_path / "work")
    assert not list(store.folder_of(kept, "Small").glob(".run-*"))
    rows = store.summary(one.result for one in read_results(store.folder_of(kept, "Small")).results)
    assert (rows[0]["models"], rows[0]["ran"], rows[0]["ast"]["agreed"]) == (2, 1, 1)
    # What no probe of it read takes nothing from a result; what one read does.
    (source.root / "unread.txt").write_text("x")
    (source.root / "configs" / "broken.json").write_text('{"net": "Broken", "more": 1}')
    assert _probe(source, tmp_path / "work", PADDLES[0]).fresh == 1


def test_a_probe_says_what_it_read_of_an_edited_checkout(
    tmp_path: Path, commit: Callable[[Path], str]
) -> None:
    source = _kit(tmp_path / "kit", ["Plain", "Blind"])
    commit(source.root)
    (source.root / "configs" / "plain.json").write_text('{"net": "Plain", "more": 1}')
    (source.root / "notes.txt").write_text("read by none")
    outcome = _probe(source, tmp_path / "work", PADDLES[0])
    edited = {one.config: sorted(one.edited or ["?"]) for one in outcome.results if one.edited}
    assert edited == {"configs/plain.json": ["configs/plain.json"]}


@pytest.mark.parametrize("paddle", PADDLES)
def test_a_run_that_takes_too_much_memory_ends_alone(tmp_path: Path, paddle: str) -> None:
    source = _kit(tmp_path / "kit", ["Hungry", "Greedy", "Plain"])
    outcome = _probe(source, tmp_path / "work", paddle, memory_gb=1.0)
    found = {to_content(result)["model"]: to_content(result) for result in outcome.results}
    hungry = found["Hungry"]["modes"]["ast"]
    assert hungry["verdict"] == "oom", hungry
    taken = re.search(r"had taken (\S+) GB and may take 1.0 GB", hungry["reason"])
    assert taken is not None, hungry["reason"]
    assert 0.5 < float(taken[1]) < 1.1
    # It asks in dynamic mode too, for 16 GB at once, of which it gets nothing.
    greedy = found["Greedy"]["modes"]
    assert greedy["dynamic"]["outcome"] == "oom", greedy
    assert greedy["ast"]["verdict"] == "not-run"
    assert "may take 1.0 GB" in greedy["ast"]["reason"]
    assert found["Plain"]["modes"]["ast"]["verdict"] == "pass"
    again = _probe(source, tmp_path / "work", paddle, memory_gb=1.5)
    assert again.fresh == 2, "only what had too little is run again"
