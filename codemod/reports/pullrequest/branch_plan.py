"""What a branch will hold: the user's wishes, planned on the files of one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fnmatch import fnmatchcase

from codemod.audit.fixes.offers import FixedChange, Offer
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.errors import UsageError
from codemod.base.grouping import grouped_once
from codemod.engine.hook_files import HookFiles
from codemod.engine.plan import Plan
from codemod.kits.rulebook import rule_for
from codemod.reports.pullrequest.claims.kit_findings import KitFindings, kit_findings
from codemod.reports.pullrequest.commit_plans import CommitPlan, CommitPlans
from codemod.reports.pullrequest.commit_stages import Part, parts_of, with_more
from codemod.reports.pullrequest.headline import Headline, ReachCount, headline, reached
from codemod.reports.review.interactive.decisions import hook_key

DEFAULT_NAME = "to-static-training"
_TEXTS = (".txt", ".sh", ".md")
# Folders that hold projects of their own, and those that belong to the kit's core.
_COLLECTIONS = ("contrib", "applications", "examples", "projects")
_CORE = ("tools", "deploy", "test_tipc", "benchmark", "tests")


class Conflict(str, Enum):
    """What to do when the branch is there already and is not the tool's own."""

    REFUSE = "refuse"
    SKIP = "skip"
    REPLACE = "replace"
    APPEND = "append"


@dataclass(frozen=True, slots=True)
class SeriesPart:
    """The place of a branch in a series: `after` is the branch to merge before it, if any."""

    number: int
    total: int
    after: str = ""


@dataclass(frozen=True, slots=True)
class BranchScope:
    """Of which files a branch's text tells why they get no hook, where there are several branches.

    Those are the files of its `own` part of the kit, and with `rest` those of all parts that have
    no branch; `named` have one. `marks` are those of the kit's own package; `folder` is the part's,
    "" for the core.
    """

    own: str
    folder: str
    rest: bool
    named: frozenset[str]
    marks: tuple[str, ...]

    def of(self, path: str) -> bool:
        """Whether this branch is the one that tells of a file."""
        part = _component(path, self.marks)
        return part == self.own or (self.rest and part not in self.named)


def told_by(parts: Mapping[str, Sequence[str]], marks: tuple[str, ...]) -> list[BranchScope]:
    """What the branch of each part tells of: the core, or the first part, tells of the rest too.

    `parts` are the parts of the kit with their files.
    """
    rest = "core" if "core" in parts else next(iter(parts), "")
    return [
        BranchScope(name, _folder(files[0], marks), name == rest, frozenset(parts), marks)
        for name, files in parts.items()
    ]


@dataclass(frozen=True, slots=True)
class BranchRequest:
    """What the user asked for.

    `only` and `exclude` are folders or globs of the hooks' files; `answers` says by hook
    (`hook_key`) what the user accepted and rejected before. With `shared`, the marks of the kit's
    own package, the branch holds what several of its parts need, and no hook. `series` is its
    place where several branches are to be merged one after the other; `told` are the files whose
    refusals its text tells, None for all.
    """

    kit: str | None
    name: str = DEFAULT_NAME
    revision: str = "HEAD"
    conflict: Conflict = Conflict.REFUSE
    signoff: bool = False
    tipc: tuple[str, ...] = ()
    docs: bool = False
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    answers: dict[str, bool] | None = None
    shared: tuple[str, ...] | None = None
    series: SeriesPart | None = None
    told: BranchScope | None = None


@dataclass(frozen=True, slots=True)
class PlannedBranch:
    """The change, cut into commits.

    `modes` are the files' modes in the commit; `hook` is the checksum by which parity knows
    the code with the change; `reach` is None where the kit's configs are not known; `mended` are
    the fixes that go with the hooks; `findings` are what `check` says of the kit itself.
    """

    whole: ChangeSet
    parts: tuple[Part, ...]
    modes: dict[str, str]
    hook: str
    headline: Headline
    reach: ReachCount | None
    mended: tuple[Offer, ...] = ()
    findings: KitFindings = field(default_factory=KitFindings)


