"""From targets to change sets: what `apply` and `diff` have in common.

One target is planned in this process. Several are spread over the processor's cores, one
process a kit at a time: kits share nothing, so this is the one place where that pays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from codemod.base.collector import collector_paused
from codemod.base.errors import CodemodError, EnvironmentFault, UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note

if TYPE_CHECKING:
    from codemod.base.changeset import ChangeSet
    from codemod.engine.plan import Plan
    from codemod.experiments.rehearse.rehearsal import Rehearsal

# What a plan imports.
PLANNING = (
    "codemod.engine.planner",
    "codemod.engine.rewrite.file",
    "codemod.kits.rulebook",
    "codemod.kits.sources.fetch",
    "codemod.kits.sources.provenance",
    "libcst.native",
)
# What fixes import.
FIXING = ("codemod.work.fixing", "codemod.audit.fixes.catalog", "codemod.audit.fixes.declared")
# What audits import beside these.
AUDITING = ("codemod.audit.faults", "codemod.audit.model_findings", "codemod.hazards.kept_scans")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Request:
    """One target: a kit's name, of which `path` may be a checkout, or a folder.

    `rules` are the trainers of the kit's rule that are asked for, `repair` says that its files
    will be written, `fixes` that the fixes which are proved on record go with the hooks.
    `switch` is `env` where a variable turns the hooks on instead of the kit's own config.
    """

    target: str
    path: Path | None = None
    rules: tuple[str, ...] = ()
    workspace: Path = field(default_factory=lambda: Workspace.at().root)
    repair: bool = False
    fixes: bool = False
    switch: str = "config"


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """What became of one target: a change set, or the error instead."""

    request: Request
    root: str = ""
    change_set: ChangeSet | None = None
    error: CodemodError | None = None
    rehearsed: tuple[Rehearsal, ...] = ()

    @property
    def exit_code(self) -> int:
        """The error's; else 1 where a hook or a file wants a human."""
        if self.error is not None:
            return self.error.exit_code
        return int(self.change_set is not None and self.change_set.wants_a_human)

    def to_json(self) -> dict[str, object]:
        """The object that `--json` prints for this target."""
        made: dict[str, object] = self.change_set.to_json(self.root) if self.change_set else {}
        if self.error is not None:
            made = self.error.to_json()
        if self.rehearsed:
            made["rehearsed"] = [one.to_json() for one in self.rehearsed]
        return made


def requests(
    targets: Sequence[str],
    everything: bool,
    path: Path | None,
    workspace: Path | None,
    *,
    rules: tuple[str, ...] = (),
    repair: bool = False,
    fixes: bool = False,
    switch: str = "config",
) -> tuple[Request, ...]:
    """One request a target; `--all` means every kit of `kits.yaml`.

    Raises:
        UsageError: no target, targets beside `--all`, or several targets with one `--path`.
    """
    if everything and targets:
        raise UsageError("--all means all kits.", "Leave out the targets, or --all.")
    if everything:
        from codemod.kits.catalogue import load_kits

        targets = tuple(load_kits())
    if not targets:
        if path is not None:
            raise UsageError("--path goes with a kit's name.", f"Or give the folder: {path}")
        targets = (here(),)
    if path is not None and len(targets) > 1:
        raise UsageError("--path names one checkout, but there are several targets.")
    folder = Workspace.at(workspace).root
    return tuple(
        Request(target, path, rules, folder, repair, fixes, switch)
        for target in dict.fromkeys(targets)
    )


def here() -> str:
    """The target where none is given: the checkout that the current folder is in.

    Raises:
        UsageError: it is in no checkout of a kit.
    """
    from codemod.kits.sources.recognition import checkout_around

    if (root := checkout_around(Path.cwd())) is not None:
        return str(root)
    raise UsageError(
        "No target is given, and the current folder is in no checkout of a kit.",
        "Give a kit's name, a folder, or --all.",
    )


def root_and_plan(request: Request) -> tuple[str, Plan]:
    """The root of one target as the user named it, and its plan."""
    from codemod.engine import plan_change
    from codemod.kits.sources import remarks, resolve, shown_root

    workspace = Workspace.at(request.workspace)
    known_trainers(request.target, request.path, request.rules)
    source = resolve(request.target, request.path, workspace, repair=request.repair)
    root = shown_root(request.target, request.path, source.root)
    made = plan_change(source, request.rules, request.switch)
    for remark in remarks(request.target, request.path, source.kit):
        note(remark)
    return root, made


