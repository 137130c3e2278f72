"""The language that a command was asked to speak, and reasons in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemod.base.reason import Reason

if TYPE_CHECKING:
    from codemod.base.messages import Language

LANGUAGE = "codemod.language"
"""Where the context of a command keeps it (`--language`)."""


def language() -> Language:
    """What the command was asked to speak; English outside of a command."""
    context = click.get_current_context(silent=True)
    return "zh" if context is not None and context.meta.get(LANGUAGE) == "zh" else "en"


def told(text: Reason | str) -> str:
    """A reason in the language of the command; other texts are what they are."""
    return text.text(language()) if isinstance(text, Reason) else text
