"""Draw the first new hook of a kit as `apply --dry-run` shows it, as an SVG for the documents.

Run: python -m bench.picture KIT FILE
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console

from codemod.base.changeset import Status
from codemod.base.files.workspace import Workspace
from codemod.engine import plan_change
from codemod.kits.sources import resolve
from codemod.reports.review import show_change, show_hook


def main(kit: str, file: str) -> None:
    """Fetch the kit, plan its change, draw it."""
    change_set = plan_change(resolve(kit, None, Workspace.at())).change_set()
    console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True)
    for index, hook in enumerate(change_set.hooks):
        if hook.status is Status.INSERTED:
            show_hook(change_set, index, console)
            break
    for change in change_set.changes:
        show_change(change, console)
    console.save_svg(file, title=f"codemod apply {kit} --dry-run")
    # Fonts are the reader's own: the document must not fetch any.
    text = Path(file).read_text(encoding="utf-8")
    while "@font-face" in text:
        start = text.index("@font-face")
        text = text[:start] + text[text.index("}", start) + 1 :]
    Path(file).write_text("\n".join(line.rstrip() for line in text.splitlines()), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
