"""What the tool says of what it finds, in English and Chinese: one table of codes a wing.

A YAML file here holds, by code, the English and the Chinese template. Their fields are the same.
`{name}` puts a field in, of several values one after another, `{names:and}` with "and" between
them, `{names:or}` with "or", `{names:each}` with semicolons; `{name!c}` begins with a capital;
`{count:file|files}` is a number with its noun; `{kind:word}` is one of the judge's own words, which
`judging.word-…` has in both languages; `{last:error}` is an error's text, whose class is told once;
`{breaks:aside}` stands in brackets; `{net:side}` is the side of a run that read a checkpoint, in
words, or a net's class as it is.
"""

from __future__ import annotations

from typing import Literal

from codemod.base.files.data_folder import table_beside

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def table(wing: str) -> dict[str, dict[Language, str]]:
    """The templates of a wing by code and language.

    Raises:
        KeyError: there is no such wing.
    """
    try:
        found: dict[str, dict[Language, str]] = table_beside(__file__, f"{wing}.yaml")
    except (OSError, ValueError):  # a code may be of a file that anybody wrote
        raise KeyError(wing) from None
    return found


def template(code: str, language: Language) -> str:
    """The template of a code, such as `engine.no-config`: the wing's table has it.

    Raises:
        KeyError: there is no such code.
    """
    wing, _, name = code.partition(".")
    return table(wing)[name][language]
