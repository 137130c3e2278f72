"""A Paddle that nobody has measured yet: its row is enough, and what is known of others counts."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.unmeasured import causes, main, proofs
from codemod.base.changeset import Source
from codemod.base.files.data_folder import data_path
from codemod.base.files.workspace import Workspace
from codemod.base.files.yaml_file import read_yaml
from codemod.experiments.reduce.known import known_causes, known_releases
from codemod.hazards import catalog
from codemod.hazards.measured import VERSIONS
from codemod.judging.evidence.fix_proofs import PADDLES, counting, judged
from codemod.kits.paddles import measured, paddles
from codemod.work.fixing import offers_of
from tests import parsed
from tests.fixes.test_fix import HERE, VIEW, kit, proved
from tests.fixes.test_offers import proof
from tests.kits.test_paddles import following

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["kit"]

TOP = Path(__file__).parents[2]
NEXT = following(paddles().releases[-1].version)
ROW = """
  - version: {version}
    builds: [cu126]
    image: "{version}"
    image_gpu: {version}-gpu-cuda12.6-cudnn9.5
    measured: {measured}
"""
ASKED = """
import json, sys
from codemod.cli.main import run
from codemod.experiments.reduce.known import same_cause
from codemod.experiments.reduce.signature import Signature
kit, place, asked = sys.argv[1:]
at = ["MendKit", "--path", kit, "--workspace", place]
commands = ["explain", "D-77"], ["check", *at], ["survey", *at, "--json"], ["fix", *at, "--dry-run"]
for words in commands:
    print("==", words[0], run(words), flush=True)
