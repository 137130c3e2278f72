"""One process in the kit's environment that forks a child for each run; restarted when it dies."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.shared_file import new_log
from codemod.base.files.workspace import Workspace
from codemod.base.given import believed
from codemod.base.json_form import from_json
from codemod.base.launch.start import Box, Boxed, BoxEnd, start
from codemod.base.launch.tools import PIPE
from codemod.base.terminal.doing import doing
from codemod.kits.folder import ADAPTER, kit_file, kits_with
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.reads import READS, Reads, read_reads, reads_file
from codemod.training.recipes import read_recipe, sample_kinds
from codemod.training.runner import INJECT, RunRequest, environment, run_bounds
from codemod.training.samples import generate

INSIDE = Path(__file__).parent / "inside"
# Seconds for Paddle and the kit to be imported on the busiest machine; who sleeps ends there.
_IMPORT_S = 900.0
# The server ends what runs by the clock after so many times its processor time, and says so.
_CLOCK = 20
# What answers other requests than a probe's.
_MORE = tuple(Path(__file__).parents[1] / room / "inside" for room in ("reduce", "switch"))


@dataclass(frozen=True, slots=True)
class Ready:
    """What a server says of itself: its Paddle, the version of the kit's adapter.

    `configs` are globs of the files that stand for models where the kit has no configs for them;
    `note` says what else than the checkout was used.
    """

    paddle: str
    adapter: int
    configs: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a run ended; `code` is below 0 for signals, `grown_gb` is memory in GiB.

    What was asked for is in the file `out`, what was printed in `log`.
    """

    code: int
    timed_out: bool
    grown_gb: float
    out: Path
    log: Path


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the probes of one kit need. `adapter` is the Python file that builds its models.

    `data` are folders of samples by their kind, that of most of the kit's models first. `variables`
    are laid over the environment, save for PYTHONPATH, which holds the checkout anyway.
    """

    python: Path
    adapter: Path
    data: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


class Server:
    """Serves one request at a time. Use as a context manager; it starts at the first request.

    `watched` are the checkout and the samples by a short name, "" for the checkout: what runs read
    in them is noted.
    The kit's code is contained where the system offers it: no network but loopback, nothing
    written but in `folder`, a folder beside the log and of no other use. What is asked for is
    written there, and nothing of ours is, for it may hold links by then.
    """

    def __init__(self, equipment: Equipment, root: Path, log: Path) -> None:
        self._equipment, self._root, self._log = equipment, root.resolve(), log
        self._process: Boxed | None = None
        self._over = False
        self.folder = (log.parent / f"{log.stem}.given").absolute()
        self._home = log.parent / f"{log.stem}.home"
        data = {kind: Path(folder) for kind, folder in equipment.data.items()}
        self.watched = {"": self._root, **data}
        self._noted = reads_file(self.folder / "server")

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self.stop()

    def start(self) -> Ready:
        """Start the process and wait until Paddle and the kit are imported.

        Raises EnvironmentFault if they cannot be, or the context is over for another thread.
        """
        self.stop()
        if self._over:
            raise EnvironmentFault("The probe was ended.")
        given = self._equipment
        doing("Importing Paddle and the kit")
        wanted = RunRequest("probe", "dynamic", 0)
        env = environment(wanted, self._log, "cpu", given.variables, self._home)
        env.pop("CODEMOD_PARITY")
        # What the environment holds compiled is read there: nothing of the box reaches a cache.
        env.pop("PYTHONPYCACHEPREFIX")
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        env["CODEMOD_PROBE_DATA"] = json.dumps(given.data)
        roots = {name: str(folder) for name, folder in self.watched.items()}
        env["CODEMOD_PROBE_READS"] = json.dumps({"out": str(self._noted), "roots": roots})
        env["PYTHONPATH"] = os.pathsep.join(map(str, (INJECT, INSIDE, *_MORE, self._root)))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._noted.unlink(missing_ok=True)
        covered = (self._root, *(Path(folder) for folder in given.data.values()))
        with new_log(self._log) as sink:
            process = self._process = start(
                [str(given.python.absolute()), "-m", "probe_inside", str(given.adapter.resolve())],
                Box(self._home, run_bounds(), True, (self.folder,), covered),
                cwd=self._root,
                env=env,
                stdin=PIPE,
                stdout=PIPE,
                stderr=sink,
            )
        ready = self._read(process, _IMPORT_S)
        if not ready.get("ready"):
            why = ready.get("error") or _how(process.end())
            self.stop()
            raise EnvironmentFault(
                f"The kit cannot be imported in its environment: {why}.", f"See {self._log}"
            )
        with believed("What the kit's process says"):
            return from_json(Ready, ready)

    def ask(self, op: str, name: str, limit_s: float, **more: Any) -> Answer:
        """Send a request and wait for its answer; starts the process if it is not there.

        What is asked for is written to the file `name` in `folder`, what is printed to one beside.
        `limit_s` is the time limit in seconds of the processor.

        Raises EnvironmentFault if the process ends instead of answering: it forks a child for
        every run, so that no model's crash is this process's.
        """
        out = self.folder / name
        log = out.with_suffix(".log")
        request = {"op": op, "out": str(out), "log": str(log), "limit_s": limit_s, **more}
        if self._process is None:
            self.start()
        process = self._process
        if process is None or process.stdin is None:
            raise AssertionError("a started server has a standard input")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = self._read(process, limit_s * _CLOCK + _IMPORT_S)
        except BrokenPipeError:
            answer = {}
        if not answer:
            how = _how(process.end())
            self.stop()
            raise EnvironmentFault(f"A probe's server does not answer: {how}.", f"See {self._log}")
        with believed("What the kit's process says"):
            code, timed_out = int(answer["code"]), bool(answer["timed_out"])
            return Answer(code, timed_out, float(answer["grown_mb"]) / 1024, out, log)

    def forget_reads(self) -> None:
        """Forget what runs have read until now; what the server itself has read stays."""
        for file in set(self.folder.glob(f"*{READS}")) - {self._noted}:
            file.unlink()

    def reads(self) -> Reads:
        """What the server and the runs since `forget_reads` have read of checkout and samples."""
        return read_reads(sorted(self.folder.glob(f"*{READS}")))

    def _read(self, process: Boxed, seconds: float) -> dict[str, Any]:
        try:
            line = process.line(seconds)
        except TimeoutError as error:
            self.stop()
            raise EnvironmentFault(
                f"The kit's process was ended: {error}.", f"See {self._log}"
            ) from error
        with believed("What the kit's process says"):
            return dict(json.loads(line)) if line else {}

    def stop(self) -> None:
        """End the process, and the child that it may be waiting for."""
        process, self._process = self._process, None
        if process is not None:
            process.end()
            shutil.rmtree(self._home, ignore_errors=True)


class Servers:
    """Several servers of one tree, for as many threads; each starts when it is first asked."""

    def __init__(self, equipment: Equipment, root: Path, folder: Path, count: int) -> None:
        logs = (folder / f"{number}.log" for number in range(count))
        self.all = tuple(Server(equipment, root, log) for log in logs)
        self._free: SimpleQueue[Server] = SimpleQueue()
        for server in self.all:
            self._free.put(server)

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *ended: object) -> None:
        for server in self.all:
            server.__exit__(*ended)

    @contextlib.contextmanager
    def lent(self) -> Iterator[Server]:
        """Whichever is free; waits for one."""
        server = self._free.get()
        try:
            yield server
        finally:
            self._free.put(server)


def _how(end: BoxEnd) -> str:
    """How a server ended that said nothing of it."""
    if end.limit not in ("", "asked"):
        return f"it met the limit of {end.limit}"
    return (
        f"the process ended by signal {-end.code}" if end.code < 0 else f"it left with {end.code}"
    )


def equipment_of(
    kit: str,
    workspace: Workspace,
    paddle: str | None,
    python: Path | None = None,
    adapter: Path | None = None,
) -> Equipment:
    """What a kit's probes need; with both `python` and `adapter` it needs no recipe.

    Raises:
        UsageError: the kit has no adapter.
    """
    found = adapter or kit_file(kit, ADAPTER)
    if found is None:
        raise UsageError(
            f"There is no adapter to probe {kit}.",
            f"Known: {', '.join(kits_with(ADAPTER))}. Or pass one with --adapter FILE.",
        )
    if python is not None and adapter is not None:
        return Equipment(python, found)
    recipe = read_recipe(kit, "")
    # Rarer models are probed too.
    packages = (*recipe.requirements, *recipe.more_requirements)
    spec = EnvSpec(paddle or recipe.paddle, recipe.python, packages)
    return Equipment(python or ensure(spec), found, _samples(kit, workspace), recipe.env)


def _samples(kit: str, workspace: Workspace) -> dict[str, str]:
    """Folders of generated samples by kind, the one that most of the kit is trained on first."""
    made = {}
    for kind, (count, size) in sample_kinds(kit).items():
        folder = workspace.make("data") / f"{kind}-{count}-{size}-0"
        made[kind] = str(generate(kind, kit, folder, count, size, 0).resolve())
    return made
