"""Maps that rows have alike are kept once, and each row is read as it was written."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from codemod.judging.evidence import base
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

LONG: dict[str, str]
MAPS: tuple[dict[str, str], ...] = (
    {},
    {"tools/train.py": "0123 1-3"},
    {"a.py": "01", "b.py": "23"},
    {"a.py": "01", "b.py": "24"},
    {"shared": "01", "digest": "x"},
    LONG := {f"kit/transformers/model{number:02}.py": f"{number:016}" for number in range(30)},
    {**LONG, "scripts/own.py": "77"},
    {key: value for key, value in LONG.items() if "03" not in key},
    {**LONG, "kit/transformers/model07.py": "changed"},
)
NEAR = MAPS[-3:]


def row(
    config: str, hooks: dict[str, str], off: dict[str, str], ran: dict[str, str]
) -> EvidenceRow:
    return EvidenceRow(
        "Kit",
        config,
        "3.3.1",
        "ast",
        "parity",
        Verdict.PASS,
        date="2026-01-02T03:04:05+00:00",
        hooks=hooks,
        off=off,
        ran=ran,
    )


def drawn(seed: int) -> list[EvidenceRow]:
    draw = random.Random(seed)
    return [
        row(f"{number:02}.yml", *(draw.choice(MAPS) for _ in range(3)))
        for number in range(draw.randint(1, 12))
    ]


@pytest.mark.parametrize("seed", range(40))
def test_a_file_is_read_as_it_was_written_and_written_the_same_again(
    tmp_path: Path, seed: int
) -> None:
    file, rows = tmp_path / "Kit.jsonl", drawn(seed)
    base.write_base(file, rows)
    found = base.read_file(file)
    assert (found.rows, found.damaged) == (tuple(rows), {})
    assert base.verify(file) == []
    before = file.read_bytes()
    base.write_base(file, found.rows)
    assert file.read_bytes() == before
    # A file of before, in which each row is whole, says the same.
    file.write_text("".join(f"{one.to_line()}\n" for one in rows))
    assert base.read_file(file) == found and base.verify(file) == []


def test_a_map_stands_once_and_one_of_a_single_row_with_it(tmp_path: Path) -> None:
    file, own = tmp_path / "Kit.jsonl", {"own.py": "77"}
    base.write_base(
        file,
        [row("a", MAPS[2], MAPS[1], {}), row("b", MAPS[2], own, {}), row("c", MAPS[2], {}, {})],
    )
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["shared"] for one in lines if "shared" in one] == [MAPS[2]]
    assert {one["hooks"] for one in lines[1:]} == {lines[0]["digest"]}
    assert [one.get("off") for one in lines[1:]] == [MAPS[1], own, None]


def near(file: Path) -> list[EvidenceRow]:
    """A file with rows of a long map and of three that are nearly it, one of them in one row."""
    rows = [row("a", LONG, NEAR[0], {}), row("b", LONG, NEAR[1], {}), row("c", LONG, NEAR[2], {})]
    base.write_base(file, rows)
    return rows


def test_a_map_that_is_nearly_another_is_what_it_has_besides(tmp_path: Path) -> None:
    rows = near(file := tmp_path / "Kit.jsonl")
    whole, *others = [json.loads(line) for line in file.read_text().splitlines()[:4]]
    assert whole["shared"] == LONG
    assert {one["like"] for one in others} == {whole["digest"]}
    assert sorted(((one["shared"], one["without"]) for one in others), key=str) == [
        ({"kit/transformers/model07.py": "changed"}, []),
        ({"scripts/own.py": "77"}, []),
        ({}, ["kit/transformers/model03.py"]),
    ]
    assert base.read_file(file).rows == tuple(rows)


def test_what_is_like_a_map_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    near(file := tmp_path / "Kit.jsonl")
    whole, *others = file.read_text().splitlines()
    file.write_text("\n".join([*others, whole, ""]))
    found = base.read_file(file)
    assert not found.rows
    told = list(found.damaged.values())
    assert told[:3] == ["`like` is kept on a line of its own, and no line above is it"] * 3
    assert len(told) == 6


@pytest.mark.parametrize(
    "changed",
    [{"shared": 3}, {"without": {}}, {"without": None}, {"like": []}, {"like": {"a": 1}}],
)
def test_a_map_that_is_like_another_is_read_with_care(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    near(file := tmp_path / "Kit.jsonl")
    whole, other, *lines = file.read_text().splitlines()
    broken = {key: one for key, one in json.loads(other).items() if key != "digest"} | changed
    file.write_text("\n".join([whole, json.dumps(broken), *lines, ""]))
    found = base.read_file(file)
    assert len(found.rows) == 2 and len(found.damaged) == 2


def test_a_changed_map_is_named_and_its_rows_say_nothing(tmp_path: Path) -> None:
    file = tmp_path / "Kit.jsonl"
    rows = [row("a", MAPS[2], {}, {}), row("b", MAPS[2], {}, {}), row("c", MAPS[3], {}, {})]
    base.write_base(file, rows)
    file.write_text(file.read_text().replace('"b.py":"23"', '"b.py":"99"'))
    found = base.read_file(file)
    assert found.rows == (rows[2],)
    changed, *of_it = found.damaged.values()
    assert "its digest is of another content" in changed
    assert of_it == ["`hooks` is kept on a line of its own, and no line above is it"] * 2
    assert len(base.verify(file)) == 3


def test_a_row_that_names_another_map_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "Kit.jsonl"
    base.write_base(file, [row(name, MAPS[2 + at // 2], {}, {}) for at, name in enumerate("abcd")])
    first, second, changed, *lines = file.read_text().splitlines()
    both = {json.loads(line)["digest"] for line in (first, second)}
    own = json.loads(changed)["hooks"]
    (other,) = both - {own}
    file.write_text("\n".join([first, second, changed.replace(own, other), *lines, ""]))
    ((place, why),) = base.read_file(file).damaged.items()
    assert place == f"{file}:3" and "its digest is of another content" in why


@pytest.mark.parametrize("content", ['{"shared":3}', '{"shared":{"a":1}}', '{"shared":"x"}'])
def test_a_map_that_is_none_makes_no_row(tmp_path: Path, content: str) -> None:
    file, one = tmp_path / "Kit.jsonl", row("a", MAPS[2], {}, {})
    base.write_base(file, [one])
    file.write_text(f"{content}\n{file.read_text()}")
    assert base.read_file(file).rows == (one,)
