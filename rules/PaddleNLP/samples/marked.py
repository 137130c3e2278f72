"""Texts in which places are marked: answers, slots, events and relations, with tiny models.

questions.json holds contexts with question and answer, a JSON object a line, squad/ the same as
`datasets.load_dataset` reads a folder; slots/ a number for each word, events/ a class or a tag for
each word, relations/ what two words of a text have to do with each other. models/NAME is a model
under the name that scripts ask for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from . import tagged
from .hub_dataset import write_dataset
from .language_models import WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

# Increase it when something else is written.
VERSION = 3
# The kit's script counts on as many relations as its corpus has.
RELATIONS = 55
NAMED = {"ernie-3.0-medium-zh": "ernie", "bert-base-uncased": "bert", "unimo-text-1.0": "unimo"}


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; what is marked is one word or two."""
    random = seeded(seed)
    texts = [random.sample(WORDS, random.randint(max(3, size // 2), size)) for _ in range(count)]
    _questions(folder, texts, random)
    _slots(folder / "slots", texts)
    _events(folder / "events", texts, count, size, seed)
    _relations(folder / "relations", texts, random)
    for name, kind in NAMED.items():
        write_model(folder / "models" / name, kind, random)


def _questions(folder: Path, texts: list[list[str]], random: Random) -> None:
    """The answer follows the word that is asked for."""
    lines, rows = [], []
    for number, words in enumerate(texts):
        asked = random.randrange(len(words) - 1)
        context, question, answer = " ".join(words), words[asked], words[asked + 1]
        told = {"context": context, "answer": answer, "question": question, "target": question}
        # So the script for summaries calls a text and its summary.
        lines.append(json.dumps({"id": number, **told, "content": context, "title": question}))
        start = len(" ".join(words[: asked + 1])) + 1
        answers = {"text": [answer], "answer_start": [start]}
        row = {"id": str(number), "title": "", "context": context, "question": question}
        rows.append({**row, "answers": answers})
    _write(folder / "questions.json", lines)
    write_dataset(folder / "squad", "plain_text", rows)


def _slots(folder: Path, texts: list[list[str]]) -> None:
    lines = [
        f"{' '.join(words)}\t{' '.join(str(WORDS.index(word) % 5) for word in words)}"
        for words in texts
    ]
    for split in ("train", "dev", "test"):
        _write(folder / f"{split}.txt", lines)


def _events(folder: Path, texts: list[list[str]], count: int, size: int, seed: int) -> None:
    listed = [f"{len(words) % 2}\t{' '.join(words)}" for words in texts]
    _write(folder / "classes.tsv", ["label\ttext_a", *listed])
    _write(folder / "classes.dict", ["0\t0", "1\t1"])
    tagged.generate(folder, count, size, seed)
    tags = (folder / "tag.dic").read_text().split()
    _write(folder / "tags.dict", [f"{number}\t{tag}" for number, tag in enumerate(tags)])


def _relations(folder: Path, texts: list[list[str]], random: Random) -> None:
    names = ["O", "I", *(f"relation{number}" for number in range(RELATIONS))]
    numbers = {name: number for number, name in enumerate(names)}
    _write(folder / "predicate2id.json", [json.dumps(numbers)])
    lines = []
    for words in texts:
        subject, other = random.sample(words, 2)
        found = {
            "predicate": random.choice(names[2:]),
            "subject": subject,
            "object": {"@value": other},
        }
        lines.append(json.dumps({"text": " ".join(words), "spo_list": [found]}))
    for split in ("train", "dev"):
        _write(folder / f"{split}_data.json", lines)


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
