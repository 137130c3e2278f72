"""Tiny language models of random weights, as folders that `from_pretrained` reads.

A folder holds config.json, the tokenizer's files, and model.safetensors with the word embedding;
what else the model has is drawn by the kit, from the kit's seed. All models share one list of
words; what makes ids of them is BERT's tokenizer for encoders, and Llama's for decoders. Some kinds
have a tokenizer of their own: pieces of sentencepiece, or pairs that are merged.
"""

from __future__ import annotations

import array
import json
from dataclasses import dataclass, field

from codemod.base.files.data_folder import table_beside
from codemod.training.samples.making import Samples
from codemod.training.samples.safetensors import safetensors
from codemod.training.samples.sentencepiece import sentencepiece

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = tuple(f"w{number}" for number in range(195))
HIDDEN = 64
# More than there are words: some tokenizers add marks of their own.
VOCABULARY = 256


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """One kind of model: its class, what else its configuration says, and its tokenizer.

    `embedding` is the layer that holds the word embedding; without one there are no weights, and
    the kit draws them all. `reading` is what the tokenizer's own configuration says.
    """

    architecture: str
    tokenizer: str = "BertTokenizer"
    embedding: str = ""
    config: dict[str, object] = field(default_factory=dict)
    reading: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """What a tokenizer reads: `marks` before the words, a number behind each where `numbered`.

    `pieces` is where it looks for its sentencepiece model. One that merges pairs of letters knows
    the marks `merged` instead, and joins a word to the one before it by a letter for the space, or
    by a mark of the word's `end`.
    """

    marks: tuple[str, ...] = SPECIAL
    numbered: bool = False
    pieces: str = ""
    merged: tuple[str, ...] = ()
    space: str = ""
    end: str = ""


_TABLE = table_beside(__file__, "language_models.yaml")
LANGUAGES: list[str] = _TABLE["languages"]
MODELS = {kind: LanguageModel(**row) for kind, row in _TABLE["models"].items()}
TOKENIZERS = {name: Tokenizer(**row) for name, row in _TABLE["tokenizers"].items()}


def words_of_class(samples: Samples, label: int, shortest: int) -> list[str]:
    """Half to all of `size` words, at least `shortest`; each half of the list marks a class."""
    half = len(WORDS) // 2
    return samples.random.choices(WORDS[label * half :][:half], k=samples.length(shortest))


def texts_of_classes(samples: Samples) -> list[str]:
    """Texts of such words, of either class in turn."""
    return [" ".join(words_of_class(samples, index % 2, 2)) for index in range(samples.count)]


def pairs_of(samples: Samples, texts: list[str]) -> list[str]:
    """Each text with another, and whether both are of one class: lines with tabs between."""
    others = [samples.random.randrange(len(texts)) for _ in texts]
    return [
        f"{text}\t{texts[other]}\t{int(other % 2 == index % 2)}"
        for index, (text, other) in enumerate(zip(texts, others, strict=True))
    ]


def write_model(samples: Samples, folder: str, kind: str) -> None:
    """The folder of a model of two layers; `kind` is a key of `MODELS`."""
    model = MODELS[kind]
    tokenizer = TOKENIZERS.get(model.tokenizer, Tokenizer())
    config = {
        "model_type": kind,
        "architectures": [model.architecture],
        "vocab_size": VOCABULARY,
        "hidden_size": HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 2 * HIDDEN,
        "max_position_embeddings": 128,
        "type_vocab_size": 2,
        **_marked(tokenizer),
        **model.config,
    }
    samples.write(f"{folder}/config.json", json.dumps(config, indent=2))
    reading = {"tokenizer_class": model.tokenizer, **model.reading}
    samples.write(f"{folder}/tokenizer_config.json", json.dumps(reading))
    words = enumerate((*tokenizer.marks, *WORDS))
    lines = (f"{word}\t{at}" if tokenizer.numbered else word for at, word in words)
    samples.write_lines(f"{folder}/vocab.txt", lines)
    if tokenizer.pieces:
        pieces = sentencepiece(tokenizer.marks, WORDS)
        samples.write(f"{folder}/{tokenizer.pieces}", pieces)
    if tokenizer.merged:
        _write_merged(samples, folder, tokenizer)
    if model.embedding:
        numbers = (samples.random.gauss(0, 0.02) for _ in range(VOCABULARY * HIDDEN))
        values = array.array("f", numbers)
        weights = safetensors(f"{model.embedding}.weight", (VOCABULARY, HIDDEN), values)
        samples.write(f"{folder}/model.safetensors", weights)


def _marked(tokenizer: Tokenizer) -> dict[str, int]:
    """The ids of marks that a model's configuration names."""
    marks = tokenizer.marks
    if not tokenizer.pieces:
        return {"pad_token_id": marks.index("[PAD]")}
    pad = "<pad>" if "<pad>" in marks else "[PAD]"
    named = {"pad": pad, "bos": "<s>", "eos": "</s>", "mask": "[MASK]", "gmask": "[gMASK]"}
    return {f"{name}_token_id": marks.index(mark) for name, mark in named.items() if mark in marks}


def _write_merged(samples: Samples, folder: str, tokenizer: Tokenizer) -> None:
    """The letters of the words, and the one pair that is merged: a word is some letters long."""
    space, endings = tokenizer.space, sorted({"", tokenizer.end})
    digits = [f"{digit}{ending}" for ending in endings for digit in range(10)]
    first = ("w", space) if space else ("w",)
    pair = (space, "w") if space else ("w", "1")
    listed = (*tokenizer.merged, *first, *digits, "".join(pair))
    samples.write_lines(f"{folder}/merges.txt", ("#version: 0.2", " ".join(pair)))
    for name, entries in (
        ("vocab", listed),
        ("entity_vocab", ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")),
    ):
        numbers = {entry: number for number, entry in enumerate(entries)}
        samples.write(f"{folder}/{name}.json", json.dumps(numbers))
