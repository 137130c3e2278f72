"""Paddle3D: the trainer hooks what does not hook itself, through the kit's own flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

# The kit's flag: `type=bool` makes every text but the empty one true.
TRAIN = """\
import argparse
import os

from paddle3d.apis.config import Config
from paddle3d.apis.trainer import Trainer


def parse_args():
    parser = argparse.ArgumentParser(description='Model training')
    parser.add_argument('--config', dest='cfg', default=None, type=str)
    parser.add_argument(
        '--to_static',
        dest='to_static',
        help='Whether to static training.',
        default=False,
        type=bool)

    return parser.parse_args()


def main(args):
    if not os.path.exists(args.cfg):
        raise RuntimeError('no config')

    cfg = Config(path=args.cfg)

    if args.to_static:
        cfg.dic['model']['to_static'] = args.to_static

    dic = cfg.to_dict()
    dic.update({'resume': False})

    trainer = Trainer(**dic)
    trainer.train()


if __name__ == '__main__':
    args = parse_args()
    main(args)
"""
EVALUATE = """\
import argparse

from paddle3d.apis.config import Config
from paddle3d.apis.trainer import Trainer


def parse_args():
    parser = argparse.ArgumentParser(description='Model evaluation')
    parser.add_argument('--config', dest='cfg', default=None, type=str)
    return parser.parse_args()


def main(args):
    dic = Config(path=args.cfg).to_dict()
    trainer = Trainer(**dic)
    trainer.evaluate()


if __name__ == '__main__':
    main(parse_args())
"""
# As the kit does it: keys under `model` are constructor arguments, unknown ones elsewhere are
# ignored, the model is made when it is first asked for.
CONFIG = """\
import yaml

from paddle3d import models


class Config(object):
    def __init__(self, *, path):
        with open(path) as file:
            self.dic = yaml.safe_load(file)
        self._model = None

    def _load_component(self, name):
        return getattr(models, name)

    @property
    def model(self):
        if not self._model:
            given = self.dic.get('model').copy()
            self._model = self._load_component(given.pop('type'))(**given)
        return self._model

    def to_dict(self):
        dic = {'iters': self.dic.get('iters', 1)}
        dic.update({
            'model': self.model,
            'ema_cfg': self.dic.get('ema_cfg', None),
            'temporal_start_epoch': self.dic.get('temporal_start_epoch', -1),
        })

        return dic
"""
TRAINER = '''\
import paddle

from paddle3d.utils.ema import ModelEMA
from paddle3d.utils.logger import logger


class Trainer:
    """
    """

    def __init__(
            self,
            model: paddle.nn.Layer,
            iters=None,
            resume: bool = False,
            temporal_start_epoch: int = -1,
            ema_cfg=None):

        self.model = model
        self.iters = iters
        self.temporal_start_epoch = temporal_start_epoch
        self.use_ema = ema_cfg is not None

        # training with ema
        if self.use_ema:
            self.ema = ModelEMA(self.model, **ema_cfg)

    def train(self):
        """
        """
        model = paddle.DataParallel(self.model)
        for step in range(self.iters):
            self.model.with_prev = step > self.temporal_start_epoch
            model({'data': step})

    def evaluate(self):
        self.model({'data': 0})
'''
OLD_TRAINER = (
    TRAINER.replace("            temporal_start_epoch: int = -1,\n", "")
    .replace(",\n            ema_cfg=None):", "):")
    .replace("        self.temporal_start_epoch = temporal_start_epoch\n", "")
    .replace("        self.use_ema = ema_cfg is not None\n", "")
    .replace(
        "\n        # training with ema\n        if self.use_ema:\n"
        "            self.ema = ModelEMA(self.model, **ema_cfg)\n",
        "",
    )
    .replace("            self.model.with_prev = step > self.temporal_start_epoch\n", "")
    .replace("from paddle3d.utils.ema import ModelEMA\n", "")
)
PLAIN_MODELS = """\
import paddle


class PointPillars(paddle.nn.Layer):
    def __init__(self, name='pillars'):
        super().__init__(name)
"""
OWN_HOOK = """

class CenterPoint(paddle.nn.Layer):
    def __init__(self, name='center', to_static=False):
        super().__init__(name)
        self.to_static = to_static
        self.backbone = paddle.nn.Layer('backbone')
        if self.to_static:
            self.backbone = apply_to_static(self.to_static, self.backbone)
"""
PIPELINE = """\
from paddle.jit import to_static


def apply_to_static(support_to_static, model, image_shape=None):
    if support_to_static:
        model = to_static(model, input_spec=image_shape)
    return model
