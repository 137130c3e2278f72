"""What a conversation knows: the plan, what was answered, what each hook brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from rich.console import Console

from codemod.base.changeset import ChangeSet, Hook
from codemod.base.patch.hunks import Hunk
from codemod.reports.review.interactive import decisions as store
from codemod.reports.review.interactive.decisions import Decision, Rewrite
from codemod.reports.review.interactive.rewriting import brought
from codemod.reports.review.source import put


class Reviewable(Protocol):
    """What the engine hands over: hooks, and the change set for any choice among them."""

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """All hooks, placed or not."""

    def change_set(self, accepted: frozenset[int] | None = None) -> ChangeSet:
        """The change for these inserted hooks (indices into `hooks`); None: for all."""


@dataclass(slots=True)
class Conversation:
    """A plan, the answers given so far, and where to ask."""

    plan: Reviewable
    console: Console
    ask: Callable[[str], str]
    file: Path | None
    decisions: dict[str, Decision] = field(default_factory=dict)
    blanket: dict[str, bool] = field(default_factory=dict)
    open_hooks: tuple[int, ...] = ()
    made: dict[frozenset[int] | None, ChangeSet] = field(default_factory=dict)

    def changes(self, chosen: frozenset[int] | None = None) -> ChangeSet:
        """The plan's change set for these hooks; each is made once, as that takes seconds."""
        if chosen not in self.made:
            self.made[chosen] = self.plan.change_set(chosen)
        return self.made[chosen]

    def beside(self, index: int) -> frozenset[int]:
        """The accepted hooks whose files hang together with this hook's, over any others."""
        uses = [(edit.file, set(edit.hooks)) for edit in self.changes().edits]
        near, size = {index}, 0
        while len(near) > size:
            size = len(near)
            files = {file for file, hooks in uses if hooks & near}
            near |= {hook for file, hooks in uses if file in files for hook in hooks}
        return self.accepted() & near

    def accepted(self) -> frozenset[int]:
        """The hooks that were answered with yes."""
        return frozenset(i for i in self.open_hooks if self.answered(i) is True)

    def rejected(self) -> frozenset[int]:
        """The hooks that were answered with no."""
        return frozenset(i for i in self.open_hooks if self.answered(i) is False)

    def answered(self, index: int) -> bool | None:
        """The answer for a hook, None while there is none."""
        decision = self.decisions.get(store.hook_key(self.plan.hooks[index]))
        return None if decision is None else decision.accepted

    def rewrites(self) -> list[Rewrite]:
        """The user's own wording of the accepted hooks' hunks."""
        kept = [self.decisions[store.hook_key(self.plan.hooks[i])] for i in self.accepted()]
        return [rewrite for decision in kept for rewrite in decision.rewrites]

    def alone(self, index: int) -> tuple[Hunk, ...]:
        """The hunks that a hook brings when it is the only one."""
        none, one = frozenset[int](), frozenset({index})
        return brought(self.changes(none), self.changes(one))

    def decide(self, index: int, accepted: bool, rewrites: Sequence[Rewrite] = ()) -> None:
        """Take an answer, and keep it at once."""
        decision = Decision(accepted, store.digest(self.alone(index)), tuple(rewrites))
        self.decisions[store.hook_key(self.plan.hooks[index])] = decision
        store.save(self.file, self.decisions)

    def say(self, text: str) -> None:
        """Print a message of the tool."""
        put(self.console, [((line, None),) for line in text.splitlines()])
