"""`codemod check`: is every trainer hooked, rightly, and within every config's reach."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import click

from codemod.cli import options
from codemod.cli.planning import plan, requests

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.audit.findings import Finding
    from codemod.audit.reach import Reach
    from codemod.base.changeset import ChangeSet


@click.command(name="check")
@options.target
@options.path
@options.workspace
@options.as_json
@click.option("--sarif", is_flag=True, help="Print a SARIF log, for a code host.")
def command(
    target: str, path: Path | None, workspace: Path | None, as_json: bool, sarif: bool
) -> int:
    """Audit a kit's hooks: placed right, reachable, complete. Exit code 1: findings."""
    from codemod.audit.faults import audit
    from codemod.audit.findings import Level, to_sarif
    from codemod.audit.hazard_findings import findings as model_findings
    from codemod.audit.reach import survey, trainable
    from codemod.code.tree import Tree
    from codemod.hazards import scan_kit
    from codemod.kits.catalogue import find_kit
    from codemod.kits.config_loading import Configs
    from codemod.kits.config_rule import config_rule

    (request,) = requests((target,), False, path, (), workspace)
    root, made = plan(request)
    change_set = made.change_set()
    tree = Tree(made.source.root)
    kit = find_kit(made.source.kit) if made.source.kit else None
    rule = config_rule(kit) if kit else None
    configs = Configs(tree, rule.base) if rule else None
    reach = survey(kit, rule, tree, change_set, configs) if kit and rule else ()
    findings = audit(tree, change_set, reach)
    if kit and rule and configs:
        models = scan_kit(tree, rule, dict(trainable(kit, rule, tree, configs)))
        findings += model_findings(models, rule.settled)
    if sarif:
        click.echo(json.dumps(to_sarif(findings), ensure_ascii=False, indent=1))
    elif as_json:
        click.echo(json.dumps(_object(root, change_set, reach, findings), ensure_ascii=False))
    else:
        _print(change_set, reach, findings)
    return int(any(finding.level is not Level.NOTE for finding in findings))


def _object(
    root: str, change_set: ChangeSet, reach: tuple[Reach, ...], findings: tuple[Finding, ...]
) -> dict[str, object]:
    return {
        "kit": change_set.source.kit,
        "root": root,
        "revision": change_set.source.revision,
        "hooks": [hook.to_json() for hook in change_set.hooks],
        "abstained": [skip.to_json() for skip in change_set.skipped],
        "configs": [
            {"config": r.config, "model": r.model, "blocked": r.before, "blocked_after": r.after}
            for r in reach
        ],
        "findings": [finding.to_json() for finding in findings],
    }


def _print(change_set: ChangeSet, reach: tuple[Reach, ...], findings: tuple[Finding, ...]) -> None:
    """Findings as `file:line: level id: message`; what many configs share is said once."""
    shared = Counter(row.before for row in reach if row.before)
    for finding in findings:
        if finding.id != "config-blocked":
            place = f"{finding.file}:{finding.line}" if finding.line else finding.file
            text = f"{finding.message} {finding.remedy}".strip()
            click.echo(f"{place}: {finding.level.value} {finding.id}: {text}")
    for reason, count in shared.most_common():
        example = next(row.config for row in reach if row.before == reason)
        click.echo(f"{example}: warning config-blocked: {reason} ({count} configs)")
    for skip in change_set.skipped:
        click.echo(f"{skip.file}: note: {skip.reason}")
    if reach:
        before = sum(row.before is None for row in reach)
        after = sum(row.after is None for row in reach)
        click.echo(f"{before} of {len(reach)} configs reach a hook; after `codemod apply` {after}.")
    click.echo(f"{len(findings)} findings.")
