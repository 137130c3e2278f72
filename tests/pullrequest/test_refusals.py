"""Runs that a check of the change refuses are told apart from runs that failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemod.base.changeset import FileChange
from codemod.base.reason import Reason
from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence, CitedRun
from codemod.reports.pullrequest.claims.outcomes import error_patterns, is_refused
from codemod.reports.pullrequest.text import LANGUAGES, render
from tests.pullrequest.test_text import request, run_of

CHECKS = """\
def train(cfg):
    assert not cfg.on, (
        'Leave out to_static: {} needs gradients '
        'of gradients.'.format(cfg.name))
    if cfg.late:
        raise ValueError(f"{cfg.name} changes at step {cfg.late}.")
    if cfg.copies:
        raise RuntimeError("It trains copies.")
    model = build(cfg)
    run(model)
"""


def ended(error: str, config: str = "a.yml") -> CitedRun:
    said = (Reason.of("judging.static-fails", last=error),)
    return replace(run_of(config, Verdict.FAILS), said=said)


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        ("AssertionError: Leave out to_static: GPEN needs gradients of gradients.", True),
        ("ValueError: PETR changes at step 12.", True),
        ("RuntimeError: It trains copies.", True),
        ("RuntimeError: It trains.", False),
        ("AttributeError: 'Value' object has no attribute 'set_value'", False),
    ],
)
def test_an_error_that_lines_of_the_change_raise_is_a_refusal(error: str, refused: bool) -> None:
    asked = request(new=CHECKS)
    assert is_refused(ended(error), error_patterns(asked.change_set)) is refused


def test_a_check_that_the_kit_has_refuses_nothing_in_the_name_of_the_change() -> None:
    kits_own = request().change_set
    change = FileChange("a|b.py", CHECKS.encode(), CHECKS.replace("build(", "make(").encode())
    assert error_patterns(replace(kits_own, changes=(change,))) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_refused_did_not_fail_to_finish(language: str) -> None:
    """PaddleGAN's text told of ten runs that did not finish; four were refused on purpose."""
    rows = (
        ended("RuntimeError: It trains copies."),
        ended("RuntimeError: It trains copies.", "b.yml"),
        ended("OSError: gone", "c.yml"),
    )
    text = render(replace(request(new=CHECKS), evidence=CitedEvidence(rows)), language)
    wanted = {
        "en": "**1 run (1 config) did not finish**; **2 runs (2 configs) were refused by a check "
        "that this change brings**.",
        "zh": "**1 个配置的 1 次未能跑完**；**2 个配置的 2 次被本次改动加入的检查拒绝**。",
    }
    assert wanted[language] in text
