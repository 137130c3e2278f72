"""The branches of a pull request: which clone, which parts of it, and runs of the change alone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.base.terminal.progress import LiveLine
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit, find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.sources import resolve
from codemod.kits.sources.folder import kit_in
from codemod.reports.pullrequest.branch import Branch, change_of, make_branch
from codemod.reports.pullrequest.branch_plan import (
    BranchRequest,
    components,
    numbered,
    shared,
    told_by,
)
from codemod.reports.pullrequest.claims.cited_evidence import read_evidence
from codemod.reports.pullrequest.commit_plans import CommitPlans
from codemod.reports.pullrequest.git.export import checkout
from codemod.reports.pullrequest.git.push import remote_address
from codemod.reports.pullrequest.git.repository import Repository
from codemod.reports.review.interactive.decisions import answers
from codemod.training.run_spec import RunSpec
from codemod.work.publishing import Proof, Publication


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
    known = read_evidence(workspace, kit.name).of_code(made.planned.hook)
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
