"""Since when each program of `docs/paddle-issues/` fails: run on every release that is known.

    python -m bench.paddle_issues [PROGRAM.py...] [--paddle 3.2.2]...
    python -m bench.paddle_issues [PROGRAM.py...] --write
    python -m bench.paddle_issues --hazards

`--write` puts the table into docs/paddle-issues/README.md and its Chinese version, or the rows of
those that are named. Environments are made where they are missing. A program ends with 1 where its
fault shows, 0 where it does not.
`--hazards` runs nothing: it writes into both pages which kit's config shows each program's cause,
and which hazard looks for it (`paddle_issues.yaml`).
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.reducing_kits import rows as reduced_rows
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.kits.paddles import paddles
from codemod.training.environment.environments import EnvSpec, ensure

FOLDER = Path(__file__).parents[1] / "docs" / "paddle-issues"
PAGE, CHINESE_PAGE = FOLDER / "README.md", FOLDER / "README.zh-CN.md"
BLOCK = re.compile(r"(<!-- releases -->\n).*?(<!-- end -->\n)", re.S)
LOOKED_FOR = Path(__file__).with_suffix(".yaml")
# The longest waits 20 s for a lock that never comes.
LIMIT_S = 180
SHOWS = {0: "equal", 1: "differs"}
# The words of the table in Chinese.
_CHINESE = (
    (r"\| program \|", "| 程序 |"),
    (r"\| fails \|", "| 缺陷出现于 |"),
    (r"\bdiffers\b", "不同"),
    (r"\bequal\b", "相同"),
    (r"\bno end\b", "不结束"),
    (r"\bsays nothing\b", "没有输出"),
    (r"\bends with (-?\d+)", r"以 \1 结束"),
    (r"\bfrom ([\d.]+)", r"从 \1 起"),
    (r"\buntil ([\d.]+)", r"到 \1 为止"),
    (r"\| all \|", "| 全部 |"),
    (r"\| none \|", "| 无 |"),
    (", ", "，"),
)


def outcome(python: Path, program: Path) -> str:
    """Whether a program's fault shows there, or how else it ended."""
    try:
        done = subprocess.run(
            [str(python), str(program)],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    line = (done.stdout.strip().splitlines() or [""])[-1]
    print(f"{program.name}: {line}", file=sys.stderr)
    said = line.startswith("Paddle ")
    return SHOWS.get(done.returncode, f"ends with {done.returncode}") if said else "says nothing"


def since(shown: dict[str, str]) -> str:
    """The releases between which something changed, in words; `shown` is in order of release."""
    found = list(shown.items())
    changes = [
        f"{'from' if now == 'differs' else 'until'} {release if now == 'differs' else before}"
        for (before, was), (release, now) in itertools.pairwise(found)
        if was != now
    ]
    return ", ".join(changes) or ("all" if found[0][1] == "differs" else "none")


def table(rows: dict[str, dict[str, str]]) -> str:
    """Markdown: a row a program, a column a release, and the releases in words."""
    names = list(next(iter(rows.values())))
    lines = [f"| program | {' | '.join(names)} | fails |", "|---" * (len(names) + 2) + "|"]
    for program, shown in rows.items():
        cells = " | ".join(shown.values())
        lines.append(f"| {program} | {cells} | {since(shown)} |")
    return "\n".join(lines) + "\n"


def with_rows(page: str, made: str) -> str:
    """The page's table with the rows of a smaller one in their places, by program."""
    block = BLOCK.search(page)
    head, rule, *rows = (block.group(0) if block else "").splitlines()[1:-1]
    known = {row.split(" | ")[0]: row for row in (*rows, *made.splitlines()[2:])}
    return "\n".join([head, rule, *(known[name] for name in sorted(known))]) + "\n"


def in_chinese(made: str) -> str:
    """The same table with its words in Chinese."""
    for english, chinese in _CHINESE:
        made = re.sub(english, chinese, made)
    return made


@dataclass(frozen=True, slots=True)
class LookedFor:
    """One row of `paddle_issues.yaml`; `beside` and `proposed` in English and in Chinese."""

    program: str
    hazard: str = ""
    beside: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()


def looked_for() -> tuple[LookedFor, ...]:
    """What looks for each program's cause, in the order of the list."""
    return tuple(read_record(LookedFor, row) for row in read_yaml(LOOKED_FOR).entries())


def hazard_table(chinese: bool = False) -> str:
    """Markdown: the kit's config that shows each program's cause, its hazard, and the counts."""
    found = looked_for()
    configs = {row.program: f"{row.kit} `{row.config}`" for row in reduced_rows() if row.kit}
    words = ("不在网络的代码中：", "建议：") if chinese else ("beside the net: ", "proposed: ")
    lines = ["| 程序 | 套件与配置 | 风险 |" if chinese else "| program | kit, config | hazard |"]
    lines.append("|---|---|---|")
    for one in found:
        said = one.hazard
        for word, texts in zip(words, (one.beside, one.proposed), strict=True):
            said += f"{word}{texts[chinese]}" if texts else ""
        lines.append(f"| {one.program}.py | {configs.get(one.program, '')} | {said} |")
    counts = [sum(bool(getattr(one, k)) for one in found) for k in ("hazard", "beside", "proposed")]
    form = (
        "{} 个程序：{} 个有风险，{} 个的原因不在网络的代码中，{} 个提出一种新的风险。"
        if chinese
        else "{} programs: {} have a hazard, {} a cause beside the net, {} propose a hazard."
    )
    return "\n".join(lines) + "\n\n" + form.format(len(found), *counts) + "\n"


def write(made: str, chinese: str, marker: str = "releases") -> None:
    """Put a table into the page of each language."""
    for page, text in ((PAGE, made), (CHINESE_PAGE, chinese)):
        head, line, rest = page.read_text(encoding="utf-8").partition(f"<!-- {marker} -->\n")
        page.write_text(f"{head}{line}{text}{rest[rest.index('<!-- end -->') :]}", "utf-8")


def main() -> None:
    """Run what is asked for, print the table, write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--paddle", action="append")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--hazards", action="store_true")
    asked = parser.parse_args()
    if asked.hazards:
        write(hazard_table(), hazard_table(chinese=True), "hazards")
        return
    if asked.write and asked.paddle:
        parser.error("--write makes a column for each release of paddles.yaml: leave --paddle out")
    names = asked.programs or sorted(file.name for file in FOLDER.glob("*.py"))
    pythons = {
        v: ensure(EnvSpec(v)) for v in asked.paddle or [r.version for r in paddles().releases]
    }
    rows = {
        name: {v: outcome(python, FOLDER / name) for v, python in pythons.items()} for name in names
    }
    text = table(rows)
    print(text, end="")
    if asked.write:
        text = with_rows(PAGE.read_text(encoding="utf-8"), text) if asked.programs else text
        write(text, in_chinese(text))


if __name__ == "__main__":
    main()
