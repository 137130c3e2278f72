"""A kit's models as its adapter lists them, each once, small ones of every family first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from codemod.base import given
from codemod.base.errors import CodemodError, UsageError
from codemod.base.grouping import grouped
from codemod.base.terminal.doing import doing
from codemod.experiments.probe.server import Server


@dataclass(frozen=True, slots=True)
class Model:
    """One model. `also` are other configs of the same architecture and arguments."""

    config: str
    name: str
    family: str
    attempts: tuple[dict[str, Any], ...]
    exact: bool
    also: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Listing:
    """All models, and the configs that could not be read with the reason."""

    models: tuple[Model, ...]
    unread: dict[str, str]


def new_first(models: tuple[Model, ...], told: Collection[str]) -> tuple[Model, ...]:
    """Models of families that are not among `told` first, in the same order otherwise.

    A family of which nothing is known teaches more than one more model of another.
    """
    return tuple(sorted(models, key=lambda model: model.family in told))


def list_models(server: Server, configs: list[str]) -> Listing:
    """Ask the adapter for the models of `configs`.

    Raises:
        CodemodError: the adapter fails; names its log.
    """
    doing(f"Listing the models of {len(configs)} config{'s' * (len(configs) != 1)}")
    answer = server.ask("models", "models.json", 120, configs=configs)
    found = given.content(answer.out) if answer.code == 0 else None
    if found is None:
        raise CodemodError("The kit's models cannot be listed.", f"See {answer.log}")
    with given.believed(answer.out):
        return listing(found)


def only_model(server: Server, config: str) -> Model:
    """The model of one config.

    Raises:
        UsageError: it is none of the kit's models.
    """
    found = list_models(server, [config])
    if not found.models:
        why = found.unread.get(config, "it names no model that can be probed")
        raise UsageError(f"{config} cannot be probed: {why}.")
    return found.models[0]


def listing(raw: list[dict[str, Any]]) -> Listing:
    """Models with one key made one; the families take turns, in each the smaller one first."""
    unread = {item["config"]: item["error"] for item in raw if "error" in item}
    groups = grouped((item["key"], item) for item in raw if "error" not in item)
    families: dict[str, list[tuple[Any, Model]]] = defaultdict(list)
    for members in groups.values():
        first = members[0]
        model = Model(
            config=first["config"],
            name=first["model"],
            family=first["family"],
            attempts=tuple(first["attempts"]),
            exact=bool(first["exact"]),
            also=tuple(item["config"] for item in members[1:]),
        )
        families[model.family].append((first["rank"], model))
    # What wraps another net is larger than that net, and its errors are often that net's.
    names = sorted(families, key=lambda name: ("/" in name, name))
    ordered = [sorted(families[name], key=lambda pair: pair[0]) for name in names]
    models: list[Model] = []
    for turn in zip_longest(*ordered):
        # Sorting is stable: only the size word counts here, not the numbers.
        these = sorted(filter(None, turn), key=lambda pair: pair[0][:1])
        models += [model for _, model in these]
    return Listing(tuple(models), unread)
