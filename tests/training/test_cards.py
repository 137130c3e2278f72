"""The cards of a machine, by a stand-in for `nvidia-smi` that is a real program."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from codemod.training.environment.cards import cards
from codemod.training.runner import RunRequest, environment

if TYPE_CHECKING:
    from pathlib import Path

H100 = "0, GPU-11, NVIDIA H100 80GB HBM3, 9.0, 550.54.15, 81559, 4, Disabled"
A100 = "1, GPU-22, NVIDIA A100-SXM4-40GB, 8.0, 550.54.15, 40960, 100, Enabled"
GRID = "0, GPU-33, GRID P40-24Q, [N/A], 550.54.15, [N/A], [N/A], [N/A]"
OLD = "0, GPU-44, Tesla K80, 418.226.00, 11441, 0"


@pytest.fixture
def smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the PATH whose `nvidia-smi` prints what `told` holds, and ends as it says."""
    program = tmp_path / "nvidia-smi"
    program.write_text(f'#!/bin/sh\n. "{tmp_path}/told"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tmp_path


def tell(folder: Path, *lines: str, code: int = 0) -> None:
    said = "".join(f"echo '{line}'\n" for line in lines)
    (folder / "told").write_text(f"{said}exit {code}\n")


def test_what_the_driver_tells(smi: Path) -> None:
    tell(smi, H100, A100)
    first, second = cards().cards
    assert (first.arch, first.driver, first.free, first.mig) == (90, "550.54.15", 81555, False)
    assert (second.arch, second.mig, str(second)) == (80, True, "NVIDIA A100-SXM4-40GB, card 1")


def test_what_it_does_not_tell_is_none(smi: Path) -> None:
    tell(smi, GRID)
    (card,) = cards().cards
    assert (card.arch, card.total, card.free, card.mig) == (None, None, None, False)


def test_an_old_driver_is_asked_for_less(smi: Path) -> None:
    asked = (
        'case "$*" in *compute_cap*) echo \'Field "compute_cap" is not a valid field to query.\''
    )
    (smi / "told").write_text(f"{asked}; exit 2;; esac\necho '{OLD}'\n")
    (card,) = cards().cards
    assert (card.name, card.arch, card.driver) == ("Tesla K80", None, "418.226.00")


def test_no_driver_is_said(smi: Path) -> None:
    tell(smi, "NVIDIA-SMI has failed because it could not talk to the driver.", code=9)
    assert cards().cards == ()
    assert str(cards().why).startswith("nvidia-smi failed: NVIDIA-SMI has failed because")


def test_no_program_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(cards().why) == "no nvidia-smi is on the PATH"


@pytest.mark.parametrize(
    ("shown", "ids"),
    [
        ("1", ["1"]),
        ("1,0", ["1", "0"]),
        ("GPU-22", ["1"]),
        ("0,7,1", ["0"]),
        ("MIG-5", ["MIG-5"]),
        ("", []),
        ("-1", []),
        # What follows was asked of a driver (580.159, one H100) by `bench.cards`.
        ("0,0", []),
        (",0", []),
        ("0,", ["0"]),
        ("00", ["0"]),
        ("+1", ["1"]),
        ("1.5", ["1"]),
        ("0;1", ["0"]),
        ("GPU-2", ["1"]),
        ("GPU-22;1", ["1"]),
        ("gpu-22", []),
        (" GPU-22", []),
        ("GPU-2 ", []),
        ("GPU-", []),
        ("GPU-11,0", ["0"]),
        ("GPU-22,GPU-2", []),
    ],
)
def test_the_user_says_which_cards_there_are(
    smi: Path, monkeypatch: pytest.MonkeyPatch, shown: str, ids: list[str]
) -> None:
    tell(smi, H100, A100)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
    found = cards()
    assert [card.id for card in found.cards] == ids
    assert bool(found.why) is (not ids)


@pytest.mark.parametrize(
    ("shown", "device", "ranks", "given"),
    [
        (None, "gpu:1", 1, "1"),
        ("3", "gpu:0", 1, "3"),
        ("5,3", "gpu:1", 1, "3"),
        ("5,3,2", "gpu:1", 2, "3,2"),
        ("MIG-5", "gpu:0", 1, "MIG-5"),
        ("3", "cpu", 1, ""),
    ],
)
def test_a_run_gets_the_users_card(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shown: str | None,
    device: str,
    ranks: int,
    given: str,
) -> None:
    if shown is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
    env = environment(
        RunRequest("run", "ast", 2, ranks=ranks),
        tmp_path / "r.jsonl",
        device,
        {},
        tmp_path / "home",
    )
    assert env["CUDA_VISIBLE_DEVICES"] == given
