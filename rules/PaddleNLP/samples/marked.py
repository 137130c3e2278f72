"""Texts in which places are marked: answers, slots, events and relations, with tiny models.

questions.json holds contexts with question and answer, a JSON object a line, squad/ the same as
`datasets.load_dataset` reads a folder; slots/ a number for each word, events/ a class or a tag for
each word, relations/ what two words of a text have to do with each other. models/NAME is a model
under the name that scripts ask for.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from . import tagged
from .hub_dataset import write_dataset
from .language_models import WORDS, write_model
from .questions import different_words, question_in

# Increase it when something else is written.
VERSION = 3
# The kit's script counts on as many relations as its corpus has.
RELATIONS = 55
NAMED = {"ernie-3.0-medium-zh": "ernie", "bert-base-uncased": "bert", "unimo-text-1.0": "unimo"}


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; what is marked is one word or two."""
    texts = [different_words(samples) for _ in range(samples.count)]
    _questions(samples, texts)
    _slots(samples, texts)
    _events(samples, texts)
    _relations(samples, texts)
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)


def _questions(samples: Samples, texts: list[list[str]]) -> None:
    """The answer follows the word that is asked for."""
    lines, rows = [], []
    for number, words in enumerate(texts):
        one = question_in(samples, words)
        both = {"context": one.context, "answer": one.answer, "question": one.asked}
        # So the script for summaries calls a text and its summary.
        summary = {"content": one.context, "title": one.asked}
        lines.append(json.dumps({"id": number, **both, "target": one.asked, **summary}))
        answers = {"text": [one.answer], "answer_start": [one.start]}
        row = {"id": str(number), "title": "", "context": one.context, "question": one.asked}
        rows.append({**row, "answers": answers})
    samples.write_lines("questions.json", lines)
    write_dataset(samples, "squad", "plain_text", rows)


def _slots(samples: Samples, texts: list[list[str]]) -> None:
    lines = [
        f"{' '.join(words)}\t{' '.join(str(WORDS.index(word) % 5) for word in words)}"
        for words in texts
    ]
    for split in ("train", "dev", "test"):
        samples.write_lines(f"slots/{split}.txt", lines)


def _events(samples: Samples, texts: list[list[str]]) -> None:
    listed = [f"{len(words) % 2}\t{' '.join(words)}" for words in texts]
    samples.write_lines("events/classes.tsv", ["label\ttext_a", *listed])
    samples.write_lines("events/classes.dict", ["0\t0", "1\t1"])
    tagged.generate(samples.again("events"))
    tags = (f"{number}\t{tag}" for number, tag in enumerate(tagged.TAGS))
    samples.write_lines("events/tags.dict", tags)


def _relations(samples: Samples, texts: list[list[str]]) -> None:
    names = ["O", "I", *(f"relation{number}" for number in range(RELATIONS))]
    numbers = {name: number for number, name in enumerate(names)}
    samples.write_lines("relations/predicate2id.json", [json.dumps(numbers)])
    lines = []
    for words in texts:
        subject, other = samples.random.sample(words, 2)
        found = {
            "predicate": samples.random.choice(names[2:]),
            "subject": subject,
            "object": {"@value": other},
        }
        lines.append(json.dumps({"text": " ".join(words), "spo_list": [found]}))
    for split in ("train", "dev"):
        samples.write_lines(f"relations/{split}_data.json", lines)
