"""Questions with answers, and tiny decoders of random weights to train on them.

train.json and dev.json hold a JSON object a line: `src`, the question, and `tgt`, the answer.
pairs/ has for each question an answer that is preferred to another, ranked/ one with its rank, in
the lines that preference training reads; packed/ the ids of the answers, as pretraining reads them.
models/KIND is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import MODELS, TOKENIZERS, WORDS, write_model
from .pretraining import pack

VERSION = 3
DECODERS = tuple(kind for kind, model in MODELS.items() if model.architecture.endswith("CausalLM"))


def generate(samples: Samples) -> None:
    """`count` pairs, each side of half to all of `size` words; the answer turns the question."""
    words = [samples.random.choices(WORDS, k=samples.length(2)) for _ in range(samples.count)]
    asked = [" ".join(question) for question in words]
    answers = [" ".join(reversed(question)) for question in words]
    rows = [
        json.dumps({"src": one, "tgt": answer}) for one, answer in zip(asked, answers, strict=True)
    ]
    samples.write_lists(rows, "train.json", "dev.json", least=2)
    pairs, ranked = [], []
    for number, (one, answer) in enumerate(zip(asked, answers, strict=True)):
        told = {"src": [one], "tgt": []}
        pairs.append(told | {"response": [answer, one], "sort": [1, 0]})
        ranked.append(told | {"response": [answer if number % 2 else one], "sort": [number % 2]})
    samples.write_lines("pairs/train.jsonl", map(json.dumps, pairs))
    samples.write_lines("ranked/train.jsonl", map(json.dumps, ranked))
    known = (*TOKENIZERS["LlamaTokenizer"].marks, *WORDS)
    pack(samples, "packed/texts", [list(map(known.index, text)) for text in words])
    for kind in DECODERS:
        write_model(samples, f"models/{kind}", kind)
