"""One request to train a config: what the user asked for, in one frozen value."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.training.runner import CINN, DYNAMIC, STATIC_MODES


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What the user asked for, whatever then trains: parity, speed, epochs, a spec.

    `python` and `launch` replace our environment and recipe.
    `ranks` processes train together, by Paddle's launcher where it is over 1; `backend` carries
    what they exchange, "" for gloo on the CPU and nccl on GPUs. `index` names where a CUDA build
    of Paddle comes from, `wheels` a folder from which all packages come. `jobs` runs go side by
    side; their times then say nothing of each other. With `fresh`, runs that were kept are made
    again.
    """

    target: str
    config: str
    steps: int
    modes: tuple[str, ...] = STATIC_MODES
    device: str = "cpu"
    options: tuple[str, ...] = ()
    seed: int = 0
    limit_s: float | None = None
    paddle: str | None = None
    python: Path | None = None
    launch: Path | None = None
    path: Path | None = None
    ranks: int = 1
    backend: str = ""
    index: str = ""
    wheels: Path | None = None
    controls: bool = True
    jobs: int = 1
    fresh: bool = False

    def command(self, paddle: str) -> str:
        """The `codemod parity` that repeats this run, which was made on Paddle `paddle`."""
        words = ["codemod", "parity", self.target, "-c", self.config, "--steps", str(self.steps)]
        words += ["--modes", ",".join(("dynamic", *self.modes)), "--device", self.device]
        words += ["--seed", str(self.seed)]
        for name, value in (
            ("--paddle", paddle if self.python is None else None),
            ("--path", self.path),
            ("--python", self.python),
            ("--launch", self.launch),
            ("--index", self.index or None),
            ("--wheels", self.wheels),
            ("--limit", None if self.limit_s is None else f"{self.limit_s:g}"),
            *(("-O", option) for option in self.options),
            ("--nproc", self.ranks if self.ranks > 1 else None),
            ("--backend", self.backend or None),
        ):
            words += [name, str(value)] if value is not None else []
        words += [] if self.controls else ["--no-controls"]
        words += ["--jobs", str(self.jobs)] if self.jobs > 1 else []
        return shlex.join(words)


def parse_modes(text: str) -> tuple[str, ...]:
    """The static modes of a `--modes` text; dynamic is always run and may be named.

    CINN, which few builds have, is one that has to be named.

    Raises:
        UsageError: a mode is not known, or none is static.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = (DYNAMIC, *STATIC_MODES, CINN)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"There is no mode {unknown[0]!r}.", f"Modes: {', '.join(known)}.")
    chosen = tuple(mode for mode in known[1:] if mode in names)
    if not chosen:
        raise UsageError("No static mode was asked for.", f"Modes: {', '.join(known)}.")
    return chosen
