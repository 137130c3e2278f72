"""Comments that suppress findings: `# codemod: ignore[KIND, KIND] the reason`.

A comment acts on its own line and on the line below it; on a finding that applies to a whole
file it acts wherever in the file it stands. The reason is required.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from codemod.audit.findings import Finding
from codemod.audit.kinds import finding
from codemod.base.reason import Reason
from codemod.code.tree import Tree

BAD_SUPPRESSION = "bad-suppression"
_SUFFIXES = (".py", ".yml", ".yaml", ".sh", ".txt")
_COMMENT = re.compile(r"#\s*codemod:\s*ignore\b(?:\[([^\]]*)\])?(.*)$")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: the kinds that it names, and why."""

    file: str
    line: int
    kinds: tuple[str, ...]
    reason: str

    def covers(self, finding: Finding) -> bool:
        """Whether the comment suppresses the finding."""
        near = finding.line is None or finding.line in (self.line, self.line + 1)
        return near and finding.file == self.file and finding.kind in self.kinds


@dataclass(frozen=True, slots=True)
class Suppressed:
    """The findings that count, and those that a comment suppresses, each with the comment."""

    open: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, Suppression], ...]


def suppress(tree: Tree, findings: tuple[Finding, ...], known: Collection[str]) -> Suppressed:
    """Part the findings by the comments of the tree's files.

    A comment without a reason, or for a kind that is not `known`, suppresses nothing and is
    itself a finding.
    """
    comments = tuple(_comments(tree))
    bad = tuple(_bad(one, why) for one in comments if (why := _fault(one, known)) is not None)
    sound = [one for one in comments if _fault(one, known) is None]
    left: list[Finding] = []
    suppressed: list[tuple[Finding, Suppression]] = []
    for found in findings:
        comment = next((one for one in sound if one.covers(found)), None)
        if comment is None:
            left.append(found)
        else:
            suppressed.append((found, comment))
    return Suppressed((*left, *bad), tuple(suppressed))


def _comments(tree: Tree) -> Iterator[Suppression]:
    for path in tree.grep(rb"codemod:\s*ignore", _SUFFIXES):
        lines = tree.read(path).decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, 1):
            found = _COMMENT.search(line)
            if found:
                named = (found.group(1) or "").split(",")
                kinds = tuple(name.strip() for name in named if name.strip())
                yield Suppression(path, number, kinds, found.group(2).strip(" \t-–—:"))


def _fault(comment: Suppression, known: Collection[str]) -> Reason | None:
    if not comment.kinds:
        return Reason.of("findings.names-no-kind")
    unknown = [name for name in comment.kinds if name not in known]
    if unknown:
        return Reason.of("findings.names-unknown", kinds=tuple(unknown))
    return None if comment.reason else Reason.of("findings.gives-no-reason")


def _bad(comment: Suppression, why: Reason) -> Finding:
    bad = Reason.of("findings.bad-suppression", why=why)
    advice = Reason.of("findings.write-suppression")
    return finding(BAD_SUPPRESSION, comment.file, comment.line, bad, advice)
