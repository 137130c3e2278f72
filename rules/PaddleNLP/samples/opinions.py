"""Texts with an opinion, in the forms that more of the kit's scripts name, with tiny models.

datasets/CLASS holds the files that a dataset of the kit fetches, and datasets/datasets/NAME those
of one that has a folder beside the others. reviews/ holds `text<tab>class` and the classes.
models/NAME is a tiny model under the name that scripts ask for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from codemod.training.samples.making import Samples

from .language_models import SPECIAL, WORDS, texts_of_classes, write_model

SPLITS = ("train", "dev", "test")
# The splits of FewCLUE that a script reads.
PUBLISHED = ("train_0", "dev_0", "test_public", "test", "unlabeled")
CLASSES = ("sport", "trade")
# The classes of the published reviews, and of the answers to a question.
REVIEWS = ("Negative", "Positive")
ANSWERS = ("Yes", "No", "Depends")
NAMED = {
    "skep_ernie_1.0_large_ch": "skep",
    "rocketqa-zh-dureader-query-encoder": "ernie",
    "prompted": "ernie",
    "mpnet": "mpnet",
    "t5-small": "t5",
}
# What the kit's prompts say beside the text.
PROMPTS = "\u8fd9\u8868\u8fbe\u4e86\u7684\u60c5\u611f\u4e0d\u5f88\u6ee1\u610f\u6211\u559c\u6b22"


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    texts = texts_of_classes(samples)
    reviews = [f"{text}\t{CLASSES[number % 2]}" for number, text in enumerate(texts)]
    _write_splits(samples, "reviews/{}.txt", reviews)
    samples.write_lines("reviews/label.txt", CLASSES)
    _write_sentences(samples, texts)
    _write_pairs(samples, texts)
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)
    known = (*SPECIAL, *dict.fromkeys(PROMPTS), *WORDS)
    samples.write_lines("models/prompted/vocab.txt", known)


def _write_sentences(samples: Samples, texts: list[str]) -> None:
    """What the kit's datasets of texts with a class read."""
    listed = [f"{number % 2}\t{text}" for number, text in enumerate(texts)]
    reviews = "datasets/ChnSentiCorp/ChnSentiCorp/ChnSentiCorp"
    samples.write_lines(f"{reviews}/train.tsv", ("label\ttext_a", *listed))
    numbered = (f"0\t{line}" for line in listed[:8])
    samples.write_lines(f"{reviews}/dev.tsv", ("qid\tlabel\ttext_a", *numbered))
    sentences = [f"{text}\t{number % 2}" for number, text in enumerate(texts)]
    _write_splits(samples, "datasets/Glue/SST-2/{}.tsv", sentences, "sentence\tlabel")
    told = [
        json.dumps({"id": number, "sentence": text, "label": REVIEWS[number % 2]})
        for number, text in enumerate(texts)
    ]
    published = "datasets/FewCLUE/fewclue_eprstmt/{}.json"
    _write_splits(samples, published, told, splits=PUBLISHED)


def _write_pairs(samples: Samples, texts: list[str]) -> None:
    """What those read that have two texts, or a text and a word of it."""
    aspects = [
        f"{number % 2}\t{text.partition(' ')[0]}\t{text}" for number, text in enumerate(texts)
    ]
    phones = "datasets/datasets/SE-ABSA16_PHNS/SE-ABSA16_PHNS/train.tsv"
    samples.write_lines(phones, ("label\ttext_a\ttext_b", *aspects))
    targets = (f"{text.split(' ')[1]}\t{text}" for text in texts)
    samples.write_lines("datasets/datasets/COTE-DP/COTE-DP/train.tsv", ("label\ttext", *targets))
    asked, pairs = [], []
    for number, text in enumerate(texts):
        answer = {"answer": text, "yesno_answer": ANSWERS[number % len(ANSWERS)]}
        asked.append(json.dumps({"id": number, "question": text.partition(" ")[0], **answer}))
        alike = int(number // 2 % 2 == number % 2)
        both = {"sentence1": text, "sentence2": texts[number // 2]}
        pairs.append(json.dumps({**both, "label": str(alike)}))
    _write_splits(samples, "datasets/DuReaderYesNo/dureader_yesno-data/{}.json", asked)
    _write_splits(samples, "datasets/Clue/afqmc_public/{}.json", pairs)


def _write_splits(
    samples: Samples, name: str, lines: list[str], heading: str = "", splits: Sequence[str] = SPLITS
) -> None:
    """Files for training, the first of them, and shorter ones for the rest."""
    for split in splits:
        kept = lines if split == splits[0] else lines[:8]
        samples.write_lines(name.format(split), (heading, *kept) if heading else kept)
