"""The version of the tool, as its package was built: from a git tag (see CONTRIBUTING.md)."""

from __future__ import annotations

from functools import cache

# Of a tree that was never installed, such as the one that the GitHub Action runs.
UNKNOWN = "0.0.0"


@cache
def version() -> str:
    """The installed package's version (`1.2.0`, between tags `1.2.1.dev4+g0a1b2c3`)."""
    from importlib import metadata

    try:
        return metadata.version("paddle-codemod")
    except metadata.PackageNotFoundError:
        return UNKNOWN
