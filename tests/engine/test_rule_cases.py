"""The cases beside the kits' rules hold, as `codemod rules test` runs them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run
from codemod.engine.rule_cases import load_cases, run_case

if TYPE_CHECKING:
    from codemod.engine.rule_cases import Case

RULES = Path(__file__).parents[2] / "rules"
CASES = [case for file in sorted(RULES.glob("*/cases.yaml")) for case in load_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kit} {case.name}")
def test_a_case_holds(case: Case) -> None:
    assert run_case(case) is None


def test_the_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "test"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(CASES)} of {len(CASES)} cases hold."
