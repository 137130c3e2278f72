"""What a box contains on this system: measured by starting one, and told to the user."""

from __future__ import annotations

import sys
import tempfile
from functools import cache
from pathlib import Path

from codemod.base.launch.start import Box, own_folders, start
from codemod.base.terminal.doing import note

_OPEN = (
    "The kit's code runs as you: it can read and write your files and use the network. It sees a "
    "list of variables alone, and ends with all that it started."
)
_CONTAINED = {
    "all": "The kit's code runs contained: nothing is written outside its own folder, no network "
    "is reached, other processes are out of sight. It can read your files.",
    "files": "The kit's code runs contained as far as this system offers it: nothing is written "
    "outside its own folder, no TCP is opened. It can read your files, change modes and times, and "
    "send datagrams.",
    "writes": "The kit's code runs contained as far as this system offers it: nothing is written "
    "outside its own folder. It can read your files and use the network.",
    "nothing": f"This system contains nothing. {_OPEN}",
}


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
    note(_CONTAINED[offered()] if contained else _OPEN)
