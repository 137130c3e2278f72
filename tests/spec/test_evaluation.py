"""Each kit is asked for an evaluation in its own words."""

from __future__ import annotations

import pytest

from codemod.experiments.spec.evaluation import evaluation
from codemod.training.recipes import command_line, known_kits, read_recipe

TAGGER = "slm/examples/lexical_analysis/train.py"
NAMES = "config config_dir config_name data out device use_gpu seed steps root overlay launcher"
VALUES = {name: name for name in NAMES.split()}
ASKED = {
    "PaddleClas": ["Global.eval_during_train"],
    "PaddleSeg": ["--do_eval"],
    "PaddleOCR": ["Global.eval_batch_step"],
    "PaddleDetection": ["--eval"],
    "PaddleYOLO": ["--eval"],
    "PaddleGAN": ["validate"],
    "PaddleVideo": ["--validate"],
    "PaddleRec": [],
    "Paddle3D": ["--do_eval"],
    "PaddleNLP": ["--save_steps"],
}


@pytest.mark.parametrize("kit", known_kits())
def test_every_kit_with_a_recipe_is_asked_or_says_why_not(kit: str) -> None:
    config = TAGGER if kit == "PaddleNLP" else "config.yml"
    asks = evaluation(kit, config)
    assert bool(asks.why_not) == (kit == "PaddleRec")
    words = command_line(asks.over(read_recipe(kit, config)), True, (), VALUES)
    assert set(asks.args) <= set(words)
    assert set(ASKED[kit]) <= {word.split("=")[0] for word in words}


def test_a_case_is_for_its_configs_alone() -> None:
    assert evaluation("PaddleNLP", TAGGER).args == ("--save_steps", "6")
    assert "no option is known" in evaluation("PaddleNLP", "slm/other/train.py").why_not
    mnist = evaluation("PaddleGAN", "configs/wgan_mnist.yaml")
    assert (mnist.set, "no validation" in mnist.why_not) == ((), True)
    assert "no option is known" in evaluation("Unknown", "a.yml").why_not
