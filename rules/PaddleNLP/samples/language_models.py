"""Tiny language models of random weights, as folders that `from_pretrained` reads.

A folder holds config.json, the tokenizer's files, and model.safetensors with the word embedding;
what else the model has is drawn by the kit, from the kit's seed. All models share one list of
words; what makes ids of them is BERT's tokenizer for encoders, and Llama's for decoders. Some kinds
have a tokenizer of their own: pieces of sentencepiece, or pairs that are merged.
"""

from __future__ import annotations

import array
import json
from dataclasses import dataclass, field, replace

from codemod.training.samples.making import Samples
from codemod.training.samples.safetensors import safetensors
from codemod.training.samples.sentencepiece import sentencepiece

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = tuple(f"w{number}" for number in range(195))
# fmt: off
LANGUAGES = (
    "ar", "bg", "de", "el", "en", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh",
)
# fmt: on
HIDDEN = 64
# More than there are words: some tokenizers add marks of their own.
VOCABULARY = 256
# What Llama's and ChatGLM's tokenizers look up by name, the unknown word first.
_MARKS = ("<unk>", "<s>", "</s>", "<sop>", "<eop>", "<pad>", "[MASK]", "[gMASK]")
# Where these tokenizers look for their sentencepiece model.
_PIECES = {
    "LlamaTokenizer": "sentencepiece.bpe.model",
    "ChatGLMTokenizer": "ice_text.model",
    "ErnieLayoutTokenizer": "sentencepiece.bpe.model",
    "T5Tokenizer": "spiece.model",
    "BigBirdTokenizer": "sentencepiece_gpt2.model",
}
# Its pieces hold the marks of BERT.
_BERT_PIECES = ("BigBirdTokenizer",)
_BERT_MARKS = ("<unk>", "<s>", "</s>", "[PAD]", "[CLS]", "[SEP]", "[MASK]")
# Their vocabularies have a number behind each word.
_NUMBERED = ("UNIMOTokenizer",)
# What else those know that merge pairs of letters, and what joins a word to the one before it: a
# letter for the space, or a mark of the word's end.
_MERGED = {
    "LukeTokenizer": (("<s>", "<pad>", "</s>", "<unk>", "<mask>"), "\u0120", ""),
    "RobertaTokenizer": (("<s>", "<pad>", "</s>", "<unk>", "<mask>"), "\u0120", ""),
    "XLMTokenizer": (("<s>", "</s>", "<pad>", "<unk>", "<special0>", "<special1>"), "", "</w>"),
}


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """One kind of model: its class, what else its configuration says, and its tokenizer.

    `embedding` is the layer that holds the word embedding; without one there are no weights, and
    the kit draws them all. `reading` is what the tokenizer's own configuration says.
    """

    architecture: str
    tokenizer: str
    embedding: str = ""
    config: dict[str, object] = field(default_factory=dict)
    reading: dict[str, object] = field(default_factory=dict)


def _encoder(name: str, prefix: str, tokenizer: str = "BertTokenizer") -> LanguageModel:
    """A text classifier with a plain vocabulary."""
    embedding = f"{prefix}.embeddings.word_embeddings"
    reading: dict[str, object] = {"do_lower_case": True}
    return LanguageModel(f"{name}ForSequenceClassification", tokenizer, embedding, {}, reading)


def _decoder(name: str, **config: object) -> LanguageModel:
    return LanguageModel(f"{name}ForCausalLM", "LlamaTokenizer", config=config)


