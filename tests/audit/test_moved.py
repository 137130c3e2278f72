"""A hook of the kit's own that the change moves: the kit has it before, and it falls short there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.audit.faults import audit
from codemod.audit.reach import survey
from codemod.base.changeset import Source, Status
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.engine.rule_cases import load_cases
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.folder import CASES, kit_file

if TYPE_CHECKING:
    from pathlib import Path

CASE = "the moving average's copy undoes the kit's hook on Paddle 2.6"
CONFIG = "ppcls/configs/Net.yaml"


def test_it_counts_before_the_change_and_is_hooked_in_part(tmp_path: Path) -> None:
    file = kit_file("PaddleClas", CASES)
    assert file is not None
    (case,) = (case for case in load_cases(file) if case.name == CASE)
    for path, text in {
        **case.before,
        CONFIG: "Arch: {name: Net}\nLoss: {Train: []}\nGlobal: {output_dir: out}\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    change_set = plan_change(Source("PaddleClas", tmp_path, None)).change_set()
    (hook,) = change_set.hooks
    lines = case.before[hook.file].splitlines()
    assert hook.status is Status.INSERTED
    assert hook.moved_from is not None
    assert "apply_to_static" in lines[hook.moved_from - 1]

    kit, tree = find_kit("PaddleClas"), Tree(tmp_path)
    rule = config_rule(kit)
    assert rule is not None
    (row,) = survey(kit, rule, tree, change_set)
    assert (row.config, row.before, row.after) == (CONFIG, None, None)
    found = {finding.id: finding.line for finding in audit(tree, change_set, (row,))}
    assert "not-hooked" not in found
    assert "hooked-in-part" in found
