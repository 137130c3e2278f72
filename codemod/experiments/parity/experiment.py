"""One config's runs in all modes: which are needed, in which order, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.base.terminal.time_left import Stretch
from codemod.experiments.parity.runs import (
    KERNEL_STEPS,
    OTHER_KERNELS,
    READ_SIDES,
    READ_STEPS,
    Experiment,
    Runs,
)
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.explain import CURES, cures_of
from codemod.judging.judge import wants_controls
from codemod.judging.ranks import comparisons, judge_ranks, of_rank
from codemod.judging.rounding.course import open_course
from codemod.judging.verdict import Judgement, Verdict
from codemod.training.record import Record
from codemod.training.runner import DYNAMIC, OnStep, RunRequest
from codemod.training.sides import DOUBLE_SIDES, SIDES

# The control runs of a comparison by its fields; `{}` is the mode.
_CONTROLS = {
    "repeat": RunRequest("dynamic-repeat", DYNAMIC),
    "ulp": RunRequest("dynamic-ulp", DYNAMIC, nudge=True),
    "lockstep": RunRequest("{}-lockstep", "{}", sides=SIDES, truth="{}-truth"),
    "lockstep_double": RunRequest(
        "{}-lockstep-double", "{}", sides=DOUBLE_SIDES, truth="{}-truth", double=True
    ),
    "kernels": RunRequest("dynamic-kernels", DYNAMIC, steps=KERNEL_STEPS, env=OTHER_KERNELS),
    "reading": RunRequest("{}-read", "{}", sides=READ_SIDES, steps=READ_STEPS),
    "switched": RunRequest("dynamic-switched", "{}", sides=(DYNAMIC,)),
    **{
        name: RunRequest("{}-" + name.replace("_", "-"), "{}", env=((cure.flag, str(cure.value)),))
        for name, cure in CURES.items()
    },
}


def controls(mode: str) -> dict[str, RunRequest]:
    """All control runs that a mode may need, by the field of the comparison."""
    return {
        field: replace(
            run,
            name=run.name.format(mode),
            mode=run.mode.format(mode),
            truth=run.truth.format(mode),
        )
        for field, run in _CONTROLS.items()
    }


@dataclass(frozen=True, slots=True)
class JudgedMode:
    """One mode's runs and verdict; `rank` is the process that both speak of."""

    comparison: Comparison
    judgement: Judgement
    rank: int = 0


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during the runs; `judged` holds what there is of each mode."""

    def __init__(self, judged: dict[str, JudgedMode]) -> None:
        super().__init__()
        self.judged = judged


def usual_runs(modes: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the runs that are always made, in their order; control runs may follow."""
    return (DYNAMIC, _CONTROLS["repeat"].name, *modes)


def expected_runs(modes: tuple[str, ...], steps: int, seen: Collection[str]) -> dict[str, Stretch]:
    """All runs in their order and how long each is, as far as those that were seen tell.

    Controls are expected once one was made: of a mode that is equal to the bit there are none.
    Those of a mode that was not looked at yet may come or not.
    """
    found = {name: Stretch(steps) for name in usual_runs(modes)}
    by_mode = [controls(mode) for mode in modes]
    controlled = any(runs[one].name in seen for runs in by_mode for one in ("ulp", "lockstep"))

    def expect(run: RunRequest, chance: float = 1.0) -> None:
        made = min(steps, run.steps or steps)
        found.setdefault(run.name, Stretch(made, len(run.sides) or 1, chance))

    for number, runs in enumerate(by_mode):
        expect(runs["reading"])
        later = any(other["reading"].name in seen for other in by_mode[number + 1 :])
        if not controlled or (later and runs["lockstep"].name not in seen):
            continue
        expect(runs["ulp"])
        expect(runs["kernels"])
        for one in ("lockstep", "lockstep_double"):
            expect(runs[one], 1.0 if runs["reading"].name in seen else 0.5)
    return found | {name: Stretch(steps) for name in seen if name not in found}