error = Signature("error", "InnerError: 'tuple' object is not a callable object")
print("== cause", same_cause("y = x.transpose(order)\\n", "sot", asked, error))
"""


@pytest.fixture(
    params=[
        pytest.param(None, id="none", marks=pytest.mark.slow),
        pytest.param("false", id="unmeasured", marks=pytest.mark.slow),
        pytest.param("true", id="measured"),
    ]
)
def said(
    request: pytest.FixtureRequest, kit: Path, tmp_path: Path
) -> Iterator[tuple[str | None, str]]:
    """What the commands say with a row for the next Paddle, and how its `measured` stands."""
    data = tmp_path / "data"
    shutil.copytree(HERE / "data", data)
    row = ROW.format(version=NEXT, measured=request.param) if request.param else "\n"
    known = data_path("paddles.yaml").read_text(encoding="utf-8")
    (data / "paddles.yaml").write_text(known.rstrip("\n") + row, encoding="utf-8")
    proved(kit, Workspace.at(tmp_path / "ws"))
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(kit), str(tmp_path / "ws"), NEXT],
        env={**os.environ, "CODEMOD_DATA": str(data)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    yield request.param, done.stdout


def test_a_row_takes_nothing_away_that_is_known(said: tuple[str | None, str]) -> None:
    row, out = said
    ends = dict(re.findall(r"^== (\w+) (.*)$", out, re.MULTILINE))
    assert ends.pop("check") in "01"
    assert ends == {"explain": "0", "survey": "0", "fix": "0", "cause": "changed_number.py"}
    assert "MendKit: 1 file would change, +1 -1 lines" in out
    survey = json.loads(out.partition("== check")[2].partition("\n")[2].partition("\n== survey")[0])
    assert survey["paddle"] == [*measured(), *([NEXT] if row == "true" else [])]
    told = f"Paddle {NEXT}: not proved yet, what Paddle {measured()[-1]} shows counts"
    assert (told in out) == (row == "true")


def test_what_counts_on_a_paddle_is_of_its_own_major_and_not_newer(
    kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = offers_of(Source("MendKit", kit, None), Workspace.at(tmp_path / "ws"))
    offer = next(one for one in made if one.config == VIEW)
    known = {paddle: proof(offer, paddle) for paddle in PADDLES}
    monkeypatch.setattr("codemod.judging.evidence.fix_proofs.PADDLES", (*PADDLES, NEXT, "4.0.0"))
    assert {paddle: one.paddle for paddle, one in counting(known).items()} == {
        **{paddle: paddle for paddle in PADDLES}, NEXT: PADDLES[-1],
    }  # fmt: skip
    refusal = judged(known)
    assert refusal is not None and "4.0.0" in refusal.reason.text()
    monkeypatch.setattr("codemod.judging.evidence.fix_proofs.PADDLES", (*PADDLES, NEXT))
    assert judged(known) is None
    # Without one on the older, a proof on the newer does not stand in for it.
    newer = {PADDLES[0]: known[PADDLES[0]], NEXT: proof(offer, NEXT)}
    assert PADDLES[-1] not in counting(newer)


def test_a_later_paddle_has_its_own_effects_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cells.yaml").write_text("[wrong?, ok, break, eager, retrace]")
    *cells, changed = read_yaml(tmp_path / "cells.yaml").entries()
    monkeypatch.setattr(catalog, "LATER", {"3.4": {"D-01": {"sot": changed}}, "3.5": {}})
    sot = ["break", "eager", "retrace", "retrace"]
    assert catalog._stated("D-01", tuple(cells)) == ["wrong?", "ok", "ok", "ok", *sot]
    assert catalog._stated("D-02", tuple(cells))[4:] == ["break", "eager", "eager", "eager"]


def test_every_paddle_of_the_catalogue_has_a_row() -> None:
    known = {one.version.rpartition(".")[0] for one in paddles().releases}
    assert {*VERSIONS} <= known
    assert known_releases() <= {one.version for one in paddles().releases}


def test_what_is_to_be_measured_is_named() -> None:
    ways = "python -m bench.unmeasured says how each is measured"
    assert causes(measured()[-1]) == [], ways
    assert causes(NEXT) == sorted({row.program for row in known_causes()})
    assert proofs(measured()[-1]) == [], ways
    assert {kit for kit, _, _ in proofs(NEXT)} >= {"PaddleOCR", "PaddleClas"}


def test_each_thing_to_be_measured_comes_with_its_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["unmeasured", NEXT])
    main()
    said = capsys.readouterr().out.splitlines()
    assert f"{NEXT} has no row in paddles.yaml yet" in said[0]
    assert len(said) == 1 + 2 * 5
    minor = NEXT.rpartition(".")[0]
    assert all(minor in line for line in said)
    monkeypatch.setattr(sys, "argv", ["unmeasured", minor])
    with pytest.raises(SystemExit):
        main()
    assert "three numbers" in capsys.readouterr().err


# What looks like a Paddle's version and is none, or is one on purpose.
NO_PADDLE = {
    ("codemod/audit/sarif.py", "2.1.0"): "SARIF's version",
    ("codemod/training/inject/parity_recorder/sides/constants.py", "2."): "runs beside the kit",
}
MADE_UP = "bench/attack/"  # Its rows and answers are made up, their Paddles too.
VERSION = re.compile(r"(?<![\w.])[23]\.\d+\.\d+(?![\w.])|^[23]\.[0-8]$")
MAJOR = re.compile(r"^[23]\.?$")


def _texts(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[str, bool]]:
    """The texts of a module that are no docstrings; whether one is what another starts with."""
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "startswith":
            yield from ((one, True) for one in _constants(node.args) if MAJOR.search(one))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value, False


def _constants(nodes: list[Any]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def test_no_paddle_is_named_in_code() -> None:
    named = set()
    for folder in ("codemod", "bench"):
        for file in (TOP / folder).rglob("*.py"):
            path = file.relative_to(TOP).as_posix()
            for text, starts in _texts(parsed.nodes(file)):
                found = VERSION.search(text)
                if (starts or found) and not path.startswith(MADE_UP):
                    named.add((path, found[0] if found else text))
    assert named == set(NO_PADDLE), "take it from paddles.yaml: codemod.kits.paddles.measured()"
