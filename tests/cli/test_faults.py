"""Whatever the system refuses ends in a sentence and exit code 3; a bug of ours is none of 0 to 3."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-I", "-m", "codemod"]


def run(
    *words: str, env: dict[str, str] | None = None, before: str = "", stdout: str = ""
) -> subprocess.CompletedProcess[str]:
    """The command with what is done in its process before, or with standard output led elsewhere."""
    command = [*COMMAND, *words]
    if before:
        start = f"import sys; sys.argv[1:] = {list(words)!r}; {before}; import codemod.cli; codemod.cli.main()"
        command = [sys.executable, "-c", start]
    if stdout:
        command = ["sh", "-c", f'"$@" {stdout}', "sh", *command]
    return subprocess.run(
        command, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_output_is_told() -> None:
    done = run("kits", stdout=">/dev/full")
    assert (done.returncode, done.stderr.count("Error: ")) == (3, 1)
    assert "No space left" in done.stderr


def test_a_closed_output_is_told() -> None:
    done = run("kits", stdout=">&-")
    assert done.returncode == 3
    assert done.stderr.startswith("Error: ")


@pytest.mark.parametrize("name", ["GIT_CONFIG_COUNT", "SUDO_UID"])
@pytest.mark.parametrize("value", ["abc", "9" * 50])
def test_numbers_in_variables(name: str, value: str, minikit: Path) -> None:
    done = run("diff", str(minikit), env={name: value})
    assert "bug in codemod" not in done.stderr
    assert done.returncode in (0, 2)


@pytest.mark.parametrize("call", ["open", "stat", "lstat", "scandir", "listdir", "mkdir", "fsync"])
@pytest.mark.parametrize("number", [5])
@pytest.mark.parametrize("at", [3])
def test_a_call_that_fails_ends_in_a_sentence(
    call: str, number: int, at: int, minikit: Path
) -> None:
    faulty = (
        "import os, codemod.cli.commands.apply, codemod.work.planning;"
        f"real = os.{call}; left = [{at}]\n"
        "def faulty(*a, **k):\n"
        "    left[0] -= 1\n"
        f"    if left[0] == 0: raise OSError({number}, os.strerror({number}), str(a[0]) if a else None)\n"
        "    return real(*a, **k)\n"
        f"os.{call} = faulty\n"
        "pass"
    )
    done = run("apply", str(minikit), before=faulty)
    assert "bug in codemod" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2, 3)


def test_a_bug_is_no_finding(minikit: Path) -> None:
    broken = "import codemod.work.planning as p; p.plan = None; p.outcomes = None"
    done = run("diff", str(minikit), before=broken)
    assert "bug in codemod" in done.stderr
    assert done.returncode == 70


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (
            "OSError(5, 'Input/output error', 'a.py')",
            "a.py cannot be read or written (Input/output error).",
        ),
        # A library that is refused a call while it loads.
        (
            "ImportError('not initialized') from OSError(28, 'No space left')",
            "The system refused a call (No space left).",
        ),
    ],
)
def test_a_refused_call_is_no_bug(minikit: Path, refused: str, told: str) -> None:
    broken = (
        "import codemod.work.planning as p\n"
        f"def no(*a, **k): raise {refused}\n"
        "p.plan = p.outcomes = no\n"
        "pass"
    )
    done = run("diff", str(minikit), before=broken)
    assert done.stderr.startswith(f"Error: {told}")
    assert done.returncode == 3
