"""Run a kit's own training for a few batches and an evaluation, and read what was fed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from codemod.base.errors import EnvironmentFault
from codemod.base.files.workspace import Workspace
from codemod.experiments.observers import observed_by
from codemod.experiments.spec.derive import derive
from codemod.experiments.spec.evaluation import Evaluation, evaluation
from codemod.experiments.spec.nodes import tensors
from codemod.experiments.spec.observed import Layer, read_observed
from codemod.training.launch import commands
from codemod.training.preparation import Prepared
from codemod.training.runner import OnStep, RunRequest, log_tail, run_once

# More optimizer steps than any observed run takes; the observer ends it.
_UNBOUNDED = 1_000_000
# What the trainer itself is told, which may make samples or a schedule for as many.
_TOLD = 2000


@dataclasses.dataclass(frozen=True, slots=True)
class Observation:
    """What one run showed. `no_eval` says why no evaluation was seen, "" where one was.

    `cut` says whether the last batch of a pass was made smaller, `well` whether the run ended only
    because enough was seen.
    """

    layers: tuple[Layer, ...]
    gate: bool
    no_eval: str
    log: Path
    cut: bool
    well: bool

    @property
    def _worth(self) -> tuple[bool, bool, int]:
        return bool(self.layers) and not self.no_eval, self.well, len(self.layers)


def observe(
    ready: Prepared, workspace: Workspace, batches: int, progress: OnStep | None = None
) -> Observation:
    """Observe `batches` batches of each pass, the last one smaller, with the hook switched on.

    Where the run with a smaller batch fails, it is repeated without; where the gate cannot be
    switched on, the largest net that is trained is observed with the gate off.

    Raises:
        EnvironmentFault: the kit's training fed nothing to any layer.
    """
    asks = evaluation(ready.identity.kit, ready.spec.config)
    best: Observation | None = None
    for gate, options, cut in _attempts(asks):
        if best is not None and not gate:
            break
        seen = _run(ready, workspace, batches, gate, options, cut, progress)
        if seen.layers and (best is None or seen._worth > best._worth):
            best = seen
        if seen.layers and seen.well:
            return seen
    if best is None:
        said = log_tail(ready.folder, "spec").splitlines() or ["nothing"]
        raise EnvironmentFault(
            f"{ready.identity.kit} fed nothing to its model. The last that it said: {said[-1]}",
            f"The whole log: {ready.folder / 'spec.log'}",
        )
    return best


def _attempts(asks: Evaluation) -> Iterator[tuple[bool, Evaluation, bool]]:
    """Gate, how to evaluate, smaller batch: what is tried one after the other."""
    yield True, asks, True
    yield True, asks, False
    if not asks.why_not:
        silent = Evaluation(why_not="the kit fails when it is asked to evaluate")
        yield True, silent, True
        yield True, silent, False
    yield False, Evaluation(why_not="the gate cannot be switched on"), False


def kit_specs(ready: Prepared, workspace: Workspace, first: Observation) -> Observation:
    """The observation with the specs that the kit's hook hands over once it knows the shape.

    PaddleOCR's hook has a spec only where the config names the picture's shape; a run that names
    the observed one shows the rest of the kit's table.
    """
    key = evaluation(ready.identity.kit, ready.spec.config).shape_key
    hooked = [layer for layer in first.layers if layer.hook is not None]
    if not key or len(hooked) != 1 or hooked[0].hook is None or hooked[0].hook.spec is not None:
        return first
    spec = derive(hooked[0].calls).spec
    picture = next(iter(tensors(spec)), None)
    if picture is None:
        return first
    sizes = ",".join("-1" if size is None else str(size) for size in picture.shape[1:])
    asked = dataclasses.replace(ready.spec, options=(*ready.spec.options, f"{key}=[{sizes}]"))
    told = dataclasses.replace(ready, spec=asked)
    again = _run(told, workspace, 2, True, Evaluation(why_not="told"), False, None)
    hooks = [layer.hook for layer in again.layers if layer.hook and layer.hook.spec is not None]
    if not hooks:
        return first
    # The first run's hook is the one that acts; only the spec is the other's.
    hook = dataclasses.replace(hooked[0].hook, spec=hooks[0].spec)
    return dataclasses.replace(first, layers=(dataclasses.replace(hooked[0], hook=hook),))


def _run(
    ready: Prepared,
    workspace: Workspace,
    batches: int,
    gate: bool,
    options: Evaluation,
    cut: bool,
    progress: OnStep | None,
) -> Observation:
    setting = ready.setting(_TOLD)
    data = workspace.make("data").resolve()
    workspace.make("runs")
    command = commands(options.over(ready.recipe), setting, data)[int(gate)]
    out = setting.folder / "spec-calls.jsonl"
    out.unlink(missing_ok=True)
    wanted = RunRequest("spec", "dynamic", _UNBOUNDED, ready.spec.seed, light=True)
    request = {"out": str(out), "batches": batches, "cut": cut, "evaluates": not options.why_not}
    watched = observed_by("spec_observer", command, request)
    record = run_once(watched, wanted, setting.folder, ready.device, ready.limit_s, progress)
    layers = read_observed(out)
    evaluated = any(layer.count(training=False) for layer in layers)
    why = "" if evaluated else options.why_not or "the training ended before one was reached"
    well = record.outcome == "ok"
    return Observation(layers, gate, why, setting.folder / "spec.log", cut, well)
