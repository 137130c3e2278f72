"""The version of the tool, as its package was built: from a git tag (see CONTRIBUTING.md)."""

from __future__ import annotations

import sys
from functools import cache

NAME = "paddle-codemod"
_FIELD = "Version: "
# Of a tree that was never installed, such as the one that the GitHub Action runs.
UNKNOWN = "0.0.0"


@cache
def version() -> str:
    """The installed package's version (`1.2.0`, between tags `1.2.1.dev4+g0a1b2c3`).

    Where its files lie in a folder they are read without `importlib.metadata`, which takes 20 ms to
    be imported, as long as click.
    """
    from pathlib import Path

    for folder in sys.path:
        for file in Path(folder).glob(f"{NAME.replace('-', '_')}-*.dist-info/METADATA"):
            for line in file.read_text("utf-8").splitlines():
                if line.startswith(_FIELD):
                    return line.removeprefix(_FIELD)
    from importlib import metadata

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return UNKNOWN
