"""The models of a project that a rule's trainers claim: by pattern first, then by discovery."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from codemod.base.changeset import Hook, Status
from codemod.base.reason import Reason
from codemod.code.module import Statement, callee, dotted
from codemod.code.pattern import Bindings, compile_pattern, first_match
from codemod.code.project import Project
from codemod.code.traversal import walk
from codemod.engine.find import discover
from codemod.engine.find.foreign import foreign
from codemod.engine.find.settle import settled
from codemod.engine.find.target import Target
from codemod.kits.rule import Rule, Trainer

IGNORED = ("tests/*", "test/*", "*/tests/*", "*/unittest/*", "docs/*", "*/docs/*")


@dataclass(frozen=True)
class Candidate(Target):
    """A target that a trainer of the rule claims.

    `statement` and `bindings` are of the pattern that hit, if one did. It is `measured` where a
    kit's rule claims it: its hook was run in that place, also where a helper looks through the
    layers afterwards.
    """

    trainer: Trainer = field(kw_only=True)
    statement: Statement | None = None
    bindings: Bindings = field(default_factory=dict)
    measured: bool = False

    def hook(self, status: Status, reason: Reason, line: int | None, gate: str | None) -> Hook:
        """The candidate's hook as it is reported."""
        path, scope = self.module.path, self.scope.name
        return Hook(self.trainer.id, status, path, scope, line, self.name, gate, reason)


def ignored(path: str, rule: Rule) -> bool:
    """Whether the rule leaves the file alone: tests and documents do, unless it names them."""
    if any(fnmatchcase(path, pattern) for pattern in rule.include):
        return False
    return any(fnmatchcase(path, pattern) for pattern in (*IGNORED, *rule.ignore))


def candidates(project: Project, rule: Rule) -> Iterator[Candidate]:
    """Pattern trainers first, in the rule's order; then what discovery finds beside them."""
    claimed: set[tuple[str, str]] = set()
    for trainer in rule.trainers:
        if trainer.model:
            for candidate in _by_pattern(project, rule, trainer):
                key = (candidate.module.path, candidate.scope.name)
                if trainer.completes:
                    yield candidate
                elif key not in claimed:
                    claimed.add(key)
                    yield candidate
    found: set[Target] = set()
    finders = tuple(t for t in rule.trainers if not t.model)
    if not finders:
        return
    for path in project.matching(discover.HINTS):
        if ignored(path, rule):
            continue
        module = project.module(path)
        if module is None:
            continue
        more = () if rule.kits else discover.inherited(project, module)
        for one in (*more, *discover.targets(project, module)):
            # A kit's rule names the scopes in which it was measured.
            target = one if rule.kits else settled(project, one)
            where = (target.module.path, target.scope.name)
            if where in claimed or ignored(where[0], rule) or target in found:
                continue
            found.add(target)
            claim = next((t for t in finders if t.covers(*where)), None)
            if claim:
                known = vars(target) | {"trainer": claim, "measured": bool(rule.kits)}
                known["doubt"] = target.doubt or (None if rule.kits else foreign(project, target))
                yield Candidate(**known)


def _by_pattern(project: Project, rule: Rule, trainer: Trainer) -> Iterator[Candidate]:
    patterns = [compile_pattern(text) for text in trainer.model]
    for path in _mentioning(project, trainer, patterns):
        module = None if ignored(path, rule) else project.module(path)
        for scope in module.scopes if module else ():
            if module is None or not trainer.covers(path, scope.name):
                continue
            if hit := first_match(scope, patterns):
                name, at = dotted(hit[1].get("MODEL")) or trainer.target, hit[0]
                yield Candidate(module, scope, name, trainer=trainer, statement=at, bindings=hit[1])


def _mentioning(
    project: Project, trainer: Trainer, patterns: list[ast.stmt | ast.expr]
) -> list[str]:
    """Files of the trainer that name what a pattern names: text is searched before parsing."""
    paths: dict[str, None] = {}
    for pattern in patterns:
        words = [n.attr for n in walk(pattern) if isinstance(n, ast.Attribute)]
        words += [callee(n) for n in walk(pattern) if isinstance(n, ast.Call)]
        words += [n.id for n in walk(pattern) if isinstance(n, ast.Name)]
        texts = [n.value for n in walk(pattern) if isinstance(n, ast.Constant)]
        words += [text for text in texts if isinstance(text, str)]
        word = max((w for w in words if not w.startswith("__mv_")), key=len, default="")
        found = project.mentioning(word)
        paths.update(dict.fromkeys(p for p in found if trainer.covers_file(p)))
    return list(paths)
