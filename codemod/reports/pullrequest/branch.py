"""The branch of a pull request, made beside the user's work and never in it.

The plan is made on the files of a commit, not on the work tree, so a dirty tree does not
matter; commits go straight into the object store; the branch is set in one step at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from codemod.audit.fixes.offers import FixedChange
from codemod.base.changeset import ChangeSet, EditKind
from codemod.base.errors import UsageError
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.base.version import version
from codemod.reports.pullrequest.branch_plan import (
    BranchRequest,
    Conflict,
    PlannedBranch,
    change_at,
    plan_at,
)
from codemod.reports.pullrequest.claims.facts import named, switches, told
from codemod.reports.pullrequest.commit_plans import CommitPlans
from codemod.reports.pullrequest.commit_stages import Part
from codemod.reports.pullrequest.git.commits import (
    Commit,
    DraftCommit,
    branch_tip,
    checked_out_at,
    commit_all,
    identity,
    set_branch,
    trees,
)
from codemod.reports.pullrequest.git.manner import SubjectStyle, message, read_manner
from codemod.reports.pullrequest.git.own_branches import BranchLedger, BranchRecord
from codemod.reports.pullrequest.git.repository import Repository
from codemod.reports.pullrequest.headline import Purpose

_FORM = ".github/PULL_REQUEST_TEMPLATE.md"


class BranchState(str, Enum):
    """What became of the branch."""

    CREATED = "created"
    UPDATED = "updated"
    APPENDED = "appended"
    UNCHANGED = "up to date"
    SKIPPED = "left as it is"
    NOTHING = "nothing to do"


@dataclass(frozen=True, slots=True)
class Branch:
    """What was made.

    `planned` is None of a branch that was left as it is; `titles` holds the title by language,
    `previous` is where the branch was before, `form` the kit's own form for pull requests.
    """

    name: str
    state: BranchState
    base: str
    tip: str
    planned: PlannedBranch | None = None
    titles: dict[str, str] = field(default_factory=dict)
    commits: tuple[Commit, ...] = ()
    previous: str | None = None
    form: str | None = None


def make_branch(
    plans: CommitPlans, wish: BranchRequest, mend: Callable[[ChangeSet], FixedChange] | None = None
) -> Branch:
    """Make or bring up to date the branch that `wish` asks for; `mend` as for `plan_at`.

    Raises:
        UsageError: no such revision, the branch is someone else's or checked out, git does
            not know the user, or the object store cannot be written. Nothing was changed.
    """
    repository = plans.repository
    base = base_commit(repository, wish)
    existing = branch_tip(repository, wish.name)
    if existing and wish.conflict is Conflict.SKIP:
        return Branch(wish.name, BranchState.SKIPPED, base, existing)
    if existing and wish.conflict is Conflict.APPEND:
        base = existing
    manner = read_manner(repository, base)
    planned = plan_at(plans, base, wish, mend)
    doing(f"Writing {wish.name}")
    form = repository.file(base, _FORM)
    found = Branch(
        name=wish.name,
        state=BranchState.UNCHANGED if existing == base else BranchState.NOTHING,
        base=base,
        tip=base,
        planned=planned,
        titles=_titles(planned, manner),
        previous=existing,
        form=form.decode("utf-8", "replace") if form else None,
    )
    return _made(repository, wish, planned, manner, found) if planned.parts else found


def _made(
    repository: Repository,
    wish: BranchRequest,
    planned: PlannedBranch,
    manner: SubjectStyle,
    found: Branch,
) -> Branch:
    """Write the commits and set the branch, unless it holds them already."""
    base, existing = found.base, found.previous
    drafts = _drafts(planned, manner, wish, identity(repository))
    stages = [part.changes for part in planned.parts]
    names = trees(repository, base, stages, planned.modes)
    ledger = BranchLedger.of(repository.git_dir)
    known = ledger.read(wish.name)
    ours = known is not None and known.tip == existing
    if existing and _is_there(repository, base, existing, names[-1], drafts if ours else []):
        return _unchanged(repository, found, existing)
    state = _may_move(repository, wish, existing, ours=ours)
    commits = commit_all(repository, base, drafts, names)
    tip = commits[-1].name
    set_branch(repository, wish.name, tip, existing)
    ledger.write(wish.name, BranchRecord(tip, base, known.pushed if known and existing else {}))
    return replace(found, state=state, tip=tip, commits=tuple(commits))


def _titles(planned: PlannedBranch, manner: SubjectStyle) -> dict[str, str]:
    """The pull request's title by language: what its hooks do, or what there is beside hooks."""
    subjects = {part.stage.name: part.subject for part in planned.parts}
    if {"repair", "hook", "plumbing"} & subjects.keys() or not subjects:
        title = planned.headline.said
    else:
        title = Reason.said(next(iter(subjects.values())))
    return {"en": manner.subject(title.text("en")), "zh": manner.tag + title.text("zh")}


