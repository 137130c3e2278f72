"""Wraps in functions of the repository's own: the hook stands before the call that leads there."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet, Hook

    Make = Callable[..., ChangeSet]

TRAIN = """\
import argparse
import paddle
from engine import *

def main(args):
    print(args.epochs)
BODY
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
LATER
    for batch in range(args.epochs):
        loss = model(batch)
        loss.backward()

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
"""


def kit(engine: str, body: str, later: str = "") -> dict[str, str]:
    text = TRAIN.replace("BODY", textwrap.indent(textwrap.dedent(body), "    "))
    text = text.replace("LATER", textwrap.indent(textwrap.dedent(later), "    "))
    return {"train.py": text, "engine.py": "import paddle\n" + textwrap.dedent(engine)}


def only(change: ChangeSet) -> Hook:
    (hook,) = (h for h in change.hooks if h.file == "train.py")
    return hook


ACCELERATOR = """\
    class Base:
        def prepare(self, *args):
            result = tuple(self._one(obj, first=True) for obj in args)
            return tuple(self._one(obj) for obj in result)

        def _one(self, obj, first=False):
            if isinstance(obj, paddle.nn.Layer):
                return self.prepare_model(obj)
            return obj

        def prepare_model(self, model):
            return paddle.DataParallel(model)

    class Accelerator(Base):
        pass
    """
FUNCTION = """\
    def prepare(opt, net):
        return opt, inner(net=net)

    def inner(net):
        if paddle.distributed.get_world_size() > 1:
            net = paddle.DataParallel(net)
        return net
    """


@pytest.mark.parametrize(
    ("engine", "made", "call"),
    [
        (ACCELERATOR, "acc = Accelerator()", "model, optimizer = acc.prepare(model, optimizer)"),
        (ACCELERATOR, "acc = args.acc", "model, optimizer = acc.prepare(model, optimizer)"),
        (FUNCTION, "", "optimizer, model = prepare(optimizer, model)"),
        (FUNCTION, "", "model = inner(model)"),
    ],
)
def test_a_hook_stands_before_a_function_that_wraps(
    engine: str, made: str, call: str, change: Make
) -> None:
    found = change(kit(engine, f"{made}\nmodel = Net()", call))
    hook = only(found)
    assert (hook.status, hook.before) == (Status.INSERTED, "wrap")
    lines = next(c for c in found.changes if c.path == "train.py").new.decode().splitlines()
    assert hook.line is not None
    assert lines[hook.line - 3].strip() == "model = Net()"


def test_what_a_function_makes_of_a_model_without_a_wrap_is_hooked_behind_it(change: Make) -> None:
    engine = """\
        def prepare(model):
            return Lora(model)
        """
    hook = only(change(kit(engine, "model = Net()", "model = prepare(model)")))
    assert (hook.status, hook.before) == (Status.INSERTED, "loop")


BUILDERS = """\
    def build(args):
        model = Net()
        if args.distributed:
            model = paddle.DataParallel(model)
        return model

    def pair(args):
        return build(args), 1

    def plain(args):
        model = Net()
        check(paddle.DataParallel(model))
        return model
    """


@pytest.mark.parametrize("body", ["model = build(args)", "model, more = pair(args)"])
def test_a_model_that_a_function_wraps_and_returns_is_unplaced(body: str, change: Make) -> None:
    hook = only(change(kit(BUILDERS, body)))
    assert (hook.status, hook.line) == (Status.UNPLACED, 7)
    assert "at line 7 (in engine.py:5) also builds it" in str(hook.reason)


def test_a_function_that_wraps_something_else_than_it_returns_builds(change: Make) -> None:
    assert only(change(kit(BUILDERS, "model = plain(args)"))).status is Status.INSERTED


def test_a_model_is_lifted_to_the_caller_that_wraps_it_in_a_function(change: Make) -> None:
    engine = """\
        def wrapped(model):
            return paddle.DataParallel(model)
        """
    files = kit(engine, "model = Net()\nmodel = wrapped(model)\nrun(args, model)\n")
    inner = "\ndef run(args, model):\n    print(args.epochs)\n    optimizer = "
    files["train.py"] = files["train.py"].replace("    optimizer = ", inner)
    hook = only(change(files))
    assert (hook.scope, hook.status, hook.before) == ("main", Status.INSERTED, "wrap")


def test_functions_that_call_each_other_come_to_an_end(change: Make) -> None:
    engine = """\
        def first(model):
            return second(model)

        def second(model):
            return first(model)
        """
    hook = only(change(kit(engine, "model = Net()", "model = first(model)")))
    assert hook.status is Status.INSERTED
