"""What `check` finds in a kit that a change settles, and what it leaves to the kit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from codemod.audit.faults import wrapped_before
from codemod.audit.findings import Finding
from codemod.audit.tipc_claims import audit_tipc
from codemod.base.changeset import ChangeSet, Status
from codemod.code.project import Project


@dataclass(frozen=True, slots=True)
class KitFindings:
    """TIPC chains that did nothing until the change, and hooks behind a wrap that it leaves."""

    settled: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()

    def after(self, project: Project, change_set: ChangeSet) -> KitFindings:
        """Without the chains of which the changed tree has the same to say."""
        there = tuple(
            replace(hook, status=Status.PRESENT) if hook.status is Status.INSERTED else hook
            for hook in change_set.hooks
        )
        still = {_place(f) for f in audit_tipc(project, replace(change_set, hooks=there), ())}
        return replace(self, settled=tuple(f for f in self.settled if _place(f) not in still))


def kit_findings(project: Project, change_set: ChangeSet) -> KitFindings:
    """All that is wrong with chains and wraps in the tree as it is."""
    wrapped = (f for f in wrapped_before(project, change_set) if f.kind == "hook-after-wrap")
    return KitFindings(tuple(audit_tipc(project, change_set, ())), tuple(wrapped))


def _place(finding: Finding) -> tuple[str, str, int | None]:
    return finding.id, finding.file, finding.line
