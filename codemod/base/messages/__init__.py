"""What the tool says of what it finds, in English and Chinese: one table of codes a wing.

A module here holds `TABLE`: by code, the English and the Chinese template. Their fields are
the same. `{name}` puts a field in, of several values one after another, `{names:and}` with "and"
between them; `{name!c}` begins with a capital; `{count:file|files}` is a number with its noun;
`{kind:word}` is one of the judge's own words, which `judging.word-…` has in both languages;
`{last:error}` is an error's text, whose class is told once; `{breaks:aside}` stands in brackets.
`{net:side}` is the side of a run that read a checkpoint, in words, or a net's class as it is.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@cache
def _table(wing: str) -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = import_module(f"{__name__}.{wing}").TABLE
    return table


def template(code: str, language: Language) -> str:
    """The template of a code, such as `engine.no-config`: the wing's table has it.

    Raises:
        KeyError: there is no such code.
    """
    wing, _, name = code.partition(".")
    return _table(wing)[name][LANGUAGES.index(language)]
