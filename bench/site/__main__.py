"""Make the site from what is in the checkout, without a network.

usage: python -m bench.site [--output DIR] [--survey FILE]

Guides come from the Markdown of this checkout, ids from what `codemod explain` says, programs from
`docs/paddle-issues/`, families with their curves and the survey's page from
`docs/survey/survey.json.gz`. Sphinx makes a site a language, and warns of nothing.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from bench.site import families, guides, ids, programs
from bench.site.pages import LANGUAGES, TOP, Site
from codemod.reports.survey.pages.changes import read_survey
from codemod.reports.survey.pages.reading import survey_of

HERE = Path(__file__).parent


def make(output: Path, survey: Path) -> None:
    """Write all pages of both languages, and have Sphinx build them."""
    shutil.rmtree(output, ignore_errors=True)
    read = survey_of(read_survey(survey))
    for language in LANGUAGES:
        site = Site(output / "source" / language, language)
        guides.write(site)
        ids.write(site)
        programs.write(site)
        families.write(site, read)
        _build(site, output / language)
    shutil.copy(HERE / "templates" / "choice.html", output / "index.html")


def _build(site: Site, output: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "auto"]
    options = ["-c", str(HERE), "-D", f"language={site.sphinx_language}", "-t", site.language]
    subprocess.run([*words, *options, str(site.folder), str(output)], check=True)
    shutil.copytree(site.folder / "beside", output, dirs_exist_ok=True)


def main() -> None:
    """Make the site, and say where it begins."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=TOP / "build" / "site")
    parser.add_argument("--survey", type=Path, default=TOP / "docs/survey/survey.json.gz")
    asked = parser.parse_args()
    make(asked.output.resolve(), asked.survey)
    print(asked.output / "index.html")


if __name__ == "__main__":
    main()
