"""A hazard that most models do not show is no warning by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemod.base.reason import Reason
from codemod.hazards import Mode, ModelHazards, Occurrence
from codemod.hazards.catalog import CATALOG
from codemod.hazards.hazard import SEVERE
from codemod.reports.survey.predictions import predicted
from codemod.reports.survey.rows import Outlook

HAZARDS = {hazard.id: hazard for hazard in CATALOG}


def found(id_: str) -> Occurrence:
    hazard = HAZARDS[id_]
    modes = {m.value: {v: hazard.effect(m, v).value for v in ("2.6", "3.3")} for m in Mode}
    place = (id_, hazard.name, "m.py", 3, "M.forward", Reason.of("hazards.tries"))
    return Occurrence(*place, modes, "", "", doubtful=hazard.doubtful)


def said(*ids: str, settled: tuple[str, ...] = ()) -> dict[tuple[str, str], tuple[Outlook, str]]:
    model = ModelHazards("c.yml", ("m.py:M",), tuple(found(id_) for id_ in ids))
    told = predicted([model], settled)["c.yml"]
    return {(v.mode, v.paddle): (Outlook(v.verdict.value), v.reason) for v in told}


def test_a_doubtful_effect_is_named_and_not_warned_of() -> None:
    assert said("D-69")["sot", "2.6.2"] == (
        Outlook.CLEAR,
        "D-69 stop-gradient-write in M.forward",
    )
    assert said("D-72")["sot", "2.6.2"][0] is Outlook.AT_RISK


def test_beside_a_sure_one_the_sure_one_is_told() -> None:
    both = said("D-69", "D-72")["sot", "2.6.2"]
    assert both == (Outlook.AT_RISK, "D-72 randperm-tensor in M.forward")


def test_doubt_is_of_a_mode_and_a_paddle() -> None:
    told = said("D-43")
    assert told["sot", "2.6.2"][0] is Outlook.CLEAR
    assert told["ast", "2.6.2"][0] is Outlook.AT_RISK


def test_what_the_kit_s_hook_sees_to_is_no_warning() -> None:
    assert said("D-71")["ast", "3.3.1"][0] is Outlook.AT_RISK
    assert said("D-71", settled=("D-71",))["ast", "3.3.1"] == (Outlook.CLEAR, "")


@pytest.mark.parametrize("id_", sorted(HAZARDS))
def test_only_severe_effects_can_be_doubtful(id_: str) -> None:
    hazard = HAZARDS[id_]
    effects = zip(hazard.effects, hazard.doubtful, strict=True)
    assert all(effect in SEVERE for effect, doubtful in effects if doubtful)
    plain = replace(hazard, doubtful=(False,) * 4)
    assert plain.effects == hazard.effects
