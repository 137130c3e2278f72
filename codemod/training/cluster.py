"""Runs on several machines, by Ray: what a run needs goes to a node, what it found comes back.

Ray places runs by processors and memory, and starts a run again on another node where its own is
lost. It is an optional package: nothing here is needed for runs on this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import logging
import os
import re
import secrets
import socket
import stat
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from codemod.base.changeset import Source
from codemod.base.errors import CodemodError, EnvironmentFault, UsageError
from codemod.base.files.state import cache_folder
from codemod.base.files.workspace import Workspace
from codemod.base.git_state import tracked_files
from codemod.base.launch.start import kept_variables
from codemod.base.terminal.doing import note
from codemod.base.version import version

_Asked = TypeVar("_Asked")

LOCAL = "local"
_FOLDER = "cluster"
# How often a run is started again after its node or its worker was lost.
RETRIES = 2
_GB = 2**30
_CONNECT_S = 10
_LOOPBACK = "127.0.0.1"
_REMEDY = "Start a head with `ray start --head`, or pass --cluster local."
# Files of a checkout that training code does not need: history, pictures of documents.
_LEFT_OUT = frozenset((".git", ".codemod"))
_LARGEST_FILE = 8 * 2**20
# Beginnings of variables that workers need beside those that a kit may see.
_FOR_NODES = ("RAY_", "CODEMOD_", "XDG_")
# Names of a file, and of a folder above it, that hold keys, tokens or passwords.
_SECRET_FILE = re.compile(
    r"\.env(\..*)?|\.netrc|\.pypirc|\.npmrc|\.git-credentials|\.htpasswd"
    r"|id_(rsa|dsa|ecdsa|ed25519)|credentials(\.json|\.ya?ml)?|[^.].*\.(pem|key|p12|pfx|keystore|jks|ppk)",
    re.IGNORECASE,
)
_SECRET_FOLDERS = frozenset((".aws", ".ssh", ".gnupg", ".docker", ".kube", ".azure"))
# The first Ray that asks whoever connects for a token.
_LEAST = (2, 52)


@dataclass(frozen=True, slots=True)
class Archive:
    """A kit's files as a tar file; `digest` names the folder that a node unpacks them to."""

    digest: str
    content: bytes

    @classmethod
    def of(cls, root: Path) -> Archive:
        """The files under `root` that belong to the kit, as `_belongs` says."""
        known = tracked_files(root)
        tracked = None if known is None else frozenset(known)
        sink = io.BytesIO()
        with tarfile.open(fileobj=sink, mode="w") as tar:
            for folder, folders, files in os.walk(root):
                folders[:] = sorted(set(folders) - _LEFT_OUT)
                for name in sorted(files):
                    path = Path(folder) / name
                    short = path.relative_to(root).as_posix()
                    if _belongs(path, short, tracked):
                        tar.add(path, short, filter=_undated)
        content = sink.getvalue()
        return cls(hashlib.sha256(content).hexdigest()[:16], content)

    def unpack(self, base: Path) -> Path:
        """The folder with the files, below `base`; several processes may ask at once."""
        folder = base / self.digest
        if not folder.is_dir():
            made = base / f".{self.digest}-{os.getpid()}"
            with tarfile.open(fileobj=io.BytesIO(self.content)) as tar:
                tar.extractall(made, filter="data")
            try:
                made.rename(folder)
            except OSError:  # another process was sooner
                if not folder.is_dir():
                    raise
        return folder


def _opens_doors(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return bool(_SECRET_FILE.fullmatch(name)) or not _SECRET_FOLDERS.isdisjoint(folders)


def _belongs(path: Path, short: str, tracked: frozenset[str] | None) -> bool:
    """Whether a file goes to the nodes.

    In a work tree what git tracks, else every file; no link, nothing over 8 MiB, nothing that
    bears the name of a secret; a special file is left out with a word.
    """
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) or (tracked is not None and short not in tracked):
        return False
    if not stat.S_ISREG(status.st_mode):
        note(f"{short} is no regular file and is not sent to the nodes.")
        return False
    if _opens_doors(short):
        note(f"{short} may hold a secret and is not sent to the nodes.")
        return False
    return status.st_size <= _LARGEST_FILE


