"""Forms as lines with a place, a text and a class, and tiny encoders of such pages.

train.txt and val.txt hold `picture<tab>JSON` lines, classes.txt the classes. layoutlm/ and
vi_layoutxlm/ are folders as `from_pretrained` reads them: two layers, the words' weights; what else
a net has is drawn by the kit, from the kit's seed. The tokenizers are asked for by name: paddlenlp/
stands for where that package keeps what it fetched.
"""

from __future__ import annotations

import array
import json
from typing import TYPE_CHECKING, Any

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.safetensors import save_safetensors
from codemod.training.samples.seeded import seeded
from codemod.training.samples.sentencepiece import sentencepiece

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

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


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Four lines a form; the words of a line are of the part of the list that is its class's."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        picture, marks = _form(random, size)
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name}\t{json.dumps(marks)}\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
    (folder / "classes.txt").write_text("".join(f"{name}\n" for name in ("OTHER", *CLASSES)))
    for name in NETS:
        _write_net(folder / name, name, random)
    kept = folder / "paddlenlp" / "models"
    for name in ("layoutlm-base-uncased", "layoutxlm-base-uncased"):
        (kept / name).mkdir(parents=True, exist_ok=True)
    words = "".join(f"{word}\n" for word in (*MARKS, *WORDS))
    (kept / "layoutlm-base-uncased" / "vocab.txt").write_text(words)
    pieces = kept / "layoutxlm-base-uncased" / "sentencepiece.bpe.model"
    pieces.write_bytes(sentencepiece(PIECES, WORDS))


def _form(random: Random, size: int) -> tuple[Picture, list[dict[str, Any]]]:
    picture = Picture.noise(random, size, size)
    scale = max(1, size // 48)
    marks = []
    for number in range(LINES):
        kind = random.randrange(len(CLASSES))
        part = len(WORDS) // len(CLASSES)
        text = " ".join(random.choices(WORDS[kind * part :][:part], k=random.randint(2, 4)))
        left, top = random.randint(0, size // 4), number * size // LINES + scale
        width, height = draw(picture, str(kind) * 4, left, top, scale)
        right, bottom = left + width, top + height
        points = [[left, top], [right, top], [right, bottom], [left, bottom]]
        mark = {"transcription": text, "label": CLASSES[kind].lower(), "points": points}
        marks.append({**mark, "id": number, "linking": []})
    return picture, marks


def _write_net(folder: Path, name: str, random: Random) -> None:
    kind, embedding, more = NETS[name]
    folder.mkdir(parents=True, exist_ok=True)
    config = {"architectures": [kind], **NET, **more}
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    values = array.array("f", (random.gauss(0, 0.02) for _ in range(VOCABULARY * HIDDEN)))
    save_safetensors(folder / "model.safetensors", embedding, (VOCABULARY, HIDDEN), values)
