"""Reasons as codes with fields: rooms hand them on, and only who shows one makes it a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import Any, Union

from codemod.base.messages import Language, template

Field = Union[str, int, float, "Reason", tuple["Field", ...]]
_JOINED = {"en": ", ", "zh": "、"}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so. `fields` holds names, lines, numbers, other reasons, or tuples of these.

    >>> Reason.of("engine.after-build").text("zh")
    '在模型构建之后'
    """

    code: str
    fields: tuple[tuple[str, Field], ...] = ()

    @classmethod
    def of(cls, code: str, /, **fields: Field) -> Reason:
        """The reason of a code that a table of `base/messages/` has."""
        return cls(code, tuple(fields.items()))

    def __getitem__(self, name: str) -> Field:
        return dict(self.fields)[name]

    def text(self, language: Language = "en") -> str:
        """The clause or sentence in a language.

        Raises:
            KeyError: no table has the code, or the template asks for a field that is not there.
        """
        words = {name: _spoken(value, language) for name, value in self.fields}
        return _Words().vformat(template(self.code, language), (), words)

    def __str__(self) -> str:
        return self.text()

    def to_json(self) -> dict[str, object]:
        """The keys `code` and `fields`, to stand beside the sentence."""
        return {"code": self.code, "fields": {name: _plain(value) for name, value in self.fields}}

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> Reason:
        """What `to_json` wrote."""
        return cls(read["code"], tuple((k, _field(v)) for k, v in read["fields"].items()))


class _Words(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, other = format_spec.partition("|")
        if not bar:
            return str(super().format_field(value, format_spec))
        return f"{value} {one if value == 1 else other}"


def _spoken(value: Field, language: Language) -> str | int | float:
    if isinstance(value, Reason):
        return value.text(language)
    if isinstance(value, tuple):
        return _JOINED[language].join(str(_spoken(one, language)) for one in value)
    return value


def _plain(value: Field) -> object:
    if isinstance(value, Reason):
        return value.to_json()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _field(value: Any) -> Field:
    if isinstance(value, dict):
        return Reason.from_json(value)
    return tuple(_field(one) for one in value) if isinstance(value, list) else value
