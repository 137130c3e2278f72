"""What rewritten code costs dynamic training, as a pull request tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import yaml

from codemod.base.changeset import Source
from codemod.base.files.data_folder import data_path
from codemod.judging.evidence.fix_costs import FILE, fix_costs
from codemod.judging.evidence.fix_proofs import PROOFS, Dynamic, FixProof
from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest import text
from codemod.reports.pullrequest.text import LANGUAGES, render
from tests.pullrequest.test_sentences import offer
from tests.pullrequest.test_text import request

MEASURED = "models/recall/mhcn/config.yaml"


def proof(config: str, ground: str) -> FixProof:
    before, after = {"ast": Verdict.FAILS}, {"ast": Verdict.PASS}
    named = ("D-72 net.py:9",)
    return FixProof(
        "PaddleRec", config, "3.3.1", named, ground, Dynamic.EQUAL, before, after, 1, 1, 2
    )


def told(*proofs: FixProof) -> list[str]:
    mended = tuple(replace(offer(("D-69", 9)), proofs={"3.3.1": one}) for one in proofs)
    asked = request()
    source = Source("PaddleRec", Path("/kit"), asked.change_set.source.revision)
    asked = replace(asked, mended=mended, change_set=replace(asked.change_set, source=source))
    return [render(asked, language) for language in LANGUAGES]


def test_a_cost_is_told_of_the_same_fixes_alone_and_of_others_that_there_is_none() -> None:
    (cost,) = fix_costs("PaddleRec").values()
    measured, other = proof(MEASURED, cost.ground), proof("other.yaml", "")
    english, chinese = told(measured, other)
    assert f"`{MEASURED}` on Paddle 3.3.1 takes {cost.ratio} times as long" in english
    assert "What they cost another config is not measured." in english
    assert f"为原来的 {cost.ratio} 倍" in chinese and "对另外 1 个配置的影响没有测量" in chinese
    english, chinese = told(measured)
    assert "not measured" not in english and "没有测量" not in chinese
    english, chinese = told(replace(measured, ground="of other files"))
    assert "What these lines cost dynamic training in time and memory is not measured." in english
    assert "没有测量" in chinese and "times as long" not in english


def test_a_time_that_pairs_do_not_agree_on_is_not_told_as_a_cost() -> None:
    """Three pairs from 0.82 to 1.69 times as long were told as 1.27 times."""
    (cost,) = fix_costs("PaddleRec").values()
    torn = replace(cost, least=0.82, ratio=1.27, most=1.69)
    assert cost.time_is_clear and not torn.time_is_clear
    assert replace(cost, least=1.02, most=1.2).time_is_clear
    with patch.object(text, "fix_costs", lambda kit: {torn.place: torn}):
        english, chinese = told(proof(MEASURED, cost.ground))
    assert "1.27" not in english + chinese
    assert (
        f"takes {cost.memory} times the memory. What they cost it in time is not clear" in english
    )
    assert "range from 0.82 to 1.69 times as long" in english
    assert f"内存为原来的 {cost.memory} 倍。对用时的影响无法看出" in chinese


def test_each_cost_is_of_fixes_that_are_proved_and_stands_in_the_table() -> None:
    page = Path(__file__).parents[2] / "docs" / "measured" / "fixes.md"
    table = page.read_text(encoding="utf-8")
    for kit in {entry["kit"] for entry in yaml.safe_load(data_path(FILE).read_text("utf-8"))}:
        proved = {
            one.place for one in PROOFS.read_file(data_path(f"evidence/fixes/{kit}.jsonl")).rows
        }
        for cost in fix_costs(kit).values():
            assert cost.place in proved and cost.least <= cost.ratio <= cost.most
            spread = f"{cost.ratio:.2f} ({cost.least:.2f} to {cost.most:.2f})"
            (row,) = (line for line in table.splitlines() if f"{kit} `{cost.config}`" in line)
            assert f"| {cost.paddle} | {cost.step_ms} | {spread} |" in row
