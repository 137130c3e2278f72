"""Between which releases a verdict changed, and which one is looked at next."""

from __future__ import annotations

import dataclasses

from codemod.base.json_form import to_json
from codemod.judging.since import ReleaseChange, changes, undecided
from codemod.judging.verdict import Verdict

RELEASES = ("2.6.2", "3.0.0", "3.1.1", "3.2.2", "3.3.1")
GOOD, BAD, SILENT = Verdict.PASS, Verdict.CRASH, Verdict.NOT_RUN


def test_each_change_is_told_with_the_neighbours_that_tell() -> None:
    found = {"2.6.2": BAD, "3.0.0": GOOD, "3.1.1": SILENT, "3.2.2": GOOD, "3.3.1": BAD}
    assert changes(found, RELEASES) == (
        ReleaseChange("2.6.2", "3.0.0", BAD, GOOD),
        ReleaseChange("3.2.2", "3.3.1", GOOD, BAD),
    )
    assert changes({"2.6.2": BAD, "3.3.1": BAD}, RELEASES) == ()
    # One that tells nothing stands between: the change is on one of its sides.
    silent = {"2.6.2": BAD, "3.0.0": SILENT, "3.1.1": GOOD}
    assert changes(silent, RELEASES) == (ReleaseChange("2.6.2", "3.1.1", BAD, GOOD),)


def test_a_change_as_json_has_every_field_by_its_name() -> None:
    change = ReleaseChange("3.2.2", "3.3.1", GOOD, BAD)
    fields = dataclasses.asdict(change) | {"was": "pass", "now": "crash"}
    assert to_json(change) == fields


def test_the_release_half_way_is_next() -> None:
    ends = {"2.6.2": BAD, "3.3.1": GOOD}
    assert undecided(ends, RELEASES, ends) == "3.1.1"
    left = {**ends, "3.1.1": GOOD}
    assert undecided(left, RELEASES, left) == "3.0.0"
    assert undecided(ends, RELEASES, RELEASES) is None
    assert undecided({"2.6.2": BAD, "3.3.1": BAD}, RELEASES, ()) is None
