"""Texts of Chinese characters, for scripts that take a text character by character.

datasets/SIGHAN_CN holds texts with wrong characters and the same without; phrases/ a text and its
class, itself a word of characters; entities/ texts with the places of their names, a JSON object a
line; words/ texts of words with a tag to each. models/NAME is a tiny model under the name that
scripts ask for, with these characters.
"""

from __future__ import annotations

import json
from random import Random

from codemod.training.samples.making import Samples

from .language_models import SPECIAL, write_model

# Common ones, so that each has a sound in the script's list of sounds; the last asks for a class.
CHARACTERS = (
    "\u4eba\u5927\u5c0f\u5c71\u6c34\u706b\u6728\u91d1\u571f\u65e5\u6708\u5929\u5730\u4e2d\u56fd"
    "\u5b66\u751f\u8001\u5e08\u4e66\u7b14\u7eb8\u8f66\u8def\u6865\u57ce\u5e02\u4e61\u6751\u9a6c"
    "\u725b\u7f8a\u72d7\u732b\u9c7c\u9e1f\u82b1\u8349\u6811\u679c\u7c73\u9762\u996d\u83dc\u8336"
    "\u9152\u8863\u978b\u5e3d\u5e03\u7ea2\u9ec4\u84dd\u767d\u9ed1\u98ce\u96e8\u96ea\u662f"
)
# Words for the classes of phrases, and what names are called.
CLASSES = (CHARACTERS[:2], CHARACTERS[2:5])
KINDS = ("person", "place")
NAMED = {"ernie-1.0-base-zh": "ernie", "nptag": "ernie-ctm", "wordtag": "ernie-ctm"}


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` characters, at least four."""
    random = samples.random
    shortest = max(4, samples.size // 2)
    texts = [
        "".join(random.choices(CHARACTERS, k=random.randint(shortest, max(shortest, samples.size))))
        for _ in range(samples.count)
    ]
    corrected = [f"{_with_a_fault(text, random)}\t{text}" for text in texts]
    phrases = [f"{text}\t{CLASSES[len(text) % 2]}" for text in texts]
    for folder, lines in (
        ("datasets/SIGHAN_CN/sighan-cn", corrected),
        ("phrases", phrases),
        ("entities", [_entity(text, random) for text in texts]),
        ("words", [_tagged(text) for text in texts]),
    ):
        samples.write_lines(f"{folder}/train.txt", lines)
        samples.write_lines(f"{folder}/dev.txt", lines[:8])
    numbers = {"entity2id": {kind: number for number, kind in enumerate(KINDS)}}
    samples.write_lines("entities/label_maps.json", [json.dumps(numbers)])
    marks = (f"{place}-{kind}" for kind in KINDS for place in "BIES")
    samples.write_lines("words/tags.txt", (*marks, "O"))
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)
        # ERNIE-CTM begins a text with two marks.
        known = (*SPECIAL, "[CLS0]", "[CLS1]", *CHARACTERS)
        samples.write_lines(f"models/{name}/vocab.txt", known)


def _with_a_fault(text: str, random: Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + random.choice(CHARACTERS) + text[place + 1 :]


def _entity(text: str, random: Random) -> str:
    """A text with a name of two characters in it."""
    start = random.randrange(len(text) - 1)
    name = text[start : start + 2]
    found = {"text": name, "start_index": start, "type": KINDS[CHARACTERS.index(name[0]) % 2]}
    return json.dumps({"text": text, "entity_list": [found]})


def _tagged(text: str) -> str:
    """Words of two characters, a last one of one or two; the first character decides the tag."""
    words = [text[start : start + 2] for start in range(0, len(text), 2)]
    return " ".join(f"{word}/{KINDS[CHARACTERS.index(word[0]) % 2]}" for word in words)
