"""`parity --cluster`: real Ray processes on this machine, one of whose nodes is killed."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from codemod.cli.commands import parity_cluster
from codemod.cli.main import run
from codemod.cli.queue_state import QueueState
from codemod.judging.evidence.result_files import read_result
from codemod.training.runner import recorder_version
from tests.parity.conftest import paddle_python
from tests.parity.test_cli_parity import minikit

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.training.preparation import Prepared

NETS = ("gated", "plain", "third")
LAUNCH = """
argv: [known_equal.py, --model, gated]
gate_args: [--to-static]
"""


def _words(folder: Path, python: Path, *more: str) -> list[str]:
    kit = minikit(folder)
    (folder / "launch.yaml").write_text(LAUNCH)
    for name in NETS:
        (kit / name).touch()
    words = ["parity", str(kit), "--steps", "4", "--modes", "ast", "--json"]
    words += ["--launch", str(folder / "launch.yaml"), "--workspace", str(folder / "ws")]
    words += [word for name in NETS for word in ("-c", name)]
    return [*words, "--python", str(python), *more]


@pytest.mark.slow
def test_a_node_that_is_killed_loses_nothing(
    tmp_path: Path, nodes: Any, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    tell = QueueState.add

    def kill() -> None:
        nodes.remove_node(nodes.list_all_nodes()[-1], allow_graceful=False)

    def watched(state: QueueState, number: int, total: int, result: Any) -> None:
        tell(state, number, total, result)
        told.append(result.config)
        if number == 1:
            threading.Thread(target=kill).start()

    monkeypatch.setattr(QueueState, "add", watched)
    words = _words(tmp_path, paddle_python("2.6.2"), "--cluster", nodes.address)
    assert run(words) == 0
    first = json.loads(capfd.readouterr().out)
    assert first["lost"] == {}
    assert [one["config"] for one in first["results"]] == list(NETS)
    assert sorted(told) == sorted(NETS)
    assert {one["modes"]["ast"]["verdict"] for one in first["results"]} == {"pass"}
    files = sorted((tmp_path / "ws" / "results").rglob("*.json"))
    assert len(files) == len(NETS)
    result = read_result(files[0])
    part = result.parity
    assert result.recorder == recorder_version() and result.date
    assert part is not None
    assert part.command.startswith(f"codemod parity {tmp_path / 'minikit'} -c ")
    assert all(file.with_suffix(".html").is_file() for file in files)

    # All is known now: the cluster is not asked, and the file's names are those of this machine.
    def refused(*_: object) -> None:
        raise AssertionError("a known run was run again")

    monkeypatch.setattr(parity_cluster, "run_on_cluster", refused)
    assert run(words) == 0
    assert json.loads(capfd.readouterr().out) == first


def test_gpus_are_refused(tmp_path: Path) -> None:
    from codemod.base.changeset import Source
    from codemod.base.errors import UsageError
    from codemod.base.files.workspace import Workspace
    from codemod.training.run_spec import RunSpec

    asked = cast("Prepared", SimpleNamespace(spec=RunSpec("Kit", "a.yml", 3, device="gpu:0")))
    with pytest.raises(UsageError, match="trains on CPUs"):
        parity_cluster.run_on_cluster(
            "local", [asked], Source("Kit", tmp_path, None), Workspace.at(tmp_path)
        )
