"""Isolated environments to train a kit in: the right Python, one Paddle, the kit's packages.

Made with uv where it is found, else with venv and pip, once: the folder's name is a hash of all
that went into it. Several processes may ask for the same environment at the same time.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from codemod.base import given
from codemod.base.errors import EnvironmentFault, Stopped
from codemod.base.files.shared_file import new_log, replace_file
from codemod.base.files.state import cache_folder
from codemod.base.launch.start import Box, start
from codemod.base.launch.tools import STDOUT, ask, found
from codemod.base.terminal.amounts import size as in_words
from codemod.base.terminal.doing import doing, hide, note
from codemod.base.terminal.templates import templates
from codemod.kits.paddles import CudaBuild, release
from codemod.training.environment import env_cost, wheels

# SOT sees most on Python 3.10: newer ones skip frames with `try`, older ones lack wheels.
BEST_PYTHON = "3.10"


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """What an environment holds. `python` is "3.10", `paddle` a version, `cuda` picks its build.

    With `wheels`, a folder, everything is installed from there and nothing is fetched. `named`
    says that somebody named the index of `cuda`, which the driver would have decided.
    """

    paddle: str
    python: str = BEST_PYTHON
    requirements: tuple[str, ...] = ()
    cuda: CudaBuild | None = None
    wheels: str = ""
    named: bool = field(default=False, compare=False)

    @property
    def packages(self) -> tuple[str, ...]:
        """All that is installed, Paddle first."""
        name = wheels.GPU if self.cuda else wheels.CPU
        return (f"{name}=={self.paddle}", *release(self.paddle).pins, *self.requirements)

    @property
    def key(self) -> str:
        """The folder's name: readable, and different for different contents."""
        held: list[object] = [self.python, self.packages]
        if self.cuda and self.cuda.index:
            held.append(self.cuda.index)
        short = hashlib.sha256(json.dumps(held).encode()).hexdigest()[:12]
        return f"paddle{self.paddle}{'-gpu' if self.cuda else ''}-py{self.python}-{short}"


def default_root() -> Path:
    """Where environments are kept: shared by all workspaces of a user, because they are large."""
    return cache_folder() / "envs"


def find_python(version: str) -> str | None:
    """An interpreter of that version: on PATH, of pyenv, or this one."""
    named = found(f"python{version}")
    if named is not None and _runs(named, version):
        return named
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for python in sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True):
        if _runs(str(python), version):
            return str(python)
    return sys.executable if f"{sys.version_info[0]}.{sys.version_info[1]}" == version else None


def _runs(python: str, version: str) -> bool:
    """Whether it is that version: pyenv's shims exist for versions that are not switched on."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = ask([python, "-I", "-c", code], cwd="/")
    return done.code == 0 and done.text.strip() == version


def _uv() -> list[str] | None:
    if uv := found("uv"):
        return [uv]
    # `-I`: the module is not looked for in the current folder, which may be anybody's.
    return [sys.executable, "-I", "-m", "uv"] if importlib.util.find_spec("uv") else None


def _call(command: list[str], what: str, folder: Path, lock: int) -> None:
    """Run a step of the installation; a terminal sees the installer's own progress.

    It ends with this process, however that ends, and holds the lock until it has ended: no other
    run makes the same environment beside it.
    """
    shown = sys.stderr.isatty()
    if shown:
        hide()
    words = [word for word in command if not shown or word != "--quiet"]
    # `with_suffix` would take what follows Python's "3." for one: the same file for many.
    log = folder.with_name(f"{folder.name}.log")
    with new_log(log) as sink:
        output = sys.stderr.fileno() if shown else sink
        # Where it stands is nobody else's folder: no module is looked for among foreign files.
        run = start(
            words,
            Box(folder.parent),
            cwd=folder.parent,
            env=os.environ,
            stdout=output,
            stderr=STDOUT,
            held=(lock,),
        )
        try:
            run.wait()
        finally:
            ended = run.end()
    lines = [line for line in given.tail(log, 20000).splitlines() if line.strip()]
    # pip's warnings and notices stand between and behind its errors.
    said = ([line for line in lines if line.startswith("ERROR: ")] or lines)[-3:]
    log.unlink()
    if ended.code != 0:
        told = "see above." if shown else " ".join(said)
        raise EnvironmentFault(f"{what} failed: {told}", f"By hand: {shlex.join(command)}")


def python_of(folder: Path) -> Path:
    """The interpreter of an environment's folder."""
    return folder / "bin" / "python"


def ensure(spec: EnvSpec, root: Path | None = None) -> Path:
    """The interpreter of an environment with that content, made now if it is not there.

    Raises EnvironmentFault if there is no such Python, or the packages cannot be installed.
    """
    base = root or default_root()
    folder = base / spec.key
    stamp = folder / ".ready"
    if stamp.exists():
        return python_of(folder)
    base.mkdir(parents=True, exist_ok=True)
    with (base / f"{spec.key}.lock").open("w") as lock:
        _wait_for(lock)
        if not stamp.exists():
            began = time.monotonic()
            try:
                _make(spec, folder, lock.fileno())
            except KeyboardInterrupt as stop:
                raise Stopped(
                    f"Interrupted; {folder} is half made, and the same command makes it anew."
                ) from stop
            env_cost.keep_cost(folder, time.monotonic() - began)
            replace_file(stamp, json.dumps(spec.packages).encode())
    return python_of(folder)


