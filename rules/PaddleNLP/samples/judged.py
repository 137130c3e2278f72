"""Passages that fit a query or do not, answers whose steps are right or wrong, and tiny decoders.

train.json and dev.json hold a JSON object a line: `query`, `pos_passage` and `neg_passage`;
steps/train.jsonl `src`, `responses`, the steps, and a label for each. models/KIND is a folder as
`from_pretrained` reads it.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import MODELS, WORDS, write_model

KINDS = ("llama", "mistral", "qwen2")
STEPS = 3
# Words that the tokenizers know, for right and wrong; the word before them stands behind each step.
MARKS = WORDS[1:3]


def generate(samples: Samples) -> None:
    """`count` of each; a passage is half to all of `size` words, and a step a part of it."""
    queries, steps = [], []
    for _ in range(samples.count):
        right, wrong = (samples.random.choices(WORDS, k=samples.length(STEPS)) for _ in range(2))
        asked = " ".join(reversed(right))
        passages = {"pos_passage": [" ".join(right)], "neg_passage": [" ".join(wrong)]}
        queries.append(json.dumps({"query": asked, **passages}))
        marks = samples.random.choices(MARKS, k=STEPS)
        told = [" ".join(part) for part in zip(right[:STEPS], wrong[:STEPS], strict=True)]
        steps.append(json.dumps({"src": [asked], "tgt": [], "responses": told, "labels": marks}))
    samples.write_lists(queries, "train.json", "dev.json", least=2)
    samples.write_lines("steps/train.jsonl", steps)
    for kind in KINDS:
        write_model(samples, f"models/{kind}", kind)
    # The script for embeddings fills up with the tokenizer's own mark.
    reading = {"tokenizer_class": MODELS["qwen2"].tokenizer, "pad_token": "</s>"}
    samples.write("models/qwen2/tokenizer_config.json", json.dumps(reading))
