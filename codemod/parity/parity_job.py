"""One `codemod parity`: find the kit, run what is needed, keep and return the result."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemod.base.errors import UsageError
from codemod.evidence.measured import dynamic_result, mode_result
from codemod.evidence.result import DynamicResult, ModeResult, ParityPart, Result
from codemod.evidence.result_files import (
    PARITY_FOLDER,
    DamagedResultError,
    now,
    read_result,
    write_result,
)
from codemod.judging.verdict import Verdict
from codemod.parity import curves, experiment, plots
from codemod.parity.identity import Identity
from codemod.parity.pages import write_result_page
from codemod.parity.runs import Experiment
from codemod.training import devices
from codemod.training.environments import EnvSpec, ensure
from codemod.training.launch import Setting, commands, hook_checksum
from codemod.training.recipes import Recipe, read_recipe, run_text
from codemod.training.runner import DYNAMIC, STATIC_MODES, recorder_checksum

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.changeset import Source
    from codemod.base.workspace import Workspace
    from codemod.training.runner import Command, OnStep


@dataclass(frozen=True, slots=True)
class ParityRequest:
    """What the user asked for. `python` and `launch` replace our environment and recipe.

    With `fresh`, runs that were kept are made again.
    """

    target: str
    config: str
    steps: int
    modes: tuple[str, ...]
    device: str
    options: tuple[str, ...]
    seed: int
    limit_s: float | None = None
    paddle: str | None = None
    python: Path | None = None
    launch: Path | None = None
    path: Path | None = None
    controls: bool = True
    jobs: int = 1
    fresh: bool = False

    def command(self) -> str:
        """The command line that repeats this run."""
        words = ["codemod", "parity", self.target, "-c", self.config, "--steps", str(self.steps)]
        words += ["--modes", ",".join(("dynamic", *self.modes)), "--device", self.device]
        for name, value in (
            ("--paddle", self.paddle),
            ("--path", self.path),
            ("--python", self.python),
            ("--launch", self.launch),
        ):
            words += [name, str(value)] if value is not None else []
        for option in self.options:
            words += ["-O", option]
        words += ["--jobs", str(self.jobs)] if self.jobs > 1 else []
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that is known before anything runs."""

    asked: ParityRequest
    source: Source
    recipe: Recipe
    python: Path
    build: devices.Build
    device: str
    identity: Identity
    result: Path
    folder: Path


