"""Run a kit's training command once, in its own process, and say how it ended.

A crash, a hang and a lack of memory are outcomes of a run, not failures of this tool. Whatever the
recorder wrote up to then is read and judged.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path

from codemod.base import given
from codemod.base.errors import UsageError
from codemod.base.files.data_folder import table_beside
from codemod.base.files.shared_file import more_log, new_log
from codemod.base.launch.start import Bounds, Box, Boxed, kept_variables, own_folders, start
from codemod.base.launch.tools import STDOUT
from codemod.base.machine import machine_gb, out_of_memory_kills
from codemod.base.terminal.text import shortened
from codemod.training.environment.environments import default_root
from codemod.training.inject.parity_recorder.version import VERSION
from codemod.training.reads import lines_file, reads_file
from codemod.training.record import Record, rank_file, read_ranks, read_run_record

INJECT = Path(__file__).parent / "inject"

DYNAMIC = "dynamic"
# What the static modes are called everywhere: one full graph (AST), or graphs between breaks (SOT).
STATIC_MODES = ("ast", "sot")
# One full graph that Paddle's compiler turns into kernels of its own, where a build has it.
CINN = "cinn"

# A line of a free step, and of a side's update in lockstep.
_STEP_LINES = (b'{"t":"step"', b'{"opt":')

# Messages by which Paddle and Python say that memory ran out.
_OOM_WORDS = (
    "ResourceExhausted",
    "Out of memory",
    "MemoryError",
    "std::bad_alloc",
    "Cannot allocate memory",
)

# What a process gets from others: from whoever ends it by hand, and from a machine that goes down.
_SENT = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

# Of the machine's memory, what one run may take with all that it starts.
_SHARE = 0.95
# More than any kit's loaders and launchers start; a bomb is ended before the machine feels it.
_PROCESSES = 1000
_FILE_MB = 64 * 1024
_LOG_MB = 256
# Bytes of what each process printed that are kept in the log of the run; and of a look at a record.
_GATHERED = 16 * 2**20
# The outcome of a run that met a limit of ours by its own doing, and why it was ended.
_MET = {
    "memory": ("oom", "its processes held more memory than this machine has to give"),
    "processes": ("fails", f"it started more than {_PROCESSES} processes"),
    "log": ("fails", f"it printed more than {_LOG_MB} MB"),
}


# Called while a run goes on: its name, finished steps, the last loss, seconds since its start.
OnStep = Callable[[str, int, float | None, float], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A training command: arguments, folder to run in, environment on top of ours.

    `watched` are folders by a short name, "" for the checkout: what the run reads in them is noted,
    and of its own files, which lines it executes.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: dict[str, str] = field(default_factory=dict)
    watched: dict[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What one run is to be. `name` labels its files; `mode` is dynamic, ast, sot or cinn.

    With `sides` each batch is fed once a side, as the recorder's `lockstep` says; `double` is
    float64 throughout; with `legs` evaluation, export and checkpoint follow the last step.
    `truth` is where a run of sides keeps weights and gradients for the same run in float64.
    With `ranks` over 1, Paddle's launcher starts so many processes that train together; `backend`
    carries what they exchange: gloo or nccl. `env` is put on top of all other variables. `reader`
    is the variable in which the code that is to run inside looks for its request.
    """

    name: str
    mode: str
    steps: int = 0
    seed: int = 0
    nudge: bool = False
    sides: tuple[str, ...] = ()
    double: bool = False
    legs: bool = False
    truth: str = ""
    light: bool = False
    values_at: tuple[int, ...] = ()
    ranks: int = 1
    backend: str = ""
    env: tuple[tuple[str, str], ...] = ()
    reader: str = "CODEMOD_PARITY"

    def request(self, out: Path) -> str:
        """The configuration that the recorder reads."""
        ours = {"name", "env", "reader", *(("ranks", "backend") if self.ranks == 1 else ())}
        names = [item.name for item in fields(self) if item.name not in ours]
        return json.dumps({"out": str(out), **{name: getattr(self, name) for name in names}})


def recorder_version() -> str:
    """What the recorder measures, as a number that is raised on purpose: results carry it."""
    return str(VERSION)


