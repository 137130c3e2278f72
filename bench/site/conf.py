"""How Sphinx makes the site of one language; `python -m bench.site` says which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.search.zh import SearchChinese

from codemod.base.version import version as tool_version

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "codemod"
project_copyright = "The paddle-codemod authors"
release = tool_version()

extensions = ["myst_parser"]
# A block that names no language is what a command prints, or a tree of files.
highlight_language = "none"
myst_heading_anchors = 5
smartquotes = False  # curling the quotes takes a tenth of the build
myst_enable_extensions = ["strikethrough"]
exclude_patterns = ["beside"]
# What the kits' own languages are called, and the console, needs no lexer.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "codemod"
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = ["sidebar"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a page opened as a file may not fetch others
html_context = {
    "survey": "全部模型的清单" if "zh" in globals()["tags"] else "The survey of all models"
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "survey.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


class Search(SearchChinese):
    """Chinese search that works in a browser.

    Sphinx 9 names the stemmer by the language, and its code is that of English. A question is cut
    into words by the browser; of single signs alone it stays whole.
    """

    language_name = "English"
    js_splitter_code = """
function splitQuery(query) {
  const parts = [...new Intl.Segmenter("zh", { granularity: "word" }).segment(query)];
  const words = parts.map((one) => one.segment).filter((word) => /\\p{L}{2}/u.test(word));
  return words.length ? words : [query.trim()];
}
"""


def setup(app: Sphinx) -> None:
    """Have Chinese pages searched so."""
    app.add_search_language(Search)
