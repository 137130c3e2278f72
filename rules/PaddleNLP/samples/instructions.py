"""Questions with answers, and tiny decoders of random weights to train on them.

train.json and dev.json hold a JSON object a line: `src`, the question, and `tgt`, the answer.
models/KIND is a folder as `from_pretrained` reads it, without weights.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import MODELS, WORDS, write_model

DECODERS = tuple(kind for kind, model in MODELS.items() if model.architecture.endswith("CausalLM"))


def generate(samples: Samples) -> None:
    """`count` pairs, each side of half to all of `size` words; the answer turns the question."""
    rows = []
    for _ in range(samples.count):
        words = samples.random.choices(WORDS, k=samples.length(2))
        rows.append(json.dumps({"src": " ".join(words), "tgt": " ".join(reversed(words))}))
    samples.write_lists(rows, "train.json", "dev.json", least=2)
    for kind in DECODERS:
        write_model(samples, f"models/{kind}", kind)