"""
FLAG = TRAIN[TRAIN.index("    parser.add_argument(\n") : TRAIN.index("    return parser")]
SETS = "    if args.to_static:\n        cfg.dic['model']['to_static'] = args.to_static\n\n"
OLD = {
    "tools/train.py": TRAIN.replace(FLAG, "").replace(SETS, ""),
    "tools/evaluate.py": EVALUATE,
    "paddle3d/__init__.py": "",
    "paddle3d/apis/__init__.py": "",
    "paddle3d/apis/config.py": CONFIG.replace(
        "            'ema_cfg': self.dic.get('ema_cfg', None),\n", ""
    ).replace(
        "            'temporal_start_epoch': self.dic.get('temporal_start_epoch', -1),\n", ""
    ),
    "paddle3d/apis/trainer.py": OLD_TRAINER,
    "paddle3d/utils/__init__.py": "",
    "paddle3d/utils/logger.py": "import logging\n\nlogger = logging.getLogger('mini')\n",
    "paddle3d/models/__init__.py": PLAIN_MODELS,
}
NEW = OLD | {
    "tools/train.py": TRAIN,
    "paddle3d/apis/config.py": CONFIG,
    "paddle3d/apis/trainer.py": TRAINER,
    "paddle3d/apis/pipeline.py": PIPELINE,
    "paddle3d/utils/ema.py": "class ModelEMA:\n    def __init__(self, model):\n"
    "        print('copy', model.name)\n",
    "paddle3d/models/__init__.py": PLAIN_MODELS.replace(
        "import paddle\n", "import paddle\n\nfrom paddle3d.apis.pipeline import apply_to_static\n"
    )
    + OWN_HOOK,
}


@pytest.fixture
def done(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A run of tools/train.py of the changed kit."""

    def run(files: dict[str, str], config: str, *more: str) -> subprocess.CompletedProcess[str]:
        root = applied("Paddle3D", files)
        (root / "c.yml").write_text(config, encoding="utf-8")
        return start(root, "tools/train.py", "--config", "c.yml", *more)

    return run


def test_the_switch_is_off_by_default(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    for files in (OLD, NEW):
        run = done(files, "model: {type: PointPillars}")
        assert run.stdout.splitlines() == ["wrap pillars", "forward pillars"], run.stderr


def test_before_the_kit_had_a_flag_one_is_added(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    run = done(OLD, "model: {type: PointPillars}", "--to_static")
    assert run.stdout.splitlines()[:2] == ["static pillars", "wrap pillars"], run.stderr


def test_the_kits_flag_works_for_classes_that_do_not_take_it(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    run = done(NEW, "model: {type: PointPillars}", "--to_static", "True")
    assert run.stdout.splitlines()[:2] == ["static pillars", "wrap pillars"], run.stderr


def test_a_class_that_hooks_its_parts_is_not_hooked_again(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    run = done(NEW, "model: {type: CenterPoint}", "--to_static", "True")
    assert run.stdout.splitlines()[:2] == ["static backbone", "wrap center"], run.stderr
    run = done(NEW, "model: {type: CenterPoint, to_static: True}")
    assert run.stdout.splitlines()[:2] == ["static backbone", "wrap center"], run.stderr


def test_the_yaml_reaches_the_trainer_too(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    run = done(NEW, "to_static: True\nmodel: {type: PointPillars}")
    assert run.stdout.splitlines()[0] == "static pillars", run.stderr


def test_a_flag_that_says_off_is_off(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """The kit's `type=bool` took every word for on; a bare flag stays an error."""
    for word in ("True", "true", "1"):
        run = done(NEW, "model: {type: PointPillars}", "--to_static", word)
        assert run.stdout.splitlines()[0] == "static pillars", run.stderr
    for word in ("False", "false", "0"):
        run = done(NEW, "model: {type: PointPillars}", "--to_static", word)
        assert run.stdout[:4] == "wrap", run.stderr
    for word in ("yes", "on", ""):
        run = done(NEW, "model: {type: PointPillars}", "--to_static", word)
        assert (run.returncode, run.stdout) == (2, "")
        assert "argument --to_static: invalid" in run.stderr
    assert done(NEW, "model: {type: PointPillars}", "--to_static").returncode == 2


def test_the_hook_follows_the_averaged_copy(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    config = "ema_cfg: {}\nmodel: {type: PointPillars}"
    run = done(NEW, config, "--to_static", "True")
    assert run.stdout.splitlines()[:3] == ["copy pillars", "static pillars", "wrap pillars"]


def test_a_schedule_of_with_prev_is_refused_only_when_the_switch_is_on(
    done: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    config = "temporal_start_epoch: 2\nmodel: {type: PointPillars}"
    run = done(NEW, config, "--to_static", "True")
    assert run.returncode == 1
    assert "ValueError: Leave out to_static" in run.stderr
    assert done(NEW, config).returncode == 0


def test_evaluation_is_neither_hooked_nor_given_a_flag(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    for files in (OLD, NEW):
        root = applied("Paddle3D", files)
        assert (root / "tools/evaluate.py").read_text(encoding="utf-8") == EVALUATE
        (root / "c.yml").write_text("model: {type: PointPillars}", encoding="utf-8")
        run = start(root, "tools/evaluate.py", "--config", "c.yml")
        assert run.stdout.splitlines() == ["forward pillars"], run.stderr


def test_lines_and_their_reasons(plan: Callable[..., ChangeSet]) -> None:
    old = plan("Paddle3D", OLD)
    assert sum(edit.lines_added for edit in old.edits) == 7
    new = plan("Paddle3D", NEW)
    assert sum(edit.lines_added for edit in new.edits) == 15
    for change, removed in ((old, 1), (new, 2)):
        assert all(edit.reason for edit in change.edits if edit.lines_removed)
        assert sum(edit.lines_removed for edit in change.edits) == removed
    own = [hook.target for hook in new.hooks if hook.status is Status.PRESENT]
    assert own == ["self.backbone"]


def test_the_rendering_trainer_is_left_alone_with_the_reason(
    plan: Callable[..., ChangeSet],
) -> None:
    path = "contrib/PaddleRendering/pprndr/apis/trainer.py"
    change = plan("Paddle3D", NEW | {path: TRAINER.replace("paddle3d", "pprndr")})
    assert path not in {edit.file for edit in change.edits}
    (skip,) = [skip for skip in change.skipped if skip.file == path]
    assert "cur_iter" in str(skip.reason)