def change_of(plans: CommitPlans, wish: BranchRequest) -> ChangeSet:
    """What the branch would change, without making it.

    Raises:
        UsageError: as `make_branch`.
    """
    return change_at(plans, base_commit(plans.repository, wish), wish)


def base_commit(repository: Repository, wish: BranchRequest) -> str:
    """The commit that the branch starts from.

    Raises:
        UsageError: there is no such commit.
    """
    base = repository.commit(wish.revision)
    if base is None:
        unborn = wish.revision == "HEAD"
        raise UsageError(
            f"{repository.folder} has no commit yet."
            if unborn
            else f"{repository.folder} has no commit {wish.revision}.",
            "Commit the kit's files first." if unborn else "Fetch it, or give another --revision.",
        )
    return base


def _is_there(
    repository: Repository, base: str, existing: str, tree: str, drafts: Sequence[DraftCommit]
) -> bool:
    """Whether the branch holds just this change already, on top of this base.

    Of a branch of our own the messages must be the same, too (`--signoff` came or went).
    """
    if existing == base or not repository.is_ancestor(base, existing):
        return False
    if repository.line("rev-parse", f"{existing}^{{tree}}") != tree:
        return False
    messages = [message for _, message in repository.log(base, existing)]
    return not drafts or messages == [draft.message.strip() for draft in drafts]


def _unchanged(repository: Repository, found: Branch, existing: str) -> Branch:
    log = repository.log(found.base, existing)
    commits = tuple(Commit(name, message.partition("\n")[0]) for name, message in log)
    return replace(found, state=BranchState.UNCHANGED, tip=existing, commits=commits)


def _may_move(
    repository: Repository, wish: BranchRequest, existing: str | None, *, ours: bool
) -> BranchState:
    """Whether the branch may be set, and as what; nothing of the user's is ever moved away."""
    if existing is None:
        return BranchState.CREATED
    if where := checked_out_at(repository, wish.name):
        raise UsageError(
            f"The branch {wish.name} is checked out in {where}, so it is not moved.",
            "Check out another branch there, or give another --name.",
        )
    if wish.conflict is Conflict.APPEND:
        return BranchState.APPENDED
    if wish.conflict is Conflict.REPLACE or ours:
        return BranchState.UPDATED
    raise UsageError(
        f"The branch {wish.name} exists and holds commits that codemod did not make.",
        "Give another --name, or --conflict skip, replace or append.",
    )


def _drafts(
    planned: PlannedBranch, manner: SubjectStyle, wish: BranchRequest, who: str
) -> list[DraftCommit]:
    trailers = [f"Signed-off-by: {who}"] if wish.signoff else []
    drafts = []
    for number, part in enumerate(planned.parts):
        # A repair's headline tells of the other commits' repairs, too.
        whole = part.stage.name == "hook" and planned.headline.purpose is not Purpose.REPAIR
        said = planned.headline
        texts = [one.text() for one in (said.said, *said.shorter)] if whole else [part.subject]
        after = planned.parts[number + 1 : number + 2]
        paragraphs = _paragraphs(part, planned.whole, after[0] if after else None)
        text = message(manner.fitting(texts), paragraphs, trailers)
        drafts.append(DraftCommit(text, part.changes))
    return drafts


def _paragraphs(part: Part, whole: ChangeSet, after: Part | None) -> list[str]:
    """What a reader of `git log` wants: what was done to which file, and how to switch it on.

    What is said of lines that prepare a hook holds from the commit `after` on, which brings it.
    """
    paragraphs = [f"- {line}" for line in told(whole, part.edits)]
    if part.stage.name == "plumbing" and after and after.stage.name == "hook":
        hooks = {i for edit in after.edits if edit.kind is EditKind.HOOK for i in edit.hooks}
        come = "hook comes" if len(hooks) == 1 else "hooks come"
        paragraphs.append(f"The {come} with the next commit.")
    if part.stage.name == "hook" and (found := switches(whole)):
        paragraphs.append("Off by default. Switch it on with:")
        for words, in_config, files in found:
            of = f" ({named(files)})" if len(found) > 1 else ""
            paragraphs.append(f"    {words}{' in the config' * in_config}{of}")
    return [*paragraphs, f"Made with paddle-codemod {version()}."]
