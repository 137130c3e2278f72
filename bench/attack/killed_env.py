"""Environments whose making is killed: the installer dies with it, and the next run makes it whole.

The wheels are small and made here, the installer is the real one. Whoever makes the environment is
killed at a moment that is drawn, alone or with another run waiting for the same one. Then it is
made again, and every file of every package must be as its wheel has it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from bench.attack.table import attack
from codemod.training.environment.environments import EnvSpec, ensure

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
NAMES = ("paddlepaddle", "numpy", "attacked", "attacked-more")
# Files of a package: so many that installing takes its time.
FILES = 150
_PATIENCE_S = 20.0
_LATEST_S = 12.0


def attempt(seed: int, folder: Path) -> str:
    """One environment, killed once or twice."""
    draw = random.Random(seed)
    wheels, root = folder / "wheels", folder / "envs"
    wheels.mkdir()
    for name in NAMES:
        _wheel(wheels, name, draw)
    spec = EnvSpec("3.3.1", PYTHON, NAMES[2:], wheels=str(wheels))
    for _ in range(draw.randint(1, 2)):
        makers = [_started(spec, root) for _ in range(draw.randint(1, 2))]
        time.sleep(draw.random() * _LATEST_S)
        for maker in makers:
            os.kill(maker, draw.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
            os.waitpid(maker, 0)
        until = time.monotonic() + _PATIENCE_S
        while (left := _at_work(root)) and time.monotonic() < until:
            time.sleep(0.1)
        if left:
            return f"an installer runs on: {left[:60]}"
    child = _started(spec, root)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        return "it is not made again"
    place = root / spec.key
    if list(root.glob("*.part")) or not (place / ".ready").exists():
        return "it is half made"
    return _differs(place, wheels)


def _started(spec: EnvSpec, root: Path) -> int:
    child = os.fork()
    if not child:
        code = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            ensure(spec, root)
            code = 0
        finally:
            os._exit(code)
    return child


def _at_work(root: Path) -> str:
    """The command line of a process that names the folder of environments."""
    for place in Path("/proc").iterdir():
        try:
            words = (place / "cmdline").read_bytes() if place.name.isdigit() else b""
        except OSError:
            continue
        if os.fsencode(root) in words:
            return words.replace(b"\0", b" ").decode(errors="replace")
    return ""


def _differs(env: Path, wheels: Path) -> str:
    """What is not as the wheels have it."""
    site = env / "lib" / f"python{PYTHON}" / "site-packages"
    for wheel in wheels.iterdir():
        with zipfile.ZipFile(wheel) as packed:
            for name in packed.namelist():
                file = site / name
                if not name.endswith("RECORD") and (
                    not file.is_file() or file.read_bytes() != packed.read(name)
                ):
                    return "a file of a package is not whole"
    done = subprocess.run([env / "bin" / "python", "-I", "-c", "import attacked"], check=False)
    return "it does not run" if done.returncode else ""


def _wheel(folder: Path, name: str, draw: random.Random) -> None:
    """A wheel of many small files."""
    version = {"paddlepaddle": "3.3.1", "numpy": "1.26.4"}.get(name, "1.0")
    package = name.replace("-", "_")
    info = f"{package}-{version}.dist-info"
    files = {f"{package}/m{n}.py": f"a = {draw.random()}\n" * 50 for n in range(FILES)}
    files |= {
        f"{package}/__init__.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},sha256={_digest(text)},{len(text)}\n" for path, text in files.items()]
    files[f"{info}/RECORD"] = "".join((*rows, f"{info}/RECORD,,\n"))
    with zipfile.ZipFile(folder / f"{package}-{version}-py3-none-any.whl", "w") as packed:
        for path, text in files.items():
            packed.writestr(path, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    sys.exit(attack("environments whose making is killed", 40, attempt))
