"""The fixes of models: every hazard with a remedy, and whether its precondition is seen to hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import EditKind
from codemod.base.json_form import named
from codemod.base.reason import Reason, Refusal
from codemod.engine.rewrite.ops import Op
from codemod.hazards import ReachedModel
from codemod.hazards.reach.reached import Reached


@dataclass(frozen=True)
class Fix:
    """A rewrite of one place; `line` is 1-based, in the file as it is, `scope` `Class.method`."""

    remedy: Remedy
    file: str
    line: int
    scope: str
    ops: tuple[Op, ...]

    @property
    def name(self) -> str:
        """The hazard with its place: `D-77 models/head.py:68`."""
        return f"{self.remedy.id} {self.file}:{self.line}"

    def to_json(self) -> dict[str, Any]:
        """The fix as one JSON object."""
        where = named(self, "file", "line", "scope")
        return {**named(self.remedy, "id", "name", "blame"), **where, "says": self.remedy.says}


@dataclass(frozen=True)
class NoFix:
    """A hazard with a remedy whose precondition does not hold at this place, and why."""

    id: str
    file: str
    line: int
    scope: str
    reason: Reason

    def to_json(self) -> dict[str, Any]:
        """The place as one JSON object."""
        where = named(self, "id", "file", "line", "scope")
        return {**where, "reason": self.reason.text(), **self.reason.to_json()}


@dataclass(frozen=True)
class ModelFixes:
    """The fixes that one config's model can have, by file and line.

    `files` are those that the model's `forward` reaches.
    """

    config: str
    fixes: tuple[Fix, ...]
    without: tuple[NoFix, ...]
    files: tuple[str, ...]


def find_fixes(
    models: Iterable[ReachedModel], remedies: tuple[Remedy, ...]
) -> tuple[ModelFixes, ...]:
    """The fixes of each model by these remedies; a place that several hazards show has one."""
    known: dict[int, list[tuple[ast.AST, Fix | NoFix, Reached]]] = {}
    return tuple(_of_model(model, remedies, known) for model in models)


def _of_model(
    model: ReachedModel,
    remedies: tuple[Remedy, ...],
    known: dict[int, list[tuple[ast.AST, Fix | NoFix, Reached]]],
) -> ModelFixes:
    found: dict[tuple[object, ...], Fix | NoFix] = {}
    for reached in model.functions:
        key = id(reached.unit)
        if key not in known:
            known[key] = [(*one, reached) for one in _of_function(reached, remedies)]
        for node, one, where in known[key]:
            words = model.words
            if words is None or words.issuperset(where.switches(node)):
                place = one.ops if isinstance(one, Fix) else (one.id, one.line)
                found.setdefault((one.file, place), one)
    ordered = sorted(found.values(), key=lambda one: (one.file, one.line))
    return ModelFixes(
        model.config,
        tuple(one for one in ordered if isinstance(one, Fix)),
        tuple(one for one in ordered if isinstance(one, NoFix)),
        model.files,
    )


def _of_function(
    reached: Reached, remedies: tuple[Remedy, ...]
) -> Iterator[tuple[ast.AST, Fix | NoFix]]:
    file, scope = reached.function.module.path, reached.function.scope
    for remedy in remedies:
        for node in remedy.find(reached):
            line = getattr(node, "lineno", reached.function.node.lineno)
            actions = remedy.mend(reached, node)
            if isinstance(actions, Refusal):
                yield node, NoFix(remedy.id, file, line, scope, actions.reason)
            elif not actions:
                reason = Reason.of("audit.statement-alone")
                yield node, NoFix(remedy.id, file, line, scope, reason)
            else:
                why = remedy.reason
                ops = tuple(Op(file, EditKind.FIX, action, why, why) for action in actions)
                yield node, Fix(remedy, file, line, scope, ops)
