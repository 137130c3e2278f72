"""What holds of every place, whatever is done to the model: all short bodies of its sites."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

import pytest

from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module, Scope, parse
from codemod.code.sites import Kind, Site
from codemod.engine.place.placement import Position, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What a statement does to a model. An average copies it and is no deepcopy; a call evaluates,
# or trains; a helper does in another function what it is named after.
DOES: dict[str, tuple[str, tuple[Kind, ...]]] = {
    "build": ("build()", (Kind.BUILD,)),
    "convert": ("convert_syncbn(model)", (Kind.CONVERT,)),
    "copy": ("deepcopy(model)", (Kind.COPY,)),
    "average": ("ModelEMA(model)", (Kind.COPY,)),
    "change": ("fuse_layers(model)", (Kind.CHANGE,)),
    "peek": ("model(x)", (Kind.PEEK,)),
    "wrap": ("DataParallel(model)", (Kind.WRAP,)),
    "train": ("model(x)", (Kind.FORWARD,)),
    "evaluate": ("evaluate(model)", (Kind.FORWARD,)),
    "helper converts": ("prepare(model)", (Kind.CONVERT,)),
    "helper wraps and peeks": ("launch(model)", (Kind.WRAP, Kind.PEEK)),
    "helper changes and trains": ("fit(model)", (Kind.CHANGE, Kind.FORWARD)),
}
TRAINS = ("train", "helper changes and trains")
USES: tuple[str, ...] = ("wrap", "helper wraps and peeks", *TRAINS, "evaluate")
WHY = ("copied-late", "peeked-late", "changed-late", "made-elsewhere", "used-before-made")
BEFORE = tuple(one for one in DOES if one not in USES)


def scope_of(*first: str, head: str = "def main():") -> Scope:
    """A function of some statements of its own, and of more for the steps of a body."""
    lines = [head, *(f"    {line}" for line in (*first, *["step()"] * 6))]
    module = parse("train.py", ("\n".join(lines) + "\n").encode())
    assert isinstance(module, Module)
    return module.scopes[1]


def sites_of(scope: Scope, body: Sequence[str]) -> Iterator[Site]:
    """The sites of a body: one step a statement, behind the scope's own."""
    for statement, does in zip(scope.statements[-6:], body, strict=False):
        text, kinds = DOES[does]
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        where = "net.py:7" if does.startswith("helper") else ""
        for kind in kinds:
            yield Site(kind, "model", statement, call, where, trains=does != "evaluate")


def right(body: Sequence[str], uses: Sequence[str]) -> int | str:
    """The index in the body at which the hook belongs, or why it has none: the law in short.

    It comes after the latest build of the model and all that is done to it before it is used.
    Nothing may copy it later, as that undoes the hook on Paddle 2.6. Nothing may trace it without
    gradients or change its layers between the first use and the first training step; a conversion
    in the scope itself makes another object then, one in a helper may not.
    """
    first = next((i for i, does in enumerate(body) if does in uses), len(body))
    if first < len(body):
        if "copy" in body[first:]:
            return "engine.copied-late"
        trained = next((i for i, does in enumerate(body) if does in TRAINS), len(body))
        for does in body[first : trained + 1]:
            if "peek" in does:
                return "engine.peeked-late"
            if "change" in does or does == "helper converts":
                return "engine.changed-late"
        if "build" not in body:
            return "engine.made-elsewhere"
        if "build" not in body[:first]:
            return "engine.used-before-made"
    # A second build under the same name does not undo what is done to the model in between.
    begin = body.index("build") if "build" in body else 0
    done = [i for i, does in enumerate(body[:first]) if does in BEFORE and i >= begin]
    return max(done, default=-1) + 1


