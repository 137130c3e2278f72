"""Result files of others, taken into the base: no row is lost or torn, and nothing is outside.

A workspace holds results whose names and texts are drawn: paths that lead out, signs that some
readers take for ends of lines, halves of characters, links, pipes, other forms. `evidence add`
takes them in beside rows that are there; what it refuses it names.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
from typing import TYPE_CHECKING, Any

from bench.attack.boxes import seen
from bench.attack.calling import called, time_limit
from bench.attack.table import attack
from codemod.judging.evidence import base
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KIT = "PaddleSeg"
SIGNS = (
    *("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\t"),
    *("\0", "\x1b[2J", "\u202e", "\ud800", "\udfff", "\ufeff", "\U0010ffff", '"', "\\", "|", "</"),
)
NAMES = (
    *("../x", "../../../outside/kept", "/etc/x", "..", ".", "", "a/b", "a\\b", "x" * 300, "con"),
    *("PaddleSeg/../../x", "~", "PaddleSeg.jsonl", ".git", "-rf", "$(id)", "a\0b"),
)
PATHS = (
    "configs/a.yml",
    "a b.yml",
    "configs/深.yml",
    "../../x.yml",
    "/etc/passwd",
    "a/../../b",
    "",
)


def attempt(seed: int, folder: Path) -> str:
    """One workspace of results, and the base after it."""
    draw = random.Random(seed)
    outside, data, ws = folder / "outside", folder / "data", folder / "ws"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    before = seen(outside)
    file = data / base.FOLDER / f"{KIT}.jsonl"
    kept = [
        EvidenceRow(KIT, f"kept{n}.yml", "3.3.1", "ast", "probe", Verdict.PASS) for n in range(5)
    ]
    base.write_base(file, kept)
    lines = set(file.read_bytes().split(b"\n"))
    results = [_result(draw) for _ in range(draw.randint(1, 8))]
    for number, content in enumerate(results):
        _put(ws / "probes" / KIT / f"{number}.json", content, outside, draw)
    try:
        with time_limit():
            done = called("evidence", "add", "--workspace", str(ws), "--to", str(data))
    except TimeoutError:
        return "it does not end"
    if done.bug or done.code not in (0, 1, 2, 3):
        return f"it ends with {done.code} {done.bug}"
    if seen(outside) != before:
        return "a file outside was changed"
    others = {one.parent for one in folder.rglob("*.jsonl")} - {file.parent}
    if others:
        return "a row was written elsewhere"
    if not lines <= set(file.read_bytes().split(b"\n")):
        return "a row is lost"
    return _torn(file.parent)


def _torn(folder: Path) -> str:
    for file in folder.glob("*.jsonl"):
        found = base.read_file(file)
        if found.damaged:
            return "a line cannot be read"
        if len(found.rows) != file.read_bytes().count(b"\n"):
            return "a row is torn"
    return ""


def _result(draw: random.Random) -> dict[str, Any]:
    """A probe's result, most of whose names are good; its texts are not."""

    def text() -> str:
        return "".join(draw.choice((*SIGNS, "word ")) for _ in range(draw.randint(1, 12)))

    bad = draw.random() < 0.4
    mode: dict[str, Any] = {
        "verdict": draw.choice(["pass", "fails", "crash"]),
        "reason": text(),
        "hint": text(),
    }
    mode |= {"break_reasons": [text()], "steps": 2, "message": text(), "traceback": text()}
    return {
        "schema": 1,
        "kit": draw.choice(NAMES) if bad and draw.random() < 0.5 else KIT,
        "config": draw.choice(PATHS) if bad else f"configs/{draw.randint(0, 99)}.yml",
        "paddle": draw.choice(NAMES) if bad and draw.random() < 0.3 else "3.3.1",
        "revision": draw.choice((None, "a" * 40, text())),
        "built": True,
        "family": draw.choice(("UNet", text(), *NAMES)),
        "model": draw.choice(("UNet", text())),
        "also": [draw.choice(PATHS)] if bad else [],
        "modes": {draw.choice(("ast", "sot", text() if bad else "ast")): mode, "dynamic": {}},
    }


def _put(place: Path, content: dict[str, Any], outside: Path, draw: random.Random) -> None:
    """Write a result, or something in its place."""
    ways: tuple[Callable[[], object], ...] = (
        lambda: place.symlink_to(outside / "kept"),
        lambda: place.symlink_to("/dev/zero"),
        lambda: os.mkfifo(place),
        place.mkdir,
        lambda: place.write_bytes(b"[" * 200_000),
        lambda: place.write_bytes(b"\xff\xfe"),
        lambda: place.write_text(json.dumps(content)[: draw.randint(0, 300)]),
        lambda: os.truncate(os.open(place, os.O_CREAT | os.O_WRONLY), 2**31),
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        if draw.random() < 0.2:
            draw.choice(ways)()
        else:
            place.write_text(
                json.dumps(content, ensure_ascii=draw.random() < 0.5), "utf-8", "surrogatepass"
            )


if __name__ == "__main__":
    sys.exit(attack("results of others taken into the base", 500, attempt))
