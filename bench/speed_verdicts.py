"""Verdicts of speed for the configs of `bench/speed_verdicts.yaml`, idle and under load.

usage: python -m bench.speed_verdicts --workspace DIR [--for MINUTES] [--as NAME] [--paddle V]...
                                      [--kit NAME]... [--steps N] [--write | --agree]
       codemod evidence add --workspace DIR --to .

Each config is timed in AST and SOT on each Paddle by `codemod parity --speed`, in copies of the
workspace's kits with the hooks that `codemod apply` writes. `--as` names the state of the machine,
such as `idle` or `loaded`; what was timed under that name is left out, so a stopped run goes on.
`--write` puts the base's rows into `docs/measured/speed.md`, `--agree` prints what was timed under
two names, side by side: whether their intervals meet, and whether their verdicts contradict each
other.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.config_queue import LIMIT_S, PADDLES, Journal, Kits, chosen, options, told
from codemod.base.json_form import from_json
from codemod.judging.evidence.speed_rows import SPEED, SpeedRow
from codemod.judging.evidence.speed_text import reasons
from codemod.judging.speed.speed import SpeedVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = Path(__file__).with_suffix(".yaml")
PAGE = Path(__file__).parents[1] / "docs" / "measured" / "speed.md"
_SURE = {SpeedVerdict.FASTER, SpeedVerdict.SLOWER}

Item = tuple[str, str, str]
"""Kit, config, Paddle."""


def items() -> list[Item]:
    """All of the list on each Paddle."""
    whole = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return [
        (kit, config, paddle)
        for kit, all_ in whole.items()
        for config in all_
        for paddle in PADDLES
    ]


def journal(workspace: Path) -> Iterator[tuple[str, Item, list[SpeedRow], str]]:
    """What was timed: the name of the machine's state, the item, its rows, why there are none."""
    for one in _journal(workspace).lines():
        rows = [from_json(SpeedRow, row) for row in one["rows"]]
        yield one["as"], (one["kit"], one["config"], one["paddle"]), rows, one["why"]


def _journal(workspace: Path) -> Journal:
    return Journal(workspace / "speed_verdicts.jsonl")


def run(kits: Kits, item: Item, state: str, steps: int) -> str:
    """Time one config, note it, and return it as a line."""
    found = told(kits.parity(item, steps, LIMIT_S, "--speed", "--json"))
    rows = found.get("speed", [])
    note = dict(zip(("as", "kit", "config", "paddle"), (state, *item), strict=True))
    why = str(found.get("error", ""))
    _journal(kits.workspace).note({**note, "rows": rows, "why": why})
    made = (from_json(SpeedRow, row) for row in rows)
    ratios = "; ".join(f"{row.mode} {row.verdict.value} {ratio(row)}" for row in made)
    return f"{' '.join(item)}: {ratios or found}"


def ratio(row: SpeedRow) -> str:
    """The ratio with its interval, and those of each measurement where there are several."""
    if row.ratio is None:
        return "–"
    each = ", ".join(f"{one.ratio.value:.2f}" for one in row.measured)
    whole = f"{row.ratio.value:.2f} ({row.ratio.low:.2f} to {row.ratio.high:.2f})"
    return f"{whole} of {each}" if each else whole


def table() -> str:
    """The rows of the base of evidence as Markdown, by kit, config, Paddle and mode."""
    lines = [
        "| config | Paddle | mode | verdict | times as fast | load | reason |",
        "|---|---|---|---|---|---|---|",
    ]
    for file in SPEED.files():
        for row in sorted(SPEED.read(file.stem), key=lambda row: row.place):
            load = " to ".join(f"{one:.0f}" for one in row.load)
            cells = (f"{row.kit} `{row.config}`", row.paddle, row.mode, f"`{row.verdict.value}`")
            lines.append(
                f"| {' | '.join((*cells, ratio(row), load))} | {' '.join(map(str, reasons(row)))} |"
            )
    return "\n".join(lines)


def write() -> None:
    """Put the table into the page, in the place of the one that is there."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("| config |")
    after = rest.partition("\n\n")[2]
    PAGE.write_text(f"{before}{table()}\n\n{after}", encoding="utf-8")


def agree(workspace: Path) -> None:
    """Print what was timed under two names, side by side."""
    places: dict[tuple[str, ...], dict[str, SpeedRow]] = defaultdict(dict)
    for state, _, rows, _ in journal(workspace):
        for row in rows:
            places[row.place][state] = row
    counts: Counter[str] = Counter()
    for place, states in sorted(places.items()):
        if len(states) < 2:
            continue
        (one, first), (other, second) = sorted(states.items())[:2]
        counts[how := met(first, second)] += 1
        said = [f"{n} {r.verdict.value} {ratio(r)}" for n, r in ((one, first), (other, second))]
        print(f"{' '.join(place[:3])}: {said[0]}; {said[1]}: {how}")
    print(dict(counts))


def met(first: SpeedRow, second: SpeedRow) -> str:
    """How two measurements of one place go together."""
    if {first.verdict, second.verdict} == _SURE:
        return "contradict"
    if first.ratio is None or second.ratio is None:
        return "not timed"
    meet = first.ratio.low <= second.ratio.high and second.ratio.low <= first.ratio.high
    return "meet" if meet else "apart"


def main() -> int:
    """Time what is left, or print what there is."""
    parser = options(__doc__)
    parser.add_argument("--as", dest="state", default="loaded", help="how the machine is")
    parser.add_argument("--steps", type=int, default=50, help="pairs in each process")
    parser.add_argument("--write", action="store_true", help="run nothing; write the page's table")
    parser.add_argument("--agree", action="store_true", help="run nothing")
    asked = parser.parse_args()
    if asked.write:
        write()
        return 0
    if asked.agree:
        agree(asked.workspace)
        return 0
    known = {
        item for state, item, rows, _ in journal(asked.workspace) if rows and state == asked.state
    }
    waiting = [one for one in items() if one not in known and chosen(asked, one[0], one[2])]
    kits = Kits.of(asked)
    kits.run(waiting, lambda item: run(kits, item, asked.state, asked.steps))
    return 0


if __name__ == "__main__":
    sys.exit(main())
