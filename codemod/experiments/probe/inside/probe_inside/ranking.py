"""Small models before large ones: a guess from the name, used for the order of probes alone."""

from __future__ import annotations

import re

_WORDS = ("atto", "femto", "pico", "nano", "micro", "mini", "xxs", "xs", "tiny", "lite", "small")
_LARGE = ("medium", "base", "large", "huge", "giant", "gigantic")


def rank(name: str) -> list[float]:
    """A sort key by size words first, then by the numbers in the name."""
    low = name.lower()
    word = 0.0
    for index, small in enumerate(_WORDS):
        if re.search(r"(^|[^a-z])" + small, low) or low.endswith(small):
            word = float(index - len(_WORDS))
            break
    for index, large in enumerate(_LARGE):
        if large in low:
            word = float(index + 1)
    numbers = [float(text.replace("_", ".")) for text in re.findall(r"\d+(?:_\d+)?", low)]
    return [word, *numbers[:4]]
