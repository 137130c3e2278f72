"""A page for each id: what `codemod explain` says of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codemod.work.explaining import explain, known_ids, word

if TYPE_CHECKING:
    from bench.site.pages import Site


def write(site: Site) -> None:
    """Write a page for each hazard, fault, fix, kind of finding and verdict, and a list of all."""
    language = site.language
    label = partial(word, "labels", language=language)
    found = [explain(id_, language) for id_ in known_ids()]
    for one in found:
        site.render(f"ids/{one.id}", "id", one=one, label=label)
    site.render("ids/index", "ids", found=found)
