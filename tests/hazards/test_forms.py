"""Forms of Python that a mode gets wrong are told by a hazard, and are as they were measured."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench.forms import MODES, Form, forms, measured, written
from codemod.code.tree import Tree
from codemod.hazards.hazard import Effect
from codemod.hazards.measured import COLUMNS
from codemod.hazards.scan import scan

if TYPE_CHECKING:
    from pathlib import Path

FORMS = forms()
# A hazard that tells of an error warns of what goes wrong without one, too.
TELLS = {Effect.WRONG, Effect.ERROR}
FAULTS = {"wrong", "error", "hang", "crash"}


def faults(form: Form) -> set[tuple[str, str]]:
    """Modes and Paddles on which a form goes wrong."""
    return {
        (mode, paddle)
        for mode in MODES
        for paddle, told in zip(COLUMNS, getattr(form, mode), strict=True)
        if told in FAULTS
    }


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module of each form."""
    folder = tmp_path_factory.mktemp("forms")
    FORMS.write(folder)
    return folder


@pytest.mark.parametrize("form", FORMS.forms, ids=lambda form: form.name)
def test_what_goes_wrong_is_told_by_a_hazard_or_named(kit: Path, form: Form) -> None:
    seen = scan(Tree(kit), [f"{form.module}.py:Net"])
    told = {
        (mode, paddle)
        for one in seen
        for mode, effects in one.modes.items()
        for paddle, effect in effects.items()
        if effect in TELLS
    }
    missing = faults(form) - told
    assert bool(missing) == bool(form.unseen), (missing, [one.id for one in seen])
    silent = {
        (mode, paddle)
        for mode, paddle in missing
        if getattr(form, mode)[COLUMNS.index(paddle)] == "wrong"
    }
    assert not silent or re.search(r"\w+\.py\b", form.unseen), silent


def test_the_file_takes_what_was_measured() -> None:
    text = "- name: a\n  ast: [ok, wrong]\n  code: |\n    x\n- name: a-b\n  code: |\n    y\n"
    assert written(text, "a", "ast", ("ok", "ok")).startswith("- name: a\n  code: |\n    x\n")
    added = written(text, "a-b", "sot", ("ok", "hang"))
    assert added.endswith("- name: a-b\n  sot: [ok, hang]\n  code: |\n    y\n")
    assert written(added, "a-b", "sot", ("ok", "ok")) == text
    both = written(text, "a", "sot", ("ok", "error"))
    assert "  ast: [ok, wrong]\n  sot: [ok, error]\n  code" in both
    assert written(both, "a", "sot", ("hang", "ok")).count("sot: [") == 1


@pytest.mark.slow
@pytest.mark.parametrize("paddle", FORMS.paddles)
def test_silent_ones_are_as_they_were_measured(kit: Path, paddle: str) -> None:
    silent = [form for form in FORMS.forms if "wrong" in (*form.ast, *form.sot)]
    assert len(silent) > 10
    found = measured([form.module for form in silent], paddle, kit)
    at = FORMS.paddles.index(paddle)
    wanted = {form.module: {mode: getattr(form, mode)[at] for mode in MODES} for form in silent}
    assert found == wanted
