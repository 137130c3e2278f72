"""Further roots of a kit: contributed projects, with configs and rules of their own."""

from __future__ import annotations

import pytest

from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import config_rule
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.inventory import MAIN, roots

KITS = load_kits()


@pytest.mark.parametrize("name", KITS)
def test_what_is_another_program_to_the_kit_is_so_to_its_projects(name: str) -> None:
    """RSSegBenchmark's `ResNet_vd` was taken to be that of Matting, a third program, as well."""
    kit = KITS[name]
    rule = config_rule(kit)
    assert [where for where, _, _ in roots(kit, rule, catalogue(name))].count(MAIN) == bool(rule)
    for _, _, how in roots(kit, rule, catalogue(name)):
        assert rule is None or set(rule.apart) <= set(how.apart)
        assert rule is None or set(rule.aside) <= set(how.aside)
