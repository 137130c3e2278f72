"""A text in which the answer to a question follows the word that is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.training.samples.making import Samples

from .language_models import WORDS


@dataclass(frozen=True, slots=True)
class Question:
    """A text, the word of it that is asked for, and its answer with the place of that."""

    context: str
    asked: str
    answer: str
    start: int


def question_in(samples: Samples, words: list[str]) -> Question:
    """A question on one of the words; the answer is the next."""
    asked = samples.random.randrange(len(words) - 1)
    start = len(" ".join(words[: asked + 1])) + 1
    return Question(" ".join(words), words[asked], words[asked + 1], start)


def questions(samples: Samples) -> list[Question]:
    """Of each text a question; a text is half to all of `size` words."""
    return [question_in(samples, different_words(samples)) for _ in range(samples.count)]


def different_words(samples: Samples) -> list[str]:
    """Half to all of `size` words, each once."""
    return samples.random.sample(WORDS, samples.length(3))
