"""Reasons as codes with fields: rooms hand them on, and only who shows one makes it a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import Formatter
from typing import Any, Union

from codemod.base.messages import Language, template

Field = Union[str, int, float, "Reason", "Said", tuple["Field", ...]]
_JOINED = {"en": ", ", "zh": "、"}
_EACH = {"en": "; ", "zh": "；"}
_LAST = {"and": {"en": " and ", "zh": " 和 "}, "or": {"en": " or ", "zh": " 或 "}}
_BRACKETS = {"en": (" (", ")"), "zh": ("（", "）")}


@dataclass(frozen=True, slots=True)
class Said:
    """What a kit's file says, such as its rule, in both languages or in English alone."""

    en: str
    zh: str = ""

    def text(self, language: Language = "en") -> str:
        """The words in a language."""
        return self.zh if language == "zh" and self.zh else self.en

    def __str__(self) -> str:
        return self.en


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so. Its `fields` are texts, numbers, other reasons, or tuples of these.

    >>> Reason.of("engine.model-built").text("zh")
    '模型构建'
    """

    code: str
    fields: tuple[tuple[str, Field], ...] = ()

    @classmethod
    def of(cls, code: str, /, **fields: Field) -> Reason:
        """The reason of a code that a table of `base/messages/` has."""
        return cls(code, tuple(sorted(fields.items())))

    @classmethod
    def said(cls, en: str, zh: str = "") -> Reason:
        """The reason that a file of a kit gives in its own words."""
        return cls("base.said", (("words", Said(en, zh)),))

    def __getitem__(self, name: str) -> Field:
        return dict(self.fields)[name]

    def text(self, language: Language = "en") -> str:
        """The clause or sentence in a language.

        Raises:
            KeyError: no table has the code, or the template asks for a field that is not there.
        """
        told = _Words(language).vformat(template(self.code, language), (), dict(self.fields))
        return told.replace("。。", "。")  # a sentence ends the one that it stands in

    def __str__(self) -> str:
        return self.text()

    def each_text(self, change: Callable[[str], str]) -> Reason:
        """The same with each text among its fields changed."""
        return Reason(self.code, tuple((name, _changed(v, change)) for name, v in self.fields))

    def to_json(self) -> dict[str, object]:
        """The keys `code` and `fields`, to stand beside the sentence."""
        return {"code": self.code, "fields": {name: _plain(value) for name, value in self.fields}}

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> Reason:
        """What `to_json` wrote."""
        return cls(read["code"], tuple((k, _field(v)) for k, v in sorted(read["fields"].items())))


NO_REASON: dict[str, object] = {"code": None, "fields": {}}


# Paddle raises the error of transformed code anew, with its class in the text.
_TWICE = re.compile(r"^(\w+)(?:: \1\b)+")


_READ = ("dynamic-read", "static-read")


class _Words(Formatter):
    """Fills a template in a language; the forms of a field stand in `base/messages`."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion != "c":
            return super().convert_field(value, conversion)
        text = self.format_field(value, "")
        return text[:1].upper() + text[1:]

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, tuple):
            told = [self.format_field(one, "") for one in value]
            between = (_EACH if format_spec == "each" else _JOINED)[self._language]
            last = _LAST[format_spec][self._language] if format_spec in _LAST else between
            return last.join([*filter(None, [between.join(told[:-1])]), *told[-1:]])
        if isinstance(value, (Reason, Said)):
            text = value.text(self._language)
            return self._aside(text) if format_spec == "aside" else text
        if format_spec == "word":
            return template(f"judging.word-{value}", self._language)
        if format_spec == "side":
            # Of a leg, what it failed in: a side of the run, or a net by the name of its class.
            return template(f"judging.side-{value}", self._language) if value in _READ else value
        if format_spec == "error":
            return _TWICE.sub(r"\1", _from_its_start(str(value).lstrip()))
        if format_spec == "aside":
            return self._aside(str(value).strip())
        one, bar, other = format_spec.partition("|")
        if not bar:
            return str(super().format_field(value, format_spec))
        return f"{value} {one if str(value) == '1' else other}"

    def _aside(self, text: str) -> str:
        """The text in the brackets of the language; a row on file may have those of English."""
        bare = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        opening, closing = _BRACKETS[self._language]
        return f"{opening}{bare}{closing}" if bare else ""


def _from_its_start(error: str) -> str:
    """An error's text; one that closes a bracket which it does not open lacks its start.

    Rows on file have texts that were cut there.
    """
    opened = 0
    for sign in error:
        opened += (sign in "([") - (sign in ")]")
        if opened < 0:
            return f"… {error}"
    return error


def spoken(reasons: Iterable[Reason], language: Language = "en") -> str:
    """Sentences one after another; in Chinese no space follows a full stop."""
    text = ""
    for sentence in (one.text(language) for one in reasons):
        apart = " " if text and not text.endswith("。") else ""
        text += apart + sentence
    return text


def _changed(value: Field, change: Callable[[str], str]) -> Field:
    if isinstance(value, Reason):
        return value.each_text(change)
    if isinstance(value, tuple):
        return tuple(_changed(one, change) for one in value)
    return change(value) if isinstance(value, str) else value


def _plain(value: Field) -> object:
    if isinstance(value, Reason):
        return value.to_json()
    if isinstance(value, Said):
        return {"en": value.en, "zh": value.zh}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _field(value: Any) -> Field:
    if isinstance(value, dict):
        return Reason.from_json(value) if "code" in value else Said(**value)
    return tuple(_field(one) for one in value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Refusal:
    """`reason` is a clause without a full stop, to be put into the sentence of whoever asked."""

    reason: Reason
