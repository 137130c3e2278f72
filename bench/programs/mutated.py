"""Engines that are wrong on purpose, each of which the programs must catch.

python -m bench.programs.mutated
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.programs.judged import WRONG, Answer, ask
from codemod.code.sites import Kind
from codemod.engine.place import insertion, placement
from codemod.engine.place.hookcode import hook_code

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Mutation:
    """A wrong engine: the attribute of `owner` that is exchanged, and for what."""

    name: str
    owner: Any
    attribute: str
    value: Any

    @contextlib.contextmanager
    def made(self) -> Iterator[None]:
        """The wrong engine, for a while."""
        right = getattr(self.owner, self.attribute)
        setattr(self.owner, self.attribute, self.value)
        try:
            yield
        finally:
            setattr(self.owner, self.attribute, right)


def _always(*arguments: Any, **words: Any) -> str:
    return hook_code(*arguments, **words).replace("if ", "if True or ", 1)


def _twice(*arguments: Any, **words: Any) -> str:
    code = hook_code(*arguments, **words)
    return f"{code}\n{code}"


MUTATIONS = (
    Mutation("wraps are no limit", placement, "LIMITS", (Kind.FORWARD,)),
    Mutation(
        "copies may come after the hook",
        placement,
        "LOWER",
        tuple(kind for kind in placement.LOWER if kind is not Kind.COPY),
    ),
    Mutation("on by default", insertion, "hook_code", _always),
    Mutation("hooked twice", insertion, "hook_code", _twice),
    Mutation(
        "calls without gradients may come first",
        placement,
        "LOWER",
        tuple(kind for kind in placement.LOWER if kind is not Kind.PEEK),
    ),
)


def caught(mutation: Mutation, start: int, most: int) -> Answer | None:
    """The first program that is right with the engine and wrong with the mutated one."""
    for seed in range(start, start + most):
        with mutation.made():
            answer = ask(seed)
        if answer.outcome == WRONG and ask(seed).outcome != WRONG:
            return answer
    return None


def main() -> int:
    """A line for each mutation; exit code 1 where one is not caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--most", type=int, default=3_000)
    options = parser.parse_args()
    missed = 0
    for mutation in MUTATIONS:
        answer = caught(mutation, options.seed * 1_000_000, options.most)
        missed += answer is None
        what = f"program {answer.seed}: {answer.fault}" if answer else "not caught"
        print(f"{mutation.name}: {what}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
