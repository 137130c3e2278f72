"""Texts without a class, in the forms that the pretraining scripts read.

indexed/ has the ids of two sentences a text, as the kit's tools pack them, for the tokenizer in
models/ernie; tables/train.json the ids of a text, and which of them are marks, for roberta-base, a
tokenizer under the name that a script asks another package for.
"""

from __future__ import annotations

import array
import json
import struct
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import SPECIAL, WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path

# Of the packed form: its first bytes with its version, and its number for 32-bit integers.
_PACKED = b"MMIDIDX\x00\x00" + struct.pack("<Q", 1)
_INT32 = 4
# What begins and ends a text for the tokenizer of roberta-base, and the letters behind its marks.
_FIRST, _LAST, _LETTERS = 0, 2, range(5, 16)


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words."""
    random = seeded(seed)
    texts = [
        [random.randrange(len(WORDS)) for _ in range(random.randint(max(4, size // 2), size))]
        for _ in range(count)
    ]
    _pack(folder / "indexed", texts)
    tables = folder / "tables"
    tables.mkdir()
    rows = ([_FIRST, *(_LETTERS[word % 11] for word in text), _LAST] for text in texts)
    (tables / "train.json").write_text("".join(json.dumps(_row(ids)) + "\n" for ids in rows))
    write_model(folder / "models" / "ernie", "ernie", random)
    write_model(folder / "roberta-base", "roberta", random)


def _row(ids: list[int]) -> dict[str, list[int]]:
    marks = [1, *(0 for _ in ids[2:]), 1]
    return {"input_ids": ids, "special_tokens_mask": marks}


def _pack(folder: Path, texts: list[list[int]]) -> None:
    """Each text as two sentences: all their ids, and an index of lengths, offsets and texts."""
    halves = [half for text in texts for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    lengths = array.array("i", [len(half) for half in halves])
    ids = array.array("i", [len(SPECIAL) + word for half in halves for word in half])
    offsets = array.array("q", [4 * sum(lengths[:number]) for number in range(len(lengths))])
    documents = array.array("q", range(0, len(halves) + 1, 2))
    folder.mkdir()
    (folder / "texts.bin").write_bytes(ids.tobytes())
    head = _PACKED + struct.pack("<BQQ", _INT32, len(lengths), len(documents))
    index = head + lengths.tobytes() + offsets.tobytes() + documents.tobytes()
    (folder / "texts.idx").write_bytes(index)
