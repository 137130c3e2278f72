"""What a pull request is: new support, a wider reach, or a repair; its headline says which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from codemod.base.changeset import ChangeSet, Edit, Hook, Status
from codemod.base.patch.mail import repairing
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import Configs, config_rule
from codemod.kits.rule import Rule, Trainer

_PASSING = ("engine.edit-parameter", "engine.edit-passes", "engine.edit-docstring")


# What a subject may have beside the tag of a kit's commits.
_ROOM = 64


class Purpose(str, Enum):
    """What the change is to the kit."""

    NEW = "new"
    WIDER = "wider"
    REPAIR = "repair"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class ReachCount:
    """How many of a kit's configs reach a hook, before and after a change."""

    before: int
    after: int
    total: int


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline, what it says the change is, and shorter ones for a commit's subject."""

    purpose: Purpose
    said: Reason
    shorter: tuple[Reason, ...] = ()

    def of_part(self, folder: str) -> Headline:
        """The headline of a part of the kit: its folder, "" for the core."""
        part = Reason.said(folder) if folder else Reason.of("reports.headline-core")
        said = Reason.of("reports.headline-of-part", what=self.said, part=part)
        last = Reason.said(folder.rpartition("/")[2]) if folder else part
        shorter = (
            Reason.of("reports.headline-in-part", part=part),
            Reason.of("reports.headline-in-part-short", part=part),
            Reason.of("reports.headline-in-part-short", part=last),
        )
        return Headline(self.purpose, said, shorter)


def reached(configs: Configs, change_set: ChangeSet) -> ReachCount | None:
    """The configs in reach, None where the kit's configs are not known or none trains.

    `configs` are those of the tree as it is, and keep what they load.
    """
    from codemod.audit.reach import survey

    kit = find_kit(change_set.source.kit) if change_set.source.kit else None
    rule = config_rule(kit) if kit else None
    rows = survey(kit, rule, configs.tree, change_set, configs) if kit and rule else ()
    if not rows:
        return None
    before = sum(row.before is None for row in rows)
    return ReachCount(before, sum(row.after is None for row in rows), len(rows))


def trainer_of(hook: Hook, rule: Rule | None) -> Trainer | None:
    """The trainer of the rule that a hook was made by."""
    trainers = rule.trainers if rule else ()
    return next((trainer for trainer in trainers if trainer.id == hook.trainer), None)


def headline(change_set: ChangeSet, rule: Rule | None, reach: ReachCount | None) -> Headline:
    """What the change is, in one line."""
    hooks = [hook for hook in change_set.hooks if hook.status is Status.INSERTED]
    makers = [trainer_of(hook, rule) for hook in hooks]
    wider = reach is not None and reach.after > reach.before
    stands = any(hook.exists for hook in change_set.hooks)
    if change_set.edits and not hooks and not stands:
        return Headline(Purpose.SHARED, Reason.of("reports.headline-shared"))
    if stands and not wider and all(maker and maker.completes for maker in makers):
        return Headline(Purpose.REPAIR, _repair(change_set))
    if stands:
        return Headline(Purpose.WIDER, _wider(hooks, reach if wider else None))
    return Headline(Purpose.NEW, _new(reach))


def _repair(change_set: ChangeSet) -> Reason:
    files = Tree(change_set.source.root).paths(".py")
    return repairing(change_set.edits) or completing(change_set.edits, files)


def completing(edits: Sequence[Edit], files: Collection[str]) -> Reason:
    """What edits do that neither bring a hook nor repair one, as a headline; `files` are all."""
    if not edits:
        return Reason.of("reports.headline-completes")
    passing = all(edit.origin and edit.origin.does.code in _PASSING for edit in edits)
    made: list[Reason] = []
    for named in _files(edits, files):
        if passing:
            made.append(Reason.of("reports.headline-passes-on", what=named))
            made.append(Reason.of("reports.headline-passes-on-short", what=named))
        else:
            made.append(Reason.of("reports.headline-completes-in", what=named))
            made.append(Reason.of("reports.headline-completes-in-short", what=named))
    return _fitting(made)


def prepares(hooks: Sequence[Hook], files: Collection[str]) -> Reason:
    """What is done before these new hooks come, as a headline; `files` are all of the kit's."""
    places = {hook.place for hook in hooks}
    if len(places) == 1:
        return _fitting(
            made
            for name in _files(hooks[:1], files)
            for made in (
                Reason.of("reports.headline-prepares", what=name),
                Reason.of("reports.headline-prepares-short", what=name),
            )
        )
    what = Reason.of("reports.headline-trainers", count=len(places))
    return Reason.of("reports.headline-prepares", what=what)


def _files(edits: Iterable[Edit | Hook], files: Collection[str]) -> list[Reason]:
    paths = list(dict.fromkeys(edit.file for edit in edits))
    names, more = _apart(paths[0], files), len(paths) - 1
    if more:
        return [Reason.of("reports.headline-files", name=name, more=more) for name in names]
    return [Reason.said(name, f" {name} ") for name in names]


def _apart(path: str, files: Collection[str]) -> list[str]:
    """Names of a file, the best first: with the folders that no other file of the name has."""
    parts = path.split("/")
    ends = ["/".join(parts[first:]) for first in range(len(parts) - 1, 0, -1)]
    others = [f"/{other}" for other in files if other != path]
    alone = (end for end in ends if not any(other.endswith(f"/{end}") for other in others))
    name = next(alone, path)
    first, last = name.split("/")[0], parts[-1]
    return [name, f"{first}/.../{last}" if name.count("/") > 1 else name, last]


def _fitting(headlines: Iterable[Reason]) -> Reason:
    """The first that fits a commit's subject, else the last."""
    made = list(headlines)
    return next((one for one in made if len(one.text()) <= _ROOM), made[-1])


def _wider(hooks: list[Hook], reach: ReachCount | None) -> Reason:
    if reach is not None:
        before, after = reach.before, reach.after
        return Reason.of("reports.headline-extends-configs", before=before, after=after)
    count = len({hook.place for hook in hooks})
    return Reason.of("reports.headline-extends-trainers", count=count)


def _new(reach: ReachCount | None) -> Reason:
    if reach is None or not reach.after:
        return Reason.of("reports.headline-new")
    return Reason.of("reports.headline-new-configs", after=reach.after, total=reach.total)
