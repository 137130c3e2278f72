"""One `codemod parity --speed`: fresh processes that train in turns, judged and kept."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from codemod.base import given
from codemod.base.errors import UsageError
from codemod.base.files.atomic import locked
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.experiments.observers import observed_by
from codemod.experiments.parity.parity_job import tell_speed
from codemod.judging.evidence.result_files import now
from codemod.judging.evidence.speed_rows import ChangingShapes, SpeedRow, keep_speed
from codemod.judging.speed.lost import KEPT_MEMORY
from codemod.judging.speed.slowness import changed_inputs
from codemod.judging.speed.speed import Ratio
from codemod.judging.speed.speed_judged import judge_timings, kept_ratio, with_lost
from codemod.judging.speed.timings import DYNAMIC, PROCESSOR, STATIC, Timings, read_timings
from codemod.judging.thresholds import KEPT_PROCESSES, SPEED_PAIRS, SPEED_PROCESSES, SPEED_WARMUP
from codemod.training.environment.cards import Card, cards, pace
from codemod.training.launch import commands, commit_of
from codemod.training.preparation import Prepared
from codemod.training.record import Record
from codemod.training.run_spec import RunSpec
from codemod.training.runner import OnStep, RunRequest, last_words, run_once

LEAST_STEPS = SPEED_WARMUP + SPEED_PAIRS
# Speed is what users have, not what compares best: Paddle's own settings on a card, and of SOT.
_AS_USERS = {"MIN_GRAPH_SIZE": "10"}
_ON_A_CARD = {
    "FLAGS_cudnn_deterministic": "0",
    "FLAGS_embedding_deterministic": "0",
    "FLAGS_new_executor_serial_run": "0",
    "CUBLAS_WORKSPACE_CONFIG": "",
    "NVIDIA_TF32_OVERRIDE": "",
}


def check_speed(spec: RunSpec) -> None:
    """Refuse a request that could say nothing.

    Raises:
        UsageError: so few pairs, or several processes that train together.
    """
    if spec.steps < LEAST_STEPS:
        raise UsageError(
            f"--speed needs {LEAST_STEPS} steps, of which {SPEED_WARMUP} warm up.",
            f"Add --steps {LEAST_STEPS} or more.",
        )
    if spec.ranks > 1:
        raise UsageError("--speed times one process.", "Leave out --nproc.")


class Timer:
    """Makes the timed runs of one config, in turn over the modes, and judges them."""

    def __init__(
        self, ready: Prepared, workspace: Workspace, progress: OnStep | None, processes: int
    ) -> None:
        self._ready, self._spec, self._processes = ready, ready.spec, processes
        self._progress = progress
        self._folder = ready.folder.with_name(f"{ready.folder.name}-speed")
        self._data = workspace.make("data").resolve()
        self._records: dict[str, Record] = {}
        self._card = card_of(ready.device)
        self._paces: list[tuple[int, bool]] = []

    def rows(self) -> tuple[SpeedRow, ...]:
        """A row a mode."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with locked(self._folder):
            modes = self._spec.modes
            timed: dict[str, list[Timings]] = {mode: [] for mode in modes}
            for number in range(self._processes):
                # A machine whose load changes meets all modes alike.
                for mode in modes:
                    timed[mode].append(self._timed(f"{mode}-{number}", mode, number % 2))
            alone = self._timed("dynamic-alone", "sot", 0, (DYNAMIC,))
            return tuple(self._row(mode, timed[mode], alone) for mode in modes)

    def _timed(
        self,
        name: str,
        mode: str,
        first: int,
        sides: tuple[str, ...] = (DYNAMIC, STATIC),
        fixed: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> Timings:
        """One process, with variables of its own; `first` is the side that builds first."""
        ready, spec, folder = self._ready, self._spec, self._folder
        # The trainer counts every turn as a step of its own.
        setting = ready.setting(spec.steps * len(sides) + 1, folder)
        command = commands(ready.recipe, setting, self._data)[1]
        users = {**_AS_USERS, **(_ON_A_CARD if ready.device.startswith("gpu") else {})}
        command = replace(command, env={**command.env, **users, **(env or {})}, watched={})
        command = observed_by("step_timer", command, {"first": first, "fixed": fixed})
        wanted = RunRequest(name, mode, spec.steps, spec.seed, sides=sides, light=True)
        wanted = replace(wanted, reader="CODEMOD_TIMING")
        limits = (ready.device, ready.limit_s, self._show)
        self._records[name] = run_once(command, wanted, folder, *limits)
        return read_timings(folder / f"{name}.jsonl")

    def _show(self, name: str, steps: int, loss: float | None, seconds: float, /) -> None:
        """Pass a run's progress on; about once a second, a card's clock is noted as well."""
        if self._card and (told := pace(self._card)):
            self._paces.append(told)
        if self._progress:
            self._progress(name, steps, loss, seconds)

    def _row(self, mode: str, timed: list[Timings], alone: Timings) -> SpeedRow:
        ready = self._ready
        judged = judge_timings(timed, ready.device, self._why_not(mode), ready.source.root)
        kept = self._kept(mode) if judged.loses and judged.clock == PROCESSOR else None
        judged = with_lost(judged, kept)
        trained = judged.speed or judged.causes
        static = self._timed(f"{mode}-alone", mode, 0, (STATIC,)) if trained else None
        shapes = self._shapes(mode, static) if static and changed_inputs(static) else None
        told = (*judged.said, *((_told(shapes, len(static.turns)),) if shapes and static else ()))
        peaks = {DYNAMIC: alone, STATIC: static}
        speed = judged.speed
        return SpeedRow(
            kit=ready.identity.kit,
            config=self._spec.config,
            paddle=ready.build.version,
            mode=mode,
            device=ready.identity.device,
            verdict=judged.verdict,
            machine=machine(ready.device),
            load=judged.load,
            clock=judged.clock,
            ratio=speed.ratio if speed else None,
            parts=speed.parts if speed else {},
            other=judged.other,
            dynamic_ms=judged.dynamic_ms,
            static_ms=judged.static_ms,
            loader_ms=judged.loader_ms,
            compile_s=speed.compile_s if speed else None,
            pays_off=speed.pays_off if speed else None,
            clocks=tuple(f(clock for clock, _ in self._paces) for f in (min, max) if self._paces),
            throttled=any(held for _, held in self._paces),
            programs=speed.programs if speed else 0,
            memory_mb={name: _mb(one) for name, one in peaks.items() if one and one.memory_kb},
            shapes=shapes,
            lost=judged.lost,
            kept_memory=kept,
            said=told,
            causes=judged.causes,
            runs={"processes": speed.processes, "pairs": speed.pairs} if speed else {},
            options=self._spec.options,
            revision=commit_of(ready.source),
            hook=ready.identity.hook,
            date=now(),
        )

    def _kept(self, mode: str) -> Ratio | None:
        """The ratio where no memory is given back: whether that is what a slower mode loses by."""
        runs = (
            self._timed(f"{mode}-kept-{number}", mode, number % 2, env=KEPT_MEMORY)
            for number in range(KEPT_PROCESSES)
        )
        return kept_ratio(tuple(runs))

    def _why_not(self, mode: str) -> Reason:
        """Why there are no pairs: how the first process ended."""
        record = self._records[f"{mode}-0"]
        if record.outcome == "ok":
            return Reason.of("judging.speed-no-loader")
        last = last_words(record, self._folder, f"{mode}-0")
        return Reason.of("judging.speed-run-ended", how=record.outcome, last=last)

    def _shapes(self, mode: str, own: Timings) -> ChangingShapes:
        fixed = self._timed(f"{mode}-fixed", mode, 0, (STATIC,), fixed=True)
        return ChangingShapes(
            *(sum(turn.made for turn in one.turns) for one in (own, fixed)),
            *(_whole_ms(one) for one in (own, fixed)),
            *(_mb(one) for one in (own, fixed)),
        )


def _mb(timed: Timings) -> float:
    return round(timed.memory_kb / 1024, 1)


def _whole_ms(timed: Timings) -> float:
    """Processor time of a step in milliseconds, the mean of all, with what compiling took."""
    seconds = [sum(turn.processor.values()) for turn in timed.turns]
    return round(1000 * sum(seconds) / len(seconds), 2) if seconds else 0.0


def _told(shapes: ChangingShapes, steps: int) -> Reason:
    return Reason.of(
        "judging.speed-shapes-cost",
        own=shapes.own_programs,
        fixed=shapes.fixed_programs,
        own_ms=shapes.own_ms,
        fixed_ms=shapes.fixed_ms,
        steps=steps,
    )


def card_of(device: str) -> Card | None:
    """The card of a device such as `gpu:1`; None for a CPU."""
    shown = cards().cards if device.startswith("gpu") else ()
    number = int(device.partition(":")[2] or 0)
    return shown[number] if number < len(shown) else None


def machine(device: str) -> str:
    """What computed: the card with its driver, or the processor with the number of its cores."""
    if device.startswith("gpu"):
        card = card_of(device)
        return f"{card.name}, driver {card.driver}" if card else ""
    info = given.tail(Path("/proc/cpuinfo"), 8000) if Path("/proc/cpuinfo").exists() else ""
    named = [line.partition(":")[2].strip() for line in info.splitlines() if "model name" in line]
    return f"{named[0] if named else platform.processor()}, {os.cpu_count()} cores"


def measure(
    ready: Prepared,
    workspace: Workspace,
    progress: OnStep | None = None,
    processes: int = SPEED_PROCESSES,
) -> tuple[SpeedRow, ...]:
    """Time a config in all asked modes and keep the rows: its steps are pairs in each process.

    Raises:
        UsageError: the same is being measured in this workspace, or the recipe cannot launch it.
    """
    if ready.recipe.why_not:
        raise UsageError(f"{ready.spec.config} cannot be trained: {ready.recipe.why_not}")
    check_speed(ready.spec)
    rows = Timer(ready, workspace, progress, processes).rows()
    keep_speed(workspace, ready.identity.kit, rows)
    tell_speed(workspace, rows)
    return rows
