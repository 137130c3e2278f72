"""Each kit is asked for an evaluation in its own words."""

from __future__ import annotations

import pytest

from codemod.parity.recipes import command_line, known_kits, read_recipe
from codemod.spec.evaluation import evaluation

TAGGER = "slm/examples/lexical_analysis/train.py"
VALUES = {
    name: name
    for name in (
        "config",
        "config_dir",
        "data",
        "out",
        "device",
        "seed",
        "steps",
        "root",
        "overlay",
    )
}


@pytest.mark.parametrize("kit", known_kits())
def test_every_kit_with_a_recipe_is_asked_or_says_why_not(kit: str) -> None:
    config = TAGGER if kit == "PaddleNLP" else "config.yml"
    asks = evaluation(kit, config)
    assert bool(asks.why_not) == (kit == "PaddleRec")
    words = command_line(asks.over(read_recipe(kit, config)), True, (), VALUES)
    assert set(asks.args) <= set(words)
    assert len([word for word in words if word.split("=")[0] in ASKED[kit]]) >= len(ASKED[kit])


def test_a_case_is_for_its_configs_alone() -> None:
    assert evaluation("PaddleNLP", TAGGER).args == ("--save_steps", "6")
    assert "no option is known" in evaluation("PaddleNLP", "slm/other/train.py").why_not
    assert "no option is known" in evaluation("Unknown", "a.yml").why_not
