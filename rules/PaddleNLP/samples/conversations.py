"""Conversations on what is known, and a tiny model that answers.

duconv/ holds them as `datasets.load_dataset` reads a folder; ids/ what was said and the answer as
numbers, `tokens;segments;places`. models/unified_transformer is a folder as `from_pretrained`
reads it.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import TOKENIZERS, WORDS, write_model

# What sentencepiece writes for the space before a word.
SPACE = "\u2581"
TURNS = 4


def generate(samples: Samples) -> None:
    """`count` conversations of four turns of half to all of `size` words."""
    conversations = [
        [samples.random.choices(WORDS, k=samples.length(2)) for _ in range(TURNS)]
        for _ in range(samples.count)
    ]
    lines = [json.dumps(_told(number, turns)) for number, turns in enumerate(conversations)]
    for split in ("train", "dev"):
        samples.write_lines(f"duconv/{split}.jsonl", lines if split == "train" else lines[:8])
    files = [{"split": split, "path": f"{split}.jsonl"} for split in ("train", "dev")]
    head = {"configs": [{"config_name": "default", "data_files": files}]}
    # JSON is YAML too.
    samples.write("duconv/README.md", f"---\n{json.dumps(head, indent=1)}\n---\n")
    marks = TOKENIZERS["UnifiedTransformerTokenizer"].marks
    known = (*marks, *(f"{SPACE}{word}" for word in WORDS))
    numbered = [_numbers(turns, known) for turns in conversations]
    samples.write_lists(numbered, "ids/train.txt", "ids/valid.txt", least=2)
    write_model(samples, "models/unified_transformer", "unified_transformer")
    lines = [f"{word}\t{number}" for number, word in enumerate(known)]
    samples.write_lines("models/unified_transformer/vocab.txt", lines)


def _told(number: int, turns: list[list[str]]) -> dict[str, object]:
    """What is known is the words that the conversation begins with."""
    known = [turns[0][:1], turns[1][:1]]
    said = [" ".join(words) for words in turns]
    return {"id": str(number), "goal": known[:1], "knowledge": known[1:], "conversation": said}


def _numbers(turns: list[list[str]], known: tuple[str, ...]) -> str:
    """The first turn, then its answer, each between two marks."""
    first, last = known.index("[CLS]"), known.index("[SEP]")
    ids: list[int] = []
    segments: list[int] = []
    for segment, words in enumerate(turns[:2]):
        part = [first, *(known.index(f"{SPACE}{word}") for word in words), last]
        ids += part
        segments += [segment] * len(part)
    columns = (ids, segments, list(range(len(ids))))
    return ";".join(" ".join(map(str, column)) for column in columns)
