"""Where a kit's files come from: a folder, a git revision, a published package."""

from codemod.kits.sources.folder import remarks
from codemod.kits.sources.resolve import changed, resolve, shown_root

__all__ = ["changed", "remarks", "resolve", "shown_root"]
