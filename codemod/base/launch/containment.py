"""What a box contains on this system: measured by starting one, and told to the user."""

from __future__ import annotations

import sys
import tempfile
from functools import cache
from pathlib import Path

from codemod.base.files.data_folder import table_beside
from codemod.base.launch.start import Box, own_folders, start
from codemod.base.terminal.doing import note


@cache
def offered() -> str:
    """How far a box that is to be contained is, here: `BoxEnd.contained` of one."""
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        home = Path(folder)
        command = [sys.executable, "-I", "-S", "-c", ""]
        box = start(command, Box(home, contained=True), cwd=home, env=own_folders(home))
        box.wait()
        return box.end().contained


def tell(*, contained: bool) -> None:
    """Say once, before a kit's code runs, what it can reach.

    Raises:
        OSError: no process can be started.
    """
    note(table_beside(__file__, "containment.yaml")[offered() if contained else "open"])
