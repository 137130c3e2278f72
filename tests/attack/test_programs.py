"""Some of the attacks of `bench`, with few tries: the same code, other seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.attack import faults, mutated_rules, races, variants
from bench.attack.table import tried
from bench.programs import options, wrong_order
from bench.programs.grammar import FEATURES, drawn, number_of_productions, written
from bench.programs.judged import asked, changed
from bench.programs.layouts import LAYOUTS
from bench.programs.mutated import MUTATIONS, Mutation, caught
from bench.programs.played import play

if TYPE_CHECKING:
    from pathlib import Path


def test_every_drawn_program_trains_as_it_is() -> None:
    plays = [play(program.files, program.words) for program in map(drawn, range(400))]
    assert [one.error for one in plays if one.error] == []
    assert all(any(what == "train" for what, _ in one.events) for one in plays)


def test_the_grammar_is_rich_and_its_pairs_are_met() -> None:
    assert number_of_productions() >= 60
    features = [drawn(seed).features for seed in range(2_000)]
    assert len({(name, value) for one in features for name, value in one.items()}) >= 130


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ("hook 1, wrap 1, call 1, train 1", ""),
        ("wrap 1, hook 1, train 1", "hooked after wrap"),
        ("hook 1, copy 1, train 1", "copy after the hook"),
        ("hook 1, change 1, call 1, train 1", "change after the hook"),
        ("hook 1, summary 1, call 1, train 1", "summary after the hook"),
        ("call 1, train 1", "no hook is reached"),
        ("hook 1, hook 1", "hooked twice"),
        ("hook 1, peek 1, call 1", "first called without gradients after the hook"),
        ("peek 1, hook 1, call 1, train 1", ""),
        ("hook 1, call 1, peek 1, train 1", ""),
        ("hook 1, call 1, train 1, call 2, train 2", "what is trained is not hooked"),
    ],
)
def test_the_stand_in_sees_a_hook_in_the_wrong_place(events: str, fault: str) -> None:
    pairs = [tuple(one.split()) for one in events.split(", ")]
    assert wrong_order([(what, model) for what, model in pairs], {}) == fault


def test_a_wrapper_that_is_hooked_is_seen() -> None:
    assert (
        wrong_order([("hook-without-model", "no model")], {}) == "a wrapper, or no layer, is hooked"
    )


def _outcome(layout: str, form: str = "argparse", **names: str) -> tuple[str, str]:
    """What becomes of the plain program with some other productions."""
    parts = {feature: of[0] for feature, of in FEATURES.items()}
    for feature, name in names.items():
        parts[feature] = next(one for one in FEATURES[feature] if one.name == name)
    made = next(one for one in LAYOUTS if one.__name__ == layout)
    answer = asked(written(0, made, next(f for f in options.FORMS if f.name == form), parts))
    return answer.outcome, answer.fault


@pytest.mark.parametrize("form", [form.name for form in options.FORMS])
def test_whoever_reads_all_options_reads_what_he_did(form: str) -> None:
    assert _outcome("in_main", form) == ("right", "")


@pytest.mark.parametrize(
    ("form", "switch"),
    [
        ("deep copy", "--to_static"),
        ("easydict of vars", "--to_static"),
        ("in a pair", "--to_static"),
        ("spawned", "--to_static"),
        ("yacs spawned", "to_static: True in the config"),
        ("yacs in capitals", "TO_STATIC: True in the config"),
        ("omegaconf merged", "to_static: True in the config"),
        ("hydra", "to_static: True in the config"),
        ("yacs keywords", "PADDLE_TO_STATIC=1"),
        ("kept in part", "PADDLE_TO_STATIC=1"),
    ],
)
def test_a_config_is_followed_to_where_it_is_made(form: str, switch: str) -> None:
    parts = {feature: of[0] for feature, of in FEATURES.items()}
    layout = next(one for one in LAYOUTS if one.__name__ == "in_main")
    made, _ = changed(written(0, layout, next(f for f in options.FORMS if f.name == form), parts))
    assert [hook.switch for hook in made.hooks] == [switch]


@pytest.mark.parametrize("partner", ["head", "adversary"])
@pytest.mark.parametrize(
    "layout",
    ["in_main", "set_attribute", "property_class", "closure", "module_global", "lightning"],
)
def test_every_model_of_a_step_is_hooked(layout: str, partner: str) -> None:
    assert _outcome(layout, partner=partner) == ("right", "")


@pytest.mark.parametrize(
    ("layout", "parts"),
    [
        ("wrapped_late_class", {"call": "no_grad block", "block": "if truth"}),
        ("wrapped_late_class", {"call": "evaluated", "copy": "teacher"}),
        ("in_main", {"call": "evaluated", "copy": "deepcopy"}),
        ("in_main", {"convert": "sync-BN", "call": "evaluated", "block": "if truth"}),
        ("set_up_class", {"call": "shapes", "wrap": "DataParallel"}),
        ("closure", {"copy": "deepcopy", "wrap": "fleet"}),
        ("module_global", {"call": "no_grad helper"}),
        ("lightning", {"copy": "deepcopy"}),
    ],
)
def test_what_comes_before_the_hook_is_found_in_other_functions(
    layout: str, parts: dict[str, str]
) -> None:
    assert _outcome(layout, **parts) == ("right", "")


def test_a_critic_behind_a_property_is_no_surer_than_another() -> None:
    parts = {feature: of[0] for feature, of in FEATURES.items()}
    parts["partner"] = next(one for one in FEATURES["partner"] if one.name == "adversary")
    layout = next(one for one in LAYOUTS if one.__name__ == "property_class")
    made, _ = changed(written(0, layout, options.FORMS[0], parts))
    assert [hook.target for hook in made.hooks] == ["self._model"]


def test_a_partner_that_is_built_in_a_base_class_is_told() -> None:
    names = {"partner": "adversary", "call": "quantized", "wrap": "DataParallel"}
    assert _outcome("derived_class", **names)[0] != "wrong"


@pytest.mark.parametrize(
    ("layout", "parts"),
    [
        ("callbacks", {"call": "no_grad helper"}),
        ("returned_wrapped", {"wrap": "wrapped alias"}),
    ],
)
def test_a_place_that_nobody_can_tell_is_left(layout: str, parts: dict[str, str]) -> None:
    assert _outcome(layout, **parts)[0] in ("right", "abstained")


@pytest.mark.parametrize("layout", ["in_main", "at_top", "nested", "high_level"])
def test_keys_that_are_compared_get_no_switch_among_them(layout: str) -> None:
    assert _outcome(layout, "strict keys") == ("right", "")


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_a_wrong_engine_is_caught(mutation: Mutation) -> None:
    assert caught(mutation, 5_000_000, 3_000) is not None


@pytest.mark.parametrize("seed", range(12))
def test_variants_of_a_trainer_s_bytes(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert variants.attempt(seed, tmp_path) == ""


@pytest.mark.parametrize("start", [41_000_000, 42_000_000])
def test_link_races_change_nothing_outside(start: int) -> None:
    assert [
        fault for seed in range(start, start + 15) if (fault := tried(races.attempt, seed))
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("backwards", [False, True], ids=["apply", "revert"])
def test_a_link_at_any_call_changes_nothing_outside(
    backwards: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    calls = range(1, faults.calls_made(2, tmp_path / "counted") + 20)
    told = {at: races.raced(tmp_path / f"race{at}", 2, at, backwards=backwards) for at in calls}
    assert {at: fault for at, fault in told.items() if fault} == {}


@pytest.mark.parametrize("start", range(9_000_000, 9_000_040, 10))
def test_faults_and_kills_of_apply_and_revert(start: int) -> None:
    assert [
        fault for seed in range(start, start + 10) if (fault := tried(faults.attempt, seed))
    ] == []


@pytest.mark.parametrize("seed", range(9_000_000, 9_000_008))
def test_mutations_of_a_kit_s_data(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tried(mutated_rules.attempt, seed) == ""


def test_a_fault_that_nothing_undoes_is_seen(tmp_path: Path) -> None:
    """What the attack judges: half a change, and a word that is not so."""
    half = {faults.LINES, faults.HOOKED}
    assert faults.judged(faults.AS_IT_WAS, half, faults.LINES, faults.HOOKED, tmp_path)
    assert faults.judged(faults.DONE, half, faults.LINES, faults.HOOKED, tmp_path)
    assert faults.judged(faults.CRASHED, {faults.LINES}, faults.LINES, faults.HOOKED, tmp_path)
    assert not faults.judged(faults.DONE, {faults.HOOKED}, faults.LINES, faults.HOOKED, tmp_path)
