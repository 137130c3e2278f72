"""The branches of a pull request: which clone and parts, runs of the change, texts, the push."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.base.terminal.progress import LiveLine
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.engine.plan import Plan
from codemod.hazards.trainer import TrainerHazard, near
from codemod.kits.catalogue import Kit, find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.rulebook import rule_for
from codemod.kits.sources import resolve
from codemod.kits.sources.folder import kit_in
from codemod.reports.pullrequest.branch import Branch, change_of, make_branch
from codemod.reports.pullrequest.branch_plan import (
    BranchRequest,
    PlannedBranch,
    components,
    numbered,
    shared,
    told_by,
)
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence, read_evidence
from codemod.reports.pullrequest.commit_plans import CommitPlans
from codemod.reports.pullrequest.git.export import checkout, entries
from codemod.reports.pullrequest.git.own_branches import BranchLedger, BranchRecord
from codemod.reports.pullrequest.git.push import remote_address
from codemod.reports.pullrequest.git.repository import Repository
from codemod.reports.review.interactive.decisions import answers
from codemod.training.run_spec import RunSpec


@dataclass(frozen=True, slots=True)
class Proof:
    """How the runs are made that `--prove` asks for; without a `paddle`, by the recipe's."""

    steps: int
    paddle: str | None


@dataclass(frozen=True, slots=True)
class Publication:
    """What was asked beyond the branch itself: its plan, its texts, where it goes."""

    remote: str | None
    base: str | None
    open_draft: bool
    language: str
    rules: tuple[str, ...]
    switch: str
    as_json: bool
    workspace: Workspace
    fixes: bool
    proof: Proof | None

    def plan(self, source: Source) -> Plan:
        """The plan for a revision of the kit."""
        return plan_change(source, self.rules, self.switch)


@dataclass(frozen=True, slots=True)
class PullRequestDraft:
    """A branch that was made, as one pull request: what was wished for, made and asked of it."""

    repository: Repository
    kit: Kit | None
    wish: BranchRequest
    request: Publication
    made: Branch

    def write_texts(self) -> dict[str, Path]:
        """Write the pull request's text, where there is something to say."""
        from codemod.reports.pullrequest.text import PullRequest, write

        made, planned, wish, kit = self.made, self.made.planned, self.wish, self.kit
        if planned is None or not made.commits:
            return {}
        name = kit.name if kit else planned.whole.source.root.resolve().name
        return write(
            PullRequest(
                headline=planned.headline,
                branch=made.name,
                base=made.base,
                tip=made.tip,
                commits=made.commits,
                change_set=planned.whole,
                evidence=self._cited(planned, name),
                again=self._again(),
                again_branch="again" if wish.shared is None else "again-shared",
                hook=planned.hook,
                form=made.form,
                hazards=_left(near(planned.whole), kit),
                rule=rule_for(kit.name) if kit else None,
                reach=planned.reach,
                mended=planned.mended,
                series=wish.series,
                findings=planned.findings,
                whole=self._is_whole(),
                sizes=self.repository.sizes(made.base, made.tip),
            ),
            self.request.workspace.make("pull-requests", name, made.name.replace("/", "-")),
        )

    def _again(self) -> str:
        """The command that makes the same tree on a branch named `again`, in a clone of the kit.

        What several parts share comes to `again-shared`, beside the parts.
        """
        wish, request = self.wish, self.request
        words = ["codemod", "branch", *([self.kit.name, "--path", "."] if self.kit else ["./"])]
        words += ["--name", "again", "--revision", self.made.base]
        words += [word for rule in request.rules for word in ("--trainer", rule)]
        words += ["--switch", request.switch] if request.switch != "config" else []
        words += [word for config in wish.tipc for word in ("--tipc", config)]
        words += [word for glob in wish.only for word in ("--only", glob)]
        words += [word for glob in wish.exclude for word in ("--exclude", glob)]
        words += ["--with-fixes"] if request.fixes else []
        # What parts share is made along with them, as a branch of its own.
        words += ["--split"] if wish.shared is not None else []
        return shlex.join([*words, *(["--docs"] if wish.docs else [])])

    def _is_whole(self) -> bool:
        """Whether the branch holds all that the plan has, and not a part of it that was chosen."""
        wish = self.wish
        parts = (wish.only, wish.exclude, wish.told, self.request.rules)
        return not any(parts) and wish.answers is None and wish.shared is None

    def _cited(self, planned: PlannedBranch, name: str) -> CitedEvidence:
        """The runs that say something of the branch, and that others can repeat in its tree."""
        from codemod.reports.pullrequest.claims.executed_lines import of_part

        paths = {entry.path for entry in entries(self.repository, self.made.tip)}
        changed = [change.path for change in planned.whole.changes]
        found = read_evidence(self.request.workspace, name).in_tree(paths).of_change(changed)
        if self.request.proof:
            return found.of_code(planned.hook)
        if self._is_whole():
            return found
        told = self.wish.told
        return of_part(
            found, planned.whole, planned.hook, lambda config: told is not None and told.of(config)
        )

    def publish(self, texts: dict[str, Path]) -> dict[str, Any]:
        """Push and open the draft where asked for; else the commands by which a user would."""
        from codemod.reports.pullrequest.git.push import (
            address_of,
            default_branch,
            fork_of,
            gh_command,
            head_of,
            open_draft,
            push_command,
            way_to_fork,
        )

        repository, kit, made, request = self.repository, self.kit, self.made, self.request
        if not made.commits:
            return {"pushed": None, "pull_request": None, "commands": []}
        fork = fork_of(repository, kit.git) if kit else None
        remote = request.remote or fork or "origin"
        address = address_of(repository, remote)
        head, pushing = head_of(made.name, address), [push_command(repository, remote, made.name)]
        if kit and not request.remote and not fork and (way := way_to_fork(repository, kit.git)):
            # A maintainer alone may push to the kit's own repository.
            pushing = [*way.commands, push_command(repository, "fork", made.name)]
            head = f"{way.login}:{made.name}"
        base = request.base or default_branch(repository, remote)
        title, body = made.titles[request.language], texts[request.language]
        drafting = gh_command(kit.git if kit else address or "", head, base, title, body)
        commands = [*pushing, shlex.join(drafting)]
        if not request.remote:
            return {"pushed": None, "pull_request": None, "commands": commands}
        self._push(remote)
        opened = open_draft(repository, drafting) if request.open_draft else None
        left = [] if opened else commands[-1:]
        return {"pushed": remote, "pull_request": opened, "commands": left}

    def _push(self, remote: str) -> None:
        """Push the branch over what an earlier run pushed there, and keep that it was."""
        from codemod.reports.pullrequest.git.push import push, remote_address

        made = self.made
        ledger = BranchLedger.of(self.repository.git_dir)
        known = ledger.read(made.name)
        before = known.pushed if known else {}
        address = remote_address(self.repository, remote)
        push(self.repository, remote, made.name, made.tip, pushed=before.get(address))
        ledger.write(made.name, BranchRecord(made.tip, made.base, {**before, address: made.tip}))