def plan_at(
    plans: CommitPlans,
    commit: str,
    wish: BranchRequest,
    mend: Callable[[ChangeSet], FixedChange] | None = None,
) -> PlannedBranch:
    """Plan on the files of `commit`, brought out of the object store for the while.

    `mend` adds fixes to the change, where the user asked for them.
    """
    found = plans.at(commit)
    tree, made = found.tree, found.plan
    made = _shared(made, wish.shared) if wish.shared is not None else made
    accepted = _accepted(made, wish)
    whole = _whole(made, accepted, found, wish)
    if wish.shared is not None:
        whole = _without_new(whole)
    whole = _telling(whole, wish)
    mended = mend(whole) if mend else FixedChange(whole, ())
    whole = mended.change_set
    reach = reached(found.configs, whole)
    said = headline(whole, rule_for(wish.kit) if wish.kit else None, reach)
    return PlannedBranch(
        whole,
        parts_of(made, whole, accepted),
        found.modes,
        HookFiles(tree, whole).whole(),
        said if wish.told is None else said.of_part(wish.told.folder),
        reach,
        mended.offers,
        _findings(made, whole, wish),
    )


def change_at(plans: CommitPlans, commit: str, wish: BranchRequest) -> ChangeSet:
    """What is wished for on the files of `commit`, before it is cut into parts and commits."""
    found = plans.at(commit)
    return _whole(found.plan, _accepted(found.plan, wish), found, wish)


def _telling(whole: ChangeSet, wish: BranchRequest) -> ChangeSet:
    """The change with the refusals that this branch tells of: no other repeats them."""
    kept = (skip for skip in whole.skipped if skip.fault or _tells(wish, skip.file))
    return replace(whole, skipped=tuple(kept))


def _findings(made: Plan, whole: ChangeSet, wish: BranchRequest) -> KitFindings:
    """What `check` says of the kit, as far as this branch tells of it."""
    found = kit_findings(made.project, whole).after(made.project, whole)
    return replace(found, left=tuple(f for f in found.left if _tells(wish, f.file)))


def _tells(wish: BranchRequest, path: str) -> bool:
    """Whether this branch is the one that tells of a file; that of what is shared tells of none."""
    return wish.shared is None and (wish.told is None or wish.told.of(path))


