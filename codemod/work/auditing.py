"""Audits of one kit or several, in parallel over the processor's cores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from codemod.audit.baseline import Baseline, SinceBaseline, baseline_of, compare
from codemod.audit.findings import Finding
from codemod.audit.kinds import kinds
from codemod.audit.reach import Reach, survey, trainable
from codemod.audit.suppression import Suppressed, suppress
from codemod.base.changeset import ChangeSet, Source
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.experiments.rehearse.rehearsal import Rehearsal, rehearse
from codemod.experiments.rehearse.rehearsal import findings as rehearsal_findings
from codemod.experiments.switch.tried import Executed
from codemod.experiments.switch.tried import findings as tried_findings
from codemod.kits.catalogue import find_kit
from codemod.kits.config_files import config_files
from codemod.kits.config_rule import config_rule, configs_of
from codemod.work.planning import Request, root_and_plan


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """One target to audit, and the kinds of findings that were asked for.

    With `execute`, the kit's option code is run as well, on `paddle` or the kit's own choice, and
    with `every_way` in each way on every config. With `strict` a config that the kit's rule leaves
    alone on purpose is a finding, too.
    """

    request: Request
    kinds: frozenset[str] = field(default_factory=lambda: frozenset(kinds()))
    execute: bool = False
    paddle: str | None = None
    every_way: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """One audited tree. `change` compares it with the baseline, None without one."""

    name: str
    root: str
    change_set: ChangeSet
    reach: tuple[Reach, ...]
    judged: Suppressed
    change: SinceBaseline | None = None
    executed: Executed | None = None
    rehearsed: tuple[Rehearsal, ...] = ()

    @property
    def counting(self) -> tuple[Finding, ...]:
        """The findings that may fail the check: with a baseline, those that are new."""
        return self.judged.open if self.change is None else self.change.new

    @property
    def reached(self) -> int:
        """How many configs reach a hook as the kit stands."""
        return sum(row.before is None for row in self.reach)

    def as_baseline(self) -> Baseline:
        """The audit as a baseline for later ones."""
        return baseline_of(self.judged.open, self.reach)

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints for this kit."""
        made: dict[str, Any] = {
            "kit": self.change_set.source.kit,
            "root": self.root,
            "revision": self.change_set.source.revision,
            "hooks": [hook.to_json() for hook in self.change_set.hooks],
            "abstained": [skip.to_json() for skip in self.change_set.skipped],
            "training_files": self.change_set.training_files.to_json(),
            "configs": [
                {
                    "config": r.config,
                    "model": r.model,
                    "blocked": r.before and r.before.text(),
                    "blocked_after": r.after and r.after.text(),
                    "blocked_reason": r.before and r.before.to_json(),
                    "blocked_after_reason": r.after and r.after.to_json(),
                }
                for r in self.reach
            ],
            "findings": [finding.to_json() for finding in self.judged.open],
        }
        if self.executed is not None:
            made["executed"] = self.executed.to_json(self.reach)
        if self.rehearsed:
            made["rehearsed"] = [one.to_json() for one in self.rehearsed]
        if self.judged.suppressed:
            made["suppressed"] = [
                {**finding.to_json(), "justification": comment.reason}
                for finding, comment in self.judged.suppressed
            ]
        if self.change is not None:
            made["change"] = {
                "new": [finding.to_json() for finding in self.change.new],
                "fixed": self.change.fixed,
                "reach_before": self.change.before,
                "reach_after": self.change.after,
                "lost": [row.config for row in self.change.lost],
                "gained": [row.config for row in self.change.gained],
                "removed": list(self.change.removed),
            }
        return made


def against(audit: Audit, earlier: Mapping[str, Baseline]) -> Audit:
    """The audit compared with the baseline of its kit; all is new in a kit that has none."""
    baseline = earlier.get(audit.name, Baseline())
    return replace(audit, change=compare(baseline, audit.judged.open, audit.reach))


def check(asked: AuditRequest) -> Audit:
    """The audit of one target.

    >>> audit = check(AuditRequest(Request("MendKit", Path("MendKit"))))
    >>> [finding.kind for finding in audit.counting if finding.level.value == "warning"]
    ['config-blocked', 'config-blocked', 'not-hooked']

    Raises:
        CodemodError: no such target, its rule is broken, or its option code cannot be run.
    """
    from codemod.audit.faults import audit, unreadable
    from codemod.audit.model_findings import hazard_findings, slow_findings, with_fixes_of
    from codemod.hazards.kept_scans import kept_scan
    from codemod.judging.evidence.speed_rows import SPEED
    from codemod.work.fixing import proved_offers

    root, made = root_and_plan(asked.request)
    place = Workspace.at(asked.request.workspace)
    change_set = made.change_set()
    tree = made.project.tree
    kit = find_kit(made.source.kit) if made.source.kit else None
    rule = config_rule(kit) if kit else None
    configs = configs_of(tree, rule.base) if rule else None
    reach = survey(kit, rule, tree, change_set, configs) if kit and rule else ()
    findings = audit(tree, change_set, reach, strict=asked.strict)
    if kit and rule and configs:
        findings += tuple(unreadable(configs, config_files(kit, tree)))
        models = kept_scan(tree, rule, dict(trainable(kit, rule, tree, configs)), alike=False)
        found = hazard_findings(models, rule.settled)
        findings += with_fixes_of(found, kit.name, proved_offers(made.source, place, tree))
    if kit:
        rows = SPEED.read(kit.name, place)
        configs_here = [row.config for row in reach]
        findings += slow_findings(rows, made.source.revision, configs_here)
    executed = None
    rehearsed: tuple[Rehearsal, ...] = ()
    if asked.execute:
        executed = _executed(asked, made.source, reach)
        findings += tried_findings(executed, reach)
        rehearsed = rehearse(change_set)
        findings += rehearsal_findings(rehearsed)
    judged = suppress(tree, findings, kinds())
    chosen = Suppressed(
        tuple(f for f in judged.open if f.kind in asked.kinds),
        tuple((f, why) for f, why in judged.suppressed if f.kind in asked.kinds),
    )
    name = made.source.name
    return Audit(name, root, change_set, reach, chosen, executed=executed, rehearsed=rehearsed)


def _executed(asked: AuditRequest, source: Source, reach: tuple[Reach, ...]) -> Executed:
    from codemod.experiments.switch.run import run_switch

    if source.kit is None:
        raise UsageError("--exec runs a kit's own option code.", "Give a kit's name.")
    configs = [row.config for row in reach]
    workspace = Workspace.at(asked.request.workspace)
    return run_switch(
        source.kit, source.root, configs, workspace, asked.paddle, every_way=asked.every_way
    )
