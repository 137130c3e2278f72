"""The style of a repository's commit messages, read from its history."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from codemod.base.git_state import GitError
from codemod.reports.pullrequest.git.repository import Repository

_LOOKED_AT = 300
_TAG = re.compile(r"\[[^\]]{1,30}\](\s?)")
TAG = "[Dy2St]"
# What a subject line may have.
LONGEST = 72


@dataclass(frozen=True, slots=True)
class SubjectStyle:
    """The form of a subject line."""

    tag: str = ""
    capital: bool = True

    def subject(self, text: str) -> str:
        """A subject in that form; `text` begins with a capital."""
        return self.tag + (text if self.capital else text[:1].lower() + text[1:])

    def fitting(self, texts: Sequence[str]) -> str:
        """The subject of the first text that fits a line of `git log`, else of the last."""
        made = [self.subject(text) for text in texts]
        return next((one for one in made if len(one) <= LONGEST), made[-1])


def manner_of(subjects: Sequence[str]) -> SubjectStyle:
    """The form that most subjects have; tags are taken over where a third carries one."""
    tagged = [found for subject in subjects if (found := _TAG.match(subject))]
    bare = [_TAG.sub("", subject).strip() for subject in subjects]
    letters = [text[0] for text in bare if text[:1].isascii() and text[:1].isalpha()]
    tag = ""
    if subjects and len(tagged) * 3 >= len(subjects):
        spaced = sum(bool(found.group(1)) for found in tagged) * 2 >= len(tagged)
        tag = f"{TAG} " if spaced else TAG
    capital = sum(letter.isupper() for letter in letters) * 2 >= len(letters)
    return SubjectStyle(tag, capital)


def read_manner(repository: Repository, commit: str) -> SubjectStyle:
    """The manner of the commits up to `commit`; the plain one where history is cut off."""
    try:
        log = repository.run(
            "log", f"-{_LOOKED_AT}", "--no-merges", "--no-show-signature", "--format=%s", commit
        )
    except GitError:
        return SubjectStyle()
    return manner_of(log.decode("utf-8", "replace").splitlines())


def message(subject: str, paragraphs: Sequence[str], trailers: Sequence[str] = ()) -> str:
    """A commit message; paragraphs are folded at 72 columns, code lines kept.

    Points of a list ("- …") stand one below the other.
    """
    text = subject
    for number, paragraph in enumerate(paragraphs):
        beside = number and all(one.startswith("- ") for one in paragraphs[number - 1 : number + 1])
        text += ("\n" if beside else "\n\n") + _folded(paragraph)
    return "\n\n".join([text, *(["\n".join(trailers)] if trailers else [])]) + "\n"


def _folded(paragraph: str) -> str:
    if paragraph.startswith("    "):
        return paragraph
    point = "- " if paragraph.startswith("- ") else ""
    # The mark is no word: a long path after it would begin a line of its own.
    return textwrap.fill(
        paragraph.removeprefix(point),
        LONGEST,
        initial_indent=point,
        subsequent_indent=" " * len(point),
        break_long_words=False,
        break_on_hyphens=False,
    )
