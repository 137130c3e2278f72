"""The rule of a kit, as its YAML file states it, checked with the line of every fault."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from codemod.base.changeset import EditKind
from codemod.base.errors import UsageError
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.base.reason import Reason
from codemod.base.schema import Check, read_record
from codemod.code.pattern import compile_pattern

GATE_KINDS = ("expression", "mapping", "flag", "field", "parameter", "variable")


def _a_pattern(text: str, entry: YamlValue) -> None:
    try:
        compile_pattern(text)
    except UsageError as fault:
        raise entry.fault(f"holds no pattern: {fault.message}") from fault


_Pattern = Annotated[str, _a_pattern]


class _InBoth:
    """A text of a record as a reason in both languages; None where it is empty.

    Its Chinese is in the field of its name with `_zh`, or in another.
    """

    def __init__(self, field: str, *chinese: str) -> None:
        self._field, self._chinese = field, (f"{field}_zh", *chinese)

    def __get__(self, record: object, _owner: object) -> Reason | None:
        english = getattr(record, self._field)
        chinese = next(filter(None, (getattr(record, name) for name in self._chinese)), "")
        return Reason.said(english.strip(), chinese.strip()) if english else None


@dataclass(frozen=True)
class GateRule:
    """One way to read the switch; the first of a trainer's gates that fits is taken.

    kinds: `expression` (code `seen` in the scope gives the bindings for `test`), `mapping`
    (a config read with `.get`), `flag` (an argparse namespace; the flag is added), `field`
    (a dataclass field, added to class `owner`), `parameter` (handed through from the
    callers, which read it by `callers`), `variable` (an environment variable). `requires` is a text
    of the scope's file, or of any of `files` where there are some; `unless` one of neither.
    """

    kind: str
    test: str = ""
    seen: _Pattern = ""
    name: str = "to_static"
    switch: str = ""
    owner: str = ""
    files: tuple[str, ...] = ()
    unless: str = ""
    requires: str = ""
    callers: tuple[GateRule, ...] = ()


@dataclass(frozen=True)
class Extra:
    """A statement that goes with a hook: placed by a pattern, left out where it exists already.

    `before` / `after` / `replace` / `remove` is the pattern of the anchor; `append` that of an
    assigned list, to which the lines of `code` are added; `reads` is an expression, in whose
    place `code` is read, where the statement's code has the text `within`. `why` must be given
    where a line of the kit's goes. `optional` extras may find no anchor. `unless` and `requires`
    are texts of the anchor's file, or of the files of `where`. Of a rule's `mends`, those with the
    same `together` are made all or none. `says` is what a pull request says of it, `fix` the
    headline of one that does nothing else. Hooks of the kit's own in the files of `idles` are not
    reached any more with it. In both languages these are `reason`, `told` and `repairs`.
    """

    files: tuple[str, ...]
    code: str = ""
    before: _Pattern = ""
    after: _Pattern = ""
    replace: _Pattern = ""
    remove: _Pattern = ""
    append: _Pattern = ""
    reads: _Pattern = ""
    within: str = ""
    why: str = ""
    scopes: tuple[str, ...] = ("*",)
    unless: str = ""
    requires: str = ""
    where: tuple[str, ...] = ()
    optional: bool = False
    together: str = ""
    kind: str = "plumbing"
    says: str = ""
    says_zh: str = ""
    why_zh: str = ""
    fix: str = ""
    fix_zh: str = ""
    idles: tuple[str, ...] = ()

    reason = _InBoth("why", "says_zh")
    told = _InBoth("says")
    repairs = _InBoth("fix")

    @property
    def anchors(self) -> tuple[str, ...]:
        """The patterns, or the expression, that say where: one, in a sound rule."""
        ways = (self.before, self.after, self.replace, self.remove, self.append, self.reads)
        return tuple(filter(None, ways))


@dataclass(frozen=True)
class Split:
    """Layers of which only a part can be static: that part becomes a method, which a hook calls.

    `stays` are patterns of what must stay dynamic, `unless` those of what only looks like it. The
    largest part of `forward` without it becomes `method`, with `comment` above. Classes named by
    `leave` are left alone. `why` is the reason that stands with the edits; `reason` has it in both
    languages.
    """

    files: tuple[str, ...]
    stays: tuple[_Pattern, ...]
    method: str
    why: str
    unless: tuple[_Pattern, ...] = ()
    leave: tuple[str, ...] = ()
    comment: str = ""
    why_zh: str = ""

    reason = _InBoth("why")


@dataclass(frozen=True)
class Trainer:
    """One kind of trainer: where it is looked for, what is hooked, and how it is switched.

    A trainer that `completes` adds to a hook of the kit's what that leaves out: its `hook` is
    put beside the statement that `model` finds (or in its place, with `position: replace`), as
    it stands, with no condition or log of its own, and is left out where it stands already.
    With `moves`, the pattern of the kit's hook, that statement itself is moved behind the one
    that `model` finds. For pull requests: `fix` is the headline where it repairs the kit's hook,
    `says` what its `hook` does beyond the call; each text may have its Chinese beside it. A `hook`
    that calls `$LOG` says itself what it did, by the file's way of logging. With
    `dynamic_under_no_grad`, the `extras` keep calls under `no_grad` dynamic, so that these are no
    reason to leave the trainer alone. In both languages `about`, `fix`, `missing` and `says` are
    `reason`, `repairs`, `missed` and `told`.
    """

    id: str
    about: str = ""
    about_zh: str = ""
    files: tuple[str, ...] = ("*",)
    scopes: tuple[str, ...] = ("*",)
    model: tuple[_Pattern, ...] = ()
    position: str = "after"
    gates: tuple[GateRule, ...] = ()
    hook: str = ""
    target: str = ""
    input_spec: str = ""
    extras: tuple[Extra, ...] = ()
    splits: tuple[Split, ...] = ()
    unless: str = ""
    requires: str = ""
    missing: str = ""
    missing_zh: str = ""
    completes: bool = False
    dynamic_under_no_grad: bool = False
    moves: _Pattern = ""
    fix: str = ""
    fix_zh: str = ""
    says: str = ""
    says_zh: str = ""

    reason = _InBoth("about")
    repairs = _InBoth("fix")
    missed = _InBoth("missing")
    told = _InBoth("says")

    def covers(self, path: str, scope: str) -> bool:
        """Whether a scope of a file is this trainer's."""
        return self.covers_file(path) and _any(scope, self.scopes)

    def covers_file(self, path: str) -> bool:
        """Whether scopes of a file may be this trainer's."""
        return _any(path, self.files)


