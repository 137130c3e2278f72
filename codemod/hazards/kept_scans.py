"""Scans that were made before: a scan is near half of the work of `check` and `survey`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from codemod.base.json_form import from_json, to_json
from codemod.code.tree import Tree
from codemod.hazards.hazard import Occurrence
from codemod.hazards.scan import ModelHazards, scan_kit
from codemod.kits.config_rule import ConfigRule
from codemod.kits.kept_results import kept_result

Configs = Mapping[str, dict[str, Any]]


def kept_scan(
    tree: Tree, rule: ConfigRule, configs: Configs, *, alike: bool = True
) -> tuple[ModelHazards, ...]:
    """As `scan_kit`, made once for the same texts, rule, configs and code."""
    return kept_result(
        "scans",
        tree,
        (rule, dict(configs), alike),
        lambda: scan_kit(tree, rule, configs, alike=alike),
        _packed,
        _unpacked,
    )


def _packed(models: tuple[ModelHazards, ...]) -> dict[str, Any]:
    """The models as JSON holds them, with each occurrence once: many configs have the same."""
    known = {id(one): one for model in models for one in model.found}
    numbers = {key: number for number, key in enumerate(known)}
    return {
        "occurrences": [to_json(one) for one in known.values()],
        "found": [[numbers[id(one)] for one in model.found] for model in models],
        "models": [to_json(replace(model, found=())) for model in models],
    }


def _unpacked(packed: dict[str, Any]) -> tuple[ModelHazards, ...]:
    known = [from_json(Occurrence, one) for one in packed["occurrences"]]
    return tuple(
        replace(from_json(ModelHazards, model), found=tuple(known[number] for number in found))
        for model, found in zip(packed["models"], packed["found"], strict=True)
    )
