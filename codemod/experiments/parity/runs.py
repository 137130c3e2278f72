"""The runs of one experiment: each made once, one after the other or several at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from codemod.experiments.parity import kept
from codemod.training.record import Record, read_run_record
from codemod.training.run_spec import RunSpec
from codemod.training.runner import DYNAMIC, Command, OnStep, RunRequest, run_once

# Of a checkpoint that the other mode wrote.
READ_SIDES = ("dynamic", "static", "dynamic-read", "static-read")
# The optimizer's state is there after the first step.
READ_STEPS = 3
# Other kernels for the same sums: Paddle's CPU builds multiply matrices by MKL. (Switching oneDNN
# changes nothing in them: dynamic mode does not use it.)
OTHER_KERNELS = (("MKL_ENABLE_INSTRUCTIONS", "SSE4_2"), ("MKL_DEBUG_CPU_TYPE", "4"))
KERNEL_STEPS = 2


@dataclass(frozen=True, slots=True)
class Experiment:
    """What was asked for, and the kit's command with the gate off and on.

    `folder` takes records and logs. `limit_s` is the limit of one run in seconds. `out` is the
    folder that the commands name for the kit's own output: side by side each run gets one within
    it. `backend` is as in `RunRequest`. `long` is `on` for so many steps that each batch can be fed
    to all sides; without it `on` itself is taken.
    """

    spec: RunSpec
    off: Command
    on: Command
    folder: Path
    device: str = "cpu"
    limit_s: float = 1800.0
    out: Path | None = None
    backend: str = ""
    long: Command | None = None


class Runs:
    """Makes each run once and keeps its record.

    `seen` also holds the records of interrupted runs.
    """

    def __init__(self, experiment: Experiment, progress: OnStep | None) -> None:
        self.experiment = experiment
        self.seen: dict[str, Record] = {}
        self._progress = progress
        self._stop = threading.Event()

    def make(self, planned: list[RunRequest]) -> list[Record]:
        """The records of these runs; those that have not been made are made now.

        On Ctrl-C all are ended before it goes on.
        Of each, what differs from the others is given: 0 steps are all that were asked for, and
        `truth` names its files without their folder.
        """
        missing = [run for run in planned if run.name not in self.seen]
        if self.experiment.spec.jobs == 1:
            for run in missing:
                self._make(run)
        else:
            self._make_together(missing)
        return [self.seen[run.name] for run in planned]

    def _make_together(self, missing: list[RunRequest]) -> None:
        with ThreadPoolExecutor(self.experiment.spec.jobs) as pool:
            futures = [pool.submit(self._make, run) for run in missing]
            try:
                wait(futures)
            except KeyboardInterrupt:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                raise
            for future in futures:
                future.result()

    def _make(self, run: RunRequest) -> None:
        this, spec = self.experiment, self.experiment.spec
        wanted = replace(
            run,
            steps=min(spec.steps, run.steps or spec.steps),
            seed=spec.seed,
            legs=not (run.sides or run.nudge or run.env),
            truth=str((this.folder / run.truth).resolve()) if run.truth else "",
            ranks=spec.ranks,
            backend=this.backend,
        )
        command = self._command(run)
        limits = (this.device, this.limit_s, self._progress, self._stop)
        make = partial(run_once, command, wanted, this.folder, *limits)
        try:
            self.seen[run.name] = kept.once(command, wanted, this.folder, make, spec.fresh)
        except KeyboardInterrupt:
            self.seen[run.name] = read_run_record(this.folder / f"{run.name}.jsonl", "interrupted")
            raise

    def _command(self, run: RunRequest) -> Command:
        """The command; two runs at the same time must not write the same checkpoints and logs."""
        command = self.experiment.off if run.mode == DYNAMIC else self.experiment.on
        if run.sides and self.experiment.long is not None:
            command = self.experiment.long
        if self.experiment.spec.jobs == 1 or self.experiment.out is None:
            return command
        shared, own = str(self.experiment.out), self.experiment.out / run.name
        own.mkdir(parents=True, exist_ok=True)
        # A recipe's overlay lies there too, and may itself name the folder.
        for file in self.experiment.out.glob("*.yml"):
            text = file.read_text(encoding="utf-8").replace(shared, str(own))
            (own / file.name).write_text(text, encoding="utf-8")
        argv = tuple(word.replace(shared, str(own)) for word in command.argv)
        env = {name: text.replace(shared, str(own)) for name, text in command.env.items()}
        return replace(command, argv=argv, env=env)
