"""PaddleDetection: the trainer's switch is reached by -o, whatever is merged over the config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status
from tests.each_kit.ppdet_kit import FLAG, KIT, MAIN, TRAINER

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

# Semi-supervised: two backward passes of one net a step.
TEACHER = """\
import paddle
from .trainer import Trainer


class Trainer_ARSL(Trainer):
    def train(self, validate=False):
        if self._nranks > 1:
            self.model.modelStudent = paddle.DataParallel(self.model.modelStudent)
        for supervised, unlabelled in self.loader:
            losses = self.model.modelStudent(supervised, branch='supervised')
            losses.backward()
            losses = self.model.modelStudent(unlabelled, branch='semi_supervised')
            losses.backward()
            self.optimizer.step()


class Trainer_Semi_RTDETR(Trainer):
    def train(self, validate=False):
        model = self.model
        if self._nranks > 1:
            model = paddle.DataParallel(model)
        for iter_id, data in enumerate(self.loader):
            loss = model([*data, iter_id])['loss']
            loss.backward()
            self.optimizer.step()
"""


@pytest.fixture
def trained(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., list[str]]:
    """Apply to the small kit, train as a user does; returns the lines that Paddle wrote."""

    def run(*arguments: str, files: dict[str, str] | None = None) -> list[str]:
        root = applied("PaddleDetection", {**KIT, **(files or {})})
        result = start(root, "tools/train.py", *arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()

    return run


def test_off_by_default(trained: Callable[..., list[str]]) -> None:
    assert trained("-c", "configs/net.yml") == ["forward YOLOv3"]


@pytest.mark.parametrize("value", ["True", "true", "1"])
def test_option_reaches_the_hook(trained: Callable[..., list[str]], value: str) -> None:
    lines = trained("-c", "configs/net.yml", "-o", f"to_static={value}")
    assert lines == ["static YOLOv3", "forward YOLOv3"]


@pytest.mark.parametrize("value", ["False", "false", "0"])
def test_option_turns_the_yaml_off(trained: Callable[..., list[str]], value: str) -> None:
    lines = trained("-c", "configs/static.yml", "-o", f"to_static={value}")
    assert lines == ["forward YOLOv3"]


def test_yaml_key_is_not_overwritten_by_a_flag(trained: Callable[..., list[str]]) -> None:
    """The human's flag did that: merge_args copies its default over the YAML."""
    assert trained("-c", "configs/static.yml") == ["static YOLOv3", "forward YOLOv3"]


def test_option_outlives_the_slim_config(trained: Callable[..., list[str]]) -> None:
    lines = trained(
        "-c", "configs/net.yml", "--slim_config", "configs/slim.yml", "-o", "to_static=True"
    )
    assert lines == ["static distilled FGD", "forward distilled FGD"]


def test_the_hook_comes_before_the_wrap(trained: Callable[..., list[str]]) -> None:
    lines = trained("-c", "configs/net.yml", "-o", "to_static=True", "ranks=2")
    assert lines == ["static YOLOv3", "wrap YOLOv3", "forward YOLOv3"]


def test_three_lines_and_no_flag(plan: Callable[..., ChangeSet]) -> None:
    change_set = plan("PaddleDetection", KIT)
    assert [(e.file, e.lines_added, e.lines_removed) for e in change_set.edits] == [
        ("ppdet/engine/trainer.py", 3, 0)
    ]
    assert [h.switch for h in change_set.hooks] == ["-o to_static=True"]


def test_the_human_hook_is_present(plan: Callable[..., ChangeSet]) -> None:
    hook = (
        "        model = self.model\n"
        "        if self.cfg.get('to_static', False):\n"
        "            model = apply_to_static(self.cfg, model)\n"
    )
    helper = (
        "import paddle\n\n\ndef apply_to_static(config, model):\n"
        "    return paddle.jit.to_static(model, input_spec=None)\n"
    )
    files = {
        **KIT,
        "ppdet/engine/trainer.py": TRAINER.replace("        model = self.model\n", hook).replace(
            "from ppdet.utils", "from .export_utils import apply_to_static\nfrom ppdet.utils", 1
        ),
        "ppdet/engine/export_utils.py": helper,
        "tools/train.py": MAIN.replace("    args = parser", FLAG + "    args = parser"),
    }
    change_set = plan("PaddleDetection", files)
    assert [change.path for change in change_set.changes] == ["tools/train.py"]
    assert [(h.status, h.scope, h.target) for h in change_set.hooks] == [
        (Status.PRESENT, "Trainer.train", "model")
    ]


def test_semi_supervised_trainers_are_left_alone(plan: Callable[..., ChangeSet]) -> None:
    change_set = plan("PaddleDetection", {**KIT, "ppdet/engine/trainer_ssod.py": TEACHER})
    assert [h.scope for h in change_set.hooks] == ["Trainer.train"]
    reasons = {str(skip.reason).split(":")[0]: str(skip.reason) for skip in change_set.skipped}
    assert "twice the loss" in reasons["Trainer_ARSL.train"]
    assert "side effects" in reasons["Trainer_Semi_RTDETR.train"]


def test_before_the_trainer_class_the_script_is_hooked(plan: Callable[..., ChangeSet]) -> None:
    script = """\
import paddle
from ppdet.core.workspace import load_config, merge_config, create
from ppdet.utils.cli import ArgsParser


def run(FLAGS, cfg, place):
    model = create(cfg.architecture)
    optimizer = create('OptimizerBuilder')(0.1, model.parameters())
    if FLAGS.ranks > 1:
        model = paddle.DataParallel(model)
    for data in create('TrainReader'):
        outputs = model(data, mode='train')
        outputs['loss'].backward()
        optimizer.step()


def main():
    FLAGS = ArgsParser().parse_args()
    cfg = load_config(FLAGS.config)
    merge_config(FLAGS.opt)
    run(FLAGS, cfg, 'cpu')
"""
    files = {
        "dygraph/tools/train.py": script,
        "dygraph/ppdet/utils/cli.py": KIT["ppdet/utils/cli.py"],
    }
    (hook,) = plan("PaddleDetection", files).hooks
    assert (hook.scope, hook.target, hook.gate) == ("run", "model", "cfg.get('to_static', False)")
    assert (hook.after, hook.before) == ("build", "wrap")


def test_static_graph_trainers_are_never_touched(plan: Callable[..., ChangeSet]) -> None:
    fluid = """\
from paddle import fluid
from ppdet.core.workspace import load_config, create


def main():
    cfg = load_config('c.yml')
    model = create(cfg.architecture)
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        feed_vars, train_loader = model.build_inputs()
        loss = model.train(feed_vars)['loss']
        optimizer = create('OptimizerBuilder')(0.1)
        optimizer.minimize(loss)
    fluid.CompiledProgram(fluid.Program()).with_data_parallel(loss_name=loss.name)
"""
    change_set = plan("PaddleDetection", {"tools/train.py": fluid, "static/tools/train.py": fluid})
    assert change_set.hooks == ()
    assert change_set.changes == ()
