"""Forms as lines with a place, a text and a class, and tiny encoders of such pages.

train.txt and val.txt hold `picture<tab>JSON` lines, classes.txt the classes. layoutlm/ and
vi_layoutxlm/ are folders as `from_pretrained` reads them: two layers, the words' weights; what else
a net has is drawn by the kit, from the kit's seed. The tokenizers are asked for by name: paddlenlp/
stands for where that package keeps what it fetched.
"""

from __future__ import annotations

import array
import json
from typing import Any

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture
from codemod.training.samples.safetensors import safetensors
from codemod.training.samples.sentencepiece import sentencepiece

from .pages import corners, save_page, written

CLASSES = ("QUESTION", "ANSWER", "HEADER")
WORDS = tuple(f"w{number}" for number in range(195))
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PIECES = ("<unk>", "<s>", "</s>")
VOCABULARY, HIDDEN = 256, 96
LINES = 4
# Where a word of a class begins and goes on, and what is of none.
LABELS = 2 * len(CLASSES) + 1
NET = {
    "vocab_size": VOCABULARY,
    "hidden_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 2 * HIDDEN,
    "max_position_embeddings": 514,
    "max_2d_position_embeddings": 1024,
    "num_classes": LABELS,
}
# By the folder's name: the class, its word embedding, and what else its configuration says.
NETS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "layoutlm": (
        "LayoutLMForTokenClassification",
        "layoutlm.embeddings.word_embeddings.weight",
        {"model_type": "layoutlm", "pad_token_id": 0, "type_vocab_size": 2},
    ),
    "vi_layoutxlm": (
        "LayoutXLMForTokenClassification",
        "layoutxlm.embeddings.word_embeddings.weight",
        {
            "model_type": "layoutxlm",
            "pad_token_id": 1,
            "type_vocab_size": 1,
            # A place is four numbers of the first size and two of the second, together as wide.
            "coordinate_size": HIDDEN // 6,
            "shape_size": HIDDEN // 6,
            "use_visual_backbone": False,
        },
    ),
}


def generate(samples: Samples) -> None:
    """Four lines a form; the words of a line are of the part of the list that is its class's."""
    lines = [save_page(samples, index, *_form(samples)) for index in range(samples.count)]
    samples.write_lists(lines)
    samples.write_lines("classes.txt", ("OTHER", *CLASSES))
    for name in NETS:
        _write_net(samples, name)
    kept = "paddlenlp/models"
    samples.write_lines(f"{kept}/layoutlm-base-uncased/vocab.txt", (*MARKS, *WORDS))
    pieces = f"{kept}/layoutxlm-base-uncased/sentencepiece.bpe.model"
    samples.write(pieces, sentencepiece(PIECES, WORDS))


def _form(samples: Samples) -> tuple[Picture, list[dict[str, Any]]]:
    random, size = samples.random, samples.size
    picture = samples.noise()
    scale = max(1, size // 48)
    marks = []
    for number in range(LINES):
        kind = random.randrange(len(CLASSES))
        part = len(WORDS) // len(CLASSES)
        text = " ".join(random.choices(WORDS[kind * part :][:part], k=random.randint(2, 4)))
        left, top = random.randint(0, size // 4), number * size // LINES + scale
        points = corners(written(picture, str(kind) * 4, left, top, scale))
        mark = {"transcription": text, "label": CLASSES[kind].lower(), "points": points}
        marks.append({**mark, "id": number, "linking": []})
    return picture, marks


def _write_net(samples: Samples, name: str) -> None:
    kind, embedding, more = NETS[name]
    config = {"architectures": [kind], **NET, **more}
    samples.write(f"{name}/config.json", json.dumps(config, indent=2))
    numbers = (samples.random.gauss(0, 0.02) for _ in range(VOCABULARY * HIDDEN))
    weights = safetensors(embedding, (VOCABULARY, HIDDEN), array.array("f", numbers))
    samples.write(f"{name}/model.safetensors", weights)
