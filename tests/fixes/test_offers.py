"""Which fixes are offered where several configs have the same one, and what speaks against it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.findings import Finding, Level
from codemod.audit.fixes.offers import Offer, not_disproved, offered_fixes, with_vetoes
from codemod.audit.model_findings import with_fixes_of
from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.cli.main import run
from codemod.judging.evidence.fix_proofs import PADDLES, Dynamic, FixProof, TrainedProof, keep_proof
from codemod.judging.verdict import Verdict
from codemod.reports.survey.kit_survey import fixed_modes
from codemod.work.fixing import offers_of, proved_offers
from tests.fixes.test_fix import NETS, VIEW, kit

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kit"]

OTHER = "configs/other.yaml"
NEW, OLD = PADDLES[:2]


@pytest.fixture
def pair(kit: Path, tmp_path: Path) -> tuple[Offer, Offer]:
    """The offers of two configs that build the same net, and so have the same fix."""
    (kit / OTHER).write_text(json.dumps({"net": "View"}))
    made = offers_of(Source("MendKit", kit, None), Workspace.at(tmp_path / "ws"))
    found = {offer.config: offer for offer in made if offer.found.fixes}
    assert found[VIEW].names == found[OTHER].names
    assert len(found[VIEW].names) == 1
    return found[VIEW], found[OTHER]


def proof(offer: Offer, paddle: str) -> FixProof:
    """A proof that nothing speaks against: both modes pass, and neither did before."""
    return FixProof(
        kit="MendKit",
        config=offer.config,
        paddle=paddle,
        fixes=offer.names,
        ground=offer.ground,
        dynamic=Dynamic.EQUAL,
        before={"ast": Verdict.FAILS, "sot": Verdict.FAILS},
        after={"ast": Verdict.PASS, "sot": Verdict.PASS},
        lines_added=1,
        lines_removed=1,
        steps=2,
    )


def with_proofs(offer: Offer, *proofs: FixProof) -> Offer:
    return replace(offer, proofs={one.paddle: one for one in proofs})


def good(offer: Offer) -> Offer:
    return with_proofs(offer, *(proof(offer, paddle) for paddle in PADDLES))


def test_a_fix_is_offered_once_where_both_configs_prove_it(pair: tuple[Offer, Offer]) -> None:
    both = [good(offer) for offer in pair]
    assert [offer.refusal for offer in both] == [None, None]
    assert [fix.name for fix in offered_fixes(both)] == list(pair[0].names)
    assert [fix.name for fix in not_disproved(both)] == list(pair[0].names)


def test_a_config_that_was_not_looked_at_speaks_against_nothing(pair: tuple[Offer, Offer]) -> None:
    first, second = pair
    assert len(offered_fixes([good(first), second])) == 1
    assert offered_fixes(pair) == ()
    assert len(not_disproved(pair)) == 1
    assert not second.disproved
    assert not second.harmful


@pytest.mark.parametrize("dynamic", [Dynamic.DIFFERS, Dynamic.FAILS])
def test_one_harmful_run_of_one_config_takes_the_fix_from_all(
    pair: tuple[Offer, Offer], dynamic: Dynamic
) -> None:
    first, second = pair
    bad = with_proofs(second, replace(proof(second, NEW), dynamic=dynamic, reason="loss"))
    assert bad.harmful
    assert bad.disproved, "one Paddle is enough"
    assert good(first).refusal is None
    assert offered_fixes([good(first), bad]) == ()
    assert not_disproved([good(first), bad]) == ()


def test_harm_on_a_paddle_that_is_measured_no_longer_counts_too(pair: tuple[Offer, Offer]) -> None:
    first, second = pair
    bad = replace(proof(second, "2.5.2"), dynamic=Dynamic.DIFFERS, reason="loss")
    harmed = replace(good(second), proofs={**good(second).proofs, bad.paddle: bad})
    assert (harmed.refusal, harmed.harmful) == (None, True)
    assert offered_fixes([good(first), harmed]) == ()
    assert not_disproved([good(first), harmed]) == ()


def test_what_mends_nothing_anywhere_is_disproved_on_the_last_paddle_alone(
    pair: tuple[Offer, Offer],
) -> None:
    first, second = pair
    idle = [
        replace(proof(second, paddle), after=proof(second, paddle).before) for paddle in PADDLES
    ]
    part, whole = with_proofs(second, *idle[:-1]), with_proofs(second, *idle)
    assert (part.refusal is None, part.disproved, part.harmful) == (False, False, False)
    assert (whole.refusal is None, whole.disproved, whole.harmful) == (False, True, False)
    assert len(not_disproved([first, part])) == 1
    assert not_disproved([first, whole]) == ()
    assert len(offered_fixes([good(first), whole])) == 1, "no harm was seen"


def test_a_proof_that_could_not_be_made_is_a_refusal_with_its_reason(
    pair: tuple[Offer, Offer],
) -> None:
    why = Reason.of("evidence.none-passes")
    failed = replace(good(pair[0]), failed=why)
    assert failed.refusal is not None
    assert failed.refusal.reason == why
    assert failed.disproved
    assert offered_fixes([failed]) == ()


PLAIN = """

