"""Trainers that are run before and after the change on the stand-in for Paddle, in a box."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from codemod.base.changeset import ChangeSet, FileChange, Hook, Source, Status
from codemod.base.errors import UsageError
from codemod.base.reason import Reason
from codemod.cli.main import cli
from codemod.engine import plan_change
from codemod.experiments.rehearse.rehearsal import Rehearsal, RehearsalOutcome, rehearse

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
import argparse

import paddle
from nets import Net


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    return parser.parse_args()


def main():
    args = parse_args()
    model = Net()
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for batch in range(2):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""
NETS = """\
import paddle
import einops


class Net(paddle.nn.Layer):
    def forward(self, x):
        return einops.rearrange(x)
"""
# Half of a kit: everything that its constructor needs is somewhere else.
ENGINE = """\
import paddle

from .build import build_loader, build_model


class Engine:
    def __init__(self, config):
        self.config = config
        self.loader = build_loader(self.config["data"])
        if self.config["eval_only"]:
            return
        self.model = build_model(self.config["model"])
        self.optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())
        self.model = paddle.DataParallel(self.model)

    def train(self):
        for batch in self.loader:
            loss = self.model(batch)
            loss.backward()
            self.optimizer.step()
"""
FLAG = '    parser.add_argument("--to_static", action="store_true")\n    return parser'
HOOK = "    if args.to_static:\n        model = paddle.jit.to_static(model)\n"


def _tree(root: Path, **files: str) -> Path:
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    return root


def _changed(root: Path, new: str) -> ChangeSet:
    """A change of the trainer, whoever made it."""
    gate = "args.to_static"
    hook = Hook(
        "discovered",
        Status.INSERTED,
        "train.py",
        "main",
        1,
        "model",
        gate,
        Reason.said("why"),
        switch="--to_static",
    )
    change = FileChange("train.py", TRAINER.encode(), new.encode())
    return ChangeSet(Source(None, root, None), (hook,), (), (change,))


def _only(made: ChangeSet) -> Rehearsal:
    (one,) = rehearse(made)
    return one


def test_a_script_is_run_whole_and_packages_that_lack_are_made_up(tmp_path: Path) -> None:
    root = _tree(tmp_path, train=TRAINER, nets=NETS)
    one = _only(plan_change(Source(None, root, None)).change_set())
    assert (one.outcome, one.level) == (RehearsalOutcome.HOLDS, "script")


def test_a_scope_is_run_alone_where_nothing_starts_it(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    _tree(tmp_path / "kit", engine=ENGINE)
    one = _only(plan_change(Source(None, tmp_path, None)).change_set())
    assert (one.outcome, one.level, one.scope) == (
        RehearsalOutcome.HOLDS,
        "scope",
        "Engine.__init__",
    )


def _with(hook: str, after: str) -> str:
    flagged = TRAINER.replace("    return parser", FLAG)
    return flagged.replace(after, after + hook)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (_with(HOOK, "    model = paddle.DataParallel(model)\n"), "a wrapper, or no layer"),
        (_with(HOOK * 2, "    model = Net()\n"), "hooked twice"),
        (
            _with(HOOK.replace("args.to_static", "not args.to_static"), "    model = Net()\n"),
            "event 1 of the run is `hook 1` and was `wrap 1`",
        ),
        (
            _with(HOOK, "    model = Net()\n").replace("    args =", "    args, lost ="),
            "with the switch off the run ends with TypeError",
        ),
        (_with("    model(0)\n" + HOOK, "    model = Net()\n"), "event 1 of the run is `call 1`"),
    ],
)
def test_a_change_that_differs_is_refused_with_the_event(
    new: str, why: str, tmp_path: Path
) -> None:
    root = _tree(tmp_path, train=TRAINER, nets=NETS)
    one = _only(_changed(root, new))
    assert one.outcome is RehearsalOutcome.REFUSED
    assert why in str(one.reason)


def test_what_cannot_be_run_says_so(tmp_path: Path) -> None:
    text = TRAINER.replace("    model = Net()", "    open('/none/such').read()\n    model = Net()")
    root = _tree(tmp_path, train=text, nets=NETS)
    one = _only(plan_change(Source(None, root, None)).change_set())
    assert one.outcome is RehearsalOutcome.NOT_RUN
    assert "FileNotFoundError" in str(one.reason)


def test_apply_writes_what_holds_and_says_how_it_was_rehearsed(tmp_path: Path) -> None:
    root = _tree(tmp_path, train=TRAINER, nets=NETS)
    result = CliRunner().invoke(cli, ["apply", str(root), "--rehearse"])
    assert result.exit_code == 0, result.output
    assert "rehearsed  train.py  main  the whole script" in result.output
    assert "It can read your files" in result.stderr or "contains nothing" in result.stderr
    assert "to_static" in (root / "train.py").read_text()


def test_apply_tells_it_in_json(tmp_path: Path) -> None:
    root = _tree(tmp_path, train=TRAINER, nets=NETS)
    result = CliRunner().invoke(cli, ["apply", str(root), "--rehearse", "--json"])
    (one,) = json.loads(result.stdout)["rehearsed"]
    assert (one["outcome"], one["level"], one["code"]) == ("holds", "script", None)


def test_a_dry_run_runs_nothing(tmp_path: Path) -> None:
    root = _tree(tmp_path, train=TRAINER, nets=NETS)
    result = CliRunner().invoke(cli, ["apply", str(root), "--rehearse", "--dry-run"])
    assert isinstance(result.exception, UsageError)


def test_the_tree_is_as_it_was_whatever_the_trainer_writes(tmp_path: Path) -> None:
    """What a trainer writes while it is rehearsed is not written into the tree."""
    wrote = f"    open({str(tmp_path / 'seen')!r}, 'w')\n"
    text = TRAINER.replace("    model = Net()\n", f"{wrote}    model = Net()\n")
    root = _tree(tmp_path, train=text, nets=NETS)
    before = sorted(one.name for one in root.iterdir())
    rehearse(plan_change(Source(None, root, None)).change_set())
    assert sorted(one.name for one in root.iterdir()) == before