def known_trainers(target: str, path: Path | None, ids: tuple[str, ...]) -> None:
    """Refuse a trainer that the named kit's rule lacks before the kit is fetched for it."""
    from codemod.kits.rulebook import rule_for

    if ids and path is None and not Path(target).is_dir():
        rule_for(target, ids)


def plan(request: Request) -> PlanOutcome:
    """The change set for one target; nothing is written.

    >>> made = plan(Request("MendKit", Path("MendKit")))
    >>> [f"{hook.file}:{hook.line} {hook.status.value}" for hook in made.change_set.hooks]
    ['train.py:13 inserted']

    Raises:
        CodemodError: no such target, or its rule is broken.
    """
    root, made = root_and_plan(request)
    change_set = made.change_set()
    if request.fixes:
        from codemod.work.fixing import with_fixes

        change_set = with_fixes(change_set, Workspace.at(request.workspace)).change_set
    return PlanOutcome(request, root, change_set)


def outcomes(wanted: Sequence[Request]) -> Iterator[PlanOutcome]:
    """The outcomes in the order of the requests; with several, each core has a process."""
    made = spread(plan, wanted, "Reading", [one.target for one in wanted], PLANNING)
    for request, one in zip(wanted, made, strict=True):
        yield PlanOutcome(request, error=one) if isinstance(one, CodemodError) else one


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    doing: str,
    targets: Sequence[str],
    modules: Sequence[str] = (),
) -> Iterator[Result | CodemodError]:
    """`work` of each item, or its error, in their order; with several, each has a process.

    `doing` says on standard error what takes so long: "Reading", "Surveying". `targets` are those
    of the items: what each took here before tells the time left. `modules` are those that the work
    imports: once, before there are several processes.

    Raises:
        EnvironmentFault: such a process was ended from outside.
    """
    from codemod.base.terminal.progress import Count

    one, sizes = partial(_alone, work), _sizes(doing, targets)
    if len(items) < 2:
        with Count(doing, sizes) as count:
            for item, size in zip(items, sizes, strict=True):
                yield one(item)[0]
                count.advance(size)
        return
    from codemod.base.launch.pool import Killed, forked

    for name in modules:
        import_module(name)
    # The largest first, or all would wait for it at the end.
    order = sorted(range(len(items)), key=lambda number: -sizes[number])
    workers = min(os.cpu_count() or 1, len(items))
    done = {}
    try:
        # The count comes after the processes are forked: it has a thread that draws.
        with (
            forked(one, [items[number] for number in order], workers) as results,
            Count(doing, sizes, workers) as count,
        ):
            for place, result in results:
                done[order[place]] = result
                count.advance(sizes[order[place]])
    except Killed as error:
        raise EnvironmentFault(
            "A worker process was killed.", "Free some memory, or take the kits one by one."
        ) from error
    _keep(doing, {target: done[number][1] for number, target in enumerate(targets)})
    for number in range(len(items)):
        yield done[number][0]


def _sizes(doing: str, targets: Sequence[str]) -> list[float]:
    """How much work each target is: seconds that it took here before, else megabytes."""
    from codemod.training.run_cost import typical

    if seconds := typical(doing, targets):
        # What took no time to speak of still is something to do.
        return [max(each, 0.1) for each in seconds]
    from statistics import median

    from codemod.kits.catalogue import load_kits

    known = {name: float(kit.megabytes) for name, kit in load_kits().items()}
    return [known.get(target) or median(known.values()) for target in targets]


def _keep(doing: str, seconds: dict[str, float]) -> None:
    from codemod.training.run_cost import keep_all

    # Where nothing can be kept, the next estimate is as good as this one.
    with suppress(OSError, CodemodError):
        keep_all(doing, seconds)


def _alone(work: Callable[[Item], Result], item: Item) -> tuple[Result | CodemodError, float]:
    """The work on one item, or its error (for another process to tell), and the seconds it took.

    Its syntax trees are gone before the collector could walk them.
    """
    from codemod.code.kept import forget

    began = time.monotonic()
    with collector_paused():
        try:
            return work(item), time.monotonic() - began
        except CodemodError as error:
            return error, time.monotonic() - began
        finally:
            forget()
