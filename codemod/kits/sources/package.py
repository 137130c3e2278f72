"""A kit as the package index has it, unpacked, never installed or built."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

from codemod.base.errors import EnvironmentFault
from codemod.base.launch.tools import ask, found
from codemod.kits.catalogue import Kit, Package

TIMEOUT_SECONDS = 600


def unpack(kit: Kit, package: Package, into: Path, why: EnvironmentFault) -> None:
    """Unpack the package's wheel into `into`; `why` says what git answered before.

    Only wheels are taken: a source archive would run its own code while being prepared.

    Raises:
        EnvironmentFault: there is no installer, or the index cannot be reached.
    """
    shutil.rmtree(into, ignore_errors=True)
    wanted = f"{package.name}=={package.version}"
    options = ["--no-deps", "--target", str(into), wanted]
    try:
        done = ask([*_installer(), *options], cwd=into.parent, seconds=TIMEOUT_SECONDS)
        lines = [line for line in done.complaint.splitlines() if line.strip()]
        reason = lines[-1].strip() if lines else f"it ended with {done.code}"
    except TimeoutError:
        done, reason = None, f"no answer in {TIMEOUT_SECONDS} s"
    if done is None or done.code != 0 or not (into / package.root).is_dir():
        raise EnvironmentFault(
            f"{why.message} Nor can the package {wanted}: {reason.removeprefix('ERROR: ')}.",
            f"Give a checkout of {kit.name} with `--path DIR`, set CODEMOD_MIRROR, "
            "or try again with a network.",
        )


def _installer() -> list[str]:
    """The command that unpacks a wheel: pip of this Python, else uv."""
    if importlib.util.find_spec("pip"):
        options = ["--quiet", "--no-compile", "--only-binary", ":all:", "--no-input"]
        return [sys.executable, "-I", "-m", "pip", "install", *options, "--retries", "1"]
    uv = found("uv")
    if uv is None:
        raise EnvironmentFault(
            "The package cannot be fetched: neither pip nor uv is there.", "Install one of them."
        )
    # By default uv links files to its cache, and no file of a kit may have a second name.
    options = ["--quiet", "--only-binary", ":all:", "--link-mode", "copy"]
    return [uv, "pip", "install", *options]