def components(hooked: ChangeSet, marks: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The files with hooks that the change is about, by the part of the kit they belong to.

    Those are new hooks, and those that stand and get edits which no new hook shares.
    A project of a collection (`contrib/LaneSeg`) is a part, and so is any other folder at the
    top; the kit's own package (`marks`) with its tools is `core`.
    """
    about = _about(hooked.hooks, [edit.hooks for edit in hooked.edits])
    files = (hook.file for index, hook in enumerate(hooked.hooks) if index in about)
    parts = grouped_once((_component(file, marks), file) for file in files)
    return {name: tuple(files) for name, files in parts.items()}


def numbered(
    whole: BranchRequest, parts: Sequence[BranchRequest], runnable: frozenset[str]
) -> list[BranchRequest]:
    """The parts as a series: what they share, the core, what has a `runnable` script, the rest.

    What is one part is no series, and stays whole.
    """
    if len(parts) < 2:
        return [whole]

    def rank(part: BranchRequest) -> tuple[bool, bool, bool]:
        core = part.name == f"{whole.name}-core"
        return part.shared is None, not core, runnable.isdisjoint(part.only)

    ordered = sorted(parts, key=rank)
    names = {
        part.name: part.name.replace(whole.name, f"{whole.name}-{number}", 1)
        for number, part in enumerate(ordered, 1)
    }
    made = []
    for number, part in enumerate(ordered, 1):
        below = names.get(part.revision, "")
        place = SeriesPart(number, len(ordered), below)
        revision = below or part.revision
        made.append(replace(part, name=names[part.name], revision=revision, series=place))
    return made


def shared(hooked: ChangeSet, marks: tuple[str, ...]) -> bool:
    """Whether several parts of the kit need an edit: it belongs into a branch below theirs."""
    users = [frozenset(edit.hooks) for edit in hooked.edits]
    return any(_several(hooked.hooks, users, marks))


def _several(
    hooks: tuple[Hook, ...], users: Sequence[frozenset[int]], marks: tuple[str, ...]
) -> list[bool]:
    """For each group of hooks, whether those that the change is about are of several parts."""
    about = _about(hooks, users)
    part = {index: _component(hooks[index].file, marks) for index in about}
    return [len({part[i] for i in group if i in part}) > 1 for group in users]


def _shared(plan: Plan, marks: tuple[str, ...]) -> Plan:
    """The plan of what several parts need."""
    several = _several(plan.hooks, [step.hooks for step in plan.steps], marks)
    return replace(plan, steps=tuple(s for s, yes in zip(plan.steps, several, strict=True) if yes))


def _without_new(whole: ChangeSet) -> ChangeSet:
    """The change without the hooks that later branches bring; edits name those that stand."""
    standing = [index for index, hook in enumerate(whole.hooks) if hook.exists]
    place = {index: number for number, index in enumerate(standing)}
    edits = (
        replace(edit, hooks=tuple(place[index] for index in edit.hooks if index in place))
        for edit in whole.edits
    )
    return replace(whole, hooks=tuple(whole.hooks[i] for i in standing), edits=tuple(edits))


def _about(hooks: tuple[Hook, ...], users: Iterable[Iterable[int]]) -> frozenset[int]:
    """The new hooks, and those that stand and get an edit of their own.

    `users` are the hooks of each edit.
    """
    new = {index for index, hook in enumerate(hooks) if hook.status is Status.INSERTED}
    groups = map(frozenset, users)
    standing = (one for one in groups if all(hooks[i].status is Status.PRESENT for i in one))
    return frozenset(new.union(*standing))


def _component(path: str, marks: tuple[str, ...]) -> str:
    return _folder(path, marks).replace("/", "-") or "core"


def _folder(path: str, marks: tuple[str, ...]) -> str:
    """The folder of the part that a file belongs to; "" for the core."""
    folders = path.split("/")[:-1]
    for depth, folder in enumerate(folders[:3]):
        if folder in _COLLECTIONS and len(folders) > depth + 1:
            return "/".join(folders[: depth + 2])
    return folders[0] if folders and folders[0] not in (*marks, *_CORE) else ""


def _accepted(plan: Plan, wish: BranchRequest) -> frozenset[int]:
    """The hooks that the branch shall hold.

    Raises:
        UsageError: nothing is left of what could be inserted.
    """
    able = [i for i, hook in enumerate(plan.hooks) if hook.status is not Status.UNPLACED]
    kept = frozenset(i for i in able if _wanted(plan.hooks[i], wish))
    new = any(plan.hooks[i].status is Status.INSERTED for i in able)
    if new and kept.isdisjoint(_about(plan.hooks, [step.hooks for step in plan.steps])):
        raise UsageError(
            "None of the hooks is left by your choice.",
            "See their files with `codemod apply --dry-run`.",
        )
    return kept


def _wanted(hook: Hook, wish: BranchRequest) -> bool:
    chosen = not wish.only or _any(hook.file, wish.only)
    answer = (wish.answers or {}).get(hook_key(hook))
    # With answers, a new hook that nobody was asked about is not taken.
    agreed = wish.answers is None or (hook.status is Status.PRESENT if answer is None else answer)
    return chosen and not _any(hook.file, wish.exclude) and agreed


def _any(path: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(path, g) or path.startswith(f"{g.rstrip('/')}/") for g in globs)


def _whole(
    plan: Plan, accepted: frozenset[int], found: CommitPlan, wish: BranchRequest
) -> ChangeSet:
    """The plan's change set, with TIPC and documentation where the user asked for them."""
    whole = plan.change_set(accepted)
    if not (wish.tipc or wish.docs):
        return whole
    from codemod.reports.pullrequest.doc_edits import doc_edits
    from codemod.reports.pullrequest.tipc_edits import tipc_edits

    files = {path: found.tree.read(path) for path in found.modes if path.endswith(_TEXTS)}
    more, skips = doc_edits(wish.kit, files, whole.hooks) if wish.docs else ([], [])
    if wish.tipc:
        switches = list(dict.fromkeys(hook.switch for hook in whole.hooks if hook.switch))
        edits, left = tipc_edits(files, wish.tipc, switches)
        more, skips = [*more, *edits], [*skips, *left]
    return replace(with_more(whole, more), skipped=(*whole.skipped, *skips))
