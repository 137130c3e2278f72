"""One model's probe: dynamic, AST and SOT runs, control runs where they matter, the verdicts."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

from codemod.base import given
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.base.terminal.text import shortened
from codemod.experiments.probe.models import Model
from codemod.experiments.probe.request import Limits
from codemod.experiments.probe.server import Server
from codemod.judging import thresholds
from codemod.judging.blame import is_environment_error
from codemod.judging.comparing.compare import PRESENCE
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lent import BORROWING, SidePair
from codemod.judging.evidence.measured import mode_result
from codemod.judging.evidence.result import PROBE_MODE, DynamicResult, Grade, ModeResult, ProbePart
from codemod.judging.explain import CURES, cured_by, cures_of, hazard_behind
from codemod.judging.ground import finite_until
from codemod.judging.judge import judge, wants_controls
from codemod.judging.verdict import Judgement, Verdict
from codemod.training.record import Record, read_lines, read_run_record
from codemod.training.runner import DYNAMIC, STATIC_MODES, outcome_of
from codemod.training.sides import DOUBLE_SIDES

# Tracing takes a multiple of a dynamic step: one limit for both would blame the hook for the size
# of the model.
STATIC_FACTOR = 6
# The judge wants so many updates of each side; the free runs make fewer.
SIDES_STEPS = thresholds.LOCKSTEP_PAIRS
# All sides of so few steps, of which only one compiles.
SIDES_FACTOR = 2
# A library that gets no memory may crash without a word: near the limit that is lack of memory.
NEARLY_ALL = 0.8
# The second step starts from what the first one did to weights, buffers and Python state.
STEPS = 2
# Tried one after the other where training leaves the finite numbers at the rate of all probes:
# without its pretrained weights a net may start with gradients of any size.
SLOWER = (1e-6, 1e-9)
_BREAKS_KEPT = 10
_LONGEST_ERROR = 298
_OF_THE_KIT = ("step", "forward", "backward")
_SETTLED = (Verdict.TIMEOUT, Verdict.DYNAMIC_FAILS)


@dataclass(frozen=True, slots=True)
class ProbeRun:
    """One run: its record, the phase that it had reached, exit status, end of its output.

    `status` is the negative number of the signal for a process that was killed. `memory` says in
    words how much it took where that was too much. `nets` are as in `ProbePart`.
    """

    record: Record
    phase: str
    status: int = 0
    log: str = ""
    memory: Reason | None = None
    nets: dict[str, list[int]] = field(default_factory=dict)

    @property
    def error(self) -> str:
        """The class of the error that ended it, or nothing."""
        return str(self.record.end.get("error") or "")


@dataclass(frozen=True, slots=True)
class Probed:
    """What the runs of one model say: the parts of a result that running gives.

    `reference` is the record of the dynamic run, `why` says why it did not come to its end.
    `doubtful` says whether a mode failed or differed in a way that its pictures' size may explain.
    """

    modes: dict[str, ModeResult]
    dynamic: DynamicResult
    part: ProbePart
    reference: Record
    why: Reason | None = None
    doubtful: bool = False


class Prober:
    """Probes models through one server, in all static modes unless `modes` says which."""

    def __init__(
        self, server: Server, limits: Limits, modes: tuple[str, ...] = STATIC_MODES
    ) -> None:
        self._server, self._limits, self._modes = server, limits, modes
        self._lender: SidePair | None = None

    def probe(self, model: Model, *, own_size: bool = False) -> Probed:
        """What running gives.

        What does not pass on smaller pictures than the config's own is tried on its own ones: a
        net that happens to run on a size it was not made for may fail in static mode for that.
        On small ones rounding may hide all. What is laid to the code is not tried again: an error
        whose hazard is known, or a gradient that one mode alone has; with `own_size`, that too.
        """
        started = time.monotonic()
        self._server.forget_reads()
        found = self._compare(model, model.attempts)
        size = model.attempts[-1].get("size")
        unsure = found.doubtful or (own_size and not all(map(_settled, found.modes.values())))
        if found.part.attempt.get("size") != size and unsure:
            own = tuple(one for one in model.attempts if one.get("size") == size)
            again = self._compare(model, own)
            found = again if again.dynamic.outcome == "ok" else _unconfirmed(found)
        seconds = round(time.monotonic() - started, 2)
        part = replace(found.part, seconds=seconds, reads=self._server.reads())
        return replace(found, part=part)

    def _compare(self, model: Model, attempts: tuple[dict[str, Any], ...]) -> Probed:
        self._lender = None
        dynamic, attempt, tried = self._reference(model, attempts)
        blame = _blame(model, dynamic)
        doubtful = False
        if blame is None:
            runs = {DYNAMIC: dynamic.record}
            modes = {}
            for mode in self._modes:
                modes[mode], unsure = self._static(model, attempt, mode, runs, dynamic.nets)
                doubtful |= unsure
        else:
            modes = dict.fromkeys(self._modes, blame)
        part = ProbePart(
            model=model.name,
            family=model.family,
            also=model.also,
            built=dynamic.phase not in ("", "build"),
            attempt=attempt,
            parameters=_parameters(dynamic.record),
            inputs=dynamic.record.inputs[:3],
            nets=dict(dynamic.nets),
            grade=Grade.STEP if attempt.get("loss") == "step" else Grade.NET,
            own_loss=attempt.get("loss") in ("kit", "step"),
        )
        why = None if dynamic.record.outcome == "ok" else _words(dynamic)
        told = _dynamic_result(dynamic, tried)
        return Probed(modes, told, part, dynamic.record, why, doubtful)

    def _reference(
        self, model: Model, attempts: tuple[dict[str, Any], ...]
    ) -> tuple[ProbeRun, dict[str, Any], list[str]]:
        """The first attempt that runs in dynamic mode and can tell models apart, else the last."""
        tried: list[str] = []
        skipped: object = None
        ran, attempt = ProbeRun(Record("fails", {}, ()), ""), {}
        for attempt in attempts:
            if skipped is not None and attempt.get("size") == skipped:
                continue
            ran = self._run(model, attempt, DYNAMIC, DYNAMIC)
            rates = iter(() if attempt.get("loss") == "step" else SLOWER)
            while _diverges(ran.record) and (rate := next(rates, None)):
                tried.append(f"{attempt}: {_words(ran)}")
                attempt = {**attempt, "rate": rate}
                ran = self._run(model, attempt, DYNAMIC, DYNAMIC)
            if ran.record.outcome == "ok" and _speaks(ran.record):
                return ran, attempt, tried
            tried.append(f"{attempt}: {_words(ran)}")
            if ran.record.outcome in ("timeout", "oom", "killed"):
                break
            # Only the loss can differ at the same size.
            skipped = attempt.get("size") if ran.phase in ("", "build", "forward") else None
        return ran, attempt, tried

    def _static(
        self,
        model: Model,
        attempt: dict[str, Any],
        mode: str,
        runs: dict[str, Record],
        nets: dict[str, list[int]],
    ) -> tuple[ModeResult, bool]:
        """The mode's result, and whether the pictures' size may explain what does not pass."""
        static = self._run(model, attempt, mode, mode)
        comparison = Comparison(mode, runs[DYNAMIC], static.record)
        if wants_controls(comparison):
            for name, nudge in (("repeat", False), ("ulp", True)):
                if name not in runs:
                    runs[name] = self._run(model, attempt, DYNAMIC, name, nudge=nudge).record
            comparison = replace(comparison, repeat=runs["repeat"], ulp=runs["ulp"])
            comparison = self._with_sides(comparison, model, attempt)
        judgement = _judged(comparison)
        comparison = self._with_cures(comparison, model, attempt, cures_of(comparison, judgement))
        found = mode_result(comparison, judgement)
        # Times of so few steps, the first of which compiles, say nothing, and are not kept.
        found = ModeResult(**{name: getattr(found, name) for name in PROBE_MODE})
        hazard, breaks = cured_by(comparison, judgement), found.break_reasons[:_BREAKS_KEPT]
        found = replace(found, hazard=hazard, break_reasons=breaks)
        memory = (static.memory,) if static.memory else ()
        found = found.saying(*map(_without_place, found.said), *memory)
        found = with_moves(found, nets, static.nets)
        if found.verdict.passed:
            return found, False
        found = replace(
            found,
            phase=static.phase,
            message=str(static.record.end.get("message", ""))[-1500:],
            traceback=str(static.record.end.get("traceback", ""))[-2500:],
            status=static.status,
            log=static.log,
        )
        return found, not _settled(found) and not _of_the_code(comparison, judgement)

    def _with_sides(
        self, comparison: Comparison, model: Model, attempt: dict[str, Any]
    ) -> Comparison:
        """With both runs of all sides from the same weights; another mode's lend what they can."""
        mode = comparison.mode
        truth = str(self._server.folder / f"{mode}-truth")

        def made(sides: tuple[str, ...]) -> SidePair:
            asked = {"steps": SIDES_STEPS, "sides": sides, "truth": truth}
            single = self._run(model, attempt, mode, f"{mode}-sides", **asked).record
            if single.outcome == "timeout":
                return SidePair(single)  # float64 takes no less
            run = self._run(model, attempt, mode, f"{mode}-double", double=True, **asked)
            return SidePair(single, run.record)

        found = made(BORROWING).with_controls_of(self._lender) if self._lender else None
        if found is None:
            found = made(DOUBLE_SIDES)
            self._lender = found if found.lends else self._lender
        return replace(comparison, lockstep=found.single, lockstep_double=found.double)

    def _with_cures(
        self, comparison: Comparison, model: Model, attempt: dict[str, Any], cures: tuple[str, ...]
    ) -> Comparison:
        """With a static run without each of these causes, which a flag takes away."""
        mode = comparison.mode
        found: dict[str, Any] = {}
        for name in cures:
            flags = {CURES[name].flag: CURES[name].value}
            ran = self._run(model, attempt, mode, f"{mode}-{name}", flags=flags)
            found[name] = ran.record
        return replace(comparison, **found)

    def _run(
        self, model: Model, attempt: dict[str, Any], mode: str, name: str, **more: Any
    ) -> ProbeRun:
        doing(f"{model.name} ({model.config}): {name} run")
        turns = SIDES_FACTOR if "sides" in more else 1
        answer = self._server.ask(
            "train",
            f"{name}.jsonl",
            self._limits.seconds * (1 if mode == DYNAMIC else STATIC_FACTOR) * turns,
            config=model.config,
            attempt=attempt,
            mode=mode,
            seed=0,
            memory_mb=self._limits.memory_gb * 1024,
            **{"steps": STEPS, "nudge": False, **more},
        )
        out, log = answer.out, answer.log
        outcome = outcome_of(answer.code, answer.timed_out, out, log)
        if outcome in ("crash", "killed") and answer.grown_gb > NEARLY_ALL * self._limits.memory_gb:
            outcome = "oom"
        with given.believed(out):
            lines = list(read_lines(out))
            phases = [str(line["phase"]) for line in lines if line.get("t") == "phase"]
            told = (dict(line["nets"]) for line in lines if line.get("t") == "nets")
            nets: dict[str, list[int]] = next(told, {})
        words = given.tail(log, 4000)
        phase = phases[-1] if phases else ""
        memory = None
        if outcome == "oom":
            most = f"{self._limits.memory_gb:.1f}"
            memory = Reason.of("experiments.memory", grown=f"{answer.grown_gb:.1f}", most=most)
        record = read_run_record(out, outcome)
        return ProbeRun(record, phase, answer.code, words[-1500:], memory, nets)


