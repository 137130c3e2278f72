"""Which models are probed, and in which order."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from codemod.experiments.probe.models import listing, new_first
from codemod.experiments.probe.server import INSIDE

if str(INSIDE) not in sys.path:
    sys.path.append(str(INSIDE))
rank: Any = importlib.import_module("probe_inside.subject").rank


def _line(config: str, name: str, family: str, key: str = "") -> dict[str, Any]:
    return {
        "config": config,
        "model": name,
        "rank": rank(name),
        "family": family,
        "key": key or name,
        "attempts": [{"size": 64}],
        "exact": True,
    }


def test_configs_of_one_model_are_probed_once() -> None:
    found = listing(
        [_line("a", "Net", "nets"), _line("b", "Net", "nets"), _line("c", "Not", "nets")]
    )
    assert [(model.config, model.also) for model in found.models] == [("a", ("b",)), ("c", ())]


def test_families_take_turns_and_small_ones_come_first() -> None:
    lines = [
        _line("1", "ResNet152", "resnet"),
        _line("2", "ResNet18", "resnet"),
        _line("3", "Swin_base", "swin"),
        _line("4", "Swin_tiny", "swin"),
        _line("5", "Rec(ResNet18)", "rec/resnet"),
    ]
    names = [model.name for model in listing(lines).models]
    assert names == ["Swin_tiny", "ResNet18", "Rec(ResNet18)", "ResNet152", "Swin_base"]


def test_families_of_which_nothing_is_known_come_first() -> None:
    lines = [
        _line("1", "ResNet152", "resnet"),
        _line("2", "ResNet18", "resnet"),
        _line("3", "Swin_base", "swin"),
        _line("4", "Swin_tiny", "swin"),
        _line("5", "VGG11", "vgg"),
    ]
    models = listing(lines).models
    names = [model.name for model in new_first(models, {"swin"})]
    assert names == ["ResNet18", "VGG11", "ResNet152", "Swin_tiny", "Swin_base"]
    assert new_first(models, ()) == models


def test_a_config_that_cannot_be_read_is_named() -> None:
    found = listing([{"config": "bad", "error": "KeyError: 'Arch'"}])
    assert found.unread == {"bad": "KeyError: 'Arch'"} and not found.models


def test_numbers_and_words_rank() -> None:
    names = ["ViT_large", "ViT_base", "ResNet50", "ResNet18", "MobileNet_x0_25", "Swin_tiny"]
    assert sorted(names, key=rank) == [
        "Swin_tiny",
        "MobileNet_x0_25",
        "ResNet18",
        "ResNet50",
        "ViT_base",
        "ViT_large",
    ]
