"""A script without a run: the text says why it has none, as the kit's recipe knows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.changeset import FileChange, Source
from codemod.engine.hook_files import digest
from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence
from codemod.reports.pullrequest.text import LANGUAGES, render
from tests.pullrequest.test_text import HOOK, NEW, OLD, request, run_of

SHUT = "slm/model_zoo/rembert/main.py"
OPEN = "slm/examples/lexical_analysis/train.py"
WHY = {
    "en": "the kit's RemBERT hands a pair of tensors to a Linear",
    "zh": "套件的 RemBERT 把一对张量传给 Linear",
}


def told(language: str, ran: dict[str, str]) -> str:
    asked = request()
    change_set = replace(
        asked.change_set,
        source=Source("PaddleNLP", Path("/kit"), asked.change_set.source.revision),
        hooks=tuple(replace(HOOK, file=file) for file in (SHUT, OPEN)),
        changes=tuple(FileChange(file, OLD.encode(), NEW.encode()) for file in (SHUT, OPEN)),
    )
    noted = {file: f"{digest(NEW.encode())} {lines}" for file, lines in ran.items()}
    run = replace(run_of("a.json", Verdict.PASS), off=noted, hook=asked.hook)
    return render(replace(asked, change_set=change_set, evidence=CitedEvidence((run,))), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_recipe_tells_why_a_script_with_unexecuted_statements_has_no_run(language: str) -> None:
    text = told(language, {OPEN: "3"})
    (line,) = (line for line in text.splitlines() if WHY[language] in line)
    assert line.startswith(f"- `{SHUT}`") and OPEN not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_that_ran_is_not_said_to_be_untrainable(language: str) -> None:
    assert WHY[language] not in told(language, {SHUT: "3-4"})
