"""Sentences with a tag for each word: words and tags joined by the byte 2, a tab between both.

train.tsv and test.tsv are bare; train.txt, dev.txt and test.txt have a heading. word.dic and
tag.dic list words and tags, q2b.dic maps wide letters to narrow ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

WORDS = 100
KINDS = ("n", "v", "LOC")
BETWEEN = "\x02"


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` sentences of half to all of `size` words; a word's number decides its tag."""
    random = seeded(seed)
    rows = []
    for _ in range(count):
        words: list[str] = []
        tags: list[str] = []
        wanted = random.randint(max(2, size // 2), size)
        while len(words) < wanted:
            number = random.randrange(WORDS)
            kind = KINDS[number % len(KINDS)]
            length = random.randint(1, 2)
            words += [f"w{number}"] * length
            tags += [f"{kind}-B", f"{kind}-I"][:length]
        rows.append(f"{BETWEEN.join(words)}\t{BETWEEN.join(tags)}\n")
    few = rows[: max(1, count // 4)]
    for name, part in (("train", rows), ("dev", few), ("test", few)):
        (folder / f"{name}.txt").write_text("text_a\tlabel\n" + "".join(part))
        (folder / f"{name}.tsv").write_text("".join(part))
    lists = {
        "word": ["OOV", *(f"w{number}" for number in range(WORDS))],
        "tag": [*(f"{kind}-{place}" for kind in KINDS for place in "BI"), "O"],
    }
    for name, entries in lists.items():
        (folder / f"{name}.dic").write_text("".join(f"{entry}\n" for entry in entries))
    (folder / "q2b.dic").write_text("\uff37\tW\n", encoding="utf-8")
