"""A trainer's bytes changed at random: whatever comes out is hooked rightly, or left and named."""

from __future__ import annotations

import ast
import json
import os
import random
import sys
from typing import TYPE_CHECKING

from bench.attack.calling import called
from bench.attack.table import TRAIN, attack

if TYPE_CHECKING:
    from pathlib import Path

PIECES = (
    b"\0",
    b"\r",
    b"\r\n",
    b"\n",
    b"\t",
    b"\x0c",
    b"\xff",
    b"\xef\xbb\xbf",
    b"(",
    b")",
    b"[",
    b"'",
    b'"""',
    b"\\",
    b"#",
    b":",
    b"=",
    b"\xe2\x80\xae",
    b"\x1b[2J",
    b"if 0:",
    b"lambda: ",
    b"async ",
    b"# coding: latin-1\n",
    b"# coding: gbk\n",
    b"# coding: idna\n",
    b"# coding: gbk\r# \xd6\xd0\r",
    b"# coding: big5\n# \xa4\x5c\n",
    b"# \xe4\xb8\xad\n",
    b"match x:\n",
    b"walrus := ",
    b";",
)


def variant(seed: int) -> bytes:
    """The trainer with some of its bytes changed."""
    draw = random.Random(seed)
    data = TRAIN
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.randint(0, 40))
        how = draw.randrange(7)
        if how == 0:
            data = data[:at] + draw.choice(PIECES) + data[at:]
        elif how == 1:
            data = data[:at] + data[end:]
        elif how == 2:
            data = data[:at] + data[at:end] * draw.randint(2, 50) + data[end:]
        elif how == 3:
            data = data.replace(b"\n", draw.choice((b"\r\n", b"\r", b"\r\r\n", b"\n\n", b"\n\r")))
        elif how == 4:
            data = data.replace(b"    ", draw.choice((b"\t", b"  ", b"        ")))
        elif how == 5:
            data = draw.choice(PIECES) + data
        else:
            data = data[:at] + bytes(draw.randrange(256) for _ in range(3)) + data[end:]
    return data


def attempt(seed: int, folder: Path) -> str:
    """Every step of the tool on one variant."""
    root = folder / "kit"
    root.mkdir()
    source = variant(seed)
    (root / "train.py").write_bytes(source)
    (root / "other.py").write_text("import paddle\n")
    os.chdir(folder)
    for words in (["diff", "./kit", "--json"], ["check", "./kit", "--json"], ["apply", "./kit"]):
        done = called(*words)
        if done.bug or done.code not in (0, 1):
            return f"{words[0]} ends with {done.bug or done.code}"
        if "--json" in words and not is_json(done.out):
            return f"{words[0]} prints no JSON"
    now = (root / "train.py").read_bytes()
    if now != source and not parses(now):
        return "what was written does not parse"
    again = called("diff", "./kit")
    if again.bug or again.out:
        return f"a second apply would change more {again.bug}".rstrip()
    done = called("revert", "./kit")
    if done.bug or done.code or (root / "train.py").read_bytes() != source:
        return "revert does not give the bytes back"
    return ""


def is_json(text: str) -> bool:
    """Whether a text is one JSON value."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def parses(data: bytes) -> bool:
    """Whether Python reads it."""
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(attack("variants of a trainer's bytes", 2500, attempt))
