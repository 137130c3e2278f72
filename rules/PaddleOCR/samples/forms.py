"""Forms as lines with a place, a text and a class, and tiny encoders of such pages.

train.txt and val.txt hold `picture<tab>JSON` lines, classes.txt the classes. layoutlm/ and
vi_layoutxlm/ are folders as `from_pretrained` reads them: two layers, the words' weights; what else
a net has is drawn by the kit, from the kit's seed. The tokenizers are asked for by name: paddlenlp/
stands for where that package keeps what it fetched.
"""

from __future__ import annotations

import array
import json
import math
from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture
from codemod.training.samples.safetensors import safetensors
from codemod.training.samples.sentencepiece import sentencepiece

from .pages import corners, written

CLASSES = ("QUESTION", "ANSWER", "HEADER")
WORDS = tuple(f"w{number}" for number in range(195))
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PIECES = ("<unk>", "<s>", "</s>")
LINES = 4
_TABLE = table_beside(__file__, "forms.yaml")
SHARED: dict[str, int] = _TABLE["shared"]
NETS = {name: net for name, net in _TABLE.items() if name != "shared"}


def generate(samples: Samples) -> None:
    """Four lines a form; the words of a line are of the part of the list that is its class's."""
    lines = []
    for index in range(samples.count):
        picture, marks = _form(samples)
        lines.append(f"{samples.save(index, picture)}\t{json.dumps(marks)}")
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
    net = NETS[name]
    config = {"architectures": [net["architecture"]], **SHARED, **net["config"]}
    samples.write(f"{name}/config.json", json.dumps(config, indent=2))
    shape = SHARED["vocab_size"], SHARED["hidden_size"]
    numbers = (samples.random.gauss(0, 0.02) for _ in range(math.prod(shape)))
    weights = safetensors(net["embedding"], shape, array.array("f", numbers))
    samples.write(f"{name}/model.safetensors", weights)
