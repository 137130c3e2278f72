"""The rule of a kit, as its YAML file states it, checked with the line of every fault."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from codemod.errors import UsageError

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
GATE_KINDS = ("expression", "mapping", "flag", "field", "parameter")


@dataclass(frozen=True)
class GateRule:
    """One way to read the switch; the first of a trainer's gates that fits is taken.

    kinds: `expression` (code `seen` in the scope gives the bindings for `test`), `mapping`
    (a config read with `.get`), `flag` (an argparse namespace; the flag is added), `field`
    (a dataclass field, added to class `owner`), `parameter` (handed through from the
    callers, which read it by `callers`).
    """

    kind: str
    test: str = ""
    seen: str = ""
    name: str = "to_static"
    switch: str = ""
    owner: str = ""
    files: tuple[str, ...] = ()
    unless: str = ""
    requires: str = ""
    callers: tuple[GateRule, ...] = ()


@dataclass(frozen=True)
class Extra:
    """A statement that goes with a hook: placed by a pattern, left out where it stands already.

    `before` / `after` / `replace` is the pattern of the anchor; `why` must be given for a
    replacement. `optional` extras may find no anchor.
    """

    files: tuple[str, ...]
    code: str
    before: str = ""
    after: str = ""
    replace: str = ""
    why: str = ""
    scopes: tuple[str, ...] = ("*",)
    unless: str = ""
    requires: str = ""
    optional: bool = False
    kind: str = "plumbing"


@dataclass(frozen=True)
class Trainer:
    """One kind of trainer: where it is looked for, what is hooked, and how it is switched."""

    id: str
    about: str = ""
    files: tuple[str, ...] = ("*",)
    scopes: tuple[str, ...] = ("*",)
    model: tuple[str, ...] = ()
    position: str = "after"
    gates: tuple[GateRule, ...] = ()
    hook: str = ""
    target: str = ""
    input_spec: str = ""
    extras: tuple[Extra, ...] = ()
    unless: str = ""
    requires: str = ""
    missing: str = ""

    def covers(self, path: str, scope: str) -> bool:
        """Whether a scope of a file is this trainer's."""
        return _any(path, self.files) and _any(scope, self.scopes)


@dataclass(frozen=True)
class Abstention:
    """Trainers that must not be hooked, and why."""

    reason: str
    files: tuple[str, ...] = ("*",)
    scopes: tuple[str, ...] = ("*",)
    contains: str = ""

    def covers(self, path: str, scope: str, text: str) -> bool:
        """Whether the abstention speaks of this scope."""
        return (
            _any(path, self.files) and _any(scope, self.scopes) and self.contains in text
        )


@dataclass(frozen=True)
class Rule:
    """All that is known of one kit's training code."""

    kits: tuple[str, ...]
    trainers: tuple[Trainer, ...]
    ignore: tuple[str, ...] = ()
    abstain: tuple[Abstention, ...] = ()
    about: str = ""
    path: str = ""
    cases: tuple[dict[str, Any], ...] = ()
    configs: dict[str, Any] | None = None


def load(path: Path) -> Rule:
    """Read one rule file.

    Raises:
        UsageError: with file, line and remedy.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise UsageError(f"Cannot read the rule {path}: {fault.strerror}.") from fault
    return parse(text, str(path))


def parse(text: str, name: str) -> Rule:
    """The rule that a YAML text states; `name` stands in messages."""
    try:
        node = yaml.compose(text, Loader=Loader)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(fault, "problem", None) or "not YAML"
        raise UsageError(f"{name}{line}: {problem}.", "Correct the YAML.") from fault
    rule = _Reader(name).record(Rule, node, "the rule")
    return Rule(**{**{f.name: getattr(rule, f.name) for f in fields(rule)}, "path": name})


class _Reader:
    """Turns YAML nodes into the records above, field by field."""

    NESTED: dict[str, type[Any]] = {
        "trainers": Trainer,
        "abstain": Abstention,
        "gates": GateRule,
        "callers": GateRule,
        "extras": Extra,
    }
    FREE = frozenset({"cases", "configs"})

    def __init__(self, name: str) -> None:
        self.name = name

    def fault(self, node: Any, text: str) -> UsageError:
        line = node.start_mark.line + 1 if node is not None else 1
        return UsageError(f"{self.name}:{line}: {text}")

    def record(self, kind: type[Any], node: Any, what: str) -> Any:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, f"{what} must be a mapping of keys to values.")
        known = {field.name: field for field in fields(kind)}
        values: dict[str, Any] = {}
        for key, value in node.value:
            if key.value not in known or key.value == "path":
                allowed = ", ".join(sorted(set(known) - {"path"}))
                raise self.fault(key, f"unknown key {key.value!r}; use one of: {allowed}.")
            values[key.value] = self.value(key.value, known[key.value].type, value)
        for field in known.values():
            if field.name not in values and field.default is MISSING:
                raise self.fault(node, f"{what} lacks the key {field.name!r}.")
        made = kind(**values)
        if isinstance(made, GateRule) and made.kind not in GATE_KINDS:
            raise self.fault(node, f"unknown gate {made.kind!r}; use one of: {GATE_KINDS}.")
        return made

    def value(self, key: str, kind: str, node: Any) -> Any:
        if key in self.FREE:
            found = yaml.load(yaml.serialize(node), Loader=Loader)  # noqa: S506 - a safe loader
            return tuple(found) if key == "cases" else found
        if key in self.NESTED:
            if not isinstance(node, yaml.SequenceNode):
                raise self.fault(node, f"{key!r} must be a list.")
            return tuple(self.record(self.NESTED[key], n, f"an entry of {key!r}") for n in node.value)
        if "tuple" in str(kind):
            nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
            return tuple(self.text(key, n) for n in nodes)
        if "bool" in str(kind):
            if getattr(node, "tag", "") != "tag:yaml.org,2002:bool":
                raise self.fault(node, f"{key!r} must be true or false.")
            return node.value.lower() in ("true", "yes", "on")
        return self.text(key, node)

    def text(self, key: str, node: Any) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self.fault(node, f"{key!r} must be text.")
        return str(node.value)


def _any(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
