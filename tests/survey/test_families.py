"""The plan's families: each has its row in its kit's catalogue, and the catalogues are sound."""

from __future__ import annotations

import pytest

from codemod.kits.catalogue import find_kit, load_kits
from codemod.kits.config_rule import config_rule
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.words import LANGUAGES, Words

# How many families the plan names for each kit.
PLAN = {
    "PaddleClas": 27,
    "PaddleNLP": 19,
    "PaddleSeg": 29,
    "PaddleDetection": 29,
    "Paddle3D": 14,
    "PaddleOCR": 32,
    "PaddleRec": 37,
    "PaddleGAN": 22,
    "PaddleVideo": 16,
    "PaddleYOLO": 10,
}


def test_every_kit_has_the_plan_s_families() -> None:
    assert {kit: len(catalogue(kit).families) for kit in load_kits()} == PLAN
    assert sum(PLAN.values()) == 235


@pytest.mark.parametrize("kit", PLAN)
def test_a_catalogue_s_names_are_unique_and_its_tasks_are_words(kit: str) -> None:
    known = catalogue(kit)
    names = [family.name for family in known.rows]
    assert len(names) == len(set(names))
    tasks = {known.task, *(f.task for f in known.rows if f.task), *(t.task for t in known.tasks)}
    assert tasks <= set(Words.known("tasks"))
    assert all(family.models or family.configs or family.code for family in known.rows)


def test_every_word_has_both_languages() -> None:
    for group in ("document", "columns", "symbols", "sources", "verdicts", "states", "tasks"):
        for key in Words.known(group):
            assert all(Words(language)(group, key).strip() for language in LANGUAGES), key


def test_a_kit_without_a_catalogue_is_grouped_by_its_models() -> None:
    known = catalogue("NoSuchKit")
    assert (known.rows, known.group) == ((), ("model",))


@pytest.mark.parametrize("kit", sorted(load_kits()))
def test_configs_apart_name_their_nets_as_the_kit_s_own_do(kit: str) -> None:
    """Without, any key may be a net's: data and rates count, and no config is alike to one."""
    rule = config_rule(find_kit(kit))
    keys = [net for net in (rule.nets if rule else ()) if ":" not in net]
    for root in catalogue(kit).roots if keys else ():
        assert root.nets, f"{kit}: {root.name}"
