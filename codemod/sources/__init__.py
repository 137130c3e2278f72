"""Where a kit's files come from: a folder, a git revision, a published package."""

from codemod.sources.folder import remarks
from codemod.sources.resolve import resolve

__all__ = ["remarks", "resolve"]
