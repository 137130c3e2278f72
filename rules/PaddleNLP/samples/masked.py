"""Texts of which some words are hidden, in the forms that more pretraining scripts read.

tables/train.h5 holds ids with the places and the ids of what is hidden, text/train.data the texts,
indexed/ their ids as the kit's tools pack them, for the tokenizer in models/t5. models/KIND is a
folder as `from_pretrained` reads it.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .hdf5 import Table, hdf5
from .language_models import SPECIAL, TOKENIZERS, WORDS, write_model
from .pretraining import pack

HIDDEN_WORDS = 2


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; two of a text are hidden."""
    texts = [samples.random.choices(WORDS, k=samples.length(4)) for _ in range(samples.count)]
    samples.write_lines("text/train.data", map(" ".join, texts))
    known = (*TOKENIZERS["T5Tokenizer"].marks, *WORDS)
    pack(samples, "indexed/texts", [[known.index(word) for word in text] for text in texts])
    samples.write("tables/train.h5", hdf5(_tables(samples, texts)))
    for kind in ("bert", "convbert", "t5"):
        write_model(samples, f"models/{kind}", kind)


def _tables(samples: Samples, texts: list[list[str]]) -> dict[str, Table]:
    """Two halves a text between marks; every other second half is that of another text."""
    first, last, mask = (SPECIAL.index(mark) for mark in ("[CLS]", "[SEP]", "[MASK]"))
    length = samples.size + 3
    columns: dict[str, list[int]] = {name: [] for name in ("ids", "mask", "segments")}
    places: list[int] = []
    hidden: list[int] = []
    for number, text in enumerate(texts):
        other = texts[number - number % 2]
        halves = [_ids(text[: len(text) // 2]), _ids(other[len(other) // 2 :])[: samples.size // 2]]
        ids = [first, *halves[0], last, *halves[1], last]
        words = [place for place, word in enumerate(ids) if word >= len(SPECIAL)]
        chosen = sorted(samples.random.sample(words, HIDDEN_WORDS))
        places += chosen
        hidden += [ids[place] for place in chosen]
        for place in chosen:
            ids[place] = mask
        segments = [0] * (len(halves[0]) + 2) + [1] * (len(halves[1]) + 1)
        for name, row in (("ids", ids), ("mask", [1] * len(ids)), ("segments", segments)):
            columns[name] += row + [0] * (length - len(row))
    rows, few = (samples.count, length), (samples.count, HIDDEN_WORDS)
    return {
        "input_ids": Table(rows, columns["ids"]),
        "input_mask": Table(rows, columns["mask"]),
        "segment_ids": Table(rows, columns["segments"]),
        "masked_lm_positions": Table(few, places),
        "masked_lm_ids": Table(few, hidden),
        "next_sentence_labels": Table(rows[:1], [number % 2 for number in range(samples.count)]),
    }


def _ids(words: list[str]) -> list[int]:
    return [len(SPECIAL) + WORDS.index(word) for word in words]
