"""Requests with an intent and marked words, and a tiny encoder of random weights.

train.txt and dev.txt hold `number<tab>text<tab>intent<tab>text with <song>words</song>`;
intents.txt and slots.txt list what is told apart. model/ is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .language_models import words_of_class, write_model

INTENTS = ("play", "stop")
SLOTS = ("PAD", "O", "B-song", "I-song")


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words, two of them marked."""
    rows = []
    for index in range(samples.count):
        words = words_of_class(samples, index % 2, 4)
        at = samples.random.randrange(len(words) - 1)
        marked = [*words[:at], f"<song>{words[at]} {words[at + 1]}</song>", *words[at + 2 :]]
        rows.append(f"{index}\t{' '.join(words)}\t{INTENTS[index % 2]}\t{' '.join(marked)}")
    samples.write_lists(rows, "train.txt", "dev.txt", least=2)
    samples.write_lines("intents.txt", INTENTS)
    samples.write_lines("slots.txt", SLOTS)
    write_model(samples, "model", "ernie")