def is_made(spec: EnvSpec) -> bool:
    """Whether the environment is there, so that nothing is to be fetched for it."""
    return (default_root() / spec.key / ".ready").exists()


def _wait_for(lock: IO[str]) -> None:
    """Take the lock, once another run that makes the same environment is done."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        doing("Waiting for another run, which makes the same environment")
        fcntl.flock(lock, fcntl.LOCK_EX)


def _make(spec: EnvSpec, folder: Path, lock: int) -> None:
    python = find_python(spec.python)
    uv = _uv()
    if python is None and uv is None:
        raise EnvironmentFault(
            f"There is no Python {spec.python} here.", "Install it, or uv, which can bring it."
        )
    _foretell(spec, folder.parent)
    doing(f"Making the environment {folder.name}")
    # What an interrupted run left is not to be trusted.
    shutil.rmtree(folder, ignore_errors=True)
    if uv is not None:
        made = [*uv, "venv", "--quiet", "--python", python or spec.python, str(folder)]
        _call(made, "uv venv", folder, lock)
        # Runs write no byte code, so without this each would compile all of Paddle again.
        install = [*uv, "pip", "install", "--quiet", "--compile-bytecode", "--python"]
        install.append(str(python_of(folder)))
    else:
        _call([str(python), "-I", "-m", "venv", str(folder)], "venv", folder, lock)
        install = [str(python_of(folder)), "-I", "-m", "pip", "install", "--quiet"]
    for packages, source in _steps(spec):
        words = [*install, *source, *packages]
        doing(f"Installing {packages[0]} and {len(packages) - 1} more into {folder.name}")
        _call(words, "Installing Paddle and the kit's packages", folder, lock)


def _foretell(spec: EnvSpec, root: Path) -> None:
    """Say what will be made and fetched; refuse what cannot be before that.

    Raises:
        EnvironmentFault: the index or the folder has no such wheel, or the disk no room.
    """
    build, size = "", None
    if spec.wheels:
        name = wheels.GPU if spec.cuda else wheels.CPU
        wheels.in_folder(Path(spec.wheels), name, spec.paddle, spec.python)
    elif spec.cuda and spec.cuda.index:
        size = wheels.find_wheel(spec.cuda.index, spec.paddle, spec.python)
    # Room can be made, a wheel that is nowhere cannot: that is said first.
    env_cost.need_room(root, spec.cuda is not None)
    if spec.cuda:
        told = f", {in_words(size)} and CUDA's libraries" if size else ""
        build = f" for CUDA {spec.cuda.cuda or 'as the index has it'}{told}"
    where = f" from {spec.wheels}" if spec.wheels else ""
    more = f" and {len(spec.requirements)} packages of the kit" if spec.requirements else ""
    note(
        f"Making the environment: Paddle {spec.paddle}{build}, Python {spec.python}{more}{where}; "
        f"{env_cost.estimate(root, spec.cuda is not None)}."
    )


def _steps(spec: EnvSpec) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What is installed in turn, and where it comes from.

    Paddle's own index also has what its wheels need, and is asked for these alone: a kit's
    packages come from where all packages come from here.
    """
    if spec.wheels:
        return [(spec.packages, ("--no-index", "--find-links", spec.wheels))]
    if spec.cuda and spec.cuda.index:
        paddle, *others = spec.packages
        return [((paddle,), ("--index-url", spec.cuda.index)), (tuple(others), ())]
    return [(spec.packages, ())]


def official_image(version: str, gpu: bool) -> str:
    """Paddle's image for a version; of one that `paddles.yaml` lacks, as it would be named."""
    row = release(version)
    tag = row.image_gpu if gpu else row.image
    return f"paddlepaddle/paddle:{tag.replace(row.version, version)}"


def dockerfile(spec: EnvSpec, entry: str, slim: bool = False) -> str:
    """A Dockerfile with the same content on Paddle's official image, which holds Paddle itself.

    With `slim` it is Python's own image, and Paddle comes from the package index: for machines
    that only need the CPU. Where an index was named it is Python's own, too, for the official
    image is that of one CUDA alone; the wheels bring CUDA's libraries.
    """
    from_index = spec.named and spec.cuda is not None and bool(spec.cuda.index)
    own = slim or from_index
    base = f"python:{spec.python}-slim" if own else official_image(spec.paddle, bool(spec.cuda))
    steps = _steps(replace(spec, wheels="")) if own else [(spec.packages[1:], ())]
    template = templates(__package__).get_template("Dockerfile")
    return template.render(entry=entry, base=base, steps=steps, paddle=spec.paddle)
