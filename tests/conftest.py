"""Real git, real folders: what the tests of the tool's rim share."""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A busy machine is not a fault of what is tested.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# The places of what a test leaves with its user, told apart by a number.
_PLACES = itertools.count()

# Bytes of a node's object store, little more than the least that Ray takes.
SMALL_STORE = 80 * 2**20

# A process of Ray's reads its token once and keeps it, so every test of a process has this one.
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": "of-these-tests-alone-0123456789",
}

TRAIN = b"""\
import argparse

import paddle

from minikit.models import build_model


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('--config', help='the model config')
    parser.add_argument('--epochs', type=int, default=1)
    return parser.parse_args()


def main(args):
    model = build_model(args.config)
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    if paddle.distributed.get_world_size() > 1:
        model = paddle.DataParallel(model)
    for epoch in range(args.epochs):
        for images, labels in loader(args):
            loss = model(images, labels)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()


if __name__ == '__main__':
    main(parse_args())
"""


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What libraries leave in a home goes to one of the tests' own; what is large is shared."""
    real = Path.home()
    with pytest.MonkeyPatch.context() as patch:
        shared = {"XDG_CACHE_HOME": real / ".cache", "PYENV_ROOT": real / ".pyenv"}
        for name, folder in shared.items():
            patch.setenv(name, os.environ.get(name) or str(folder))
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("MPLCONFIGDIR", str(tmp_path_factory.mktemp("matplotlib")))
        yield


@pytest.fixture(autouse=True)
def _own_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No test sees the settings of whoever runs it, or a line of progress on a busy machine."""
    monkeypatch.setattr("codemod.base.terminal.progress._SOON_S", 3600)
    for name in [name for name in os.environ if name.startswith(("CODEMOD_", "GIT_"))]:
        monkeypatch.delenv(name)
    # What a command says of its progress comes by the clock, so only its own tests see it.
    monkeypatch.setenv("CODEMOD_PROGRESS", "never")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # Not made: most tests leave nothing there, and thousands of empty folders take seconds.
    place = tmp_path_factory.getbasetemp() / "places" / str(next(_PLACES))
    monkeypatch.setenv("XDG_STATE_HOME", str(place / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "data"))


@pytest.fixture
def shipped(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tool's own base of evidence, for a test that reads it by the way: a folder without any.

    To read the real one takes more than a second.
    """
    from codemod.base.files.data_folder import named_folder

    folder = tmp_path_factory.mktemp("shipped")

    def folders() -> tuple[Path, ...]:
        named = named_folder()
        return (named, folder) if named else (folder,)

    monkeypatch.setattr("codemod.judging.evidence.line_files.data_folders", folders)
    return folder


@pytest.fixture
def small_base(shipped: Path) -> Path:
    """The tool's own base of evidence with the rows of two kits alone."""
    from codemod.base.files.data_folder import data_path

    (shipped / "evidence").mkdir()
    for kit in ("Paddle3D", "PaddleGAN"):
        text = data_path(f"evidence/{kit}.jsonl").read_bytes()
        (shipped / "evidence" / f"{kit}.jsonl").write_bytes(text)
    return shipped


@pytest.fixture
def git() -> Callable[..., str]:
    """Run git in a folder; it must succeed."""

    def run(root: Path, *arguments: str) -> str:
        who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
        command = ["git", "-C", str(root), *who, *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape")

    return run


@pytest.fixture
def commit(git: Callable[..., str]) -> Callable[[Path], str]:
    """Make a folder a repository with everything in it committed; returns the commit."""

    def run(root: Path) -> str:
        git(root, "init", "--quiet", "--initial-branch=main")
        git(root, "config", "core.autocrlf", "false")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--allow-empty", "--message=start")
        return git(root, "rev-parse", "HEAD").strip()

    return run


@pytest.fixture
def minikit(tmp_path: Path) -> Path:
    """A small training repository that no rule knows, with one clear place for a hook."""
    root = tmp_path / "minikit"
    (root / "tools").mkdir(parents=True)
    (root / "tools" / "train.py").write_bytes(TRAIN)
    (root / "configs").mkdir()
    (root / "configs" / "small.yml").write_text("epochs: 1\n")
    return root


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, tuple[bytes, int]]]:
    """Every file under a folder, but git's own: its bytes and its mode."""

    def take(root: Path) -> dict[str, tuple[bytes, int]]:
        return {
            str(file.relative_to(root)): (file.read_bytes(), file.stat().st_mode)
            for file in sorted(root.rglob("*"))
            if file.is_file() and ".git" not in file.relative_to(root).parts
        }

    return take


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Ray processes on this machine: a head without processors, and two nodes with one each."""
    from ray.cluster_utils import Cluster as Nodes

    head = {"num_cpus": 0, "object_store_memory": SMALL_STORE, "include_dashboard": False}
    made: Any = Nodes(initialize_head=True, head_node_args=head)
    for _ in range(2):
        made.add_node(num_cpus=1, object_store_memory=SMALL_STORE)
    yield made
    made.shutdown()
