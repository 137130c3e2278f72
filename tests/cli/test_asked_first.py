"""What is wrong is said before anything is fetched or made for it; what is long is foretold."""

from __future__ import annotations

import io
import re
import sys
import time
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.grouping import grouped_once
from codemod.base.terminal import progress
from codemod.cli.main import run
from codemod.code.tree import Tree
from codemod.kits.config_files import named_configs, no_config
from codemod.training.environment import env_cost
from codemod.training.environment.environments import EnvSpec, default_root, ensure, is_made
from codemod.training.recipes import known_kits
from codemod.work.environments import EnvRequest, foretold

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache; whatever would be fetched for an environment would be in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nonexistent")  # no uv and no pip: making one could only fail
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["probe", "PaddleSeg", "--path", "minikit", "-c", "nonsense"], "no config nonsense"),
        (
            ["probe", "PaddleSeg", "--path", "minikit", "-c", "configs/smal.yml"],
            "configs/small.yml",
        ),
        (["probe", "PaddleSeg", "--bisect"], "--bisect needs a config"),
        (["probe", "PaddleSeg", "-c", "x", "--bisect", "--paddle", "3.0.0"], "--bisect needs"),
        (["parity", "PaddleSeg", "--path", "minikit", "-c", "smal.yml"], "mean configs/small.yml?"),
        (
            ["parity", "PaddleSeg", "--path", "minikit", "-c", "configs/small.yml", "-c", "no"],
            "no config no.",
        ),
        (["fix", "PaddleSeg", "--path", "minikit", "-c", "smal.yml"], "configs/small.yml"),
        (["spec", "PaddleSeg", "--path", "minikit", "-c", "smal.yml"], "configs/small.yml"),
        (
            ["parity", "PaddleSeg", "--path", "minikit", "-c", "configs/small.yml", "-O", "epochs"],
            "`epochs` is no option",
        ),
        (["parity", "PaddleSeg", "-c", "x", "--device", "tpu"], "no device 'tpu'"),
        (["spec", "PaddleSeg", "-c", "x", "--index", "cu1"], "no index of Paddle"),
        (["parity", "PaddleSeg", "-c", "x", "--modes", "static"], "no mode 'static'"),
        (["apply", "PaddleSeg", "--trainer", "zzz"], "has no trainer 'zzz'"),
        (["env", "--all", "PaddleSeg"], "--all makes the environments of all kits"),
        (["env", "--all", "--dockerfile"], "--all makes the environments of all kits"),
    ],
)
def test_a_slip_is_told_before_anything_is_made(
    words: list[str], said: str, minikit: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    assert said in capsys.readouterr().err
    assert not cache.exists()
    assert not (minikit.parent / ".codemod" / "kits").exists()


PARITY = ["parity", "PaddleSeg", "--path", "minikit", "-c", "configs/small.yml"]
FIX = ["fix", "PaddleSeg", "--path", "minikit"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*PARITY, "--speed", "--cluster", "local"], "so --cluster would change nothing."),
        ([*PARITY, "--epochs", "2", "--cluster", "local"], "so --cluster would change nothing."),
        ([*PARITY, "--speed", "--epochs", "2"], "--speed times one process after the other"),
        ([*PARITY, "--speed", "--jobs", "2", "--rejudge"], "so --jobs and --rejudge would"),
        ([*PARITY, "--epochs", "2", "--steps", "9"], "--epochs trains to the end"),
        ([*PARITY, "--epochs", "2", "--no-controls"], "Leave out --no-controls."),
        ([*PARITY, "--processes", "9"], "Without --speed no processes are timed"),
        ([*PARITY, "--seeds", "9"], "Without --epochs one seed is trained"),
        ([*PARITY, "--force", "--rejudge"], "--force runs everything again"),
        ([*PARITY, "--cluster", "local", "--rejudge"], "a cluster's runs stay on its nodes"),
        ([*PARITY, "--backend", "gloo"], "One process has no gradients to exchange"),
        ([*PARITY, "--python", sys.executable, "--wheels", "."], "so --wheels would change"),
        (["probe", "PaddleSeg", "--summary", "--count", "3"], "--summary runs nothing"),
        (["probe", "PaddleSeg", "--summary", "--bisect"], "so --bisect would change nothing"),
        (["spec", *PARITY[1:], "--python", sys.executable, "--wheels", "."], "so --wheels would"),
        (["spec", *PARITY[1:], "--as-run"], "Nothing is written without --write"),
        ([*FIX, "--paddle", "3.3.1"], "Without --config no proof is made"),
        ([*FIX, "-c", "configs/small.yml", "--steps", "9"], "Without --parity the kit's trainer"),
        (["branch", "PaddleSeg", "--path", "minikit", "--steps", "9"], "without --prove"),
        (["env", "PaddleSeg", "--gpu", "--device", "cpu"], "--gpu is short for --device gpu"),
        (["env", "PaddleSeg", "--dockerfile", "--wheels", "."], "takes its packages from the net"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(
    words: list[str], said: str, minikit: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    err = capsys.readouterr().err
    assert said in err and "Leave out --" in err
    assert not cache.exists()
    assert not (minikit.parent / ".codemod").exists()


def test_the_nearest_configs_are_named_by_their_file(tmp_path: Path) -> None:
    for name in ("a/resnet50.yaml", "b/resnet50.yaml", "b/resnet101.yaml", "b/swin.yaml"):
        (tmp_path / "kit" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kit" / name).write_text("")
    tree = Tree(tmp_path / "kit")
    remedy = no_config("Kit", tree, "b/resnet50.yml").remedy
    assert remedy.startswith("Did you mean b/resnet50.yaml or a/resnet50.yaml?")
    assert "swin" not in no_config("Kit", tree, "resnet5").remedy
    assert no_config("Kit", tree, "qqqq").remedy.startswith("Looked in")
    assert named_configs("Kit", tree, ["b/*.yaml", "a/resnet50.yaml", "b/swin.yaml"]) == [
        "b/resnet101.yaml",
        "b/resnet50.yaml",
        "b/swin.yaml",
        "a/resnet50.yaml",
    ]
    with pytest.raises(UsageError, match="no config c/"):
        named_configs("Kit", tree, ["c/*.yaml"])


def test_what_was_made_here_foretells_the_next_one(tmp_path: Path) -> None:
    assert "none was timed on this machine yet" in env_cost.estimate(tmp_path, gpu=False)
    for name, seconds in (("paddle1-py3.10-a", 60.0), ("paddle1-py3.10-b", 240.0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(b"x" * 1000)
        env_cost.keep_cost(tmp_path / name, seconds)
    (tmp_path / "paddle1-py3.10-c").mkdir()
    (tmp_path / "paddle1-py3.10-c" / ".made").write_text("{")  # of a run that was killed
    assert env_cost.expected_seconds(tmp_path, gpu=False) == 150.0
    assert env_cost.expected_bytes(tmp_path, gpu=False) == 1000
    assert "about 5 minutes by the last" in env_cost.estimate(tmp_path, gpu=False, number=2)
    assert env_cost.expected_seconds(tmp_path, gpu=True) is None


def test_a_full_disk_is_told_before_the_first_download(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="GB free") as told:
        env_cost.need_room(tmp_path / "none" / "yet", gpu=True, number=10**7)
    assert "XDG_CACHE_HOME" in told.value.remedy
    env_cost.need_room(tmp_path, gpu=False, number=0)


def test_a_made_environment_says_nothing(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = EnvSpec("9.9.9")
    assert not is_made(spec)
    folder = default_root() / spec.key
    folder.mkdir(parents=True)
    (folder / ".ready").write_text("[]")
    assert is_made(spec)
    assert ensure(spec) == folder / "bin" / "python"
    assert capsys.readouterr().err == ""


def test_all_environments_are_foretold_together(cache: Path) -> None:
    wish = EnvRequest("3.3.1", full=False, device="cpu", image=False, index="", wheels=None)
    kits = grouped_once(both for kit in known_kits() for both in wish.both(kit))
    told = foretold(kits, list(kits))
    assert told.startswith(f"{len(kits)} environments for 10 kits, {len(kits)} to be made: about")
    assert str(cache) in told
    assert foretold(kits, []).endswith("10 kits, all made.")


def test_a_pipe_hears_again_of_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEMOD_PROGRESS")
    monkeypatch.setattr(progress, "_SOON_S", 0.0)
    monkeypatch.setattr(progress, "_PIPE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", heard := io.StringIO())
    with progress.LiveLine("Installing"):
        while heard.getvalue().count("so far") < 3:
            time.sleep(0.01)
    first, second, *_ = heard.getvalue().splitlines()
    assert first == "  Installing"
    assert re.fullmatch(r"  Installing \(\d+ seconds? so far\)", second)


def test_progress_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SOON_S", 0.0)
    monkeypatch.setattr(sys, "stderr", heard := io.StringIO())
    with progress.LiveLine("Installing"), progress.Count("Reading", [1, 1]) as count:
        count.advance(1)
    assert heard.getvalue() == ""
