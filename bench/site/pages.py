"""A page of the site: where it lies, in which language, and the link to its twin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import yaml

from codemod.base.terminal.text import harmless, in_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = Path(__file__).resolve().parents[2]
LANGUAGES = {"en": "en", "zh": "zh_CN"}
"""The site's languages, by what Sphinx calls them."""
_HERE = Path(__file__).parent


@cache
def _words() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = yaml.safe_load((_HERE / "words.yaml").read_text("utf-8"))
    return table


def _cell(text: object) -> str:
    """Text of others in a cell, whose paths may end a line behind any `/`."""
    return in_markdown(str(text)).replace("/", "/<wbr>")


@cache
def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    made.filters["cell"] = _cell
    return made


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one language, in the `folder` that Sphinx reads."""

    folder: Path
    language: str

    @property
    def sphinx_language(self) -> str:
        """What Sphinx calls the language."""
        return LANGUAGES[self.language]

    def word(self, key: str) -> str:
        """A word of the pages' own."""
        return _words()[key][self.language]

    def render(self, page: str, template: str, **values: Any) -> None:
        """Write the page `page` (its path without a suffix) from a template."""
        word: Callable[[str], str] = self.word
        text = _templates().get_template(f"{template}.md").render(w=word, **values)
        self.write(page, text)

    def write(self, page: str, text: str) -> None:
        """Write a page of Markdown; the link to its twin comes behind its heading."""
        other = next(one for one in LANGUAGES if one != self.language)
        up = "../" * (page.count("/") + 1)
        link = f'<p class="twin"><a href="{up}{other}/{page}.html">{self.word("other")}</a></p>'
        head, _, rest = text.partition("\n# ")
        title, _, body = rest.partition("\n")
        file = self.folder / f"{page}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{head}\n# {title}\n\n{link}\n{body}", encoding="utf-8")

    def beside(self, path: str) -> Path:
        """Where a file goes that is no page, such as a picture; it keeps its place in the site."""
        file = self.folder / "beside" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        return file