class Plain(nn.Layer):
    def forward(self, x):
        return x + 1


class Left(nn.Layer):
    def forward(self, x):
        y = x.transpose([0, 2, 3, 1])
        self.kept = [y.reshape_([2, -1, 3])]
        return y
"""


def test_models_without_a_hazard_that_has_a_remedy_have_no_offer(kit: Path, tmp_path: Path) -> None:
    nets = kit / "mini" / "nets.py"
    nets.write_text(nets.read_text() + PLAIN)
    for net in ("Plain", "Left"):
        (kit / f"configs/{net.lower()}.yaml").write_text(json.dumps({"net": net}))
    made = offers_of(Source("MendKit", kit, None), Workspace.at(tmp_path / "ws"))
    found = {offer.config: (len(offer.found.fixes), len(offer.found.without)) for offer in made}
    # Two hazards see the one call: it changes a view, and its tensor is read again.
    assert found == {VIEW: (1, 0), "configs/left.yaml": (0, 2)}
    (left,) = [offer for offer in made if not offer.found.fixes]
    assert offered_fixes([good(left)]) == not_disproved([good(left)]) == ()


def test_json_tells_what_is_offered_and_why_not(pair: tuple[Offer, Offer]) -> None:
    first, _ = pair
    offered, refused = good(first).to_json(), first.to_json()
    assert (offered["offered"], offered["reason"], offered["fixes"]) == (True, "", [*first.names])
    assert offered["counted_as"] == {}, "each Paddle has a proof of its own"
    assert list(offered["proofs"]) == sorted(PADDLES)
    assert offered["proofs"][NEW] == {
        "dynamic": "equal",
        "reason": "",
        "before": {"ast": "fails", "sot": "fails"},
        "after": {"ast": "pass", "sot": "pass"},
        "trained": None,
    }
    assert refused["offered"] is False
    assert refused["code"] == "evidence.unproved"
    assert refused["proofs"] == {}


def test_one_fix_alone_is_not_tried_apart(pair: tuple[Offer, Offer]) -> None:
    assert pair[0].alone() == ()


TWO = """

class Two(nn.Layer):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 4)

    def forward(self, x):
        x = x.transpose([0, 2, 3, 1]).reshape_([2, -1, 3])
        if self.training:
            x = x.flatten(1).OTHER([2, -1, 3])
        else:
            x = x.flatten(1).reshape([2, -1, 3])
        return self.head(x.mean(1))
