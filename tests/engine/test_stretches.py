"""Models that one scope builds and trains more than once: each build has its hook."""

from __future__ import annotations

import itertools
import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

SCRIPT = """\
import argparse
import paddle

def main(args):
    print(args.epochs)
BODY

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
"""
TRAIN = """\
optimizer = paddle.optimizer.Adam(parameters=model.parameters())
for x in args.loader:
    loss = model(x)
    loss.backward()
"""


def script(body: str) -> dict[str, str]:
    return {"train.py": SCRIPT.replace("BODY", textwrap.indent(body, "    "))}


def branches(first: str, second: str) -> str:
    return f"if args.a:\n{textwrap.indent(first, '    ')}else:\n{textwrap.indent(second, '    ')}"


def hooked_after(change: ChangeSet) -> list[str]:
    """The statement above each inserted hook."""
    lines = change.changes[0].new.decode().splitlines()
    assert all(hook.status is Status.INSERTED for hook in change.hooks)
    return [lines[hook.line - 3].strip() for hook in change.hooks if hook.line]


@pytest.mark.parametrize(
    "body",
    [
        branches("model = A()\n" + TRAIN, "model = B()\n" + TRAIN),
        "model = A()\n" + TRAIN + "model = B()\n" + TRAIN,
        branches("model = A()\nprint(model(args.x))\n", "model = B()\n") + TRAIN,
    ],
)
def test_each_build_that_is_trained_has_a_hook(body: str, change: Make) -> None:
    assert hooked_after(change(script(body))) == ["model = A()", "model = B()"]


def test_one_training_of_either_build_has_one_hook(change: Make) -> None:
    found = change(script(branches("model = A()\n", "model = B()\n") + TRAIN))
    assert len(found.hooks) == 1
    assert hooked_after(found) == ["model = B()"]


def test_wraps_in_two_branches_have_two_hooks(change: Make) -> None:
    wrapped = "model = paddle.DataParallel(model)\n"
    body = branches(f"model = A()\n{wrapped}", f"model = B()\n{wrapped}") + TRAIN
    assert hooked_after(change(script(body))) == ["model = A()", "model = B()"]


@pytest.mark.parametrize(
    "again",
    [
        "model = load(args.best)\nevaluate(model)",
        "model = model.best()\nmodel(args.x)",
        "model = load(args.best)\nother(args.x).backward()",
    ],
)
def test_what_is_built_anew_to_be_evaluated_is_not_hooked(again: str, change: Make) -> None:
    assert hooked_after(change(script("model = A()\n" + TRAIN + again))) == ["model = A()"]


def test_a_second_run_changes_nothing_and_a_half_hooked_scope_is_completed(
    change: Make,
) -> None:
    found = change(script(branches("model = A()\n" + TRAIN, "model = B()\n" + TRAIN)))
    after = found.changes[0].new.decode()
    again = change({"train.py": after})
    assert [hook.status for hook in again.hooks] == [Status.PRESENT, Status.PRESENT]
    assert again.changes == ()
    head, hook, tail = after.rpartition("        if args.to_static:\n")
    rest = tail.split("\n", 2)[2]
    assert hook
    half = change({"train.py": head + rest})
    statuses = [one.status for one in half.hooks]
    assert statuses == [Status.PRESENT, Status.INSERTED]


HANDED = """\
def fit(net, optimizer, loader):
    for x in loader:
        loss = net(x)
        loss.backward()
        optimizer.step()


"""
OPTIMIZER = "optimizer = paddle.optimizer.Adam(parameters=model.parameters())\n"
FIT = "fit(model, optimizer, args.loader)\n"


def handing(body: str) -> dict[str, str]:
    source = script(body)["train.py"]
    return {"train.py": source.replace("def main", HANDED + "def main", 1)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            branches("model = A()\n" + OPTIMIZER + FIT, "model = B()\n" + OPTIMIZER + FIT),
            ["model = A()", "model = B()"],
        ),
        (
            "model = A()\n" + OPTIMIZER + FIT + "model = B()\n" + OPTIMIZER + FIT,
            ["model = A()", "model = B()"],
        ),
        ("model = A()\n" + OPTIMIZER + branches(FIT, FIT), ["model = A()"]),
    ],
)
def test_a_hook_stands_before_the_model_is_handed_to_its_training(
    body: str, expected: list[str], change: Make
) -> None:
    assert hooked_after(change(handing(body))) == expected


def test_a_copy_behind_the_training_is_no_reason_to_hook_too_late(change: Make) -> None:
    body = "import copy\nmodel = A()\n" + OPTIMIZER + FIT + "best = copy.deepcopy(model)\n"
    (hook,) = change(handing(body)).hooks
    assert hook.status is Status.UNPLACED
    assert "the model is copied at line" in str(hook.reason)


EVALUATE = """\
def evaluate(net):
    net.eval()
    net(1)


"""
# A model and what becomes of it, and whether that trains it.
STRETCHES = {
    "trained": ("model = NET()\n" + TRAIN, True),
    "handed": ("model = NET()\n" + OPTIMIZER + FIT, True),
    "wrapped": ("model = NET()\nmodel = paddle.DataParallel(model)\nmodel(args.x)\n", True),
    "called": ("model = NET()\nprint(model(args.x))\n", False),
    "evaluated": ("model = NET()\nevaluate(model)\n", False),
    "made of the last": ("model = model.best()\n" + TRAIN, True),
    "given": ("model = args.net\n" + TRAIN, True),
}
BEGINS = [name for name, (body, _) in STRETCHES.items() if "NET" in body]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_of_what_a_scope_builds_the_first_and_each_that_it_trains_have_a_hook(
    count: int, change: Make
) -> None:
    """Whatever comes between: what is evaluated alone has none, and what is made of a model, or
    comes from elsewhere under its name, is hooked by what the one before has.
    """
    seen = 0
    for stretches in itertools.product(BEGINS, *[STRETCHES] * (count - 1)):
        if not {"trained", "handed"} & {*stretches}:
            continue  # nothing of the scope is a trainer
        seen += 1
        if count > 2 and seen % 4:
            continue
        named = zip("ABC", stretches, strict=False)
        body = "".join(STRETCHES[one][0].replace("NET", net) for net, one in named)
        source = handing(body)["train.py"].replace("def main", EVALUATE + "def main", 1)
        hooked, built = {"A": True}, "A"
        for net, one in zip("ABC", stretches, strict=False):
            built = net if one in BEGINS else built
            hooked[built] = hooked.get(built, False) or STRETCHES[one][1]
        wanted = [f"model = {net}()" for net, trained in hooked.items() if trained]
        assert hooked_after(change({"train.py": source})) == wanted, stretches


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("trained", [TRAIN, OPTIMIZER + FIT])
def test_a_copy_of_either_of_two_models_may_be_one_of_the_hooked(
    copied: bool, trained: str, change: Make
) -> None:
    """One branch trains, the other evaluates what it built: which of them is copied, nobody says."""
    body = branches("model = A()\n" + trained, "model = B()\nprint(model(args.x))\n")
    after = "import copy\nbest = copy.deepcopy(model)\n" if copied else "print(model)\n"
    (hook,) = change(handing(body + after)).hooks
    assert hook.status is (Status.UNPLACED if copied else Status.INSERTED)
    assert ("the model is copied at line" in str(hook.reason)) == copied
