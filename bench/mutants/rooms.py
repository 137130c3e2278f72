"""Score the fixed samples of mutants of the rooms in `rooms.yaml`.

    python -m bench.mutants.rooms [ROOM]... [--seed N] [--write]

Which mutants a sample holds follows from the seed and each mutant's own name: code that is added
elsewhere changes little of it. The exit code is 1 where a room is below the floor, with the seed
that is held, or a mutant of `always` is not noticed. `--write` scores the rooms with every seed
and writes their rows of `docs/measured/mutants.md`.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.mutants.mutant import TOP, Mutant, of_folder
from bench.mutants.trials import survivors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DATA = Path(__file__).with_name("rooms.yaml")
PAGE = TOP / "docs" / "measured" / "mutants.md"


@dataclass(frozen=True)
class Room:
    """What is changed, which tests are to notice, and how many mutants a sample has."""

    name: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    size: int
    without: tuple[str, ...]
    always: tuple[str, ...]
    equivalent: Mapping[str, str]

    @cached_property
    def mutants(self) -> dict[str, Mutant]:
        """All mutants by their names."""
        return {one.key: one for path in self.code for one in of_folder(TOP / path)}

    def sample(self, seed: int) -> list[Mutant]:
        """So many mutants, or all where there are fewer."""

        def rank(key: str) -> bytes:
            return hashlib.sha256(f"{seed}:{key}".encode()).digest()

        chosen = heapq.nsmallest(self.size, self.mutants, key=rank)
        return [self.mutants[key] for key in chosen]


@dataclass(frozen=True)
class Score:
    """What became of a sample of `size`, of which no test can notice `equivalent`.

    `survivors` are all that no test noticed, those of `always` too.
    """

    room: Room
    size: int
    noticed: int
    equivalent: int
    survivors: tuple[Mutant, ...]

    @property
    def share(self) -> float:
        """The share noticed of the mutants that are not equivalent."""
        return self.noticed / (self.size - self.equivalent)

    def holds(self, floor: float) -> bool:
        """Whether enough are noticed, and all of `always`."""
        return self.share >= floor and not {one.key for one in self.survivors} & {*self.room.always}


def score(room: Room, seed: int) -> Score:
    """Run the room's tests against its sample, and against what must be noticed always."""
    sample = {one.key for one in room.sample(seed)}
    tried = dict.fromkeys((*room.always, *sorted(sample - set(room.equivalent))))
    words = " and ".join(f"not {one}" for one in room.without)
    tests = [str(TOP / test) for test in room.tests]
    left = survivors((room.mutants[key] for key in tried), tests, words)
    alike = len(sample & set(room.equivalent))
    missed = sum(one.key in sample for one in left)
    return Score(room, len(sample), len(sample) - alike - missed, alike, tuple(left))


def rooms() -> tuple[dict[str, Room], dict[str, int], float]:
    """The rooms by name, the seeds and the floor."""
    known = yaml.safe_load(DATA.read_text(encoding="utf-8"))
    made = {
        name: Room(
            name=name,
            code=tuple(row["code"]),
            tests=tuple(row["tests"]),
            size=row["size"],
            without=tuple(row.get("without", ())),
            always=tuple(row.get("always", ())),
            equivalent=row.get("equivalent", {}),
        )
        for name, row in known["rooms"].items()
    }
    return made, known["seeds"], known["floor"]


def told(found: Score) -> str:
    """A line with the score, and a line for each survivor."""
    line = (
        f"{found.room.name}: {found.noticed} of {found.size} mutants noticed, "
        f"{found.equivalent} equivalent: {found.share:.0%}"
    )
    return "\n".join([line, *(f"  {one.line}: {one.key}" for one in found.survivors)])


def row(scores: Sequence[Score]) -> str:
    """A room's line of the page, from its scores with each seed."""
    cells = [f"`{scores[0].room.name}`", str(len(scores[0].room.mutants))]
    for found in scores:
        cells += [str(found.size), str(found.equivalent), str(found.noticed), f"{found.share:.0%}"]
    return f"| {' | '.join(cells)} |"


def page(rows: Mapping[str, str], known: Iterable[Room], seeds: Mapping[str, int]) -> str:
    """The page with the scores, a line a room, and the mutants that are equivalent."""
    first, second, third = seeds.values()
    columns = "".join(
        f" sample of seed {seed} | equivalent | noticed | share |" for seed in seeds.values()
    )
    lines = [
        "# Mutants",
        "",
        "Made by `python -m bench.mutants.rooms --write`: how many small changes of a room, of a",
        "sample, some fast test of it notices. The share is of those that are not equivalent.",
        f"CI holds a floor for the sample of seed {first}; that of seed {second} shows whether",
        f"the tests fit the first alone; that of seed {third} was drawn after tests of what",
        f"{second} had left (– where it was not).",
        "",
        f"| room | mutants |{columns}",
        f"|---|---|{'---|' * 4 * len(seeds)}",
        *rows.values(),
        "",
        "Equivalent, so that no test can notice:",
        "",
        "| mutant | why |",
        "|---|---|",
    ]
    for room in known:
        for key, why in room.equivalent.items():
            name = key.replace("`", "").replace("|", "\\|")
            lines.append(f"| `{name}` | {why} |")
    return "\n".join(lines) + "\n"


def _rows(known: Iterable[str]) -> dict[str, str]:
    """The lines of the rooms as they stand on the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    return {name: line for name in known for line in lines if line.startswith(f"| `{name}` |")}


def main() -> int:
    """Print the scores; the exit code is 1 where a room is below the floor."""
    known, seeds, floor = rooms()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("room", nargs="*", choices=[[], *known])
    parser.add_argument("--seed", type=int, default=seeds["held"])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    found = []
    drawn = tuple(seeds.values()) if args.write else (args.seed,)
    for name in args.room or known:
        scores = []
        for seed in drawn:
            scores.append(score(known[name], seed))
            print(f"seed {seed}, {told(scores[-1])}", flush=True)
        found.append(scores[0])
        if args.write:
            rows = _rows(known) | {name: row(scores)}
            ordered = {one: rows[one] for one in known if one in rows}
            PAGE.write_text(page(ordered, known.values(), seeds), encoding="utf-8")
    return int(not all(one.holds(floor) for one in found))


if __name__ == "__main__":
    raise SystemExit(main())
