"""How Sphinx makes the site of one language; `python -m bench.site` says which."""

from codemod import __version__

project = "codemod"
project_copyright = "The paddle-codemod authors"
release = __version__

extensions = ["myst_parser"]
myst_heading_anchors = 5
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
