"""One config's runs in all modes: which are needed, in which order, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.base.terminal.time_left import Stretch
from codemod.experiments.parity.runs import (
    DOUBLE_SIDES,
    KERNEL_STEPS,
    OTHER_KERNELS,
    READ_SIDES,
    READ_STEPS,
    SIDES,
    Experiment,
    Runs,
)
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import wants_controls
from codemod.judging.ranks import comparisons, judge_ranks, of_rank
from codemod.judging.rounding.course import open_course
from codemod.judging.verdict import ROUNDS, Judgement, Verdict
from codemod.training.record import Record
from codemod.training.runner import DYNAMIC, OnStep, RunRequest


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
    return ("dynamic", "dynamic-repeat", *modes)


def expected_runs(modes: tuple[str, ...], steps: int, seen: Collection[str]) -> dict[str, Stretch]:
    """All runs in their order and how long each is, as far as those that were seen tell.

    Controls are expected once one was made: of a mode that is equal to the bit there are none.
    Those of a mode that was not looked at yet may come or not.
    """
    found = {name: Stretch(steps) for name in usual_runs(modes)}
    controlled = any(name in seen for name in ("dynamic-ulp", *map(_lockstep, modes)))
    for number, mode in enumerate(modes):
        found[f"{mode}-read"] = Stretch(min(steps, READ_STEPS), len(READ_SIDES))
        later = any(f"{other}-read" in seen for other in modes[number + 1 :])
        if not controlled or (later and _lockstep(mode) not in seen):
            continue
        found.setdefault("dynamic-ulp", Stretch(steps))
        found.setdefault("dynamic-kernels", Stretch(min(steps, KERNEL_STEPS)))
        chance = 1.0 if f"{mode}-read" in seen else 0.5
        found[_lockstep(mode)] = Stretch(steps, len(SIDES), chance)
        found[_double(mode)] = Stretch(steps, len(DOUBLE_SIDES), chance)
    return found | {name: Stretch(steps) for name in seen if name not in found}


def _lockstep(mode: str) -> str:
    return f"{mode}-lockstep"


def _double(mode: str) -> str:
    return f"{mode}-lockstep-double"


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
        runs.make([first] if spec.jobs == 1 else [first, *others])
        dynamic = runs.record("dynamic")
        if dynamic.outcome != "ok" or not dynamic.steps:
            return {mode: judge_case(Comparison(mode, dynamic, dynamic)) for mode in modes}
        runs.make(others)
        for mode in modes:
            doing(f"Comparing {mode} with dynamic training")
            case = Comparison(mode, dynamic, runs.record(mode), runs.record("dynamic-repeat"))
            if spec.controls:
                case = _with_reading(case, runs)
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


def _with_reading(case: Comparison, runs: Runs) -> Comparison:
    """The case with a run in which each mode reads the other one's checkpoint."""
    if case.static.outcome != "ok":
        return case
    name = f"{case.mode}-read"
    reading = RunRequest(name, case.mode, sides=READ_SIDES, steps=READ_STEPS)
    runs.make([reading])
    return replace(case, reading=runs.record(name))


def _with_controls(case: Comparison, runs: Runs) -> Comparison:
    """The case with nudged free runs, and with both runs of all sides from the same weights."""
    mode = case.mode
    ulp = RunRequest("dynamic-ulp", DYNAMIC, nudge=True)
    kernels = RunRequest("dynamic-kernels", DYNAMIC, steps=KERNEL_STEPS, env=OTHER_KERNELS)
    lockstep = RunRequest(_lockstep(mode), mode, sides=SIDES, truth=f"{mode}-truth")
    runs.make([ulp, kernels, lockstep])
    single = runs.record(lockstep.name)
    ulp_run, kernel_run = runs.record(ulp.name), runs.record(kernels.name)
    case = replace(case, ulp=ulp_run, kernels=kernel_run, lockstep=single)
    if not single.turns:  # no data loader of Paddle's hands out the batches
        return case
    double = replace(lockstep, name=_double(mode), sides=DOUBLE_SIDES, double=True)
    runs.make([double])
    return replace(case, lockstep_double=runs.record(double.name))


def waits_for_course(judged: JudgedMode) -> bool:
    """Whether a dynamic run with the switch on alone can tell what is carried."""
    open_ = open_course(judged.comparison) is not None
    return open_ and judged.judgement.verdict is Verdict.NOT_RUN


def _with_course(judged: JudgedMode, case: Comparison, runs: Runs) -> JudgedMode:
    """Judged with that run, where the verdict waits for it."""
    if not waits_for_course(judged):
        return judged
    switched = RunRequest("dynamic-switched", case.mode, sides=("dynamic",))
    runs.make([switched])
    return judge_case(replace(case, switched=runs.record(switched.name)))


def _explained(judged: JudgedMode, runs: Runs) -> JudgedMode:
    """A difference in value, tried once more without the in-place pass that is known to cause some.

    The verdict stays: the pass is on by default.
    """
    first = judged.judgement.first
    if not judged.judgement.verdict.differs or first is None or first.kind not in ROUNDS:
        return judged
    out_of_place = RunRequest(
        f"{judged.comparison.mode}-out-of-place",
        judged.comparison.mode,
        # One more than needed: a step counts once all optimizers have made it.
        steps=first.step + 2,
        env=(("FLAGS_pir_apply_inplace_pass", "0"),),
    )
    runs.make([out_of_place])
    record = runs.record(out_of_place.name).of_rank(judged.rank)
    return replace(judged, comparison=replace(judged.comparison, out_of_place=record))


def _partial(runs: Runs, mode: str) -> JudgedMode:
    """What there is of a mode whose runs were interrupted; it has no verdict."""
    dynamic = runs.seen.get("dynamic", Record("interrupted", {}, ()))
    static = runs.seen.get(mode)
    made, steps = len(dynamic.steps), runs.experiment.spec.steps
    told = (
        Reason.of("judging.interrupted", made=made, steps=steps)
        if static is None
        else Reason.of(
            "judging.interrupted-static",
            made=made,
            steps=steps,
            mode=mode,
            static=len(static.steps),
        )
    )
    case = Comparison(mode, dynamic, static or dynamic, runs.seen.get("dynamic-repeat"))
    return JudgedMode(case, Judgement(Verdict.NOT_RUN, (told,), rule=""))
