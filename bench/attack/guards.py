"""Guards of SECURITY.md, each taken out of a copy of the tool: a test must see that it is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard: what it is, its file below `codemod/`, its text, what stands there without it."""

    what: str
    file: str
    text: str
    without: str
    test: str


GUARDS = (
    Guard(
        "folders are opened through no link",
        "base/atomic.py",
        "(0 if above is None else os.O_NOFOLLOW)",
        "0",
        "attack/test_programs.py::test_link_races_change_nothing_outside",
    ),
    Guard(
        "state of another owner is refused",
        "base/state.py",
        "if status.st_uid != os.geteuid():",
        "if False:",
        "attack/test_foreign_state.py",
    ),
    Guard(
        "state that everyone may write is refused",
        "base/state.py",
        "if status.st_mode & 0o002:",
        "if False:",
        "attack/test_foreign_state.py",
    ),
    Guard(
        "a planted kit is refused",
        "kits/sources/fetch.py",
        "if not is_own(folder, origin, revision):",
        "if False:",
        "attack/test_foreign_state.py",
    ),
    Guard(
        "an object of git's is what its name says",
        "kits/sources/provenance.py",
        "if _name(kind, data) != name:",
        "if False:",
        "attack/test_foreign_state.py",
    ),
    Guard(
        "programs are not looked for in the current folder",
        "base/launch/tools.py",
        "if os.path.isabs(folder)]",
        "]",
        "base/test_launch.py::test_a_program_in_the_current_folder_is_not_found",
    ),
    Guard(
        "a box ends all that it started",
        "base/launch/inside/box_inside/supervisor.py",
        "system.prctl(system.SET_SUBREAPER, 1)",
        "pass",
        "base/test_launch.py::test_nothing_is_left",
    ),
    Guard(
        "files are read-only in a box",
        "base/launch/inside/box_inside/namespaces.py",
        'system.set_read_only("/", read_only=True, below=True)',
        "pass",
        "base/test_launch.py::test_a_contained_process_reaches_its_own_folder_alone",
    ),
    Guard(
        "Landlock holds where namespaces are not offered",
        "base/launch/inside/box_inside/landlock.py",
        "    system.call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))\n",
        "",
        "base/test_launch.py::test_without_namespaces_landlock_holds_files_and_connections",
    ),
    Guard(
        "variables are cut to a list",
        "base/launch/box.py",
        "if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)",
        "",
        "base/test_launch.py::test_variables_that_may_hold_secrets_stay_outside",
    ),
    Guard(
        "text of others makes no link",
        "base/text.py",
        "_LINK.sub(",
        "re.compile('$x').sub(",
        "base/test_text.py",
    ),
)


def seen(guard: Guard) -> bool:
    """Whether the guard's test fails without it; with it, `tests/` is green anyway."""
    with tempfile.TemporaryDirectory(prefix="codemod-guard-") as folder:
        copy = Path(folder)
        for name in ("codemod", "tests", "bench", "rules", "kits.yaml", "pyproject.toml"):
            source = TOP / name
            make = shutil.copytree if source.is_dir() else shutil.copy
            make(source, copy / name)
        file = copy / "codemod" / guard.file
        text = file.read_text(encoding="utf-8")
        if guard.text not in text:
            raise ValueError(f"{guard.file} holds no {guard.text!r}")
        file.write_text(text.replace(guard.text, guard.without), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", f"tests/{guard.test}"]
        env = {**os.environ, "PYTHONPATH": folder}
        return (
            subprocess.run(command, cwd=copy, env=env, capture_output=True, check=False).returncode
            == 1
        )


def main() -> int:
    """Print a row for each guard; the exit code is 1 where its loss is not seen."""
    print("| guard | its loss is seen |\n|---|---|")
    missed = 0
    for guard in GUARDS:
        found = seen(guard)
        missed += not found
        print(f"| {guard.what} | {'yes' if found else 'NO'} |", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
