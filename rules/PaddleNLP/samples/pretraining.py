"""Texts without a class, in the forms that the pretraining scripts read.

indexed/ has the ids of two sentences a text, as the kit's tools pack them, for the tokenizer in
models/ernie; tables/train.json the ids of a text, and which of them are marks, for roberta-base, a
tokenizer under the name that a script asks another package for.
"""

from __future__ import annotations

import array
import json
import struct

from codemod.training.samples.making import Samples

from .language_models import SPECIAL, WORDS, write_model

# Of the packed form: its first bytes with its version, and its number for 32-bit integers.
_PACKED = b"MMIDIDX\x00\x00" + struct.pack("<Q", 1)
_INT32 = 4
# What begins and ends a text for the tokenizer of roberta-base, and the letters behind its marks.
_FIRST, _LAST, _LETTERS = 0, 2, range(5, 16)


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words."""
    draw = samples.random.randrange
    texts = [[draw(len(WORDS)) for _ in range(samples.length(4))] for _ in range(samples.count)]
    halves = [half for text in texts for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    pack(samples, "indexed/texts", [[len(SPECIAL) + word for word in half] for half in halves], 2)
    rows = ([_FIRST, *(_LETTERS[word % 11] for word in text), _LAST] for text in texts)
    samples.write_lines("tables/train.json", (json.dumps(_row(ids)) for ids in rows))
    write_model(samples, "models/ernie", "ernie")
    write_model(samples, "roberta-base", "roberta")


def _row(ids: list[int]) -> dict[str, list[int]]:
    marks = [1, *(0 for _ in ids[2:]), 1]
    return {"input_ids": ids, "special_tokens_mask": marks}


def pack(samples: Samples, name: str, sentences: list[list[int]], each: int = 1) -> None:
    """Texts of so many sentences `each`: all their ids, and an index of lengths, offsets, texts."""
    lengths = array.array("i", map(len, sentences))
    ids = array.array("i", [word for sentence in sentences for word in sentence])
    offsets = array.array("q", [4 * sum(lengths[:number]) for number in range(len(lengths))])
    documents = array.array("q", range(0, len(sentences) + 1, each))
    head = _PACKED + struct.pack("<BQQ", _INT32, len(lengths), len(documents))
    index = head + lengths.tobytes() + offsets.tobytes() + documents.tobytes()
    samples.write(f"{name}.bin", ids.tobytes())
    samples.write(f"{name}.idx", index)