def _judged(comparison: Comparison) -> Judgement:
    """The verdict; where no run of sides can be judged, the free runs may still pass it."""
    judged = judge(comparison)
    if comparison.single or comparison.double:
        return judged
    alone = judge(replace(comparison, lockstep=None, lockstep_double=None))
    return alone if alone.verdict.passed else judged


def _without_place(said: Reason) -> Reason:
    """The hook is the probe's own: its place in our files tells nothing."""
    if said.code != "judging.not-static":
        return said
    return Reason.of("experiments.not-static", why=said["why"], breaks=said["breaks"])


def _settled(found: ModeResult) -> bool:
    """Whether larger pictures would say no more."""
    return found.verdict.passed or found.verdict in _SETTLED


def _of_the_code(comparison: Comparison, judgement: Judgement) -> bool:
    """Whether the cause is surely in the code, whatever the size of what is fed."""
    if judgement.verdict.failed:
        return hazard_behind(comparison, judgement, None) is not None
    return judgement.first is not None and judgement.first.kind in PRESENCE


def _unconfirmed(found: Probed) -> Probed:
    more = Reason.of("experiments.seen-at-size", size=str(found.part.attempt.get("size")))
    modes = {
        name: mode
        if mode.verdict.passed
        else replace(mode, confirmed=False).saying(*mode.sentences, more)
        for name, mode in found.modes.items()
    }
    return replace(found, modes=modes)