"""


@pytest.mark.parametrize(
    ("other", "lines"),
    [
        ("squeeze(-1).reshape_", ["31", "33"]),
        # By itself this one would leave an `if` whose branches do the same.
        ("reshape_", ["31"]),
    ],
)
def test_of_several_fixes_each_that_can_be_made_alone_is_tried_apart(
    kit: Path, tmp_path: Path, other: str, lines: list[str]
) -> None:
    nets = kit / "mini" / "nets.py"
    nets.write_text(nets.read_text() + TWO.replace("OTHER", other))
    (kit / "configs" / "two.yaml").write_text(json.dumps({"net": "Two"}))
    made = offers_of(Source("MendKit", kit, None), Workspace.at(tmp_path / "ws"))
    (offer,) = [one for one in made if one.config == "configs/two.yaml"]
    assert len(offer.names) == 2
    alone = offer.alone()
    assert [name.rpartition(":")[2] for name, _ in alone] == lines
    assert all(len(change.edits) == 1 for _, change in alone)


FORKED = """\
    def forward(self, x):
        if x.ndim == 4:
            x = x.transpose([0, 2, 3, 1]).reshape_([2, -1, 3])
        else:
            x = x.transpose([0, 2, 1]).reshape_([2, -1, 3])
        return self.head(x.mean(1))
"""


@pytest.fixture
def forked(kit: Path) -> Path:
    """The kit, its net with two places for the same fix, of which a run goes through one."""
    nets = kit / "mini/nets.py"
    text = nets.read_text()
    straight = text[text.index("    def forward") : text.index("\n\nclass Sum")]
    nets.write_text(text.replace(straight, FORKED))
    return kit


def of_view(kit: Path, workspace: Workspace) -> Offer:
    made = offers_of(Source("MendKit", kit, None), workspace)
    (offer,) = (one for one in made if one.config == VIEW)
    return offer


def test_what_no_run_executed_is_left_out_and_the_rest_proved_alone(
    forked: Path, tmp_path: Path
) -> None:
    workspace = Workspace.at(tmp_path / "ws")
    whole = of_view(forked, workspace)
    first, second = whole.names
    unseen = ("mini/nets.py:14",)
    for paddle in PADDLES:
        assert of_view(forked, workspace).names == (first, second), "a Paddle has no proof yet"
        keep_proof(workspace, replace(proof(whole, paddle), unexecuted=unseen, agree=("all",)))

    part = of_view(forked, workspace)
    assert part.names == (first,)
    assert (part.proofs, part.refusal is None) == ({}, False), "it is another change"
    assert part.ground != whole.ground
    (aside,) = part.found.without
    assert f"{aside.id} {aside.file}:{aside.line}" == second
    assert aside.reason.text() == "no run of this config executes what the fix would write"

    for paddle in PADDLES:
        keep_proof(workspace, replace(proof(part, paddle), agree=("all",)))
    part = of_view(forked, workspace)
    assert (part.refusal, part.partial, whole.partial) == (None, True, False)
    assert [fix.name for fix in offered_fixes([part])] == [first]


@pytest.mark.parametrize(
    ("unseen", "dynamic"),
    [
        (("mini/nets.py:14",), Dynamic.DIFFERS),
        (("mini/nets.py:12", "mini/nets.py:14"), Dynamic.EQUAL),
        ((), Dynamic.EQUAL),
    ],
    ids=["harmful", "nothing executed", "all executed"],
)
def test_fixes_stay_together_where_there_is_no_part_to_offer(
    forked: Path, tmp_path: Path, unseen: tuple[str, ...], dynamic: Dynamic
) -> None:
    workspace = Workspace.at(tmp_path / "ws")
    whole = of_view(forked, workspace)
    for paddle in PADDLES:
        told = replace(proof(whole, paddle), unexecuted=unseen, dynamic=dynamic, agree=("all",))
        keep_proof(workspace, told)
    assert of_view(forked, workspace).names == whole.names


@pytest.fixture
def refuted(pair: tuple[Offer, Offer], tmp_path: Path) -> Workspace:
    """Proofs on record: one config's hold, and those of the other show harm."""
    workspace = Workspace.at(tmp_path / "ws")
    for paddle in PADDLES:
        good_one, bad_one = (replace(proof(offer, paddle), agree=("all",)) for offer in pair)
        keep_proof(workspace, good_one)
        keep_proof(workspace, replace(bad_one, dynamic=Dynamic.DIFFERS))
    return workspace


