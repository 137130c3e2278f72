"""Import Paddle and the kit once, then fork a child for each run that is asked for.

Requests come as JSON lines on standard input, answers go as JSON lines to what standard output
was at the start; whatever the kit prints goes to standard error. A child that crashes or hangs
says nothing about the next one.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
import time
import traceback
from typing import Any

_PR_SET_PDEATHSIG = 1
# What every child needs besides the kit, unless the adapter says; imported once, before any fork.
_SHARED = (
    "parity_recorder.session",
    "probe_inside.train",
    "paddle.jit.dy2static.program_translator",
    "paddle.jit.dy2static.partial_program",
    "paddle.jit.sot.opcode_translator.executor.executor_cache",
    "paddle.jit.sot.symbolic.compile_cache",
)
# What answers a request, by its `op`: a module with `answer(adapter, request)`.
_TASKS = {
    "train": "probe_inside.train",
    "leg": "probe_inside.legs",
    "program": "reduce_inside.run",
    "record": "reduce_inside.record",
    "partly": "reduce_inside.partly",
    "try": "switch_inside.tries",
}
# A run that waits for something uses no processor time, so it is ended by the clock, which runs
# much faster than its processor time where the machine is busy.
WALL_FACTOR = 20
# What can run gets some processor time within this many seconds, on the busiest machine too.
IDLE_S = 120.0


def module_in(file: str, name: str) -> Any:
    """The module in a file, run under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _adapter(file: str) -> Any:
    """How a kit's models are listed and built; what lies beside it can be imported by name."""
    sys.path.append(os.path.dirname(os.path.abspath(file)))
    return module_in(file, "probe_adapter")


def serve(adapter_file: str) -> None:
    """Answer requests until standard input ends.

    What the server reads is noted in the file that CODEMOD_PROBE_READS names, what a child reads
    beyond that beside what it writes.
    """
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**fields: Any) -> None:
        channel.write(json.dumps(fields) + "\n")
        channel.flush()

    _faster_yaml()
    noting: Any = importlib.import_module("parity_recorder.files.reads")
    reads = noting.install(os.environ["CODEMOD_PROBE_READS"])
    try:
        adapter = _adapter(adapter_file)
        adapter.prepare()
        for name in getattr(adapter, "SHARED", _SHARED):
            importlib.import_module(name)
    except BaseException as error:
        traceback.print_exc()
        answer(ready=False, error="{}: {}".format(type(error).__name__, error)[:500])
        return
    # What lives now stays for good: children need not look through it, nor copy its pages.
    gc.collect()
    gc.freeze()
    paddle = sys.modules["paddle"]
    answer(
        ready=True,
        paddle=paddle.__version__,
        adapter=adapter.VERSION,
        configs=getattr(adapter, "CONFIGS", []),
        note="; ".join(getattr(adapter, "NOTE", [])),
    )
    for line in sys.stdin:
        answer(**_run(adapter, json.loads(line), channel.fileno(), reads))


def _faster_yaml() -> None:
    """Let kits read their hundreds of configs with the C reader, which gives the same."""
    try:
        import yaml
    except ImportError:
        return
    # The others are ones that kits register tags with, behind this name's back.
    if hasattr(yaml, "CSafeLoader"):
        yaml.SafeLoader = yaml.CSafeLoader  # type: ignore[assignment, misc]


def _run(adapter: Any, request: dict[str, Any], channel: int, reads: Any) -> dict[str, Any]:
    """Fork, wait, and end the child when its time is up."""
    sys.stderr.flush()
    started, parent, own = time.monotonic(), os.getppid(), _status_mb("VmRSS")
    pid = os.fork()
    if pid == 0:
        _child(adapter, request, channel, reads)
    limit = float(request["limit_s"]) * WALL_FACTOR
    pause, idle = 0.01, _Idle(pid)
    patience = float(request.get("idle_s", IDLE_S))
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        orphaned = os.getppid() != parent
        stuck = idle.seconds() > patience
        if orphaned or stuck or time.monotonic() - started > limit:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            if orphaned:
                # Whoever asked is gone, however it ended.
                os._exit(1)
            if stuck:
                with open(request["log"], "a", encoding="utf-8") as log:
                    log.write("\nEnded: no processor time used in {:.0f} s.\n".format(patience))
            return {"code": -signal.SIGKILL, "timed_out": True, "grown_mb": 0}
        time.sleep(pause)
        pause = min(0.1, pause * 1.2)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    grown = max(0.0, usage.ru_maxrss / 1024 - own) if own else 0.0
    return {"code": code, "timed_out": code == -signal.SIGXCPU, "grown_mb": round(grown)}


class _Idle:
    """How long a process has used no processor time, as Linux tells it; elsewhere never long."""

    def __init__(self, pid: int) -> None:
        self._stat = "/proc/{}/stat".format(pid)
        self._used, self._since = -1, time.monotonic()

    def seconds(self) -> float:
        """Seconds since it was last seen to have used some."""
        used = self._read()
        if used is None or used != self._used:
            self._used, self._since = used or 0, time.monotonic()
        return time.monotonic() - self._since

    def _read(self) -> int | None:
        try:
            with open(self._stat, encoding="ascii", errors="replace") as file:
                # The name, in brackets, may hold anything.
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return None
        return int(fields[11]) + int(fields[12])


def _status_mb(name: str) -> float:
    """A size of this process as Linux tells it; 0 elsewhere."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            lines = [line.split() for line in file if line.startswith(name + ":")]
    except OSError:
        return 0.0
    return float(lines[0][1]) / 1024 if lines else 0.0


def _cap_memory(more_mb: float) -> None:
    """Let this process take so much more than it has: one model must not take the machine.

    What it has is the kit's import, mapped by its server too. On Linux alone does the limit cover
    all that is allocated.
    """
    has = _status_mb("VmData")
    if has:
        most = int((has + more_mb) * 2**20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _child(adapter: Any, request: dict[str, Any], channel: int, reads: Any) -> None:
    """Never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        if sys.platform == "linux":
            # A child that waits for itself would outlive a server that is killed.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.close(channel)
        reads.open(request["out"] + ".reads")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(request["out"])
        log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        empty = os.open(os.devnull, os.O_RDONLY)
        for target, source in ((0, empty), (1, log), (2, log)):
            os.dup2(source, target)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        spent = time.process_time()
        whole = int(spent + float(request["limit_s"])) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 5))
        if request.get("memory_mb"):
            _cap_memory(float(request["memory_mb"]))
        code = _task(adapter, request)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _task(adapter: Any, request: dict[str, Any]) -> int:
    if request["op"] == "models":
        found = adapter.models(request["configs"])
        with open(request["out"], "w", encoding="utf-8") as file:
            json.dump(found, file)
        return 0
    task: Any = importlib.import_module(_TASKS[request["op"]])
    return int(task.answer(adapter, request))
