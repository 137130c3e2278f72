"""Views of films as PaddleRec's demo prepares MovieLens: a line of `NAME:NUMBER` for each."""

from __future__ import annotations

from codemod.training.samples.making import Samples

TITLE = 4  # words of a title
GENRES = 3
WORDS = 1000  # numbers up to here


def generate(samples: Samples) -> None:
    """`size` users rate `size` films by 1 to 5, more where both numbers are even or both odd."""
    random, size = samples.random, samples.size
    lines = []
    for index in range(samples.count):
        user, film = 1 + random.randrange(size), 1 + random.randrange(size)
        liked = (user + film) % 2 == 0
        words = [("title", 1 + (film * 7 + at) % WORDS) for at in range(TITLE)]
        words += [("genres", 1 + (film + at) % 18) for at in range(GENRES)]
        named = [("logid", index), ("time", index), ("userid", user), ("gender", user % 2)]
        named += [("age", user % 7), ("occupation", user % 21), ("movieid", film), *words]
        named.append(("label", random.choice((4, 5) if liked else (1, 2))))
        lines.append(" ".join(f"{name}:{number}" for name, number in named))
    samples.write_lines("train/views.txt", lines)