def _speaks(record: Record) -> bool:
    """Whether the reference has numbers, and gradients that could differ."""
    finite = all(math.isfinite(loss) for step in record.steps for loss in step.losses)
    return bool(record.steps) and finite and max(s.grad_norm for s in record.steps) > 1e-12


def _diverges(record: Record) -> bool:
    """Whether the reference begins with numbers and leaves them: a smaller rate keeps it there."""
    return record.outcome == "ok" and 0 < finite_until(record) < math.inf


def _words(ran: ProbeRun) -> Reason:
    record = ran.record
    if record.outcome == "ok":
        return Reason.of("experiments.loss-says-nothing")
    message = str(record.end.get("message", "")).strip().splitlines()
    error = f"{ran.error}: {(message or [''])[-1]}" if ran.error else record.outcome
    error = shortened(error, _LONGEST_ERROR - len(ran.phase))
    if ran.memory is None:
        return Reason.of("experiments.stopped", phase=ran.phase, error=error)
    return Reason.of("experiments.stopped-memory", phase=ran.phase, error=error, memory=ran.memory)


def _blame(model: Model, dynamic: ProbeRun) -> ModeResult | None:
    """Verdict and reason of all modes where the reference did not run; None where it did.

    The model is blamed only where nothing of the probe can be at fault: the config's own sizes,
    batches that are surely right, an error of the kit's or Paddle's in forward or backward.
    """
    if dynamic.record.outcome == "ok" and _speaks(dynamic.record):
        return None
    words = _words(dynamic)
    verdict, why = Verdict.NOT_RUN, Reason.of("experiments.cannot-run", said=words)
    surely = model.exact and not is_environment_error(str(words))
    if dynamic.record.outcome == "ok":
        why = Reason.of("experiments.no-loss", said=words)
    elif dynamic.record.outcome == "killed":
        why = Reason.of("experiments.killed", said=words)
    elif dynamic.record.outcome == "timeout":
        why = Reason.of("experiments.time-limit", said=words)
    elif surely and dynamic.record.outcome == "fails" and dynamic.phase in _OF_THE_KIT:
        verdict, why = Verdict.DYNAMIC_FAILS, Reason.of("experiments.model-fails", said=words)
    return ModeResult(verdict).saying(why)


