"""One bad file never takes the kit with it: it is named with its reason, all else goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = """
import paddle
def train(args, loader, optimizer):
    model = build_model(args)
    model = paddle.DataParallel(model)
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
"""
BAD: dict[str, bytes] = {
    "chain": f"x = a{'.b()' * 250}\n{CALLS}".encode(),
    "long chain": f"x = a{'.b()' * 2000}\n{CALLS}".encode(),
    "sum": f"x = {' + '.join(['1'] * 600)}\n{CALLS}".encode(),
    "ladder": ("if a: pass\n" + "elif a: pass\n" * 600 + CALLS).encode(),
    "brackets": f"x = {'[' * 90}{']' * 90}\n{CALLS}".encode(),
    "many brackets": f"x = {'[' * 5000}\n{CALLS}".encode(),
    "signs": f"x = {'-' * 5000}1\n{CALLS}".encode(),
    "idna": b"# coding: idna\n" + CALLS.encode(),
    "unknown coding": b"# coding: no-such-coding\n" + CALLS.encode(),
    "zip coding": b"# coding: zip\n" + CALLS.encode(),
    # `tokenize` takes the whole of either file for the line that declares the encoding.
    "gbk and CR": f"# coding: gbk\n# 中\n{CALLS}".encode("gbk").replace(b"\n", b"\r"),
    "big5 and CR": f"# a\n# coding: big5\n# 中\n{CALLS}".encode("big5").replace(b"\n", b"\r"),
    "nul": CALLS.encode() + b"\0",
    "binary": bytes(range(256)) * 40 + b"DataParallel(",
    "not python": b"this is DataParallel( no python\n",
    "large": CALLS.encode() + b"x = 1\n" * 400_000,
    "stray returns": CALLS.replace("\n", "\r\r\n").encode(),
}


@pytest.fixture
def kit(minikit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # A fault of the tool's own is raised, and not told in a sentence.
    monkeypatch.setenv("CODEMOD_DEBUG", "1")
    return minikit


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_python_file_is_named_and_the_trainer_is_hooked(
    kind: str, kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (kit / "tools" / "train.py").read_bytes()
    (kit / "tools" / "bad.py").write_bytes(BAD[kind])
    code = run(["apply", str(kit), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code in (0, 1)
    assert any(h["file"] == "tools/train.py" for h in told["hooks"] if h["status"] == "inserted")
    named = [one["file"] for one in (*told["skipped"], *told["hooks"])]
    assert "tools/bad.py" in named
    assert run(["check", str(kit)]) in (0, 1)
    assert run(["revert", str(kit)]) == 0
    assert (kit / "tools" / "train.py").read_bytes() == good
    assert (kit / "tools" / "bad.py").read_bytes() == BAD[kind]


@pytest.mark.parametrize("kind", ["link out", "pipe", "folder link", "deleted"])
def test_what_is_not_a_file_is_named(
    kind: str,
    kit: Path,
    tmp_path: Path,
    commit: Callable[[Path], str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "train.py").write_text(CALLS)
    (kit / "other.py").write_text(CALLS)
    commit(kit)
    (kit / "other.py").unlink()
    if kind == "link out":
        (kit / "other.py").symlink_to(secret / "train.py")
    elif kind == "pipe":
        os.mkfifo(kit / "other.py")
    elif kind == "folder link":
        (kit / "more").symlink_to(secret)
    assert run(["diff", str(kit), "--json"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    skipped = {one["file"]: one["reason"] for one in told["skipped"]}
    assert ("other.py" in skipped) == (kind in ("link out", "pipe"))
    assert "secret" not in json.dumps(told)
    assert (secret / "train.py").read_text() == CALLS


CONFIGS: dict[str, str] = {
    "base is a number": "_base_: 5\nmodel: {type: X}\n",
    "base holds a number": "_base_: [a.yml, 5]\n",
    "timestamp": "!!timestamp x\n",
    "date": "a: 2001-99-99\n",
    "int": "a: !!int x\n",
    "brackets": "[" * 100_000,
    "braces": "{a: " * 100_000,
    "dashes": "- " * 100_000,
    "indented": "".join(f"{' ' * n}a:\n" for n in range(1500)),
    "questions": "? " * 50_000,
    "aliases": "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(30)),
    "aliases of a config that trains": "train_dataset: {type: D}\nmodel: {type: Good}\na0: &a0 [x]\n"
    + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
    "holds itself": "train_dataset: {type: D}\nmodel: {type: Good}\na: &a [*a]\n",
    "merges": "m0: &m0 {a: 1}\n"
    + "".join(f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}\n" for n in range(1, 40)),
    "list": "- 1\n",
    "empty": "",
    "binary": "\x00\x01",
    "key of a list": "? [a]\n: 1\n",
    "own base": "_base_: own-base.yml\n",
}


ONE_EACH = [pytest.param((kind,), id=kind, marks=pytest.mark.slow) for kind in CONFIGS]


@pytest.mark.parametrize("kinds", [pytest.param(tuple(CONFIGS), id="all"), *ONE_EACH])
def test_a_bad_config_is_passed_over(
    kinds: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own: what is wanted is that it does not die of its stack."""
    monkeypatch.setenv("CODEMOD_DEBUG", "1")
    root = tmp_path / "PaddleSeg"
    (root / "configs").mkdir(parents=True)
    (root / "paddleseg").mkdir()
    (root / "train.py").write_text("import paddle\n")
    for kind in kinds:
        (root / "configs" / f"{kind.replace(' ', '-')}.yml").write_text(CONFIGS[kind])
    (root / "configs" / "good.yml").write_text("train_dataset: {type: D}\nmodel: {type: Good}\n")
    monkeypatch.chdir(tmp_path)
    for words in (["check", str(root), "--json"], ["survey", str(root), "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "codemod", *words], capture_output=True, check=False, timeout=600
        )
        assert done.returncode in (0, 1), done.stderr.decode()
        assert b"Traceback" not in done.stderr
        assert b"good.yml" in done.stdout


NAMES = [
    b"caf\xe9.py",
    b"\xff\xfe.py",
    b"a\nb.py",
    b"a\x1b[31mb.py",
    b"a\x1b]0;t\x07b.py",
    b"a b\t.py",
]


def test_names_that_are_no_plain_text(kit: Path, commit: Callable[[Path], str]) -> None:
    good = (kit / "tools" / "train.py").read_bytes()
    (kit / "tools" / "train.py").unlink()
    places = [Path(os.fsdecode(os.path.join(os.fsencode(kit), b"tools", name))) for name in NAMES]  # noqa: PTH118 - bytes
    for place in places:
        place.write_bytes(good)
    commit(kit)

    def call(*words: str) -> tuple[int, bytes]:
        command = [sys.executable, "-m", "codemod", *words]
        done = subprocess.run(command, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr, done.stderr
        assert b"\x1b" not in done.stderr + done.stdout
        return done.returncode, done.stdout

    code, out = call("diff", str(kit), "--json")
    told = json.loads(out)
    assert code == 0
    assert len(told["hooks"]) == len(NAMES)
    code, out = call("check", str(kit), "--sarif")
    assert code in (0, 1)
    assert json.loads(out)
    code, out = call("apply", str(kit))
    assert code == 0
    assert out.count(b"\n") == len(NAMES) + 1, "one row for each hook, one for the sum"
    assert all(place.read_bytes() != good for place in places)
    assert call("revert", str(kit))[0] == 0
    assert all(place.read_bytes() == good for place in places)