# By the kit's `model_type`.
MODELS = {
    "ernie": _encoder("Ernie", "ernie", "ErnieTokenizer"),
    "bert": _encoder("Bert", "bert"),
    "electra": replace(_encoder("Electra", "electra"), config={"embedding_size": HIDDEN}),
    "albert": replace(_encoder("Albert", "transformer"), config={"embedding_size": HIDDEN}),
    # Its forward takes no segments.
    "ernie_m": replace(_encoder("ErnieM", "ernie_m"), reading={"model_input_names": ["input_ids"]}),
    "ernie_layout": _encoder("ErnieLayout", "ernie_layout", "ErnieLayoutTokenizer"),
    "llama": _decoder("Llama"),
    "opt": _decoder("OPT", word_embed_proj_dim=HIDDEN),
    "gpt": _decoder("GPT"),
    "qwen2": _decoder("Qwen2", num_key_value_heads=4),
    "chatglm": LanguageModel(
        "ChatGLMForCausalLM",
        "ChatGLMTokenizer",
        config={"inner_hidden_size": 2 * HIDDEN, "max_sequence_length": 128},
        reading={"num_image_tokens": 0},
    ),
    "convbert": replace(
        _encoder("ConvBert", "convbert", "ConvBertTokenizer"), config={"embedding_size": HIDDEN}
    ),
    "megatronbert": _encoder("MegatronBert", "megatronbert", "MegatronBertTokenizer"),
    "roformer": replace(
        _encoder("RoFormer", "roformer", "RoFormerTokenizer"), config={"embedding_size": HIDDEN}
    ),
    "unimo": LanguageModel(
        "UNIMOLMHeadModel",
        "UNIMOTokenizer",
        "unimo.embeddings.word_embeddings",
        {"type_vocab_size": 4},
    ),
    "ernie-ctm": LanguageModel(
        "ErnieCtmNptagModel",
        "ErnieCtmTokenizer",
        "ernie_ctm.embeddings.word_embeddings",
        {"embedding_size": HIDDEN},
        {"cls_num": 2},
    ),
    "t5": LanguageModel(
        "T5ForConditionalGeneration",
        "T5Tokenizer",
        "t5.shared",
        {
            "d_model": HIDDEN,
            "d_kv": HIDDEN // 4,
            "d_ff": 2 * HIDDEN,
            "num_layers": 2,
            "num_heads": 4,
        },
        # Its marks for gaps follow the words, and all are to fit into the vocabulary.
        {"extra_ids": 20},
    ),
    # Without a seed its random attention differs from run to run.
    "bigbird": replace(
        _encoder("BigBird", "bigbird", "BigBirdTokenizer"), config={"block_size": 8, "seed": 1}
    ),
    "luke": LanguageModel(
        "LukeForEntityClassification",
        "LukeTokenizer",
        "luke.embeddings.word_embeddings",
        {"pad_token_id": 1, "entity_vocab_size": 4, "entity_emb_size": HIDDEN // 2},
    ),
    # Its script draws a model of the published size, and wants the tokenizer alone.
    "roberta": LanguageModel("RobertaForMaskedLM", "RobertaTokenizer", "", {"pad_token_id": 1}),
    "xlm": LanguageModel(
        "XLMForSequenceClassification",
        "XLMTokenizer",
        "xlm.embeddings",
        {"pad_token_id": 2, "n_langs": len(LANGUAGES)},
        {"lang2id": {name: number for number, name in enumerate(LANGUAGES)}},
    ),
}


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
    marks = _marks(model.tokenizer)
    words = (*marks, *WORDS)
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
        **_marked(marks),
        **model.config,
    }
    samples.write(f"{folder}/config.json", json.dumps(config, indent=2))
    tokenizer = {"tokenizer_class": model.tokenizer, **model.reading}
    samples.write(f"{folder}/tokenizer_config.json", json.dumps(tokenizer))
    numbered = model.tokenizer in _NUMBERED
    lines = (f"{word}\t{at}" if numbered else word for at, word in enumerate(words))
    samples.write_lines(f"{folder}/vocab.txt", lines)
    if pieces := _PIECES.get(model.tokenizer):
        samples.write(f"{folder}/{pieces}", sentencepiece(marks, WORDS))
    if model.tokenizer in _MERGED:
        _write_merged(samples, folder, *_MERGED[model.tokenizer])
    if model.embedding:
        numbers = (samples.random.gauss(0, 0.02) for _ in range(VOCABULARY * HIDDEN))
        values = array.array("f", numbers)
        weights = safetensors(f"{model.embedding}.weight", (VOCABULARY, HIDDEN), values)
        samples.write(f"{folder}/model.safetensors", weights)


def _marks(tokenizer: str) -> tuple[str, ...]:
    """What stands before the words in a tokenizer's list."""
    if tokenizer in _BERT_PIECES:
        return _BERT_MARKS
    return _MARKS if tokenizer in _PIECES else SPECIAL


def _marked(marks: tuple[str, ...]) -> dict[str, int]:
    """The ids of marks that a model's configuration names."""
    if marks == SPECIAL:
        return {"pad_token_id": SPECIAL.index("[PAD]")}
    pad = "<pad>" if "<pad>" in marks else "[PAD]"
    named = {"pad": pad, "bos": "<s>", "eos": "</s>", "mask": "[MASK]", "gmask": "[gMASK]"}
    return {f"{name}_token_id": marks.index(mark) for name, mark in named.items() if mark in marks}


def _write_merged(
    samples: Samples, folder: str, marks: tuple[str, ...], space: str, end: str
) -> None:
    """The letters of the words, and the one pair that is merged: a word is some letters long."""
    digits = [f"{digit}{ending}" for ending in sorted({"", end}) for digit in range(10)]
    first = ("w", space) if space else ("w",)
    pair = (space, "w") if space else ("w", "1")
    listed = (*marks, *first, *digits, "".join(pair))
    samples.write_lines(f"{folder}/merges.txt", ("#version: 0.2", " ".join(pair)))
    for name, entries in (
        ("vocab", listed),
        ("entity_vocab", ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")),
    ):
        numbers = {entry: number for number, entry in enumerate(entries)}
        samples.write(f"{folder}/{name}.json", json.dumps(numbers))
