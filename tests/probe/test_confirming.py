"""What the config's own size says is put together with what smaller pictures showed."""

from __future__ import annotations

from codemod.evidence.result import DynamicResult, ModeResult, ProbePart
from codemod.judging.verdict import Verdict
from codemod.probe.probing import Probed, _confirmed, _doubted, _doubtful
from codemod.training.record import Record


def _probed(size: int, **modes: Verdict) -> Probed:
    return Probed(
        {name: ModeResult(verdict, f"{name} at {size}.") for name, verdict in modes.items()},
        DynamicResult("ok"),
        ProbePart(attempt={"size": size}),
        Record("ok", {}, ()),
    )


def test_the_mode_in_doubt_is_told_from_the_one_that_stands() -> None:
    small = _probed(64, ast=Verdict.FAILS, sot=Verdict.PASS)
    found = _confirmed(small, _probed(224, ast=Verdict.PASS_TOLERANCE))
    assert list(found.modes) == ["ast", "sot"]
    assert found.modes["ast"] == ModeResult(Verdict.PASS_TOLERANCE, "ast at 224.")
    assert found.modes["sot"].verdict is Verdict.PASS
    said = "sot at 64. Run at size 64; the other mode at the config's own."
    assert found.modes["sot"].reason == said
    assert found.part.attempt == {"size": 224}


def test_two_modes_in_doubt_are_both_replaced() -> None:
    again = _probed(224, ast=Verdict.FAILS, sot=Verdict.CRASH)
    assert _confirmed(_probed(64, ast=Verdict.CRASH, sot=Verdict.FAILS), again) == again


def test_what_could_not_be_confirmed_says_so() -> None:
    found = _doubted(_probed(64, ast=Verdict.FAILS, sot=Verdict.PASS))
    assert not found.modes["ast"].confirmed
    assert "Seen at size 64 only" in found.modes["ast"].reason
    assert found.modes["sot"] == ModeResult(Verdict.PASS, "sot at 64.")


def test_a_size_explains_no_limit_and_no_pass() -> None:
    doubtful = {verdict for verdict in Verdict if _doubtful(ModeResult(verdict))}
    assert Verdict.TIMEOUT not in doubtful
    assert Verdict.PASS_PARTIAL not in doubtful
    assert {Verdict.FAILS, Verdict.OOM, Verdict.LOSS_DIFFERS, Verdict.NOT_STATIC} <= doubtful