def parse_modes(text: str) -> tuple[str, ...]:
    """The static modes of a `--modes` text; dynamic is always run and may be named."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in (DYNAMIC, *STATIC_MODES)]
    if unknown:
        raise UsageError(f"There is no mode {unknown[0]!r}.", "Modes: dynamic, ast, sot.")
    chosen = tuple(mode for mode in STATIC_MODES if mode in names)
    if not chosen:
        raise UsageError("No static mode was asked for.", "Modes: dynamic, ast, sot.")
    return chosen


def prepare(asked: ParityRequest, source: Source, workspace: Workspace) -> Prepared:
    """Check everything that can be checked before a long run: config, Paddle, device."""
    kit = source.kit or source.root.name
    recipe = read_recipe(kit, asked.config, asked.launch)
    if (
        not (source.root / recipe.cwd / asked.config).exists()
        and not (source.root / asked.config).exists()
    ):
        raise UsageError(f"{kit} has no config {asked.config}.", f"Looked in {source.root}.")
    archs = devices.gpu_archs()
    devices.exists(asked.device, archs)
    version = asked.paddle or recipe.paddle
    python = asked.python or ensure(
        EnvSpec(
            version,
            recipe.python,
            recipe.requirements,
            gpu=devices.wants_gpu_build(asked.device, version, archs),
        )
    )
    build = devices.read_build(python)
    device = devices.choose(asked.device, build, archs)
    identity = Identity(
        kit=kit,
        revision=source.revision,
        config=asked.config,
        device=device,
        paddle=build.version,
        hook=hook_checksum(source.root),
        options=(
            *asked.options,
            f"steps={asked.steps}",
            f"seed={asked.seed}",
            f"launch={run_text(recipe)}",
        ),
    )
    return Prepared(
        asked,
        source,
        recipe,
        python,
        build,
        device,
        identity,
        result=workspace.root / PARITY_FOLDER / kit / f"{identity.name}.json",
        folder=workspace.root / "runs" / kit / identity.name,
    )


def run(
    ready: Prepared,
    workspace: Workspace,
    progress: OnStep | None = None,
) -> Result:
    """Run all modes and keep the result; returns what was kept."""
    if ready.recipe.why_not:
        mode = ModeResult(Verdict.NOT_RUN, ready.recipe.why_not)
        modes = dict.fromkeys(ready.asked.modes, mode)
        return _keep(ready, workspace, replace(_result(ready, {}, ()), modes=modes))
    setting = Setting(
        root=ready.source.root.resolve(),
        config=ready.asked.config,
        folder=ready.folder.resolve(),
        python=ready.python.absolute(),
        device=ready.device,
        steps=ready.asked.steps,
        seed=ready.asked.seed,
        user=ready.asked.options,
    )
    workspace.make("runs")
    off, on = commands(ready.recipe, setting, workspace.make("data").resolve())
    wanted = Experiment(
        off,
        on,
        setting.folder,
        setting.steps,
        setting.device,
        limit_s=ready.asked.limit_s or float(ready.recipe.limit_s),
        seed=setting.seed,
        controls=ready.asked.controls,
        jobs=ready.asked.jobs,
        out=setting.out,
        fresh=ready.asked.fresh,
    )
    try:
        judged = experiment.run_experiment(wanted, ready.asked.modes, progress)
    except experiment.Interrupted as stopped:
        result = _result(ready, stopped.judged, (off, on), interrupted=True)
        if _is_whole(ready.result):
            # `--force` over a result that stands: what was interrupted goes beside it.
            write_result(ready.result.with_suffix(".partial"), result)
        else:
            _keep(ready, workspace, result)
        raise
    return _keep(ready, workspace, _result(ready, judged, (off, on)))


def _is_whole(result: Path) -> bool:
    """Whether a result is there that no interruption cut short."""
    try:
        return not read_result(result).interrupted
    except DamagedResultError:
        return False


def _result(
    ready: Prepared,
    judged: dict[str, experiment.JudgedMode],
    both: tuple[Command, ...],
    *,
    interrupted: bool = False,
) -> Result:
    first = next(iter(judged.values()), None)
    shared = ready.asked.jobs > 1
    root = ready.source.root
    dynamic = DynamicResult(steps=0)
    if first is not None:
        dynamic = dynamic_result(first.comparison.dynamic, first.comparison.repeat)
    return Result(
        kit=ready.identity.kit,
        config=ready.asked.config,
        revision=ready.source.revision,
        device=ready.device,
        paddle=ready.build.version,
        modes={
            mode: mode_result(item.comparison, item.judgement, root, shared)
            for mode, item in judged.items()
        },
        dynamic=dynamic,
        date=now(),
        recorder=recorder_checksum(),
        parity=ParityPart(
            steps=ready.asked.steps,
            hook=ready.identity.hook,
            options=ready.asked.options,
            gradients={mode: curves.gradients(item) for mode, item in judged.items()},
            curves=curves.curves(judged),
            command=ready.asked.command(),
            runs=tuple(shlex.join(command.argv) for command in both),
            records=str(ready.folder),
            interrupted=interrupted,
            timings="shared" if shared else "own",
            report=ready.result.with_suffix(".html").name,
        ),
    )


def _keep(ready: Prepared, workspace: Workspace, result: Result) -> Result:
    """Write the result first: long runs must not be lost to a page that cannot be drawn."""
    workspace.make(PARITY_FOLDER, ready.identity.kit)
    write_result(ready.result, result)
    if plots.available() and result.parity is not None:
        pictures = plots.draw(result, ready.result.with_suffix(""))
        result = replace(result, parity=replace(result.parity, pictures=pictures))
        write_result(ready.result, result)
    write_result_page(ready.result.with_suffix(".html"), result)
    return result
