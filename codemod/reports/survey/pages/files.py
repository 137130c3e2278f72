"""Which files a survey is written to, and writing them whole."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.files.shared_file import export
from codemod.base.launch.pool import beside
from codemod.base.version import version
from codemod.reports.survey.pages import document, sheet
from codemod.reports.survey.pages.document import Document, Survey
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.words import LANGUAGES

SUFFIXES = (".md", ".html", ".csv", ".json", ".json.gz")
STEM = "survey"


@dataclass(frozen=True, slots=True)
class Output:
    """One file to be written; `language` is empty for those that have none.

    With `parts`, each of several kits has a page of its own beside it.
    """

    file: Path
    suffix: str
    language: str
    parts: bool = False

    def pages(self, survey: Survey) -> dict[str, str]:
        """The names of the pages of kits that are beside this one, by kit."""
        if not self.parts or len(survey.kits) < 2:
            return {}
        return {one.kit: f"{one.kit}.{self.language}{self.suffix}" for one in survey.kits}


def outputs(target: Path, language: str, *, folder: bool) -> tuple[Output, ...]:
    """The files that `-o TARGET` means: one by its suffix, or all of them in a `folder`.

    A name such as `survey.en.html` says its language; else it is `language`.

    Raises:
        UsageError: the name has no suffix that is known.
    """
    if folder:
        return tuple(_all(target))
    suffix = "".join(target.suffixes[-2:]) if target.suffix == ".gz" else target.suffix
    if suffix not in SUFFIXES:
        raise UsageError(
            f"{target} has no suffix of a survey.",
            f"End it in {', '.join(SUFFIXES)}, or in / for a folder with all of them.",
        )
    if suffix not in (".md", ".html"):
        return (Output(target, suffix, ""),)
    named = Path(target.stem).suffix.removeprefix(".")
    return (Output(target, target.suffix, named if named in LANGUAGES else language),)


def _all(folder: Path) -> list[Output]:
    made = [
        # As one page all kits have over a MiB of Markdown, which forges do not show.
        Output(folder / f"{STEM}.{language}{suffix}", suffix, language, suffix == ".md")
        for suffix in (".md", ".html")
        for language in LANGUAGES
    ]
    return [
        *made,
        *(Output(folder / f"{STEM}{suffix}", suffix, "") for suffix in (".csv", ".json")),
    ]


def last_beside(wanted: tuple[Output, ...]) -> Path | None:
    """The JSON of an earlier survey at the place where this one goes."""
    first = wanted[0].file
    stem = first.name.partition(".")[0]
    near = (first.with_name(f"{stem}.json"), first.with_name(f"{STEM}.json"))
    return next((file for file in near if file.is_file()), None)


def write(survey: Survey, wanted: tuple[Output, ...], workspace: Path) -> None:
    """Write all files; those of one language in a process of their own, where there are several.

    Raises:
        UsageError: a file cannot be written.
    """
    first, *others = dict.fromkeys(output.language for output in wanted)
    with ExitStack() as stack:
        if others:
            stack.enter_context(beside(lambda: _write(survey, wanted, {first}, workspace)))
        _write(survey, wanted, {*others} or {first}, workspace)


def _write(
    survey: Survey, wanted: tuple[Output, ...], languages: Collection[str], workspace: Path
) -> None:
    links = Links(wanted[0].file.absolute().parent, workspace, Path.cwd())
    documents = {one: Document(survey, one, links) for one in languages if one}
    for output in wanted:
        if output.language not in languages:
            continue
        if output.language:
            made, pages = documents[output.language], output.pages(survey)
            text = made.render(f"{STEM}{output.suffix}", _other(output, wanted), pages)
            for kit, name in pages.items():
                _export(output.file.with_name(name), made.render_kit(kit, output.file.name))
        else:
            text = sheet.to_csv(survey) if output.suffix == ".csv" else as_json(survey)
        _export(output.file, text)


def _export(file: Path, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    # No date: the same survey gives the same file.
    export(file, gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)


def _other(output: Output, wanted: tuple[Output, ...]) -> str:
    """The name of the same document in the other language, where both are written."""
    near = [one for one in wanted if one.suffix == output.suffix and one.language]
    return next((one.file.name for one in near if one.language != output.language), "")


def as_json(survey: Survey) -> str:
    """The JSON form, a config a line: an example under version control shows what changed."""
    whole = document.to_json(survey, version())
    lines: list[str] = []
    for kit in whole["kits"]:
        for row in kit["rows"]:
            first = len(lines)
            lines += [json.dumps(c, ensure_ascii=False) for c in row["configs"]]
            row["configs"] = [f"\0{number}\0" for number in range(first, len(lines))]
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    return re.sub(r'"\\u0000(\d+)\\u0000"', lambda m: lines[int(m.group(1))], text) + "\n"