def run_experiment(experiment: Experiment, progress: OnStep | None = None) -> dict[str, JudgedMode]:
    """Run dynamic twice and each static mode; control runs only where they change a verdict.

    Returns a verdict for each mode that was asked for. If the kit fails with the hook off, the
    static modes are not run. On Ctrl-C raises Interrupted with what there is.
    """
    runs, spec = Runs(experiment, progress), experiment.spec
    modes = spec.modes
    first, *others = [
        RunRequest(name, name if name in modes else DYNAMIC) for name in usual_runs(modes)
    ]
    judged: dict[str, JudgedMode] = {}
    try:
        dynamic = runs.make([first] if spec.jobs == 1 else [first, *others])[0]
        if dynamic.outcome != "ok" or not dynamic.steps:
            return {mode: judge_case(Comparison(mode, dynamic, dynamic)) for mode in modes}
        repeat, *statics = runs.make(others)
        for mode, static in zip(modes, statics, strict=True):
            doing(f"Comparing {mode} with dynamic training")
            case = Comparison(mode, dynamic, static, repeat)
            if spec.controls and static.outcome == "ok":
                # Each mode reads the other one's checkpoint.
                case = _with(case, runs, "reading")
            if spec.controls and any(map(wants_controls, comparisons(case))):
                case = _with_controls(case, runs)
            judged[mode] = judge_case(case)
            if spec.controls:
                judged[mode] = _explained(_with_course(judged[mode], case, runs), runs)
    except KeyboardInterrupt:
        partial = {mode: judged.get(mode) or _partial(runs, mode) for mode in modes}
        raise Interrupted(partial) from None
    return judged


def judge_case(case: Comparison) -> JudgedMode:
    """The verdict of a mode, whose runs may be of several processes."""
    rank, judgement = judge_ranks(case)
    return JudgedMode(of_rank(case, rank), judgement, rank)


def _with(case: Comparison, runs: Runs, *fields: str) -> Comparison:
    """The case with these control runs."""
    wanted = controls(case.mode)
    made = runs.make([wanted[field] for field in fields])
    found: dict[str, Any] = dict(zip(fields, made, strict=True))
    return replace(case, **found)


def _with_controls(case: Comparison, runs: Runs) -> Comparison:
    """The case with nudged free runs, and with both runs of all sides from the same weights."""
    case = _with(case, runs, "ulp", "kernels", "lockstep")
    if case.lockstep is None or not case.lockstep.turns:
        return case  # no data loader of Paddle's hands out the batches
    return _with(case, runs, "lockstep_double")


def waits_for_course(judged: JudgedMode) -> bool:
    """Whether a dynamic run with the switch on alone can tell what is carried."""
    open_ = open_course(judged.comparison) is not None
    return open_ and judged.judgement.verdict is Verdict.NOT_RUN


def _with_course(judged: JudgedMode, case: Comparison, runs: Runs) -> JudgedMode:
    """Judged with that run, where the verdict waits for it."""
    if not waits_for_course(judged):
        return judged
    return judge_case(_with(case, runs, "switched"))


def _explained(judged: JudgedMode, runs: Runs) -> JudgedMode:
    """A difference in value, tried once more without each cause that a flag of Paddle takes away.

    The verdict stays: the flags are not Paddle's defaults.
    """
    cures, first = cures_of(judged.comparison, judged.judgement), judged.judgement.first
    if not cures or first is None:
        return judged
    found: dict[str, Any] = {}
    for field in cures:
        # One more step than needed: a step counts once all optimizers have made it.
        wanted = replace(controls(judged.comparison.mode)[field], steps=first.step + 2)
        found[field] = runs.make([wanted])[0].of_rank(judged.rank)
    return replace(judged, comparison=replace(judged.comparison, **found))


def _partial(runs: Runs, mode: str) -> JudgedMode:
    """What there is of a mode whose runs were interrupted; it has no verdict."""
    dynamic = runs.seen.get(DYNAMIC, Record("interrupted", {}, ()))
    static = runs.seen.get(mode)
    made, steps = len(dynamic.steps), runs.experiment.spec.steps
    told = Reason.of("judging.interrupted", made=made, steps=steps)
    if static is not None:
        told = Reason.of(
            "judging.interrupted-static",
            made=made,
            steps=steps,
            mode=mode,
            static=len(static.steps),
        )
    case = Comparison(mode, dynamic, static or dynamic, runs.seen.get(_CONTROLS["repeat"].name))
    return JudgedMode(case, Judgement(Verdict.NOT_RUN, (told,), rule=""))
