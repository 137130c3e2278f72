"""Loops whose model is left alone: numbers that change, and losses read from attributes."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

SCRIPT = """\
import argparse
import math
import paddle

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.last = None
        self.weight = 0.5

    def forward(self, x, *more):
        self.last = x.mean()
        self.weight = 0.1
        return x

    def auxiliary(self):
        return self.last

    def scale(self):
        return self.weight

def schedule(at, args):
    return 1.0 - 0.5 * math.cos(at)

def noise(at):
    return paddle.full([1], at)

def main(args):
    print(args.epochs)
    model = Net()
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    loader, count, steps = [], 0, len(args.loader)
BODY

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
"""


def script(body: str) -> dict[str, str]:
    return {"train.py": SCRIPT.replace("BODY", textwrap.indent(textwrap.dedent(body), "    "))}


def reason(change: ChangeSet) -> str:
    """Why the script's model was left alone; empty where it is hooked."""
    if change.hooks:
        return ""
    (skip,) = change.skipped
    return str(skip.reason)


NUMBERS = [
    "for step, x in enumerate(loader):\n    model(x, step).backward()",
    "for step in range(9):\n    model(loader, cur_iter=step).backward()",
    "for x in loader:\n    count += 1\n    model(x, count).backward()",
    "while count < 9:\n    model(loader, [1, count]).backward()\n    count = count + 1",
    "for x in loader:\n    for which in [0, 1]:\n        model(x, which).backward()",
    "for i, x in enumerate(loader):\n    m = schedule(i / steps, args)\n    model(x, m).backward()",
    "for i, x in enumerate(loader):\n    model(x, min(1.0, i / args.warm)).backward()",
    'for i, x in enumerate(loader):\n    x["iter"] = i\n    model(x).backward()',
    'for i, x in enumerate(loader):\n    model({"x": x, "at": i}).backward()',
]


@pytest.mark.parametrize("body", NUMBERS)
def test_a_number_that_the_loop_changes_is_a_reason_to_abstain(body: str, change: Make) -> None:
    told = reason(change(script(body)))
    assert told.startswith("main: line ")
    assert "which the loop changes: each number would trace a program of its own" in told


HARMLESS = [
    "for x in range(9):\n    model(x).backward()",
    "for x in range(9):\n    model([x], mode='train').backward()",
    "for x in loader:\n    model(x, count).backward()",
    "for epoch in range(9):\n    for x in loader:\n        model(x, epoch).backward()",
    "for i, x in enumerate(loader):\n    model(x[i], loader[i]).backward()",
    "for i, x in enumerate(loader):\n    model(x * i).backward()",
    "for i, x in enumerate(loader):\n    model(x, noise(i)).backward()",
    "for i, x in enumerate(loader):\n    t = paddle.full([1], i)\n    model(x, t).backward()",
    "for i in range(9):\n    print(i)\nfor x in loader:\n    model(x).backward()",
    "for x in loader:\n    count += 1\n    print(count)\n    model(x, args.epochs).backward()",
]


@pytest.mark.parametrize("body", HARMLESS)
def test_what_does_not_change_or_is_a_tensor_is_none(body: str, change: Make) -> None:
    assert reason(change(script(body))) == ""


PENALTY = """\
def penalty(score, x):
    slope = paddle.grad(score.sum(), x, create_graph=KEPT)[0]
    return (slope**2).sum()

def main"""


@pytest.mark.parametrize(
    "body",
    [
        "for x in loader:\n    (model(x) + penalty(model(x), x)).backward()",
        "for x in loader:\n    g = paddle.grad(model(x), x, create_graph=True)\n    g.backward()",
    ],
)
def test_a_gradient_that_is_differentiated_is_a_reason_to_abstain(body: str, change: Make) -> None:
    files = script(body)
    for kept, said in (("True", True), ("False", False)):
        text = files["train.py"].replace("\ndef main", f"\n{PENALTY}").replace("KEPT", kept)
        text = text.replace("x, create_graph=True)\n", f"x, create_graph={kept})\n")
        told = reason(change({"train.py": text}))
        assert ("differentiates a gradient, and a static model gives" in told) == said


def test_numbers_are_followed_through_functions_and_named_together(change: Make) -> None:
    body = """\
        for step, x in enumerate(loader):
            once(model, x, step, step + 1)

    def once(net, x, step, more):
        net(x, step, more).backward()
    """
    text = textwrap.dedent(body).replace("\ndef once", "\n\ndef once")
    head, tail = text.split("\n\n", 1)
    files = script(head)
    files["train.py"] = files["train.py"].replace("\nif __name__", f"\n{tail}\n\nif __name__")
    assert "hands the model `step` and `more`" in reason(change(files))


def test_a_count_that_a_class_keeps_is_found(change: Make) -> None:
    text = """\
        class Trainer:
            def __init__(self, cfg):
                self.model = build(cfg["model"])
                self.optimizer = Adam(parameters=self.model.parameters())
                self.steps = 0

            def train(self, loader):
                for x in loader:
                    self.model(x, self.steps).backward()
                    self.steps += 1
        """
    told = reason(change({"trainer.py": text}))
    assert "line 9 hands the model `self.steps`" in told
    assert reason(change({"trainer.py": text.replace("x, self.steps", "x")})) == ""


