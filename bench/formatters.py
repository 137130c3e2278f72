"""Whether each kit's own formatter would change the lines that `apply` inserts.

usage: python -m bench.formatters DIR [--kit NAME]... [--tools DIR] [--show]

DIR holds a checkout a kit, named like the kit. `bench/formatters.yaml` names the formatters; each
is installed into an environment of its own below the folder of tools. Kits are not wholly
formatted, so only inserted lines count. A line that the formatter changes together with lines of
the kit's that it changes without ours too, as in a call that is not formatted, is counted apart.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from codemod.base.changeset import Source
from codemod.base.files.line_diff import added_lines, changed_spans
from codemod.engine import plan_change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import FileChange

TABLE = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True)
class Formatter:
    """A formatter at the version and with the options that a kit uses it with."""

    tool: str
    version: str
    columns: int
    exclude: tuple[str, ...] = ()

    def installed(self, tools: Path) -> Path:
        """The program, in an environment that is made where it is not there yet."""
        home = tools / f"{self.tool}-{self.version}"
        program = home / "bin" / self.tool
        if not program.exists():
            venv.create(home, with_pip=True)
            # yapf reads setuptools' metadata; black 22 needs a click that has `_unicodefun`.
            extra = ["setuptools"] if self.tool == "yapf" else ["click==8.0.4"]
            packages = [f"{self.tool}=={self.version}", *extra]
            command = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", *packages]
            subprocess.run(command, check=True)
        return program

    def run(self, program: Path, data: bytes) -> bytes:
        """The file as the formatter leaves it."""
        options = ["-q", "-l", str(self.columns), "-"]
        if self.tool == "yapf":
            style = f"{{based_on_style: pep8, column_limit: {self.columns}}}"
            options = ["--style", style]
        with tempfile.TemporaryDirectory() as folder:
            # yapf also reads what lies above the file and where it runs: a new folder has none.
            given = [] if self.tool == "black" else [str(Path(folder, "file.py"))]
            Path(folder, "file.py").write_bytes(data)
            command = [str(program), *options, *given]
            done = subprocess.run(command, input=data, capture_output=True, check=False, cwd=folder)
        if not done.stdout:
            raise ValueError(done.stderr.decode(errors="replace").strip()[-300:])
        return done.stdout


def main() -> int:
    """Print a row a kit; the exit code is 1 when a formatter changes a line for itself."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds a checkout a kit")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--tools", type=Path, default=Path("~/.cache/codemod/formatters"))
    parser.add_argument("--show", action="store_true", help="print the lines")
    args = parser.parse_args()
    print("| kit | formatter | inserted lines | changed | of these with the kit's | too long |")
    print("|---|---|---|---|---|---|")
    bad = 0
    for kit, entry in yaml.safe_load(TABLE.read_text()).items():
        if (args.folder / kit).is_dir() and kit in (args.kit or [kit]):
            formatter = Formatter(**{**entry, "exclude": tuple(entry.get("exclude", ()))})
            program = formatter.installed(args.tools.expanduser().resolve())
            counts: Counter[str] = Counter()
            source = Source(kit, args.folder / kit, None)
            for change in plan_change(source).change_set().changes:
                if change.path.endswith(".py"):
                    counts += _look(change, formatter, program, args.show)
            title = f"{formatter.tool} {formatter.version}"
            cells = (counts[key] for key in ("inserted", "changed", "shared", "long"))
            print(f"| {kit} | {title} | {' | '.join(map(str, cells))} |", flush=True)
            bad += counts["changed"] - counts["shared"] + counts["long"]
    return int(bad > 0)


def _look(change: FileChange, formatter: Formatter, program: Path, show: bool) -> Counter[str]:
    ours = added_lines(change.old, change.new)
    new = change.new.splitlines()
    counts = Counter(inserted=len(ours))
    kept = {*change.old.splitlines()}
    for line in sorted(ours):
        # A docstring has the width of its neighbours, and code that moves that of its author.
        wide = len(new[line - 1]) > formatter.columns
        if wide and new[line - 1] not in kept and not _documents(new[line - 1]):
            counts["long"] += 1
            _show(show, ">", change.path, line, new)
    if any(fnmatchcase(change.path, glob) for glob in formatter.exclude):
        return counts
    try:
        before = _changed(change.old, formatter.run(program, change.old))
        unformatted = {change.old.splitlines()[i] for lines in before for i in lines}
        after = list(_changed(change.new, formatter.run(program, change.new)))
    except ValueError as fault:
        print(f"{change.path}: {fault}", file=sys.stderr)
        return counts
    for lines in after:
        hit = [line for line in lines if line + 1 in ours]
        shared = any(new[i] in unformatted for i in lines if i + 1 not in ours)
        counts["changed"] += len(hit)
        counts["shared"] += len(hit) if shared else 0
        for line in hit:
            _show(show, "~" if shared else "!", change.path, line + 1, new)
    return counts


def _documents(line: bytes) -> bool:
    """Whether a line is an entry of a docstring, or a comment."""
    return bool(re.match(rb"\s*(#|:param|\w+ \(bool)", line))


def _show(wanted: bool, mark: str, path: str, line: int, lines: list[bytes]) -> None:
    if wanted:
        text = lines[line - 1].decode(errors="replace")
        print(f"{mark} {path}:{line}: {text}", file=sys.stderr)


def _changed(text: bytes, formatted: bytes) -> Iterator[range]:
    """The runs of lines (from 0) that the formatter changes."""
    for span in changed_spans(text.splitlines(), formatted.splitlines()):
        yield range(span.start, span.stop)


if __name__ == "__main__":
    sys.exit(main())