def test_a_config_that_was_not_asked_for_refutes_a_fix_as_well(
    kit: Path, refuted: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`fix -c` of the one offered and wrote what the proof of the other refutes."""
    (asked,) = offers_of(Source("MendKit", kit, None), refuted, (VIEW,))
    assert (asked.config, asked.disproved, asked.harmful) == (VIEW, True, False)
    assert asked.refusal is not None
    assert asked.refusal.reason.code == "audit.refuted"
    assert asked.refusal.reason["config"] == OTHER
    assert offered_fixes([asked]) == not_disproved([asked]) == ()
    before = (kit / "mini" / "nets.py").read_bytes()
    place = ["--path", str(kit), "--workspace", str(tmp_path / "ws")]
    assert run(["fix", "MendKit", "-c", VIEW, *place]) == 1
    assert f"{VIEW}: not offered: the proof of {OTHER} shows" in capsys.readouterr().out
    assert (kit / "mini" / "nets.py").read_bytes() == before


def test_a_refuted_fix_is_proved_nowhere_else_it_is_told(
    kit: Path, refuted: Workspace, tmp_path: Path
) -> None:
    """The survey's column and the finding's advice said "proved" of a fix that `fix` refuses."""
    source = Source("MendKit", kit, None)
    assert list(fixed_modes(proved_offers(source, refuted))) == []
    hazard = Finding("D-57 view", Level.WARNING, NETS, 11, Reason.said("It is so."))
    assert with_fixes_of([hazard], "MendKit", proved_offers(source, refuted)) == (hazard,)


def test_what_another_config_refutes_needs_no_proof_of_its_own(pair: tuple[Offer, Offer]) -> None:
    """Without one it was "not proved yet", with the command that would try it for nothing."""
    bad = with_proofs(pair[1], replace(proof(pair[1], NEW), dynamic=Dynamic.DIFFERS))
    first, second = with_vetoes([pair[0], bad])
    assert first.disproved
    codes = [one.refusal.reason.code for one in (first, second) if one.refusal]
    assert codes == ["audit.refuted", "evidence.differs"], "its own proof says how"
    gone = replace(proof(pair[1], "2.5.2"), dynamic=Dynamic.DIFFERS)
    held = good(pair[1])
    (told,) = with_vetoes([replace(held, proofs={**held.proofs, gone.paddle: gone})])
    assert told.refusal is not None
    assert told.refusal.reason.code == "audit.refuted", "its others hold"


def test_only_what_is_harmful_is_taken_from_a_config_with_another_fix(
    forked: Path, tmp_path: Path
) -> None:
    """What a config proves is proved of all its fixes together; alone each needs its own proof."""
    whole = good(of_view(forked, Workspace.at(tmp_path / "ws")))
    first, second = whole.found.fixes
    lone = replace(whole.found, config=OTHER, fixes=(first,))
    alone = with_proofs(replace(whole, found=lone, proofs={}))
    bad = with_proofs(alone, replace(proof(alone, NEW), dynamic=Dynamic.DIFFERS))
    other = replace(whole.found, config="configs/third.yaml", fixes=(second,))
    third = good(replace(whole, found=other, proofs={}))
    kept = with_vetoes([whole, bad, third])
    assert [one.refusal is None for one in kept] == [False, False, True]
    assert offered_fixes([whole, bad, third]) == not_disproved([whole, bad, third]) == (second,)
    assert [one.refusal is None for one in with_vetoes(kept[:1])] == [False], "it was looked at"
    assert [one.refusal is None for one in with_vetoes([kept[0], good(alone)])] == [True, True]


def test_the_kit_s_trainer_refutes_a_fix_for_all(pair: tuple[Offer, Offer]) -> None:
    first, second = pair
    trained = TrainedProof(steps=10, dynamic=Dynamic.DIFFERS, modes={})
    told = with_proofs(second, replace(proof(second, NEW), trained=trained))
    assert told.harmful
    assert offered_fixes([good(first), told]) == ()
