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

# The control runs of a comparison by the names of their records, `{}` for the mode's.
CONTROLS = {
    "repeat": "dynamic-repeat",
    "ulp": "dynamic-ulp",
    "lockstep": "{}-lockstep",
    "lockstep_double": "{}-lockstep-double",
    "kernels": "dynamic-kernels",
    "reading": "{}-read",
    "out_of_place": "{}-out-of-place",
    "switched": "dynamic-switched",
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
    return (DYNAMIC, CONTROLS["repeat"], *modes)


def _named(control: str, mode: str = "") -> str:
    return CONTROLS[control].format(mode)


def expected_runs(modes: tuple[str, ...], steps: int, seen: Collection[str]) -> dict[str, Stretch]:
    """All runs in their order and how long each is, as far as those that were seen tell.

    Controls are expected once one was made: of a mode that is equal to the bit there are none.
    Those of a mode that was not looked at yet may come or not.
    """
    found = {name: Stretch(steps) for name in usual_runs(modes)}
    read, lockstep = (
        {mode: _named(one, mode) for mode in modes} for one in ("reading", "lockstep")
    )
    controlled = any(name in seen for name in (_named("ulp"), *lockstep.values()))
    for number, mode in enumerate(modes):
        found[read[mode]] = Stretch(min(steps, READ_STEPS), len(READ_SIDES))
        later = any(read[other] in seen for other in modes[number + 1 :])
        if not controlled or (later and lockstep[mode] not in seen):
            continue
        found.setdefault(_named("ulp"), Stretch(steps))
        found.setdefault(_named("kernels"), Stretch(min(steps, KERNEL_STEPS)))
        chance = 1.0 if read[mode] in seen else 0.5
        found[lockstep[mode]] = Stretch(steps, len(SIDES), chance)
        found[_named("lockstep_double", mode)] = Stretch(steps, len(DOUBLE_SIDES), chance)
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
    name = _named("reading", case.mode)
    wanted = RunRequest(name, case.mode, sides=READ_SIDES, steps=READ_STEPS)
    return replace(case, reading=runs.make([wanted])[0])


def _with_controls(case: Comparison, runs: Runs) -> Comparison:
    """The case with nudged free runs, and with both runs of all sides from the same weights."""
    mode = case.mode
    nudged = RunRequest(_named("ulp"), DYNAMIC, nudge=True)
    others = RunRequest(_named("kernels"), DYNAMIC, steps=KERNEL_STEPS, env=OTHER_KERNELS)
    sides = RunRequest(_named("lockstep", mode), mode, sides=SIDES, truth=f"{mode}-truth")
    ulp, kernels, lockstep = runs.make([nudged, others, sides])
    case = replace(case, ulp=ulp, kernels=kernels, lockstep=lockstep)
    if not lockstep.turns:  # no data loader of Paddle's hands out the batches
        return case
    name = _named("lockstep_double", mode)
    double = replace(sides, name=name, sides=DOUBLE_SIDES, double=True)
    return replace(case, lockstep_double=runs.make([double])[0])


def waits_for_course(judged: JudgedMode) -> bool:
    """Whether a dynamic run with the switch on alone can tell what is carried."""
    open_ = open_course(judged.comparison) is not None
    return open_ and judged.judgement.verdict is Verdict.NOT_RUN


def _with_course(judged: JudgedMode, case: Comparison, runs: Runs) -> JudgedMode:
    """Judged with that run, where the verdict waits for it."""
    if not waits_for_course(judged):
        return judged
    switched = RunRequest(_named("switched"), case.mode, sides=(DYNAMIC,))
    return judge_case(replace(case, switched=runs.make([switched])[0]))


def _explained(judged: JudgedMode, runs: Runs) -> JudgedMode:
    """A difference in value, tried once more without the in-place pass that is known to cause some.

    The verdict stays: the pass is on by default.
    """
    first = judged.judgement.first
    if not judged.judgement.verdict.differs or first is None or first.kind not in ROUNDS:
        return judged
    out_of_place = RunRequest(
        _named("out_of_place", judged.comparison.mode),
        judged.comparison.mode,
        # One more than needed: a step counts once all optimizers have made it.
        steps=first.step + 2,
        env=(("FLAGS_pir_apply_inplace_pass", "0"),),
    )
    record = runs.make([out_of_place])[0].of_rank(judged.rank)
    return replace(judged, comparison=replace(judged.comparison, out_of_place=record))


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
    case = Comparison(mode, dynamic, static or dynamic, runs.seen.get(_named("repeat")))
    return JudgedMode(case, Judgement(Verdict.NOT_RUN, (told,), rule=""))