@cache
def recorder_checksum() -> str:
    """A checksum of the recorder's code: only its own records are taken up again."""
    found = hashlib.sha256()
    for file in sorted(INJECT.rglob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()


def run_bounds() -> Bounds:
    """What a kit's process and all that it starts may take: it must not take the machine."""
    return Bounds(
        memory_mb=_SHARE * machine_gb() * 1024,
        processes=_PROCESSES,
        file_mb=_FILE_MB,
        log_mb=_LOG_MB,
    )


def environment(
    wanted: RunRequest, out: Path, device: str, extra: dict[str, str], home: Path
) -> dict[str, str]:
    """The variables of one run: the same threads, hashes and executor order in every mode.

    Of the user's own it holds a few by name, and `home` stands for the user's.
    `device` is "cpu" or "gpu:N". `ENABLE_FALL_BACK` chooses AST or SOT for a `to_static` that
    names no mode itself.
    """
    fixed = table_beside(__file__, "run_variables.yaml")
    env: dict[str, str] = kept_variables(os.environ) | own_folders(home) | fixed["always"]
    # The kit's folder stays clean, and Paddle and the kit are not compiled anew in each run.
    env["PYTHONPYCACHEPREFIX"] = str(default_root().parent / "pycache")
    env["ENABLE_FALL_BACK"] = str(wanted.mode not in ("ast", CINN))
    if wanted.mode == CINN:
        env |= fixed["cinn"]
    if device.startswith("gpu"):
        env |= fixed["gpu"] | {"CUDA_VISIBLE_DEVICES": _cards(device, wanted.ranks)}
    if not wanted.light:
        env |= fixed["recorded"]
    if wanted.ranks > 1:
        env.update(CODEMOD_RANKS=str(wanted.ranks), PADDLE_DISTRI_BACKEND=wanted.backend)
    extra = {**extra, **dict(wanted.env)}
    env.update(extra)
    # What the command sets to nothing is not set at all: libraries may read an empty text as well.
    env = {name: value for name, value in env.items() if extra.get(name) != ""}
    paths = [str(INJECT), extra.get("PYTHONPATH", ""), os.environ.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    env["CODEMOD_DEVICE"] = device
    env[wanted.reader] = wanted.request(out)
    return env


def _cards(device: str, ranks: int) -> str:
    """A card for each process of a run, of those that the user shows, the device's own first."""
    first = int(device.partition(":")[2] or 0)
    shown = [name.strip() for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")]
    names = shown if shown[0] else [str(number) for number in range(first + ranks)]
    return ",".join(names[first : first + ranks])


def _launched(argv: tuple[str, ...], wanted: RunRequest, logs: Path) -> tuple[str, ...]:
    """The command by Paddle's launcher, where several processes are to train together."""
    if wanted.ranks == 1:
        return argv
    python, *words = argv
    while words and words[0] == "-u":
        words.pop(0)  # the launcher sees to that itself
    if words and words[0].startswith("-"):
        raise UsageError(
            f"Paddle's launcher starts a script, and the recipe has `{words[0]}` before it.",
            "Name the script first in the recipe's argv.",
        )
    launcher = ("-m", "paddle.distributed.launch", "--nproc_per_node", str(wanted.ranks))
    carried = ("--backend", "gloo") if wanted.backend == "gloo" else ()
    return (python, *launcher, *carried, "--log_dir", str(logs), *words)


def _tail_steps(path: Path, offset: int) -> tuple[int, int | None, float | None]:
    """New offset, and the step and first loss of the last whole step line since the old one."""
    file = given.opened(path)
    if file is None:
        return offset, None, None
    with file:
        file.seek(offset)
        text = file.read(_GATHERED)
    whole = text[: text.rfind(b"\n") + 1]
    step: int | None = None
    loss: float | None = None
    with given.believed(path):
        for line in whole.splitlines():
            if line.startswith(_STEP_LINES):
                fields = json.loads(line)
                step = int(fields["step"])
                first = fields["losses"][0] if fields["losses"] else None
                loss = first[1] if isinstance(first, list) else first
    return offset + len(whole), step, loss


def outcome_of(code: int, timed_out: bool, record: Path, log: Path, starved: bool = False) -> str:
    """How a run ended: ok, fails, crash, timeout, oom or killed. `code` is below 0 for signals.

    With `starved` the kernel ended a process for lack of memory meanwhile; else a signal that is
    sent by others is no word on what ran.
    """
    found = read_run_record(record, "ok")
    in_a_leg = bool(found.end and found.legs) and found.legs[-1].get("outcome") == "begun"
    if found.end.get("reason") == "steps" or in_a_leg:
        return "ok"
    if timed_out:
        return "timeout"
    if code == 0:
        return "ok"
    tail = given.tail(log, 20000)
    if (code == -signal.SIGKILL and starved) or any(word in tail for word in _OOM_WORDS):
        return "oom"
    if -code in _SENT:
        return "killed"
    return "crash" if code < 0 or code >= 128 else "fails"


def run_once(
    command: Command,
    wanted: RunRequest,
    folder: Path,
    device: str,
    limit_s: float,
    progress: OnStep | None = None,
    stop: threading.Event | None = None,
) -> Record:
    """Run the command, watch it, and read its record.

    `limit_s` is the time limit in seconds. `progress(name, step, loss, seconds)` is called about
    once a second. On KeyboardInterrupt the process is ended and the record stays; a thread that is
    no receiver of signals is given `stop` and raises KeyboardInterrupt once it is set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    out = (folder / f"{wanted.name}.jsonl").resolve()
    log = folder / f"{wanted.name}.log"
    for rank in range(wanted.ranks):
        rank_file(out, rank).unlink(missing_ok=True)
    logs = folder / f"{wanted.name}.ranks"
    shutil.rmtree(logs, ignore_errors=True)
    argv = _launched(command.argv, wanted, logs.resolve())
    home = folder / f"{wanted.name}.home"
    env = environment(wanted, out, device, command.env, home) | _watching(command, wanted, out)
    starved = out_of_memory_kills()
    with new_log(log) as sink:
        process = start(
            argv, Box(home, run_bounds()), cwd=command.cwd, env=env, stdout=sink, stderr=STDOUT
        )
        try:
            timed_out = _watch(process, wanted, out, limit_s, progress, stop)
        finally:
            ended = process.end()
    shutil.rmtree(home, ignore_errors=True)
    _gather(logs, log)
    outcome, why = _MET.get(ended.limit, ("", ""))
    if why:
        with more_log(log) as sink:
            sink.write(f"\nEnded: {why}.\n".encode())
    outcome = outcome or outcome_of(
        ended.code, timed_out, out, log, out_of_memory_kills() > starved
    )
    if wanted.ranks > 1 and outcome == "ok":
        # The first may have made its steps while another failed.
        outcome = "timeout" if timed_out else "fails"
    return limited(read_ranks(out, wanted.ranks, outcome), limit_s)


def _watching(command: Command, wanted: RunRequest, out: Path) -> dict[str, str]:
    """The variables by which a run notes what it reads and executes, in files beside `out`."""
    noted, executed = reads_file(out), lines_file(out)
    noted.unlink(missing_ok=True)
    executed.unlink(missing_ok=True)
    asked: dict[str, dict[str, object]] = {}
    if command.watched:
        roots = {name: str(place) for name, place in command.watched.items()}
        asked["CODEMOD_READS"] = {"out": str(noted), "roots": roots}
    if command.watched and wanted.legs:
        asked["CODEMOD_LINES"] = {"out": str(executed), "root": str(command.watched[""])}
    return {name: json.dumps(value) for name, value in asked.items()}


def limited(record: Record, limit_s: float) -> Record:
    """The record, in which each process that the time limit ended says which limit it was."""
    others = tuple(limited(one, limit_s) for one in record.others)
    ended = limit_s if record.outcome == "timeout" else 0.0
    return replace(record, limit_s=ended, others=others)


def _gather(logs: Path, log: Path) -> None:
    """Put what each process printed at the end of the run's log, the first one's last."""
    with more_log(log) as sink:
        for file in sorted(logs.glob("workerlog.*"), reverse=True):
            said = given.tail(file, _GATHERED).encode()
            sink.write(f"\n{file.name}:\n".encode() + said)


def _watch(
    process: Boxed,
    wanted: RunRequest,
    out: Path,
    limit_s: float,
    progress: OnStep | None,
    stop: threading.Event | None,
) -> bool:
    """Wait for the end or the limit; true if the limit came first."""
    offset, step, loss = 0, 0, None
    started = time.monotonic()
    while process.wait(0.5) is None:
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        seconds = time.monotonic() - started
        offset, new_step, new_loss = _tail_steps(out, offset)
        if new_step is not None:
            step, loss = new_step + 1, new_loss
        if progress is not None:
            progress(wanted.name, step, loss, seconds)
        if seconds > limit_s:
            return True
    return False


def log_tail(folder: Path, name: str) -> str:
    """The last dozen lines of a run's log, for a message."""
    path = folder / f"{name}.log"
    if not path.is_file():
        return ""
    return "\n".join(given.tail(path, 8000).splitlines()[-12:])


def last_words(record: Record, folder: Path, name: str) -> str:
    """The message of the error that ended a run, else the last line of its log, shortened."""
    said = [line for line in log_tail(folder, name).splitlines() if line.strip()]
    return shortened(str(record.end.get("message") or "") or (said or [""])[-1], 300)
