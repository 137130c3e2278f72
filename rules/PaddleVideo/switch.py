"""PaddleVideo: `main.py`, with its reader, options and the functions that train."""

from __future__ import annotations

import importlib

from switch_inside.stand_ins import begins, net, replace, ways

WAYS = ways("to_static", ["-o", "to_static={}"])


def prepare() -> None:
    """Import the functions that train, then replace what costs time."""
    tasks = "paddlevideo.tasks.train"
    for name in (tasks, tasks + "_multigrid"):
        importlib.import_module(name)
    for name in (tasks, tasks + "_multigrid"):
        replace(
            {
                name + ":build_model": lambda *args, **kwargs: net(),
                name + ":build_dataset": begins,
                name + ":build_dataloader": begins,
            }
        )


def command(config: str) -> list[str]:
    """The training command of a config; two kinds of configs have modes of their own."""
    with open(config, encoding="utf-8") as file:
        text = file.read()
    modes = {"MULTIGRID": "--multigrid", "DALI_LOADER": "--train_dali"}
    return ["main.py", "-c", config, *(flag for key, flag in modes.items() if key in text)]
