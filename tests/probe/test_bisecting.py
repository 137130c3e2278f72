"""Which releases are probed, so that each change of a verdict lies between two neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.experiments.probe.bisecting import bisected
from codemod.judging.evidence.result import DynamicResult, ModeResult, Result
from codemod.judging.since import changes
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

RELEASES = ("2.6.2", "3.0.0", "3.1.1", "3.2.2", "3.3.1")


class Kit:
    """What each config shows on each release: p passes, c crashes, - tells nothing, x is lost."""

    def __init__(self, **shown: str) -> None:
        self.shown = shown
        self.made: list[tuple[str, str]] = []

    def probe(self, release: str, configs: Sequence[str]) -> list[Result]:
        verdicts = {"p": Verdict.PASS, "c": Verdict.CRASH, "-": Verdict.NOT_RUN}
        results = []
        for config in self.shown if "*" in configs else configs:
            self.made.append((config, release))
            sign = self.shown[config][RELEASES.index(release)]
            if sign != "x":
                modes = {"ast": ModeResult(Verdict.PASS), "sot": ModeResult(verdicts[sign])}
                results.append(Result("Kit", config, release, modes, DynamicResult("ok"), None))
        return results

    def since(self, config: str, asked: str = "") -> list[str]:
        found = bisected(self.probe, [asked or config], RELEASES)[config]
        sot = {release: result.modes["sot"].verdict for release, result in found.items()}
        return [one.since for one in changes(sot, RELEASES)]


@pytest.mark.parametrize("number", range(1, 5))
def test_the_first_release_of_the_new_behaviour_is_found(number: int) -> None:
    kit = Kit(net="c" * number + "p" * (5 - number))
    assert kit.since("net") == [RELEASES[number]]
    assert len(kit.made) == len(set(kit.made)) <= 4


def test_what_did_not_change_takes_two_probes() -> None:
    kit = Kit(net="ccccc")
    assert kit.since("net") == []
    assert len(kit.made) == 2


def test_configs_of_a_glob_are_bisected_each_by_itself() -> None:
    kit = Kit(one="cpppp", two="ccccp", three="ppppp")
    assert kit.since("two", "*") == ["3.3.1"]
    assert [release for config, release in kit.made if config == "three"] == ["2.6.2", "3.3.1"]


def test_a_release_that_tells_nothing_or_is_lost_is_asked_once() -> None:
    assert Kit(net="c--pp").since("net") == ["3.2.2"]
    kit = Kit(net="cxxpp")
    assert kit.since("net") == ["3.2.2"]
    assert len(kit.made) == len(set(kit.made))
