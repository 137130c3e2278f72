"""Probes on a cluster: real Ray processes on this machine, one of whose nodes is killed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import CodemodError, EnvironmentFault, UsageError
from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.probe_job import probe_kit
from codemod.experiments.probe.request import ProbeRequest
from codemod.training.cluster import Archive, Cluster, WorkerLost
from codemod.training.runner import recorder_version
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.judging.evidence.result import Result

KIT = Path(__file__).parent / "kit"
TOP = Path(__file__).parents[2]
LOCAL = Path(__file__).parent / "local_cluster.py"


def test_an_archive_holds_the_files_and_names_them_by_content(tmp_path: Path) -> None:
    root = tmp_path / "kit"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text("[core]")
    (root / "a").mkdir()
    (root / "a" / "train.py").write_text("import paddle\n")
    (root / "link.py").symlink_to("/etc/hostname")
    (root / "weights.bin").write_bytes(bytes(8 * 2**20 + 1))
    first = Archive.of(root)
    os.utime(root / "a" / "train.py", (1, 1))
    assert Archive.of(root) == first
    with tarfile.open(fileobj=io.BytesIO(first.content)) as tar:
        assert tar.getnames() == ["a/train.py"]
    made = first.unpack(tmp_path)
    assert (made / "a" / "train.py").read_text() == "import paddle\n"
    assert first.unpack(tmp_path) == made
    (root / "a" / "train.py").write_text("import paddle as p\n")
    assert Archive.of(root).digest != first.digest


def test_an_archive_holds_what_git_tracks_and_no_secret(
    tmp_path: Path, commit: Callable[[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "kit"
    for name in ("train.py", ".env", "deep/id_rsa", ".aws/credentials", "deep/server.pem"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("secret\n")
    commit(root)
    (root / "untracked.py").write_text("secret\n")
    with tarfile.open(fileobj=io.BytesIO(Archive.of(root).content)) as tar:
        assert tar.getnames() == ["train.py"]
    told = capsys.readouterr().err
    assert all(name in told for name in (".env", "id_rsa", "credentials", "server.pem"))


def test_a_special_file_is_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "train.py").write_text("")
    os.mkfifo(tmp_path / "pipe")
    with tarfile.open(fileobj=io.BytesIO(Archive.of(tmp_path).content)) as tar:
        assert tar.getnames() == ["train.py"]
    assert "pipe is no regular file" in capsys.readouterr().err


_LOOPBACKS = {"0100007F", "0000000000000000FFFF00000100007F"}


@pytest.mark.slow
@pytest.mark.usefixtures("nodes")
def test_a_local_cluster_is_its_own_on_the_loopback_and_sees_no_secret(
    tmp_path: Path,
) -> None:
    """Also where another cluster runs on this machine, which Ray would join by itself."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("RAY_")}
    env = {**kept, "GITHUB_TOKEN": "secret", "HOME": str(tmp_path), "PYTHONPATH": str(TOP)}
    done = subprocess.run(
        [sys.executable, str(LOCAL)], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    places = done.stdout.split()
    # The driver, Ray's own processes, and a worker.
    assert len(places) >= 5
    assert set(places) <= _LOOPBACKS
    assert "listen on 127.0.0.1 alone" in done.stderr
    assert not list(tmp_path.iterdir())


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _refuse() -> None:
    raise CodemodError("There is no bread.", "Bake some.")


@pytest.mark.slow
def test_what_cannot_end_on_a_node_is_lost_and_says_why(nodes: Any) -> None:
    with Cluster(nodes.address) as cluster:
        assert cluster.processors == 2
        assert len(nodes.list_all_nodes()) == 3
        assert cluster.call(pow, 2, 5, memory_gb=0.1, name="pow") == 32
        with pytest.raises(WorkerLost, match="die was lost with its worker 3 times"):
            cluster.call(_die, memory_gb=0.1, name="die")
        with pytest.raises(WorkerLost, match=r"There is no bread\. Bake some"):
            cluster.call(_refuse, memory_gb=0.1, name="refuse")


def test_without_ray_the_remedy_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"paddle-codemod\[cluster\]"):
        Cluster("local").__enter__()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:999999"])
def test_an_address_where_nobody_listens_is_refused(address: str) -> None:
    with pytest.raises(EnvironmentFault, match=rf"There is no Ray cluster at {address}: "):
        Cluster(address).__enter__()


@pytest.mark.slow
def test_a_node_that_is_killed_loses_nothing_and_nothing_is_probed_twice(
    tmp_path: Path, nodes: Any
) -> None:
    root, work = tmp_path / "kit", tmp_path / "work"
    (root / "configs").mkdir(parents=True)
    (root / "net.py").write_bytes((KIT / "net.py").read_bytes())
    for net in ("Plain", "Blind", "Sizeable", "Crashing", "Broken"):
        (root / "configs" / f"{net.lower()}.json").write_text(json.dumps({"net": net}))
    asked = ProbeRequest(
        python=paddle_python("3.3.1"),
        adapter=KIT / "adapter.py",
        limit_s=5,
        cluster=nodes.address,
        memory_gb=1,
    )
    seen: list[str] = []

    def told(number: int, of: int, result: Result) -> None:
        seen.append(result.config)
        if number == 2:
            threading.Thread(target=kill).start()

    def kill() -> None:
        nodes.remove_node(nodes.list_all_nodes()[-1], allow_graceful=False)

    source = Source("Small", root, "abc")
    outcome = probe_kit(source, asked, Workspace.at(work), told)
    assert outcome.lost == {}
    assert len(seen) == len(set(seen)) == len(outcome.results) == outcome.fresh
    verdicts = {r.config: r.modes["ast"].verdict.value for r in outcome.results}
    assert verdicts.pop("configs/crashing.json") == "crash"
    assert verdicts.pop("configs/broken.json") == "dynamic-fails"
    assert set(verdicts.values()) == {"pass"}
    again = probe_kit(source, asked, Workspace.at(work))
    assert (again.fresh, len(again.results)) == (0, len(outcome.results))
    assert {r.revision for r in again.results} == {"abc"}
    assert {r.recorder for r in again.results} == {recorder_version()}
    assert all(r.date for r in again.results)