def _dynamic_result(ran: ProbeRun, tried: list[str]) -> DynamicResult:
    record = ran.record
    if record.outcome == "ok":
        return DynamicResult(record.outcome, tried=tuple(tried))
    trace = str(record.end.get("traceback", ""))[-2500:]
    return DynamicResult(
        record.outcome, reason=str(_words(ran)), tried=tuple(tried), traceback=trace
    )


def _parameters(record: Record) -> int:
    """How many numbers are trained."""
    shapes = [shape for line in record.params for shape in line["shapes"].values()]
    return sum(math.prod(shape) for shape in shapes)


def with_moves(
    found: ModeResult, dynamic: dict[str, list[int]], static: dict[str, list[int]]
) -> ModeResult:
    """No pass where steps change more or fewer parameters and buffers of some net.

    Rounding moves values; it does not explain a teacher that stands still, or a net that one mode
    alone has.
    """
    for net in {**dynamic, **static}:
        (moved, whole), (stays, other) = dynamic.get(net, [0, 0]), static.get(net, [0, 0])
        if found.verdict.passed and (stays != moved or whole != other):
            told = Reason.of("experiments.moved", net=net, dynamic=moved, static=stays, whole=whole)
            return replace(found, verdict=Verdict.STATE_DIFFERS).saying(told)
    return found
