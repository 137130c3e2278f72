"""Texts with questions on them, in the forms that more scripts for reading name, with tiny models.

squad/ and PaddlePaddle/dureader_robust/ hold them as `datasets.load_dataset` reads a folder, c3/
questions with four answers to choose from, chid/ texts with a gap and ten words to choose from;
datasets/SQuAD has the published form, spans/ what a prompt asks for. models/NAME is a tiny model.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from . import extraction, published_questions
from .hub_dataset import write_dataset
from .language_models import WORDS, write_model
from .questions import Question, questions

CHOICES = 4
CANDIDATES = 10
NAMED = {
    "ernie": "ernie",
    "uie-base": "ernie",
    "luke": "luke",
    "mpnet": "mpnet",
    "megatronbert": "megatronbert",
}


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; the answer follows the word asked for."""
    asked = questions(samples)
    rows = [
        {
            "id": str(number),
            "title": "",
            "context": one.context,
            "question": one.asked,
            "answers": {"text": [one.answer], "answer_start": [one.start]},
        }
        for number, one in enumerate(asked)
    ]
    write_dataset(samples, "squad", "plain_text", rows)
    write_dataset(samples, "PaddlePaddle/dureader_robust", "default", rows)
    chosen = [_choice(samples, number, one) for number, one in enumerate(asked)]
    write_dataset(samples, "c3/clue", "c3", chosen)
    gaps = [_gap(samples, number, one) for number, one in enumerate(asked)]
    write_dataset(samples, "chid/clue", "chid", gaps)
    published_questions.generate(samples.again())
    extraction.generate(samples.again("spans"))
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)


def _among(samples: Samples, answer: str, count: int) -> list[str]:
    """The answer among other words, so many in all."""
    words = samples.random.sample([word for word in WORDS if word != answer], count)
    words[samples.random.randrange(count)] = answer
    return words


def _choice(samples: Samples, number: int, one: Question) -> dict[str, object]:
    choice = _among(samples, one.answer, CHOICES)
    told = {"id": number, "context": [one.context], "question": one.asked}
    return {**told, "choice": choice, "answer": one.answer}


def _gap(samples: Samples, number: int, one: Question) -> dict[str, object]:
    """The answer is what the gap, of a form that the script knows, stands for."""
    candidates = _among(samples, one.answer, CANDIDATES)
    after = one.start + len(one.answer)
    content = f"{one.context[: one.start]}#idiom{number:06d}#{one.context[after:]}"
    answers = {"text": [one.answer], "candidate_id": [candidates.index(one.answer)]}
    return {"idx": number, "candidates": candidates, "content": [content], "answers": answers}
