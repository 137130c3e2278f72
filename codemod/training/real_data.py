"""How a kit trains on real data for many epochs: `rules/<Kit>/convergence.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatch

from codemod.base.errors import UsageError
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.kits.folder import CONVERGENCE, kit_file
from codemod.training.recipes import Recipe


@dataclass(frozen=True, slots=True)
class RealTraining:
    """What is laid over the recipe of configs that match `configs`.

    `data` says in words what is trained on. `maker` names a script of `real_data_inside/`, which
    the training environment's Python runs and which writes into {data}; "" where the kit has the
    data. `set` are further options; texts may hold {epochs} and {last_epoch} beside what recipes
    may. `metric` is a pattern with one group, of which the last match in the log counts, named
    `metric_name`. `evaluate` is the kit's own evaluation, run after training; without it the
    training's own log is read. One training may take `limit_s` seconds.
    """

    configs: tuple[str, ...]
    data: str
    metric: str
    metric_name: str
    maker: str = ""
    set: tuple[str, ...] = ()
    evaluate: tuple[str, ...] = ()
    evaluate_set: tuple[str, ...] = ()
    limit_s: int = 3600


@dataclass(frozen=True, slots=True)
class _File:
    cases: tuple[RealTraining, ...]


def real_training(kit: str, config: str) -> RealTraining:
    """How `config` trains on real data.

    Raises:
        UsageError: nothing is on file for it, or the file is faulty, with file and line.
    """
    file = kit_file(kit, CONVERGENCE)
    cases = read_record(_File, read_yaml(file)).cases if file else ()
    for case in cases:
        if any(fnmatch(config, glob) for glob in case.configs):
            return case
    known = ", ".join(glob for case in cases for glob in case.configs)
    raise UsageError(
        f"There is no real data on file for {config} of {kit}.",
        f"Known: {known}." if known else f"Describe it in rules/{kit}/{CONVERGENCE}.",
    )


def laid_over(recipe: Recipe, real: RealTraining) -> Recipe:
    """The recipe with real data in the place of samples."""
    return replace(recipe, set=(*recipe.set, *real.set), data="")


def evaluation(recipe: Recipe, real: RealTraining) -> Recipe:
    """The recipe of the kit's own evaluation after such a training."""
    over = laid_over(recipe, real)
    return replace(over, argv=real.evaluate, args=(), set=(*over.set, *real.evaluate_set))
