"""Sentences with a tag for each word: words and tags joined by the byte 2, a tab between both.

train.tsv and test.tsv are bare; train.txt, dev.txt and test.txt have a heading. word.dic and
tag.dic list words and tags, q2b.dic maps wide letters to narrow ones.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

WORDS = 100
KINDS = ("n", "v", "LOC")
TAGS = (*(f"{kind}-{place}" for kind in KINDS for place in "BI"), "O")
BETWEEN = "\x02"


def generate(samples: Samples) -> None:
    """`count` sentences of half to all of `size` words; a word's number decides its tag."""
    rows = [_sentence(samples) for _ in range(samples.count)]
    few = rows[: max(1, samples.count // 4)]
    for name, part in (("train", rows), ("dev", few), ("test", few)):
        samples.write_lines(f"{name}.txt", ("text_a\tlabel", *part))
        samples.write_lines(f"{name}.tsv", part)
    samples.write_lines("word.dic", ("OOV", *(f"w{number}" for number in range(WORDS))))
    samples.write_lines("tag.dic", TAGS)
    samples.write_lines("q2b.dic", ("\uff37\tW",))


def _sentence(samples: Samples) -> str:
    words: list[str] = []
    tags: list[str] = []
    wanted = samples.length(2)
    while len(words) < wanted:
        number = samples.random.randrange(WORDS)
        kind = KINDS[number % len(KINDS)]
        length = samples.random.randint(1, 2)
        words += [f"w{number}"] * length
        tags += [f"{kind}-B", f"{kind}-I"][:length]
    return f"{BETWEEN.join(words)}\t{BETWEEN.join(tags)}"
