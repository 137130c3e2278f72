"""The guides: the Markdown of the checkout, each page in its language or else in English."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING

from docutils.nodes import make_id

from bench.site.pages import TOP

if TYPE_CHECKING:
    from bench.site.pages import Site

# In the order in which the site lists them.
FOR_USERS = (
    "README",
    "docs/tutorial",
    "docs/questions",
    "docs/check",
    "docs/pull-requests",
    "docs/parity",
    "docs/speed",
    "docs/convergence",
    "docs/runs",
    "docs/probe",
    "docs/survey",
    "docs/fixes",
    "docs/spec",
    "docs/reduce",
    "docs/hazards",
    "docs/paddle-issues/README",
    "docs/results",
    "docs/evidence",
    "docs/splits",
    "docs/unknown-repositories",
    "SECURITY",
)
FOR_DEVELOPERS = (
    "CONTRIBUTING",
    "docs/architecture",
    "docs/eleventh-kit",
    "rules/README",
    "docs/measured/modules",
    "docs/measured/benches",
    "docs/measured/check",
    "docs/measured/convergence",
    "docs/measured/evidence",
    "docs/measured/executed",
    "docs/measured/fixes",
    "docs/measured/hazards",
    "docs/measured/mutants",
    "docs/measured/parity",
    "docs/measured/planted",
    "docs/measured/reducing",
    "docs/measured/spec",
    "docs/measured/speed",
    "docs/measured/unknown",
    "docs/measured/verdict-cost",
    "docs/paddle-issues/reports/nested_break",
    "docs/paddle-issues/reports/number_setitem",
    "docs/paddle-issues/reports/returned_operand",
    "CHANGELOG",
)
PAGES = (*FOR_USERS, *FOR_DEVELOPERS)
# Where the site has something else in the place of a path of the checkout.
_INSTEAD = {
    "docs/survey": "survey.html",
    "docs/survey/survey.en.md": "survey.html",
    "docs/survey/survey.zh.md": "survey.html",
    "bench/site": "index.html",
}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_SWITCH = re.compile(r"^\[(?:中文|English)\]\([\w./-]+\)\n", re.MULTILINE)
_FENCE = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)
_PICTURES = "docs/pictures"


def write(site: Site) -> None:
    """Write all guides, the pictures, and the first page."""
    for page in PAGES:
        own = TOP / f"{page}.zh-CN.md"
        translated = site.language == "zh" and own.exists()
        text = (own if translated else TOP / f"{page}.md").read_text(encoding="utf-8")
        if site.language == "zh" and not translated:
            text = _noted(text, site.word("english_only"))
        site.write(page, linked("\n" + _SWITCH.sub("", text, count=1), page, site))
    for folder in (site.folder / _PICTURES, site.beside(_PICTURES)):
        shutil.copytree(TOP / _PICTURES, folder, dirs_exist_ok=True)
    site.render("index", "index", users=FOR_USERS, developers=FOR_DEVELOPERS)


def _noted(text: str, note: str) -> str:
    """The text with a note under its heading."""
    title, _, body = text.partition("\n")
    return f"{title}\n\n*{note}*\n{body}"


def linked(text: str, page: str, site: Site) -> str:
    """The text with links that lead to pages of the site; what has none there is told by name."""
    parts = _FENCE.split(text)
    parts[::2] = (_LINK.sub(lambda found: _link(found, page, site), part) for part in parts[::2])
    return "".join(parts)


def _link(found: re.Match[str], page: str, site: Site) -> str:
    picture, label, target = found.groups()
    if picture or re.match(r"https?:|mailto:|#", target):
        return found.group()
    path, hash_, anchor = target.partition("#")
    whole = normpath(f"{PurePosixPath(page).parent}/{path}")
    label = _LINK.sub(lambda inner: inner[2], label)
    if whole in _INSTEAD:
        return f'<a href="{_up(page)}{_INSTEAD[whole]}">{label}</a>'
    known = whole.removesuffix(".md").removesuffix(".zh-CN")
    if known == page and whole == f"{page}.md" and site.language == "zh":
        # A Chinese page that says what its English twin has more of.
        place = f"#{make_id(anchor)}" if anchor else ""
        return f'<a href="{_up(page)}../en/{page}.html{place}">{label}</a>'
    if whole.endswith(".md") and known in PAGES:
        return f"[{label}]({_up(page)}{known}.md{hash_}{anchor})"
    if whole.startswith("docs/paddle-issues/") and whole.endswith(".py"):
        return f"[{label}]({_up(page)}{whole.removesuffix('.py')}.md)"
    if not (TOP / whole).exists():
        raise ValueError(f"{page}: {target} leads nowhere")
    return label if Path(whole).name in label else f"{label} (`{whole}`)"


def _up(page: str) -> str:
    return "../" * page.count("/")
