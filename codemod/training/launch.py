"""From a target and a config to the two commands that an experiment runs."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.git_state import edited_files
from codemod.engine.hook_files import NAMED, names_hook
from codemod.kits.folder import LAUNCH, kit_file
from codemod.training.recipes import Recipe, command_line, fill
from codemod.training.run_spec import RunSpec
from codemod.training.runner import Command
from codemod.training.samples import generate


@dataclass(frozen=True, slots=True)
class Setting:
    """Where an experiment takes place. `root` is the kit's checkout, `folder` ours to write in.

    `device` is "cpu" or "gpu:N", one that is there; `steps` are those that the trainer is told.
    `kit` is its name, "" where it has none: then it has no launch.py. `data` is a
    folder that takes the samples' place, and `epochs` are counted where steps are not.
    """

    spec: RunSpec
    root: Path
    folder: Path
    python: Path
    device: str
    steps: int
    kit: str = ""
    data: Path | None = None
    epochs: int = 0

    @property
    def out(self) -> Path:
        """Where the kit writes what it would keep: checkpoints, logs."""
        return self.folder / "out"


def slug(config: str) -> str:
    """A file name for a config: its path without what file systems dislike."""
    stem = re.sub(r"\.(ya?ml|json|py)$", "", config)
    return re.sub(r"[^\w.-]+", "-", stem).strip("-") or "config"


def samples_folder(recipe: Recipe, data_root: Path, seed: int) -> Path:
    """Where the samples lie that a recipe asks for."""
    return data_root / f"{recipe.data}-{recipe.count}-{recipe.size}-{seed}"


def watched_folders(
    recipe: Recipe, kit: str, root: Path, data_root: Path, seed: int
) -> dict[str, Path]:
    """The folders in which what a run reads is noted: the checkout, samples, the kit's rules."""
    found = {"": root.resolve()}
    if recipe.data:
        found["samples"] = samples_folder(recipe, data_root, seed)
    if launcher := kit_file(kit, LAUNCH):
        found["rules"] = launcher.resolve().parent
    return found


def device_values(device: str) -> dict[str, str]:
    """What a recipe's texts say of a device, "cpu" or "gpu:N"; a run sees its card alone."""
    kind = device.partition(":")[0]
    return {"device": kind, "use_gpu": str(kind == "gpu")}


def commands(recipe: Recipe, setting: Setting, data_root: Path) -> tuple[Command, Command]:
    """The command with the gate off and on; makes what the recipe asks for: data, files."""
    data = str(setting.data or "")
    if recipe.data and setting.data is None:
        place = samples_folder(recipe, data_root, setting.spec.seed)
        data = str(
            generate(recipe.data, setting.kit, place, recipe.count, recipe.size, setting.spec.seed)
        )
    setting.out.mkdir(parents=True, exist_ok=True)
    values = {
        "config": setting.spec.config,
        "config_dir": setting.spec.config.rpartition("/")[0] or ".",
        "config_name": setting.spec.config.rpartition("/")[2],
        "data": data,
        "out": str(setting.out),
        **device_values(setting.device),
        "seed": str(setting.spec.seed),
        "steps": str(setting.steps),
        "epochs": str(setting.epochs),
        "last_epoch": str(setting.epochs - 1),
        "root": str(setting.root),
    }
    if launcher := kit_file(setting.kit, LAUNCH):
        values["launcher"] = str(launcher.resolve())
    if recipe.overlay:
        file = setting.out / "overlay.yml"
        file.write_text(fill((recipe.overlay,), values)[0], encoding="utf-8")
        values["overlay"] = str(file)
    cwd = setting.root / fill((recipe.cwd,), values)[0]
    env = dict(zip(recipe.env, fill(tuple(recipe.env.values()), values), strict=True))
    if recipe.optimizers:
        env["CODEMOD_OPTIMIZERS"] = " ".join(recipe.optimizers)

    watched = watched_folders(recipe, setting.kit, setting.root, data_root, setting.spec.seed)

    def made(gate: bool) -> Command:
        words = command_line(
            recipe, gate, setting.spec.options, values, together=setting.spec.ranks > 1
        )
        return Command((str(setting.python), *words), cwd, env, watched)

    return made(gate=False), made(gate=True)


def commit_of(source: Source) -> str | None:
    """The commit that a measurement is of; None where its tracked files are edited, hooks aside.

    Those are told by `hook_checksum`.
    """
    edited = map(source.root.joinpath, edited_files(source.root))
    return source.revision if all(map(names_hook, edited)) else None


def hook_checksum(root: Path) -> str:
    """A checksum of all Python files of the kit that name to_static: the hook and its helpers.

    Two runs with the same revision and another hook must not be taken for the same.
    """
    found = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        if any(part.startswith(".") for part in path.relative_to(root).parts):
            continue
        content = path.read_bytes()
        if NAMED in content:
            found.update(os.fsencode(path.relative_to(root).as_posix()) + b"\0" + content)
    return found.hexdigest()[:16]