def _undated(item: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same files are the same archive, whenever and by whomever they were written."""
    item.mtime = 0
    item.uid = item.gid = 0
    item.uname = item.gname = ""
    return item


@dataclass(frozen=True, slots=True)
class Parcel(Generic[_Asked]):
    """What a node needs of a kit: its files, its name and revision, and what the user asked for.

    `own` is a file of the user's that goes along: an adapter, a recipe. An interpreter that the
    user named must be there on each node.
    """

    kit: str
    revision: str | None
    files: Archive
    asked: _Asked
    own: bytes | None

    @classmethod
    def of(cls, source: Source, asked: _Asked, own: Path | None) -> Parcel[_Asked]:
        """Everything that the nodes need of this source."""
        content = own.read_bytes() if own is not None else None
        return cls(source.name, source.revision, Archive.of(source.root), asked, content)

    def settled(self, name: str) -> tuple[Source, Workspace, Path | None]:
        """On a node: the kit's files, unpacked once, and a workspace of this worker's own.

        The user's file lies there under `name`; None without one.
        """
        base = cache_folder() / _FOLDER
        place = Workspace.at(base / f"worker-{os.getpid()}")
        place.root.mkdir(parents=True, exist_ok=True)
        file = place.root / name if self.own is not None else None
        if file is not None and self.own is not None:
            file.write_bytes(self.own)
        return Source(self.kit, self.files.unpack(base), self.revision), place, file


class WorkerLost(CodemodError):
    """A run that no node could bring to an end; the other runs go on."""


class Cluster:
    """A connection to a Ray cluster, or Ray's own processes on this machine.

    Use as a context manager. `address` is `local`, or where a head listens (`host:port`).
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._ray: Any = None
        self._within = contextlib.ExitStack()

    def __enter__(self) -> Cluster:
        local = self._address == LOCAL
        self._ray = ray = _ray(local=local)
        if not local:
            _check_open(self._address)
            note(f"Connecting to {self._address}: its nodes get the files and run the code.")
        try:
            # Ray's processes take the variables of this one, and the workers take theirs.
            with _cut_environment() if local else contextlib.nullcontext():
                # By no address Ray would take any cluster that is known on this machine.
                ray.init(
                    address=self._address,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    include_dashboard=False if local else None,
                    configure_logging=False,
                )
        except (ConnectionError, ValueError, RuntimeError, OSError) as fault:
            raise EnvironmentFault(
                f"There is no Ray cluster at {self._address}: {str(fault).splitlines()[0]}", _REMEDY
            ) from fault
        if local:
            note(_listening(ray.util.get_node_ip_address()))
        # Ray tells of nodes that go away on standard output, where results alone belong.
        self._within.enter_context(contextlib.redirect_stdout(sys.stderr))
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()
        self._within.close()

    @property
    def processors(self) -> int:
        """Processors of all nodes together."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def share(self, value: Any) -> Any:
        """A value that is sent to each node once, to be passed to `call`."""
        return self._ray.put(value)

    def call(
        self,
        function: Callable[..., Any],
        *args: Any,
        memory_gb: float,
        name: str,
        processors: int = 1,
    ) -> Any:
        """What the function returns on one of the nodes, which has room for it.

        Raises:
            WorkerLost: its node or worker went away `RETRIES` + 1 times, or no node can run it.
        """
        ray = self._ray
        remote = ray.remote(max_retries=RETRIES)(_guarded).options(
            num_cpus=processors, memory=int(memory_gb * _GB), name=name
        )
        try:
            answer = ray.get(remote.remote(function, version(), *args))
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError) as fault:
            raise WorkerLost(f"{name} was lost with its worker {RETRIES + 1} times.") from fault
        except ray.exceptions.OutOfMemoryError as fault:
            raise WorkerLost(f"{name} took more memory than its node has.") from fault
        if isinstance(answer, _Fault):
            raise WorkerLost(answer.message, answer.remedy)
        return answer


@dataclass(frozen=True, slots=True)
class _Fault:
    """An error of ours on a node: errors themselves do not travel well."""

    message: str
    remedy: str = ""


def _guarded(function: Callable[..., Any], sent_by: str, *args: Any) -> Any:
    if sent_by != version():
        return _Fault(f"A node has codemod {version()}, this machine {sent_by}.")
    try:
        return function(*args)
    except CodemodError as fault:
        return _Fault(f"On {os.uname().nodename}: {fault.message}", fault.remedy)


def _check_open(address: str) -> None:
    """Ray itself tries for minutes to reach a head that is not there."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _CONNECT_S).close()
    except (OSError, ValueError, OverflowError) as fault:
        raise EnvironmentFault(
            f"There is no Ray cluster at {address}: {fault}.", _REMEDY
        ) from fault


def _listening(address: str) -> str:
    """Where Ray's own processes listen; all of them do as the node's address says."""
    if address == _LOOPBACK:
        return f"Ray's own processes listen on {_LOOPBACK} alone, and ask for a token."
    return f"Ray's own processes listen on all interfaces ({address}), and ask for a token."


def _ray(*, local: bool) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A config that takes all memory ends itself, and is not tried over and over.
    os.environ.setdefault("RAY_task_oom_retries", "1")
    # Whoever reaches a port of Ray's may run code, so every connection needs its token.
    os.environ["RAY_AUTH_MODE"] = "token"
    if local:
        # As Ray does by itself on macOS: its processes talk over the loopback. Read at its import.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        # Of this run alone; else Ray would leave one in the user's home.
        if "RAY_AUTH_TOKEN_PATH" not in os.environ:
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        ray = importlib.import_module("ray")
    except ImportError as fault:
        raise UsageError(
            "--cluster needs Ray, which is not installed.",
            "Install it: pip install 'paddle-codemod[cluster]'",
        ) from fault
    if tuple(map(int, ray.__version__.split(".")[:2])) < _LEAST:
        raise UsageError(
            f"Ray {ray.__version__} lets anybody who reaches its ports run code.",
            "Install a newer one: pip install 'ray>=2.52'",
        )
    return ray


@contextlib.contextmanager
def _cut_environment() -> Iterator[None]:
    """Only variables that a kit may see, and Ray's own, while the block runs."""
    whole = dict(os.environ)
    more = {
        name: text
        for name, text in whole.items()
        if name.startswith(_FOR_NODES) or name in ("HOME", "TMPDIR", "PYTHONPATH")
    }
    os.environ.clear()
    os.environ.update(kept_variables(whole) | more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(whole)
