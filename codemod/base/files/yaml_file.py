"""YAML read with the place of every value, so that a fault can name file and line.

`yaml.safe_load` forgets where a value stood. Here a document is composed into nodes (at
C speed) and read through `YamlValue`, which checks types and knows its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import yaml

from codemod.base.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_KINDS = {
    yaml.MappingNode: "a mapping",
    yaml.SequenceNode: "a list",
    yaml.ScalarNode: "a single value",
}


@dataclass(frozen=True, slots=True)
class YamlValue:
    """One value of a YAML file; `path` is its address in words, such as `kits.PaddleSeg.git`."""

    file: Path
    path: str
    node: yaml.Node

    @property
    def line(self) -> int:
        """The 1-based line on which the value starts."""
        return int(self.node.start_mark.line) + 1

    def fault(self, problem: str, remedy: str = "") -> UsageError:
        """The error that says what is wrong with this value, and where."""
        return UsageError(f"{self.file}:{self.line}: `{self.path}` {problem}.", remedy)

    def items(self) -> Iterator[tuple[str, YamlValue]]:
        """The entries of a mapping, with duplicate keys refused.

        Raises:
            UsageError: it is no mapping, or a key appears twice.
        """
        if not isinstance(self.node, yaml.MappingNode):
            raise self.fault(f"must be a mapping, not {_KINDS[type(self.node)]}")
        seen: set[str] = set()
        for key, value in self.node.value:
            name = str(key.value)
            entry = YamlValue(self.file, f"{self.path}.{name}".lstrip("."), value)
            if name in seen:
                raise entry.fault("appears twice", "Keep one of the two.")
            seen.add(name)
            yield name, entry

    def fields(self, required: frozenset[str], optional: frozenset[str]) -> dict[str, YamlValue]:
        """The entries of a mapping with a known set of keys.

        Raises:
            UsageError: a key is missing or not known.
        """
        found: dict[str, YamlValue] = {}
        known = required | optional
        for name, entry in self.items():
            if name not in known:
                raise entry.fault("is not a known key", f"Known keys: {', '.join(sorted(known))}.")
            found[name] = entry
        if missing := sorted(required - found.keys()):
            raise self.fault(f"lacks {', '.join(missing)}", "Add what is missing.")
        return found

    def text(self) -> str:
        """A non-empty string, as written (a number stays the text it was).

        Raises:
            UsageError: it is no text, or empty.
        """
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.fault(f"must be text, not {_KINDS[type(self.node)]}")
        if not self.node.value or self.node.tag.endswith(":null"):
            raise self.fault("is empty")
        return str(self.node.value)

    def entries(self) -> tuple[YamlValue, ...]:
        """The entries of a list.

        Raises:
            UsageError: it is no list.
        """
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.fault(f"must be a list, not {_KINDS[type(self.node)]}")
        return tuple(
            YamlValue(self.file, f"{self.path}[{i}]", node)
            for i, node in enumerate(self.node.value)
        )

    def texts(self) -> tuple[str, ...]:
        """A list of non-empty strings."""
        return tuple(entry.text() for entry in self.entries())

    def flag(self) -> bool:
        """A boolean.

        Raises:
            UsageError: it is neither true nor false.
        """
        value = self.plain()
        if not isinstance(value, bool):
            raise self.fault("must be true or false")
        return value

    def number(self) -> int:
        """A whole number of at least zero.

        Raises:
            UsageError: it is no number.
        """
        value = self.plain()
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.fault("must be a whole number", "Write it in digits.")
        return value

    def one_of(self, known: tuple[str, ...]) -> str:
        """One of the known texts.

        Raises:
            UsageError: it is none of them.
        """
        value = self.text()
        if value not in known:
            raise self.fault(f"is `{value}`", f"Write one of: {', '.join(known)}.")
        return value

    def plain(self) -> object:
        """The value as Python data, unchecked."""
        loader = LOADER("")
        try:
            return loader.construct_document(self.node)
        finally:
            loader.dispose()


_DEEPEST = 200


def check_depth(text: str) -> None:
    """Refuse a YAML document nested so deeply that composing it would overrun the stack.

    Raises:
        yaml.YAMLError: it is, or it is not YAML.
    """
    openers = sum(map(text.count, ("[", "{", "- ", "? ", "-\t", "?\t")))
    # Without an opener a level takes a line, and each line one space more than the last.
    if openers < _DEEPEST and len(text) < _DEEPEST**2 // 2:
        return
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise yaml.YAMLError(f"it is nested more than {_DEEPEST} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def read_yaml(file: Path) -> YamlValue:
    """The root of the YAML document in `file`.

    Raises:
        UsageError: the file is missing, empty or not YAML; says file, line and remedy.
    """
    try:
        raw = file.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise UsageError(f"{file}: {reason.lower()}.", "Restore the file.") from error
    return _composed(file, raw)


@lru_cache(maxsize=64)
def _composed(file: Path, raw: bytes) -> YamlValue:
    """What `read_yaml` gives. A recipe is asked for once for each of a kit's configs."""
    try:
        text = raw.decode("utf-8-sig")
        check_depth(text)
        node = yaml.compose(text, Loader=LOADER)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{file}:{line}: not UTF-8.", "Save the file as UTF-8.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{file}:{mark.line + 1}" if mark else str(file)
        raise UsageError(f"{place}: not valid YAML: {error.problem}.", "Fix that line.") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{file}: not valid YAML: {error}.", "Fix the file.") from error
    if node is None:
        raise UsageError(f"{file}: the file is empty.", "Restore the file.")
    return YamlValue(file, "", node)