@dataclass(frozen=True)
class Abstention:
    """Trainers that must not be hooked, and why."""

    reason: str
    reason_zh: str = ""
    files: tuple[str, ...] = ("*",)
    scopes: tuple[str, ...] = ("*",)
    contains: str = ""

    @property
    def why(self) -> Reason:
        """`reason`, in both languages."""
        return Reason.said(self.reason, self.reason_zh)

    def covers(self, path: str, scope: str, text: str) -> bool:
        """Whether the abstention covers this scope."""
        return _any(path, self.files) and _any(scope, self.scopes) and self.contains in text


@dataclass(frozen=True)
class Rule:
    """All that is known of one kit's training code.

    mends: statements that go with every hook, inserted or not, so that off is off; those with a
    `why` are findings of `check` where they are missing.
    ignore: paths that are passed over beside tests and documents; include: paths that are
    looked at all the same.
    """

    kits: tuple[str, ...]
    trainers: tuple[Trainer, ...]
    ignore: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    abstain: tuple[Abstention, ...] = ()
    mends: tuple[Extra, ...] = ()
    about: str = ""
    path: str = ""


def load(path: Path) -> Rule:
    """Read one rule file.

    Raises:
        UsageError: with file, line and remedy.
    """
    return read_record(Rule, read_yaml(path), _CHECKS, path=str(path))


def _check_gate(gate: GateRule, entry: YamlValue) -> None:
    if gate.kind not in GATE_KINDS:
        raise entry.fault(f"has no known kind of gate ({', '.join(GATE_KINDS)})")


def _check_trainer(trainer: Trainer, entry: YamlValue) -> None:
    code = trainer.hook or trainer.moves
    if trainer.completes and not (code and trainer.model and trainer.gates):
        raise entry.fault("completes a hook", "State its `model`, `gates`, and `hook` or `moves`.")
    if not trainer.about and (trainer.moves or trainer.position == "replace"):
        raise entry.fault("changes a line of the kit", "Say in `about` what makes it needed.")


def _check_extra(extra: Extra, entry: YamlValue) -> None:
    if len(extra.anchors) != 1:
        raise entry.fault("needs one of before, after, replace, remove, append, reads")
    if not extra.code and not extra.remove:
        raise entry.fault("has no `code`")
    if not (extra.before or extra.after or extra.why):
        raise entry.fault("changes a line of the kit", "Say in `why` what makes it needed.")
    if extra.kind not in {kind.value for kind in EditKind}:
        raise entry.fault(f"has the unknown kind {extra.kind!r}")


def _check_split(split: Split, entry: YamlValue) -> None:
    if not split.method.isidentifier():
        raise entry.fault(f"has no method name: {split.method!r}")


_CHECKS: Check = {
    GateRule: _check_gate,
    Trainer: _check_trainer,
    Extra: _check_extra,
    Split: _check_split,
}


def _any(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