def _left(hazards: tuple[TrainerHazard, ...], kit: Kit | None) -> tuple[TrainerHazard, ...]:
    """The hazards that the kit's hook does not see to itself."""
    rule = config_rule(kit) if kit else None
    settled = rule.settled if rule else ()
    return tuple(hazard for hazard in hazards if hazard.id not in settled)


def clone_of(target: str, path: Path | None, workspace: Workspace) -> tuple[Kit | None, Path]:
    """The kit, and the clone of it that is meant."""
    if path is not None:
        kit = find_kit(target)
        return (kit_in(path, kit) if path.is_dir() else kit), path
    if "/" in target or target.startswith(("~", ".")):
        folder = Path(target).expanduser()
        return (kit_in(folder, None) if folder.is_dir() else None), folder
    source = resolve(target, None, workspace)
    return (find_kit(source.kit) if source.kit else None), source.root


def answers_in(folder: Path) -> dict[str, bool]:
    """What the user accepted and rejected hook by hook.

    Raises:
        UsageError: nothing was asked yet, or single lines were edited.
    """
    found = answers(folder)
    if not found:
        raise UsageError(
            f"There are no answers for {folder}.", "Run `codemod apply --interactive` on it first."
        )
    if any(decision.rewrites for decision in found.values()):
        raise UsageError(
            "Your answers edit or leave out single lines, which a branch cannot repeat.",
            "Commit the applied change by hand, or answer for whole hooks.",
        )
    return {key: decision.accepted for key, decision in found.items()}


def parts_of(
    plans: CommitPlans, kit: Kit | None, wish: BranchRequest, series: bool
) -> list[BranchRequest]:
    """A request for each part of the kit that gets hooks, on top of what several parts need.

    In a series each is numbered and says what must be merged before it.
    """
    from codemod.reports.pullrequest.claims.proving_set import runnable

    with LiveLine("Looking for the kit's parts"):
        whole = change_of(plans, wish)
    marks = kit.marks if kit else ()
    found = components(whole, marks)
    parts = [
        replace(wish, name=f"{wish.name}-{told.own}", only=found[told.own], told=told)
        for told in told_by(found, marks)
    ]
    if shared(whole, marks):
        below = replace(wish, name=f"{wish.name}-shared", shared=marks, tipc=(), docs=False)
        parts = [below, *(replace(part, revision=below.name) for part in parts)]
    if series:
        parts = numbered(wish, parts, runnable(whole, kit.name) if kit else frozenset())
    return parts or [wish]


def branch_made(plans: CommitPlans, wish: BranchRequest, request: Publication) -> Branch:
    """Make or bring up to date one branch, once the remote to push it to is known to be there."""
    if request.remote:
        remote_address(plans.repository, request.remote)
    from codemod.work.fixing import with_fixes

    mend = partial(with_fixes, workspace=request.workspace) if request.fixes else None
    with LiveLine(f"Planning the change for {wish.name}"):
        return make_branch(plans, wish, mend)


@contextmanager
def unproved(
    repository: Repository, made: Branch, kit: Kit, proof: Proof, workspace: Workspace
) -> Iterator[list[RunSpec]]:
    """Runs of what no run has executed of the change yet, on the branch's own files.

    There are none where runs on record have executed it all. The files are gone afterwards.
    """
    from codemod.reports.pullrequest.claims.proving_set import proving_set

    assert made.planned is not None
    changed = [change.path for change in made.planned.whole.changes]
    found = read_evidence(workspace, kit.name).of_change(changed)
    known = found.of_code(made.planned.hook)
    rows = [row for row in known.judged if proof.paddle in (None, row.paddle)]
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        root = Path(folder, kit.name)
        checkout(repository, made.base, made.tip, root)
        chosen = proving_set(Tree(root), made.planned.whole, kit, config_rule(kit), rows)
        for path in chosen.beyond:
            note(f"No config with a recipe comes to {path}: no run will prove it.")
        if not chosen.configs:
            note("Runs on record have executed all that a config with a recipe comes to.")
        yield [
            RunSpec(kit.name, one, proof.steps, device="auto", paddle=proof.paddle, path=root)
            for one in chosen.configs
        ]
