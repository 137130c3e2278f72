"""One `codemod parity`: find the kit, run what is needed, keep and return the result."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from codemod.base.files.atomic import locked
from codemod.base.files.shared_file import replace_file
from codemod.base.files.workspace import Workspace
from codemod.base.git_state import edited_files
from codemod.base.terminal.doing import doing, note
from codemod.engine.hook_files import names_hook
from codemod.experiments.parity import curves, experiment, plots
from codemod.experiments.parity.kept import run_reads
from codemod.experiments.parity.pages import write_result_page
from codemod.experiments.parity.runs import Experiment
from codemod.judging.evidence import result_files
from codemod.judging.evidence.measured import dynamic_result, mode_result
from codemod.judging.evidence.result import DynamicResult, ModeResult, ParityPart, Result
from codemod.judging.evidence.speed_rows import SPEED, SpeedRow, speed_of
from codemod.judging.verdict import Verdict
from codemod.training.launch import commands, slug, watched_folders
from codemod.training.preparation import Prepared
from codemod.training.reads import CHECKOUT, Reads, edited, executed_of, has_changed, lines_file
from codemod.training.runner import DYNAMIC, Command, OnStep, recorder_version
from codemod.training.sides import SIDES


def result_file(ready: Prepared, workspace: Workspace) -> Path:
    """Where the result of a run is kept."""
    return named_file(ready.identity.kit, ready.identity.name, workspace)


def kept_run(ready: Prepared, workspace: Workspace) -> tuple[Path, Result] | None:
    """A kept result of the same request in all modes, of which all that it read is as it was.

    Where the kit itself failed, or reached the time limit, the environment or the limit may be
    another one now. A damaged file is named.
    """
    own, spec = result_file(ready, workspace), ready.spec
    others = sorted(own.parent.glob(f"{slug(spec.config)}-*.json"))
    folders = watched_folders(
        ready.recipe, ready.identity.kit, ready.source.root, workspace.root / "data", spec.seed
    )
    for file in dict.fromkeys((own, *others)):
        result = _readable(file) if file.is_file() else None
        if result is not None and _answers(result, ready, folders):
            return file, result
    return None


def _readable(file: Path) -> Result | None:
    try:
        return result_files.read_result(file)
    except result_files.DamagedResultError as error:
        note(f"{file} is damaged and is measured again: {error}.")
        return None


def _answers(result: Result, ready: Prepared, folders: dict[str, Path]) -> bool:
    part = result.parity
    open_ = {Verdict.DYNAMIC_FAILS, Verdict.NOT_RUN}.intersection(result.verdicts)
    lacking = set(ready.spec.modes) - set(result.modes)
    if part is None or result.interrupted or open_ or lacking:
        return False
    same = part.request == ready.identity.request and result.recorder == recorder_version()
    return same and not has_changed(part.reads, folders)


def named_file(kit: str, name: str, workspace: Workspace) -> Path:
    """Where the result of a kit with this name is kept."""
    return workspace.root / result_files.PARITY_FOLDER / kit / f"{name}.json"


def run(ready: Prepared, workspace: Workspace, progress: OnStep | None = None) -> Result:
    """Run all modes and keep the result; returns what was kept.

    Raises:
        UsageError: the same run is being made in this workspace already.
    """
    if ready.recipe.why_not:
        mode = ModeResult(Verdict.NOT_RUN, ready.recipe.why_not)
        modes = dict.fromkeys(ready.spec.modes, mode)
        return _keep(ready, workspace, replace(_result(ready, {}, ()), modes=modes))
    workspace.make("runs")
    ready.folder.mkdir(parents=True, exist_ok=True)
    # Two at a time would write into each other's records.
    with locked(ready.folder):
        return _trained(ready, workspace, progress)


def _trained(ready: Prepared, workspace: Workspace, progress: OnStep | None) -> Result:
    wanted = planned(ready, workspace, ready.source.root, ready.folder)
    try:
        judged = experiment.run_experiment(wanted, progress)
    except experiment.Interrupted as stopped:
        result = _result(ready, stopped.judged, (wanted.off, wanted.on), interrupted=True)
        file = result_file(ready, workspace)
        if is_whole(file):
            # A result stands, as with `--force`: what was interrupted goes beside it.
            result_files.write_result(partial_file(file), result)
        else:
            _keep(ready, workspace, result)
        raise
    return _keep(ready, workspace, _result(ready, judged, (wanted.off, wanted.on)))


def planned(ready: Prepared, workspace: Workspace, root: Path, folder: Path) -> Experiment:
    """What is to be run in the kit's tree at `root`, with its records in `folder`."""
    setting = ready.setting(ready.spec.steps, folder, root)
    data = workspace.make("data").resolve()
    off, on = commands(ready.recipe, setting, data)
    long = replace(setting, folder=setting.folder / "sides", steps=setting.steps * len(SIDES))
    return Experiment(
        ready.spec,
        off,
        on,
        setting.folder,
        setting.device,
        ready.limit_s,
        setting.out,
        ready.backend,
        long=commands(ready.recipe, long, data)[1],
    )


