"""Forms of Python in a layer below a hooked net, and what each mode makes of them.

usage: python -m bench.forms [NAME...] [--write]

Each form of `forms.yaml` is run in AST and SOT on both Paddles, two steps beside a dynamic one.
What is other than on file is printed; `--write` puts it into the file. A test holds each form that
goes wrong to a hazard that tells so.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.training.environment.environments import EnvSpec, ensure

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMS = Path(__file__).with_suffix(".yaml")
INSIDE = Path(__file__).with_name("forms_inside.py")
MODES = ("ast", "sot")


@dataclass(frozen=True, slots=True)
class Form:
    """One form; `ast` and `sot` say what becomes of it on each Paddle of the file."""

    name: str
    code: str
    ast: tuple[str, ...] = ("ok", "ok")
    sot: tuple[str, ...] = ("ok", "ok")
    unseen: str = ""

    @property
    def module(self) -> str:
        """The name of its module."""
        return "form_" + self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms: a module is `head`, the form's code in a layer's forward, and `tail`."""

    paddles: tuple[str, ...]
    head: str
    tail: str
    forms: tuple[Form, ...]

    def write(self, folder: Path) -> None:
        """Write the module of each form."""
        for form in self.forms:
            text = self.head + textwrap.indent(form.code, " " * 8) + self.tail
            (folder / f"{form.module}.py").write_text(text, encoding="utf-8")


def forms(file: Path = FORMS) -> Forms:
    """The forms on file."""
    return read_record(Forms, read_yaml(file))


def measured(names: Iterable[str], paddle: str, folder: Path) -> dict[str, dict[str, str]]:
    """What each mode makes of the forms whose modules are in a folder, by module."""
    python = ensure(EnvSpec(paddle, "3.10"))
    # Isolated: this folder has modules that are named as some of Python's.
    command = [str(python), "-I", str(INSIDE), str(folder), *names]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder)
    lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith('["form_')]
    return {name: dict(zip(MODES, found, strict=True)) for name, *found in lines}


def written(text: str, form: str, mode: str, told: tuple[str, ...]) -> str:
    """The file with what a mode makes of a form; nothing is said of what is right everywhere."""
    head = re.compile(
        rf"(- name: {re.escape(form)}\n(?:  (?!code:|{mode}:).*\n)*)(  {mode}: .*\n)?(?=  )"
    )
    line = "" if set(told) == {"ok"} else f"  {mode}: [{', '.join(told)}]\n"
    return head.sub(lambda found: found[1] + line, text, count=1)


def main() -> int:
    """Run the forms; the exit code is 1 where one is other than on file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--write", action="store_true", help="put what is found into the file")
    asked = parser.parse_args()
    known = forms()
    wanted = [form for form in known.forms if not asked.names or form.name in asked.names]
    text, other = FORMS.read_text(encoding="utf-8"), 0
    with tempfile.TemporaryDirectory() as place:
        known.write(Path(place))
        names = [form.module for form in wanted]
        found = [measured(names, paddle, Path(place)) for paddle in known.paddles]
    for form in wanted:
        for mode in MODES:
            told = tuple(one[form.module][mode] for one in found)
            on_file = getattr(form, mode)
            if told != on_file:
                print(f"{form.name} {mode}: {', '.join(told)}; on file {', '.join(on_file)}")
                text, other = written(text, form.name, mode, told), other + 1
    if asked.write:
        FORMS.write_text(text, encoding="utf-8")
    return int(other > 0 and not asked.write)


if __name__ == "__main__":
    sys.exit(main())
