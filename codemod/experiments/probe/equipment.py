"""What the probes of one kit need: interpreter, adapter, sample data, variables."""

from __future__ import annotations

from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.server import Equipment
from codemod.kits.folder import ADAPTER, kit_file, kits_with
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe, sample_kinds
from codemod.training.samples import generate


def equipment_of(
    kit: str,
    workspace: Workspace,
    paddle: str | None,
    python: Path | None = None,
    adapter: Path | None = None,
) -> Equipment:
    """What a kit's probes need; with both `python` and `adapter` it needs no recipe.

    Raises:
        UsageError: the kit has no adapter.
    """
    found = adapter or kit_file(kit, ADAPTER)
    if found is None:
        raise UsageError(
            f"There is no adapter to probe {kit}.",
            f"Known: {', '.join(kits_with(ADAPTER))}. Or pass one with --adapter FILE.",
        )
    if python is not None and adapter is not None:
        return Equipment(python, found)
    recipe = read_recipe(kit, "")
    # Rarer models are probed too.
    packages = (*recipe.requirements, *recipe.more_requirements)
    spec = EnvSpec(paddle or recipe.paddle, recipe.python, packages)
    return Equipment(python or ensure(spec), found, _samples(kit, workspace), recipe.env)


def _samples(kit: str, workspace: Workspace) -> dict[str, str]:
    """Folders of generated samples by kind, the one that most of the kit is trained on first."""
    made = {}
    for kind, (count, size) in sample_kinds(kit).items():
        folder = workspace.make("data") / f"{kind}-{count}-{size}-0"
        made[kind] = str(generate(kind, kit, folder, count, size, 0).resolve())
    return made
