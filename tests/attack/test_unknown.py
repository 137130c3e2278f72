"""What is counted of repositories that the tool had never seen."""

from __future__ import annotations

from bench.unknown.counted import counted
from codemod.base.changeset import Hook, Skip, Status
from codemod.base.reason import Reason

WHY = Reason.said("line 3 does this")


def _hook(target: str, status: Status = Status.INSERTED) -> Hook:
    return Hook("discovered", status, "train.py", "main", 1, target, "args.to_static", WHY)


def _outcome(label: str, hooks: list[Hook], skips: list[Skip], judged: object = None) -> str:
    judgements = {"some/repository": {"train.py": judged}} if judged else {}
    return counted("some/repository", "train.py", label, hooks, skips, judgements).outcome


def test_a_hook_is_right_where_the_label_names_its_model() -> None:
    assert _outcome("hook, self.model", [_hook("model")], []) == "right"
    assert _outcome("hook, self.model", [_hook("teacher")], []) == "wrong"
    assert _outcome("leave, graph objects", [_hook("model")], []) == "wrong"
    assert _outcome("leave, graph objects", [_hook("model", Status.PRESENT)], []) == "right"


def test_a_reason_counts_once_it_was_judged() -> None:
    skip = [Skip("train.py", WHY)]
    assert _outcome("hook, model", [], skip) == "not judged"
    truth = {"reason": "line 3 does this", "true": True}
    assert _outcome("hook, model", [], skip, truth) == "left"
    assert _outcome("hook, model", [], skip, {**truth, "true": False}) == "untrue"
    assert (
        _outcome("hook, model", [], [Skip("train.py", Reason.said("another"))], truth)
        == "not judged"
    )


def test_silence_is_right_of_a_docstring_alone() -> None:
    assert _outcome("hook, model", [], []) == "silent"
    assert _outcome("leave, no trainer", [], []) == "right"
    covered = [Skip("train.py", WHY, covered_by="engine.py:Engine.__init__")]
    assert _outcome("elsewhere", [], covered) == "right"
