"""`codemod branch`: a pull request's branch, commits and text."""

from __future__ import annotations

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
from codemod.cli.commands.parity import print_compared
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import print_hooks, print_object, rendered

if TYPE_CHECKING:
    from codemod.kits.catalogue import Kit
    from codemod.reports.pullrequest.branch import Branch
    from codemod.reports.pullrequest.branch_plan import BranchRequest
    from codemod.reports.pullrequest.commit_plans import CommitPlans
    from codemod.work.publishing import Publication


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
@options.paddle("With --prove: the Paddle to train with (default: the recipe's).")
@click.option("--push", "remote", metavar="REMOTE", help="Push the branch there.")
@options.flag("--draft-pr", "Open a draft with gh (needs --push).", into="open_draft")
@options.language("Language of the draft's text; both are written.")
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
    from codemod.work.publishing import Proof, Publication, answers_in, clone_of, parts_of

    if not prove:
        options.refuse("Nothing is trained without --prove", "steps", "paddle")
    proof = Proof(steps, paddle) if prove else None
    space = Workspace.at(workspace)
    request = Publication(as_json=as_json, workspace=space, proof=proof, **published)
    if request.open_draft and not request.remote:
        raise UsageError("--draft-pr needs a pushed branch.", "Give --push REMOTE as well.")
    if prove and as_json:
        raise UsageError("--json prints the branch, and --prove each run.", "Give one of them.")
    known_trainers(target, path, request.rules)
    with LiveLine("Reading the kit"):
        kit, folder = clone_of(target, path, space)
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
        answers_in(folder) if answered else None,
    )
    repository = opened(folder)
    identity(repository)  # who git takes the user for is asked before the long work, not after
    with CommitPlans(repository, wish.kit, request.plan) as plans:
        wishes = parts_of(plans, kit, wish, series) if split or series else [wish]
        if as_json and len(wishes) > 1:
            raise UsageError("--json prints one branch.", "Choose a part with --only.")
        done = max(_carry_out(plans, kit, one, request) for one in wishes)
    for remark in remarks(target, path, wish.kit):
        note(remark)
    return done


def _carry_out(
    plans: CommitPlans, kit: Kit | None, wish: BranchRequest, request: Publication
) -> int:
    from codemod.work.publishing import PullRequestDraft, branch_made, unproved

    repository = plans.repository
    made = branch_made(plans, wish, request)
    if request.proof and kit and made.commits:
        exit_when_terminated()
        from codemod.work.comparing import compare

        with unproved(repository, made, kit, request.proof, request.workspace) as wanted:
            if wanted:
                print_compared(compare(wanted, request.workspace), as_json=False)
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
