"""Small changes of the rooms that claim truth are noticed by the fast tests of each room."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bench.mutants.mutant import TOP, mutants
from bench.mutants.rooms import rooms

if TYPE_CHECKING:
    from pathlib import Path

ROOMS, SEEDS, FLOOR = rooms()
HINT = "a mutant's name follows its line of code: mend the name in bench/mutants/rooms.yaml"


@pytest.mark.parametrize("name", ROOMS)
def test_the_named_mutants_are_there(name: str) -> None:
    room = ROOMS[name]
    named = [*room.always, *room.equivalent]
    assert [key for key in named if key not in room.mutants] == [], HINT
    assert len({*named}) == len(named)


@pytest.mark.parametrize("name", ROOMS)
def test_a_sample_has_its_size_and_depends_on_the_seed_alone(name: str) -> None:
    room = ROOMS[name]
    first, second = (room.sample(SEEDS[seed]) for seed in ("held", "beside"))
    assert len(first) == room.size
    assert [one.key for one in first] == [one.key for one in room.sample(SEEDS["held"])]
    assert {one.key for one in first} != {one.key for one in second}


def test_a_mutant_is_one_change_of_one_function(tmp_path: Path) -> None:
    ours = TOP / "bench" / "mutants" / "changes.py"
    found = [one for one in mutants(ours) if one.function == "changes"]
    assert len({one.key for one in found}) == len(found) > 20
    before = found[0].target().__code__
    for one in found:
        code = one.code()
        assert code.co_name == before.co_name
        assert (code.co_code, code.co_consts) != (before.co_code, before.co_consts), one.key


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_eight_of_ten_mutants_are_noticed(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.mutants.rooms", name],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
