"""The line that says how far a queue of probes is."""

from __future__ import annotations

import re

from codemod.cli.queue_state import QueueState
from codemod.judging.evidence.result import ModeResult, Result
from codemod.judging.verdict import Verdict


def result(*verdicts: Verdict) -> Result:
    modes = dict(zip(("ast", "sot"), (ModeResult(v, "") for v in verdicts), strict=True))
    return Result(kit="K", config="c.yml", paddle="3.3.1", modes=modes)


def test_it_says_nothing_before_the_first_result() -> None:
    assert QueueState(2).text() == ""


def test_done_running_waiting_and_verdicts() -> None:
    state = QueueState(2)
    # Five were known before.
    state.add(6, 10, result(Verdict.PASS, Verdict.FAILS))
    state.add(7, 10, result(Verdict.PASS, Verdict.PASS))
    text = state.text()
    assert text.startswith("7 of 10 done, 2 running, 1 waiting; pass 3, fails 1; about ")
    assert re.search(r"about \d+ seconds? left$", text)


def test_the_last_one_leaves_no_time() -> None:
    state = QueueState(4)
    state.add(1, 1, result(Verdict.PASS, Verdict.PASS))
    assert state.text() == "1 of 1 done, 0 running, 0 waiting; pass 2"
