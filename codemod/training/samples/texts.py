"""Texts and pairs of texts with a label, and a tiny model of random weights to train on them.

pairs.tsv holds `text<tab>text<tab>0 or 1` under a heading; train.txt and dev.txt `text<tab>class`,
label.txt the classes. model/ is a folder as `from_pretrained` reads it: config.json, vocab.txt,
tokenizer_config.json, and model.safetensors with the word embedding; what else the model has is
drawn by the kit, from the kit's seed.
"""

from __future__ import annotations

import array
import json
import struct
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = 195
CLASSES = ("sport", "trade")
HIDDEN = 64


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    random = seeded(seed)
    texts = []
    for index in range(count):
        first = index % 2 * (WORDS // 2)
        length = random.randint(max(2, size // 2), size)
        texts.append(" ".join(f"w{first + random.randrange(WORDS // 2)}" for _ in range(length)))
    rows = [f"{text}\t{CLASSES[index % 2]}\n" for index, text in enumerate(texts)]
    pairs = [
        f"{text}\t{texts[other]}\t{int(other % 2 == index % 2)}\n"
        for index, text in enumerate(texts)
        for other in (random.randrange(count),)
    ]
    (folder / "train.txt").write_text("".join(rows))
    (folder / "dev.txt").write_text("".join(rows[: max(2, count // 8)]))
    (folder / "label.txt").write_text("".join(f"{name}\n" for name in CLASSES))
    (folder / "pairs.tsv").write_text("query\ttitle\tlabel\n" + "".join(pairs))
    _model(folder / "model", random)


def _model(folder: Path, random: Random) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*SPECIAL, *(f"w{number}" for number in range(WORDS))]
    config = {
        "model_type": "ernie",
        "architectures": ["ErnieForSequenceClassification"],
        "vocab_size": len(vocabulary),
        "hidden_size": HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 2 * HIDDEN,
        "max_position_embeddings": 128,
        "type_vocab_size": 2,
        "pad_token_id": 0,
    }
    tokenizer = {"tokenizer_class": "ErnieTokenizer", "do_lower_case": True}
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in vocabulary))
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    values = array.array("f", (random.gauss(0, 0.02) for _ in range(len(vocabulary) * HIDDEN)))
    name = "ernie.embeddings.word_embeddings.weight"
    _safetensors(folder / "model.safetensors", name, (len(vocabulary), HIDDEN), values)


def _safetensors(path: Path, name: str, shape: tuple[int, int], values: array.array[float]) -> None:
    """One float32 array: length of the header (8 bytes, little-endian), header, bytes."""
    content = values.tobytes()
    entry = {"dtype": "F32", "shape": list(shape), "data_offsets": [0, len(content)]}
    header = json.dumps({"__metadata__": {"format": "np"}, name: entry}).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + content)
