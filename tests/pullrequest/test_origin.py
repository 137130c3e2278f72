"""What is said of a change is said of its edits: of each one, and of nothing else."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bench.origins import KITS, commit_faults, extract, faults
from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.reports.pullrequest.claims.facts import told
from codemod.reports.pullrequest.commit_stages import parts_of

MIRROR = os.environ.get("CODEMOD_MIRROR")
CORE = """\
import paddle
from paddleseg.utils import logger


def train(model, loader, optimizer=None):
    if paddle.distributed.ParallelEnv().nranks > 1:
        model = paddle.distributed.fleet.distributed_model(model)
    for data in loader:
        loss = model(data)
        loss.backward()
        optimizer.step()
"""
SCRIPT = """\
import argparse
from paddleseg.cvlibs import Config
from paddleseg.core import train


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--opts", nargs="+")
    return parser.parse_args()


def main(args):
    cfg = Config("a.yml")
    train(cfg.model, cfg.train_dataset, optimizer=cfg.optimizer)


if __name__ == "__main__":
    main(parse_args())
"""
CONFIG = """\
class Config(object):
    @property
    def to_static_training(self) -> bool:
        return self.dic.get("to_static_training", False)
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    files = {
        "paddleseg/core/__init__.py": "from .train import train\n",
        "paddleseg/core/train.py": CORE,
        "paddleseg/cvlibs/__init__.py": "from .config import Config\n",
        "paddleseg/cvlibs/config.py": CONFIG,
        "tools/train.py": SCRIPT,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_each_sentence_goes_with_its_edit(kit: Path) -> None:
    change_set = plan_change(Source("PaddleSeg", kit, None)).change_set()
    assert {edit.file for edit in change_set.edits} == {
        "paddleseg/core/train.py",
        "paddleseg/cvlibs/config.py",
        "tools/train.py",
    }
    assert list(faults(change_set)) == []


def test_a_sentence_without_its_edit_is_a_fault(kit: Path) -> None:
    change_set = plan_change(Source("PaddleSeg", kit, None)).change_set()
    silent = replace(change_set.edits[0], origin=None)
    told = replace(change_set, edits=(silent, *change_set.edits[1:]))
    assert [fault.partition(":")[0] for fault in faults(told)] == ["nothing is said of an edit"]
    swapped = replace(change_set.edits[0], origin=change_set.edits[-1].origin)
    wrong = replace(change_set, edits=(swapped, *change_set.edits[1:]))
    assert any(fault.startswith("code that is not there") for fault in faults(wrong))


def test_a_repair_has_a_commit_of_its_own_and_each_message_tells_of_its_edits(kit: Path) -> None:
    plan = plan_change(Source("PaddleSeg", kit, None))
    assert list(commit_faults(plan, plan.change_set())) == []
    first, *rest = parts_of(plan, plan.change_set(), frozenset(range(len(plan.hooks))))
    assert first.subject == "Fix: the string 'false' switched to_static on"
    assert {edit.file for edit in first.edits} == {"paddleseg/cvlibs/config.py"}
    assert next(part.subject for part in rest) == (
        "Prepare dynamic-to-static training in core/train.py"
    )


def test_a_message_that_leaves_an_edit_out_is_a_fault(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_change(Source("PaddleSeg", kit, None))
    monkeypatch.setattr("bench.origins.told", lambda whole, edits: told(whole, edits)[:1])
    assert any(
        "does not tell of an edit" in fault for fault in commit_faults(plan, plan.change_set())
    )


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit_name", KITS)
def test_each_sentence_goes_with_its_edit_at_a_random_revision(
    kit_name: str, tmp_path: Path
) -> None:
    assert MIRROR is not None
    repository = next(Path(MIRROR).glob(f"*+{kit_name}")) / "repo"
    log = subprocess.run(
        ["git", "--git-dir", str(repository), "rev-list", "HEAD"], capture_output=True, check=True
    ).stdout
    extract(repository, random.Random(7).choice(log.decode().split()), tmp_path)
    plan = plan_change(Source(kit_name, tmp_path, None))
    assert [*faults(plan.change_set()), *commit_faults(plan, plan.change_set())] == []
