"""Guards of SECURITY.md, each taken out of a copy of the tool: a test must see that it is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    Guard(
        "a journal that names files outside the tree is refused",
        "base/patch/ledger.py",
        'if not parts or ".." in parts',
        'if False and ".." in parts',
        "patch/test_ledger.py::test_a_damaged_note_is_one_sentence_and_nothing_is_undone",
    ),
    Guard(
        "a damaged record is told in a sentence",
        "base/patch/ledger.py",
        'raise _damaged(file, "it is not whole") from error',
        "raise",
        "patch/test_ledger.py::test_a_damaged_note_is_one_sentence_and_nothing_is_undone",
    ),
    Guard(
        "files that belong together are reverted together",
        "base/patch/apply.py",
        "left = _together(entries, set(conflicts))",
        "left = set(conflicts)",
        "patch/test_ledger.py::test_files_of_one_hook_are_taken_out_together_or_not_at_all",
    ),
    Guard(
        "hard links are not parted",
        "base/atomic.py",
        "if target.stat().st_nlink > 1:",
        "if False:",
        "patch/test_ledger.py::test_hard_links_are_refused_and_modes_are_kept",
    ),
    Guard(
        "a repository that git cannot read is not written to",
        "base/git_state.py",
        'if any((folder / ".git").exists() for folder in (root, *root.resolve().parents)):',
        "if False:",
        "patch/test_ledger.py::test_a_corrupt_index_stops_the_run",
    ),
    Guard(
        "a workspace that is a link is refused",
        "base/workspace.py",
        "if root.is_symlink():",
        "if False:",
        "base/test_workspace.py::test_a_workspace_that_is_a_link_is_refused",
    ),
    Guard(
        "a workspace that git tracks is refused",
        "base/workspace.py",
        'if run_git(root.parent, "--literal-pathspecs"',
        'if False and run_git(root.parent, "--literal-pathspecs"',
        "base/test_workspace.py::test_a_workspace_that_came_with_a_repository_is_refused",
    ),
    Guard(
        "a note of a kit leads nowhere else",
        "kits/sources/fetch.py",
        "if root != known.get(str(origin)) or",
        "if",
        "attack/test_foreign_folders.py::test_a_note_leads_nowhere_else",
    ),
    Guard(
        "an export is no device",
        "base/shared_file.py",
        "if not stat.S_ISREG(file.stat().st_mode):\n            raise UsageError",
        "if False:\n            raise UsageError",
        "base/test_shared_file.py",
    ),
    Guard(
        "names from result files lead nowhere",
        "base/shared_file.py",
        'if name in ("", ".", "..") or "/" in name or "\\\\" in name:',
        "if False:",
        "base/test_shared_file.py",
    ),
    Guard(
        "a bug is no finding",
        "cli/main.py",
        "fault.exit_code = BUG",
        "pass",
        "cli/test_faults.py::test_a_bug_is_no_finding",
    ),
)


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the tool with its tests, in which guards are taken out."""
    with tempfile.TemporaryDirectory(prefix="codemod-guard-") as folder:
        copy = Path(folder)
        for name in ("codemod", "tests", "bench", "rules", "kits.yaml", "pyproject.toml"):
            source = TOP / name
            make = shutil.copytree if source.is_dir() else shutil.copy
            make(source, copy / name)
        yield copy


def seen(guard: Guard, copy: Path) -> bool:
    """Whether the guard's test fails without it; with it, `tests/` is green anyway."""
    file = copy / "codemod" / guard.file
    text = file.read_text(encoding="utf-8")
    if guard.text not in text:
        raise ValueError(f"{guard.file} holds no {guard.text!r}")
    file.write_text(text.replace(guard.text, guard.without), encoding="utf-8")
    # Folders of its own: other runs of pytest clear the usual ones away.
    own = ["-q", "-x", "-rf", f"--basetemp={copy / 'temporary'}"]
    command = [sys.executable, "-m", "pytest", *own, f"tests/{guard.test}"]
    env = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, check=False)
    finally:
        file.write_text(text, encoding="utf-8")
    return done.returncode == 1


def main() -> int:
    """Print a row for each guard; the exit code is 1 where its loss is not seen."""
    print("| guard | its loss is seen |\n|---|---|")
    missed = 0
    with copied() as copy:
        for guard in GUARDS:
            found = seen(guard, copy)
            missed += not found
            print(f"| {guard.what} | {'yes' if found else 'NO'} |", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