LOSSES = [
    "loss = model(x).sum() + model.last",
    "loss = model(x).sum()\n    extra = model.last * 0.1\n    loss += extra",
    "loss = model(x).sum() + model.auxiliary()",
    "parts = [l.gate.get_loss() for l in model.layers]\n    loss = model(x) + paddle.concat(parts)",
    "loss = model(x).sum() + model.parts[0].last",
]


@pytest.mark.parametrize("body", LOSSES)
def test_a_loss_read_from_what_forward_kept_is_a_reason_to_abstain(body: str, change: Make) -> None:
    told = reason(change(script(f"for x in loader:\n    {body}\n    loss.backward()")))
    assert "for the loss, which forward keeps as an attribute" in told


OTHERS = [
    "loss = model(x).sum()\n    print(model.last)",
    "loss = model(x).sum() * model.weight",
    "loss = model(x).sum() * model.scale()",
    "loss = model.head(model(x))",
    "loss = criterion(model(x), x.last)",
]


@pytest.mark.parametrize("body", OTHERS)
def test_constants_layers_and_other_objects_are_none(body: str, change: Make) -> None:
    assert reason(change(script(f"for x in loader:\n    {body}\n    loss.backward()"))) == ""


CRITIC = """\
import argparse

import paddle


def main(args):
    model, critic = Net(), Net()
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    optimizer_c = paddle.optimizer.Adam(parameters=critic.parameters())
    for batch in range(args.epochs):
        fake = model(batch)
{body}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
"""
GENERATES = """\
        critic(fake).mean().backward()
        optimizer.step()
        optimizer.clear_grad()
"""
CRITICIZES = """\
        critic(fake.detach()).mean().backward()
        optimizer_c.step()
        optimizer_c.clear_grad()
"""
CLEARS = "        optimizer_c.clear_grad()\n"


@pytest.mark.parametrize(
    ("body", "hooked"),
    [
        (GENERATES + CRITICIZES, {"model"}),
        (GENERATES + CLEARS + CRITICIZES, {"model", "critic"}),
        (CLEARS + CRITICIZES + GENERATES, {"model", "critic"}),
    ],
)
def test_a_critic_whose_gradients_add_up_over_two_programs_stays_dynamic(
    change: Callable[..., ChangeSet], body: str, hooked: set[str]
) -> None:
    made = change({"train.py": CRITIC.format(body=body)})
    assert {hook.target for hook in made.hooks} == hooked
    told = [getattr(skip.reason["why"], "code", "") for skip in made.skipped]
    assert told == ([] if "critic" in hooked else ["engine.accumulated"])


BASE = """\
import paddle


class Base:
    def __init__(self, args):
        self.args = args
        self.model, self.critic = Net(), Net()

    def train(self):
        for batch in range(self.args.epochs):
            fake = self.model(batch)
            self.critic(fake).mean().backward()
            self.optimizer.step()
            self.optimizer.clear_grad()
            self.critic(fake.detach()).mean().backward()
            self.optimizer_c.step()
            self.optimizer_c.clear_grad()
"""
HEIR = """\
import argparse

import paddle
from base import Base


class Trainer(Base):
    def setup(self):
        self.optimizer = paddle.optimizer.Adam(parameters=self.model.parameters())
        self.optimizer_c = paddle.optimizer.Adam(parameters=self.critic.parameters())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    trainer = Trainer(parser.parse_args())
    trainer.setup()
    trainer.train()
"""


def test_the_optimizers_of_a_critic_may_be_made_in_an_heir(
    change: Callable[..., ChangeSet],
) -> None:
    made = change({"base.py": BASE, "train.py": HEIR})
    assert {hook.target for hook in made.hooks} == {"self.model"}
    told = [getattr(skip.reason["why"], "code", "") for skip in made.skipped]
    assert told == ["engine.accumulated"]


TWICE = """\
import paddle
from paddle import DataParallel


def main(args):
    model = Net()
    model = DataParallel(model)
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    for batch in loader:
        out = model(batch)
{body}        optimizer.step()
        optimizer.clear_grad()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    main(parser.parse_args())
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("out.mean().backward(retain_graph=True)\nout.sum().backward()\n", True),
        (
            "losses = [out.mean()]\nlosses[0].backward(retain_graph=True)\nout.sum().backward()\n",
            True,
        ),
        ("out.mean().backward(retain_graph=True)\n", False),
        ("out.mean().backward()\nout = model(batch)\nout.sum().backward()\n", False),
        (
            "out.mean().backward(retain_graph=True)\nout = model(batch)\nout.sum().backward()\n",
            False,
        ),
        ("out.mean().backward(retain_graph=False)\nout.detach().sum().backward()\n", False),
        (
            "if batch:\n    out.mean().backward(retain_graph=True)\nelse:\n    out.sum().backward()\n",
            False,
        ),
    ],
)
def test_a_model_whose_graph_is_gone_back_through_twice_stays_dynamic(
    change: Callable[..., ChangeSet], body: str, told: bool
) -> None:
    made = change({"train.py": TWICE.format(body=textwrap.indent(body, " " * 8))})
    assert [getattr(skip.reason["why"], "code", "") for skip in made.skipped] == (
        ["engine.backward-twice"] if told else []
    )
    assert len(made.hooks) == (0 if told else 1)
