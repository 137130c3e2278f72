"""The site's Markdown: links lead to pages, languages to each other, every id has a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from myst_parser.slugs import github_slugify

from bench.site import guides, ids, programs
from bench.site.pages import LANGUAGES, TOP, Site
from codemod.work.explaining import known_ids
from codemod.work.issue_programs import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]*\.md|(?=#))(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#{1,5} +(.+?) *$", re.MULTILINE)


@pytest.fixture(scope="module", params=LANGUAGES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The pages of one language, but for the families."""
    made = Site(tmp_path_factory.mktemp("site") / request.param, request.param)
    for part in (guides, ids, programs):
        part.write(made)
    return made


def test_every_link_leads_to_a_page_and_to_a_heading_of_it(site: Site) -> None:
    for page in site.folder.rglob("*.md"):
        for link, anchor in _LINK.findall(_text(page)):
            target = page.parent / link if link else page
            assert target.is_file(), (page.name, link)
            assert not anchor or anchor in _slugs(target), (page.name, link, anchor)


def test_every_id_and_every_program_has_a_page(site: Site) -> None:
    assert {f"ids/{id_}.md" for id_ in known_ids()} <= _names(site.folder)
    kept = {f"{f.relative_to(TOP).with_suffix('')}.md" for f in FOLDER.glob("*.py")}
    assert len(kept) > 30 and kept <= _names(site.folder)


def test_every_page_leads_to_its_twin(site: Site) -> None:
    other = next(one for one in LANGUAGES if one != site.language)
    for name in _names(site.folder):
        text = (site.folder / name).read_text("utf-8")
        twin = f'href="{"../" * (name.count("/") + 1)}{other}/{name.removesuffix(".md")}.html"'
        assert twin in text, name


def test_every_guide_is_listed() -> None:
    found = {
        file.relative_to(TOP).as_posix().removesuffix(".md").removesuffix(".zh-CN")
        for folder in (
            "",
            "docs",
            "docs/paddle-issues",
            "docs/measured",
            "docs/paddle-issues/reports",
            "rules",
        )
        for file in (TOP / folder).glob("*.md")
    }
    assert found <= set(guides.PAGES)


def test_a_chinese_page_is_in_chinese_or_says_that_it_is_not(site: Site) -> None:
    told = "本页只有英文" in (site.folder / "CHANGELOG.md").read_text("utf-8")
    assert told is (site.language == "zh")
    tutorial = (site.folder / "docs" / "tutorial.md").read_text("utf-8")
    assert bool(re.search("[\u4e00-\u9fff]{4}", tutorial)) is (site.language == "zh")


def test_a_link_to_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="leads nowhere"):
        guides.linked("\n# A\n\n[b](nowhere.md)\n", "README", Site(tmp_path, "en"))


def _names(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*.md")}


def _text(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.DOTALL)


def _slugs(page: Path) -> set[str]:
    return {github_slugify(heading) for heading in _HEADING.findall(_text(page))}
