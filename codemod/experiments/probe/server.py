"""One process in the kit's environment that forks a child for each run; restarted when it dies."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from codemod.base.doing import doing
from codemod.base.errors import EnvironmentFault
from codemod.training.runner import INJECT, Wanted, environment

if TYPE_CHECKING:
    from types import TracebackType

INSIDE = Path(__file__).parent / "inside"


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


class Server:
    """Serves one request at a time. Use as a context manager; it starts at the first request.

    `adapter` is the Python file that builds the kit's models; `data` are
    folders of samples by their kind. `variables` are laid over the environment, save for
    PYTHONPATH, which holds the checkout anyway.
    """

    def __init__(
        self,
        python: Path,
        root: Path,
        adapter: Path,
        log: Path,
        data: dict[str, str] | None = None,
        variables: dict[str, str] | None = None,
    ) -> None:
        self._python = python
        self._root = root
        self._adapter = adapter
        self._log = log
        self._data = data or {}
        self._variables = variables or {}
        self._process: subprocess.Popen[str] | None = None
        self._sink: IO[bytes] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> Ready:
        """Start the process and wait until Paddle and the kit are imported.

        Raises EnvironmentFault if they cannot be.
        """
        self.stop()
        doing("Importing Paddle and the kit")
        self._log.parent.mkdir(parents=True, exist_ok=True)
        env = environment(Wanted("probe", "dynamic", 0), self._log, "cpu", self._variables)
        env.pop("CODEMOD_PARITY")
        env["CODEMOD_PROBE_DATA"] = json.dumps(self._data)
        env["PYTHONPATH"] = os.pathsep.join((str(INJECT), str(INSIDE), str(self._root)))
        self._sink = self._log.open("wb")
        self._process = subprocess.Popen(
            [str(self._python), "-m", "probe_inside", str(self._adapter)],
            cwd=self._root,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._sink,
            text=True,
            start_new_session=True,
        )
        ready = self._read()
        if not ready.get("ready"):
            self.stop()
            why = ready.get("error", "the process ended")
            raise EnvironmentFault(
                f"The kit cannot be imported for probes: {why}.", f"See {self._log}"
            )
        return Ready(
            str(ready["paddle"]), int(ready["adapter"]), tuple(ready["configs"]), ready["note"]
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; starts the process if it is not there.

        Raises EnvironmentFault if the process ends instead of answering: it forks a child for
        every run, so that no model's crash is this process's.
        """
        if self._process is None:
            self.start()
        process = self._process
        if process is None or process.stdin is None:
            raise AssertionError("a started server has a standard input")
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = self._read()
        except BrokenPipeError:
            answer = {}
        if not answer:
            self.stop()
            raise EnvironmentFault("A probe's server ended.", f"See {self._log}")
        return answer

    def _read(self) -> dict[str, Any]:
        if self._process is None or self._process.stdout is None:
            raise AssertionError("only a started server is read from")
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {}
        return answer

    def stop(self) -> None:
        """End the process; the child that it may be waiting for ends itself by its limit."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        if self._sink is not None:
            self._sink.close()
            self._sink = None
