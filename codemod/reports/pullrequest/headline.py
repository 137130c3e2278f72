"""What a pull request is: new support, a wider reach, or a repair; its headline says which."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from codemod.base.changeset import EditKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codemod.base.changeset import ChangeSet, Edit, Hook
    from codemod.base.reason import Reason
    from codemod.kits.config_loading import Configs
    from codemod.kits.rule import Rule, Trainer


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
    """A headline in both languages, and what it says the change is."""

    purpose: Purpose
    en: str
    zh: str


def reached(configs: Configs, change_set: ChangeSet) -> ReachCount | None:
    """The configs in reach, None where the kit's configs are not known or none trains.

    `configs` are those of the tree as it is, and keep what they load.
    """
    from codemod.audit.reach import survey
    from codemod.kits.catalogue import find_kit
    from codemod.kits.config_rule import config_rule

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
    return next((trainer for trainer in trainers if trainer.id == hook.rule), None)


def headline(change_set: ChangeSet, rule: Rule | None, reach: ReachCount | None) -> Headline:
    """What the change is, in one line."""
    hooks = [hook for hook in change_set.hooks if hook.status is Status.INSERTED]
    makers = [trainer_of(hook, rule) for hook in hooks]
    wider = reach is not None and reach.after > reach.before
    stands = any(hook.exists for hook in change_set.hooks)
    if change_set.edits and not hooks and not stands:
        return _shared()
    if stands and not wider and all(maker and maker.completes for maker in makers):
        return _repair(change_set)
    if stands:
        return _wider(hooks, reach if wider else None)
    return _new(reach)


def _shared() -> Headline:
    return Headline(
        Purpose.SHARED,
        "Prepare the switch for dynamic-to-static training",
        "为动转静训练准备开关",
    )


def _repair(change_set: ChangeSet) -> Headline:
    fixes = repairs(change_set.edits)
    if not fixes:
        return Headline(Purpose.REPAIR, *completing(change_set.edits))
    more = len(fixes) - 1
    return Headline(
        Purpose.REPAIR,
        f"Fix: {fixes[0]}" + (f" (and {more} more)" if more else ""),
        f"修复：{fixes[0].text('zh')}" + (f"等 {more + 1} 处" if more else ""),
    )


def completing(edits: Sequence[Edit]) -> tuple[str, str]:
    """What edits do that neither bring a hook nor repair one, as a headline in both languages."""
    if not edits:
        return "Complete dynamic-to-static training", "完善动转静训练"
    files = list(dict.fromkeys(edit.file for edit in edits))
    name, more = files[0].rpartition("/")[2], len(files) - 1
    english = f"{name} and {more} more" if more else name
    chinese = f" {name} 等 {more + 1} 个文件" if more else f" {name} "
    if all(edit.kind is EditKind.PLUMBING for edit in edits):
        return (
            f"Hand the switch for dynamic-to-static training on in {english}",
            f"在{chinese}中传递动转静训练的开关",
        )
    return f"Complete dynamic-to-static training in {english}", f"完善{chinese}中的动转静训练"


def repairs(edits: Iterable[Edit]) -> list[Reason]:
    """What of the kit's own the edits repair, as headlines, each once."""
    found = (edit.origin.fix for edit in edits if edit.origin and edit.origin.fix)
    return list(dict.fromkeys(found))


def _wider(hooks: list[Hook], reach: ReachCount | None) -> Headline:
    if reach is not None:
        change = f"{reach.before} → {reach.after}"
        return Headline(
            Purpose.WIDER,
            f"Extend dynamic-to-static training: {change} configs",
            f"扩大动转静训练范围：{change} 个配置",
        )
    count = len({(hook.file, hook.scope) for hook in hooks})
    return Headline(
        Purpose.WIDER,
        f"Extend dynamic-to-static training to {count} more trainer{'s' * (count != 1)}",
        f"动转静训练新增 {count} 个训练入口",
    )


def _new(reach: ReachCount | None) -> Headline:
    if reach is None or not reach.after:
        return Headline(Purpose.NEW, "Support dynamic-to-static training", "支持动转静训练")
    return Headline(
        Purpose.NEW,
        f"Support dynamic-to-static training: {reach.after} of {reach.total} configs",
        f"支持动转静训练：{reach.total} 个配置中的 {reach.after} 个",
    )
