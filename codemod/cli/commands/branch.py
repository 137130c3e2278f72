"""`codemod branch`: a pull request's branch, commits and text."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.changeset import Status
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import named
from codemod.base.terminal.doing import note
from codemod.base.terminal.progress import LiveLine
from codemod.cli import options
from codemod.cli.output import print_hooks, print_object, rendered

if TYPE_CHECKING:
    from codemod.kits.catalogue import Kit
    from codemod.reports.pullrequest.branch import Branch
    from codemod.reports.pullrequest.branch_plan import BranchRequest
    from codemod.reports.pullrequest.commit_plans import CommitPlans
    from codemod.reports.pullrequest.git.repository import Repository
    from codemod.work.publishing import Proof, Publication


@click.command(name="branch")
@options.target
@options.place("--path", "A clone of the kit that you already have; it may be bare.", "REPO")
@click.option("--name", metavar="NAME", help="The branch (default: to-static-training).")
@click.option("--revision", default="HEAD", help="The commit to start from.")
@click.option(
    "--conflict",
    type=click.Choice(["refuse", "skip", "replace", "append"]),
    default="refuse",
    help="What to do if the branch exists and codemod did not make it.",
)
@options.flag("--signoff", "Add a Signed-off-by line to each commit.")
@click.option("--tipc", multiple=True, metavar="CONFIG", help="Add the chain to a TIPC config.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only hooks in these files or folders.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No hooks in these.")
@options.flag("--split", "A branch for each part of the kit: core, contrib/X, …")
@options.flag(
    "--series",
    "As --split, numbered in the order to merge: shared lines, core, parts that can be run.",
)
@options.flag("--answered", "Only the hooks that you accepted in `apply --interactive`.")
@click.option("--base", metavar="BRANCH", help="The branch to merge into (default: the remote's).")
@options.flag("--docs", "Mention the switch in the training document.")
@options.flag(
    "--prove",
    "Train the fewest configs that come to the change, and cite runs of this change alone.",
)
@options.number("--steps", 50, "With --prove: optimizer steps of each run.")
@options.paddle
@click.option("--push", "remote", metavar="REMOTE", help="Push the branch there.")
@options.flag("--draft-pr", "Open a draft with gh (needs --push).", into="open_draft")
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    help="Language of the draft's text; both are written.",
)
@options.rules
@options.switch
@options.fixes
@options.as_json
@options.workspace
def command(
    target: str,
    path: Path | None,
    name: str | None,
    revision: str,
    conflict: str,
    signoff: bool,
    tipc: tuple[str, ...],
    only: tuple[str, ...],
    exclude: tuple[str, ...],
    split: bool,
    series: bool,
    answered: bool,
    docs: bool,
    prove: bool,
    steps: int,
    paddle: str | None,
    as_json: bool,
    workspace: Path | None,
    **published: Any,
) -> int:
    """Make a branch with the hooks of TARGET, ready for a pull request.

    Your work tree, HEAD and index are not touched, so they may be dirty; no git hook runs.
    """
    from codemod.kits.sources import remarks
    from codemod.reports.pullrequest.branch_plan import DEFAULT_NAME, BranchRequest, Conflict
    from codemod.reports.pullrequest.commit_plans import CommitPlans
    from codemod.reports.pullrequest.git.commits import identity
    from codemod.reports.pullrequest.git.repository import opened
    from codemod.work.planning import known_trainers
    from codemod.work.publishing import Proof, Publication

    proof = Proof(steps, paddle) if prove else None
    space = Workspace.at(workspace)
    request = Publication(as_json=as_json, workspace=space, proof=proof, **published)
    if request.open_draft and not request.remote:
        raise UsageError("--draft-pr needs a pushed branch.", "Give --push REMOTE as well.")
    if prove and as_json:
        raise UsageError("--json prints the branch, and --prove each run.", "Give one of them.")
    known_trainers(target, path, request.rules)
    with LiveLine("Reading the kit"):
        kit, folder = _found(target, path, space)
    wish = BranchRequest(
        kit.name if kit else None,
        name or DEFAULT_NAME,
        revision,
        Conflict(conflict),
        signoff,
        tipc,
        docs,
        only,
        exclude,
        _answers(folder) if answered else None,
    )
    repository = opened(folder)
    identity(repository)  # who git takes the user for is asked before the long work, not after
    with CommitPlans(repository, wish.kit, request.plan) as plans:
        wishes = _parts(plans, kit, wish, series) if split or series else [wish]
        if as_json and len(wishes) > 1:
            raise UsageError("--json prints one branch.", "Choose a part with --only.")
        done = max(_carry_out(plans, kit, one, request) for one in wishes)
    for remark in remarks(target, path, wish.kit):
        note(remark)
    return done


def _answers(folder: Path) -> dict[str, bool]:
    """What the user accepted and rejected hook by hook.

    Raises:
        UsageError: nothing was asked yet, or single lines were edited.
    """
    from codemod.reports.review.interactive.decisions import answers

    found = answers(folder)
    if not found:
        raise UsageError(
            f"There are no answers for {folder}.",
            "Run `codemod apply --interactive` on it first.",
        )
    if any(decision.rewrites for decision in found.values()):
        raise UsageError(
            "Your answers edit or leave out single lines, which a branch cannot repeat.",
            "Commit the applied change by hand, or answer for whole hooks.",
        )
    return {key: decision.accepted for key, decision in found.items()}


def _parts(
    plans: CommitPlans, kit: Kit | None, wish: BranchRequest, series: bool
) -> list[BranchRequest]:
    """A wish for each part of the kit that gets hooks, on top of what several parts need.

    In a series each is numbered and says what must be merged before it.
    """
    from codemod.reports.pullrequest.branch import change_of
    from codemod.reports.pullrequest.branch_plan import components, numbered, shared, told_by
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


def _found(target: str, path: Path | None, workspace: Workspace) -> tuple[Kit | None, Path]:
    """The kit, and the clone of it that is meant."""
    from codemod.kits.catalogue import find_kit
    from codemod.kits.sources import resolve
    from codemod.kits.sources.folder import kit_in

    if path is not None:
        kit = find_kit(target)
        return (kit_in(path, kit) if path.is_dir() else kit), path
    if "/" in target or target.startswith(("~", ".")):
        folder = Path(target).expanduser()
        return (kit_in(folder, None) if folder.is_dir() else None), folder
    source = resolve(target, None, workspace)
    return (find_kit(source.kit) if source.kit else None), source.root


def _carry_out(
    plans: CommitPlans, kit: Kit | None, wish: BranchRequest, request: Publication
) -> int:
    from codemod.reports.pullrequest.branch import make_branch
    from codemod.reports.pullrequest.git.push import remote_address

    repository = plans.repository
    if request.remote:
        remote_address(repository, request.remote)
    from codemod.work.fixing import with_fixes
    from codemod.work.publishing import PullRequestDraft

    mend = partial(with_fixes, workspace=request.workspace) if request.fixes else None
    with LiveLine(f"Planning the change for {wish.name}"):
        made = make_branch(plans, wish, mend)
    if request.proof and kit and made.commits:
        _prove(repository, made, kit, request.proof, request.workspace)
    with LiveLine("Writing the pull request's text"):
        draft = PullRequestDraft(repository, kit, wish, request, made)
        texts = draft.write_texts()
    told = draft.publish(texts)
    answer = _answer(made, texts, told)
    if request.as_json:
        print_object(answer, indent=1)
    else:
        if made.planned:
            print_hooks(made.planned.whole, written=True)
        click.echo(rendered("branch.txt", made=made, **answer), nl=False)
    hooks = made.planned.whole.hooks if made.planned else ()
    return int(any(hook.status is Status.UNPLACED for hook in hooks))


def _prove(
    repository: Repository, made: Branch, kit: Kit, proof: Proof, workspace: Workspace
) -> None:
    """Train what no run has executed of the change yet, on the branch's own files."""
    from codemod.cli.commands.parity import command as parity
    from codemod.code.tree import Tree
    from codemod.kits.config_rule import config_rule
    from codemod.reports.pullrequest.claims.cited_evidence import read_evidence
    from codemod.reports.pullrequest.claims.proving_set import proving_set
    from codemod.reports.pullrequest.git.export import checkout

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
            return
        click.get_current_context().invoke(
            parity,
            target=kit.name,
            configs=chosen.configs,
            path=root,
            steps=proof.steps,
            paddle=proof.paddle,
            workspace=workspace.root,
        )


def _answer(made: Branch, texts: dict[str, Path], told: dict[str, Any]) -> dict[str, Any]:
    change_set = made.planned.whole if made.planned else None
    return {
        "kit": change_set.source.kit if change_set else None,
        "branch": made.name,
        "state": made.state.value,
        **named(made, "base", "tip", "previous"),
        "title": made.titles.get("en", ""),
        "commits": [{"commit": one.name, "subject": one.subject} for one in made.commits],
        "skipped": [skip.to_json() for skip in change_set.skipped] if change_set else [],
        "texts": {language: str(file) for language, file in texts.items()},
        **told,
    }