def partial_file(result: Path) -> Path:
    """Where an interrupted run is kept if an earlier result stands."""
    return result.with_suffix(".partial")


def is_whole(result: Path) -> bool:
    """Whether a result is there that no interruption cut short."""
    try:
        return not result_files.read_result(result).interrupted
    except result_files.DamagedResultError:
        return False


def _result(
    ready: Prepared,
    judged: dict[str, experiment.JudgedMode],
    both: tuple[Command, ...],
    *,
    interrupted: bool = False,
) -> Result:
    spec = ready.spec
    first = next(iter(judged.values()), None)
    dynamic = DynamicResult(steps=0)
    if first is not None:
        dynamic = dynamic_result(first.comparison.dynamic, first.comparison.repeat)
    part = _parity_part(ready, judged, both, interrupted)
    return Result(
        kit=ready.identity.kit,
        config=spec.config,
        revision=ready.source.revision,
        device=ready.identity.device,
        paddle=ready.build.version,
        modes={
            mode: mode_result(item.comparison, item.judgement, ready.source.root, spec.jobs > 1)
            for mode, item in judged.items()
        },
        dynamic=dynamic,
        date=result_files.now(),
        recorder=recorder_version(),
        edited=edited(part.reads, ready.source.root),
        parity=part,
    )


def _parity_part(
    ready: Prepared,
    judged: dict[str, experiment.JudgedMode],
    both: tuple[Command, ...],
    interrupted: bool,
) -> ParityPart:
    spec, root = ready.spec, ready.source.root
    reads = run_reads(ready.folder, experiment.usual_runs(spec.modes))
    hooks, (changed, hooked) = _hooks(reads, root), changed_files(root)
    looked_at = {
        path: reads[CHECKOUT + path] for path in (*hooks, *changed) if reads.get(CHECKOUT + path)
    }
    return ParityPart(
        steps=spec.steps,
        hook=ready.identity.hook,
        changed=changed,
        hooked=hooked,
        options=spec.options,
        gradients={mode: curves.gradients(item) for mode, item in judged.items()},
        curves=curves.curves(judged),
        command=spec.command(ready.build.version),
        runs=tuple(shlex.join(command.argv) for command in both),
        records=str(ready.folder),
        interrupted=interrupted,
        timings="shared" if spec.jobs > 1 else "own",
        report=f"{ready.identity.name}.html",
        request=ready.identity.request,
        hooks=hooks,
        reads=reads,
        ran={
            mode: executed_of(lines_file(ready.folder / f"{mode}.jsonl"), looked_at)
            for mode in (DYNAMIC, *spec.modes)
        },
    )


def _hooks(reads: Reads, root: Path) -> dict[str, str]:
    """The files of the checkout that were read and name `to_static`, with what was read of them."""
    files = {key.removeprefix(CHECKOUT): told for key, told in reads.items()}
    return {
        path: told
        for path, told in files.items()
        if path.endswith(".py") and told and names_hook(root / path)
    }


def changed_files(root: Path) -> tuple[tuple[str, ...], bool]:
    """The tracked files that differ from the revision, and whether one of them has a hook.

    Where git cannot tell, no file does.
    """
    changed = tuple(sorted(edited_files(root)))
    return changed, any(names_hook(root / name) for name in changed)


def _keep(ready: Prepared, workspace: Workspace, result: Result) -> Result:
    return keep(result_file(ready, workspace), result, workspace)


def keep(file: Path, result: Result, workspace: Workspace) -> Result:
    """Write the result, and put a whole earlier one aside."""
    doing("Writing the report")
    workspace.make(result_files.PARITY_FOLDER, result.kit)
    if is_whole(file):
        replace_file(file.with_suffix(".earlier"), file.read_bytes())
    kept = publish(file, result)
    partial_file(file).unlink(missing_ok=True)
    return kept


def publish(file: Path, result: Result) -> Result:
    """Write a result with its pictures and its page; returns it with the pictures' names.

    The result comes first: long runs must not be lost to a page that cannot be drawn.
    """
    result_files.write_result(file, result)
    if plots.available() and result.parity is not None:
        pictures = plots.draw(result, file.with_suffix(""))
        result = replace(result, parity=replace(result.parity, pictures=pictures))
        result_files.write_result(file, result)
    write_result_page(file.with_suffix(".html"), result, _speed(file, result))
    return result


def _speed(file: Path, result: Result) -> Iterable[SpeedRow]:
    """The timings of a result's config; the workspace is where its file lies."""
    rows = SPEED.read(result.kit, Workspace(file.parents[2]))
    return speed_of(rows, result.config, result.paddle, result.device).values()


def tell_speed(workspace: Workspace, rows: Iterable[SpeedRow]) -> None:
    """Write the pages of the results whose configs were timed now anew."""
    places = {(row.config, row.paddle, row.device) for row in rows}
    for kit in {row.kit for row in rows}:
        for kept in result_files.read_results(
            workspace.root / result_files.PARITY_FOLDER / kit
        ).results:
            if (kept.result.config, kept.result.paddle, kept.result.device) in places:
                publish(kept.file, kept.result)
