"""The Jinja templates of a room: a name that is missing is an error, and no value can act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codemod.base.terminal.text import harmless

if TYPE_CHECKING:
    from jinja2 import Environment


def templates(package: str, **more: Any) -> Environment:
    """Those in the folder `templates` of a package; in `.html` alone, values are escaped.

    `more` are further options of the environment.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        **{"keep_trailing_newline": True, **more},
    )