def test_every_short_body_has_the_first_place_that_is_right_or_the_reason_for_none() -> None:
    """Where an evaluation leaves no place before it, the hook comes behind: it runs dynamically."""
    scope = scope_of("start()")
    seen = set()
    begins, ends = ((), ("build",)), ((), ("copy", "train"))
    for begin, middle, end in itertools.product(begins, itertools.product(DOES, repeat=3), ends):
        body = (*begin, *middle, *end)
        found, index, uses = place(scope, tuple(sites_of(scope, body))), right(body, USES), USES
        behind = right(body, USES[:-1])
        if isinstance(index, str) and isinstance(behind, int):
            index, uses = behind, USES[:-1]
        seen.add(index)
        if isinstance(found, Refusal) or isinstance(index, str):
            assert isinstance(found, Refusal) and found.reason.code == index, body
            continue
        # A statement stands before the body; without anything done, the hook comes before it.
        assert (found.owner, found.index) == (scope.path, index and index + 1), body
        done = DOES[body[index - 1]][1][0] if index else Kind.BUILD
        used = next((DOES[one][1][0] for one in body if one in uses), None)
        assert (found.after, found.before) == (done.value, used and used.value), body
    assert seen == {*range(6), *(f"engine.{why}" for why in WHY)}


ORIGINS: dict[str, tuple[Kind, str, str]] = {
    "a parameter": (Kind.PARAMETER, "step()", "received"),
    "another, made of it": (Kind.DERIVE, "model = add_lora(model)", "received"),
    "a call": (Kind.BUILD, "model = build()", "built"),
    "an attribute": (Kind.ALIAS, "model = self.model", "built"),
    "an argument": (Kind.ALIAS, "model = net", "taken"),
    "what an argument holds": (Kind.BUILD, "self.model = net", "taken"),
}


ONE_OR_TWO = [
    *((one,) for one in ORIGINS if one != "another, made of it"),
    ("a parameter", "another, made of it"),
    ("a parameter", "a call"),
    ("an argument", "a call"),
]


@pytest.mark.parametrize("origins", ONE_OR_TWO)
@pytest.mark.parametrize("use", [None, "wrap", "train", "evaluate"])
def test_the_reason_says_what_the_scope_itself_does_to_the_model(
    origins: tuple[str, ...], use: str | None
) -> None:
    """It is built, taken over or received; a use that follows is named, a wrap before a call."""
    steps = ("convert", "copy", "change", "peek")
    said = {
        "convert": Reason.of("engine.layers-converted"),
        "change": Reason.of("engine.layers-changed"),
        "peek": Reason.of("engine.model-peeked"),
    }
    since = {
        "copy": Reason.of("engine.since-copied"),
        "peek": Reason.of("engine.since-peeked"),
    }
    scope = scope_of(*(ORIGINS[one][1] for one in origins), head="def train(model, net):")
    made = ORIGINS[origins[-1]][2]
    names = [
        Site(ORIGINS[one][0], "model", statement if ORIGINS[one][0] is not Kind.PARAMETER else None)
        for one, statement in zip(origins, scope.statements, strict=False)
    ]
    for count in range(len(steps) + 1):
        for done in itertools.combinations(steps, count):
            uses = () if use is None else (use, "train")
            found = place(scope, (*names, *sites_of(scope, (*done, *uses))))
            assert isinstance(found, Position)
            copied = "copy" in done
            own = {
                "received": [Reason.of("engine.model-copied")] if copied else [],
                "built": [Reason.of(f"engine.model-built{'-and-copied' if copied else ''}")],
                "taken": [Reason.of(f"engine.model-taken{'-and-copied' if copied else ''}")],
            }[made]
            own += [reason for step, reason in said.items() if step in done]
            why = tuple(reason for step, reason in since.items() if step in done)
            parts = [Reason.of("engine.where-received")] if made == "received" else []
            if own:
                after = Reason.of("engine.after-since", steps=tuple(own), why=why)
                parts.append(after if why else Reason.of("engine.after", steps=tuple(own)))
            if use is not None:
                before = "wrap" if use == "wrap" else "forward"
                parts.append(Reason.of(f"engine.before-{before}"))
            assert found.reason == Reason.of("engine.placed", where=tuple(parts)), done
