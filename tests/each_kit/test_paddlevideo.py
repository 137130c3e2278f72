"""PaddleVideo: every way of training reads `to_static` from a config that raises KeyError."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

MAIN = """\
import argparse

from paddlevideo.tasks import test_model, train_dali, train_model, train_model_multigrid
from paddlevideo.utils import get_config


def parse_args():
    parser = argparse.ArgumentParser('mini video')
    parser.add_argument('-c', '--config', type=str)
    parser.add_argument('-o', '--override', action='append', default=[])
    parser.add_argument('--test', action='store_true')
    parser.add_argument('--train_dali', action='store_true')
    parser.add_argument('--multigrid', action='store_true')
    return parser.parse_args()


def main():
    args = parse_args()
    cfg = get_config(args.config, overrides=args.override)
    if args.test:
        test_model(cfg)
    elif args.train_dali:
        train_dali(cfg)
    elif args.multigrid:
        train_model_multigrid(cfg)
    else:
        train_model(cfg)


if __name__ == '__main__':
    main()
"""
# As the kit does it: a missing attribute raises KeyError, `-o` takes unknown leaves only.
UTILS = """\
import logging

import yaml


class AttrDict(dict):
    def __getattr__(self, key):
        return self[key]

    def __setattr__(self, key, value):
        self[key] = value


def wrapped(values):
    return AttrDict({k: wrapped(v) if isinstance(v, dict) else v for k, v in values.items()})


def get_logger(name):
    return logging.getLogger(name)


def get_config(name, overrides):
    with open(name) as file:
        config = wrapped(yaml.safe_load(file))
    for option in overrides:
        path, value = option.split('=')
        *outer, last = path.split('.')
        node = config
        for key in outer:
            assert key in node, 'Key {} not exist'.format(key)
            node = node[key]
        try:
            node[last] = eval(value)
        except Exception:
            node[last] = value
    return config
"""
BUILDER = """\
import paddle


def build_model(cfg):
    return paddle.nn.Layer(cfg.framework)
"""
HEAD = """\
import paddle

from ..modeling.builder import build_model
from ..utils import get_logger

"""
STEP = """\
    for data in range(1):
        loss = model([data], mode='train')
        loss.backward()
"""
PLAIN = (
    HEAD
    + """
def train_model(cfg, parallel=True):
    logger = get_logger('paddlevideo')

    # 1. Construct model
    model = build_model(cfg.MODEL)

    # 2. Parallelize
    if parallel:
        model = paddle.DataParallel(model)

"""
    + STEP
)
HOOKED = PLAIN.replace(
    "    # 2.",
    """    if cfg.get('to_static', False):
        specs = None
        model = paddle.jit.to_static(model, input_spec=specs)
        logger.info('Successfully to apply @to_static')

    # 2.""",
)
DALI = PLAIN.replace("train_model", "train_dali")
MULTIGRID = (
    HEAD
    + '''
def build_trainer(cfg, parallel):
    """
    Build training model and its associated tools.
    """
    model = build_model(cfg.MODEL)
    if parallel:
        model = paddle.DataParallel(model)

    return model, 'optimizer'


def train_model_multigrid(cfg, parallel=True):
    logger = get_logger('paddlevideo')
    model = build_model(cfg.MODEL)
    if parallel:
        model = paddle.DataParallel(model)

    for epoch in range(2):
        if epoch == 1:
            logger.info('Rebuild model')
            (
                model,
                optimizer,
            ) = build_trainer(cfg, parallel)
        loss = model([epoch], mode='train')
        loss.backward()
'''
)
TEST = (
    HEAD
    + """
def test_model(cfg, parallel=True):
    model = build_model(cfg.MODEL)
    if parallel:
        model = paddle.DataParallel(model)
    model.layers.eval()
    model([0], mode='test')
"""
)
FILES = {
    "main.py": MAIN,
    "paddlevideo/__init__.py": "",
    "paddlevideo/utils/__init__.py": UTILS,
    "paddlevideo/modeling/__init__.py": "",
    "paddlevideo/modeling/builder.py": BUILDER,
    "paddlevideo/tasks/__init__.py": "from .test import test_model\n"
    "from .train import train_model\nfrom .train_dali import train_dali\n"
    "from .train_multigrid import train_model_multigrid\n",
    "paddlevideo/tasks/train.py": HOOKED,
    "paddlevideo/tasks/train_dali.py": DALI,
    "paddlevideo/tasks/train_multigrid.py": MULTIGRID,
    "paddlevideo/tasks/test.py": TEST,
}
OLD = FILES | {"paddlevideo/tasks/train.py": PLAIN}
YAML = "MODEL: {framework: net}\n"
ON = ["static net", "wrap net", "forward net"]
OFF = ["wrap net", "forward net"]

# Ma-Net: an argparse namespace, made while `config` is imported, is the config of everything.
MA_CONFIG = """\
import argparse

parser = argparse.ArgumentParser(description='intvos config')
parser.add_argument('--ROOT_DIR', type=str, default='.')
parser.add_argument('--TRAIN_LR', type=float, default=0.1)

cfg = parser.parse_args()
cfg.TRAIN_EPOCHS = 1
"""
MA_NET = """\
import paddle


class IntVOS(paddle.nn.Layer):
    def __init__(self, cfg, feature_extracter):
        super().__init__('vos')
        self.feature_extracter = feature_extracter
        self.inter_seghead = paddle.nn.Layer('seghead')
"""
MA_TRAIN = """\
import paddle
from config import cfg
from networks.IntVOS import IntVOS


class Manager(object):
    def __init__(self, use_gpu=True, save_result_dir=cfg.ROOT_DIR):
        self.feature_extracter = paddle.nn.Layer('extracter')
        self.model = IntVOS(cfg, self.feature_extracter)
        self.use_gpu = use_gpu

    def train(self):
        loss = self.model(0, seq_names=['a'])
        loss.backward()


manager = Manager()

manager.train()
"""
MA = {
    "applications/Ma-Net/config.py": MA_CONFIG,
    "applications/Ma-Net/networks/IntVOS.py": MA_NET,
    "applications/Ma-Net/train_stage1.py": MA_TRAIN,
    "applications/Ma-Net/train_stage2.py": MA_TRAIN,
}


@pytest.fixture
def said(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., list[str]]:
    """What a run of the changed kit does to its models."""

    def run(files: dict[str, str], *arguments: str, config: str = YAML) -> list[str]:
        root = applied("PaddleVideo", files)
        (root / "c.yaml").write_text(config, encoding="utf-8")
        done = start(root, "main.py", "-c", "c.yaml", *arguments)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if "Training runs" not in line]

    return run


@pytest.mark.parametrize("way", [(), ("--train_dali",)])
@pytest.mark.parametrize("files", [FILES, OLD])
def test_the_override_is_read_as_python(
    said: Callable[..., list[str]], files: dict[str, str], way: tuple[str, ...]
) -> None:
    assert said(files, *way) == OFF
    assert said(files, *way, "-o", "to_static=True") == ON
    assert said(files, *way, "-o", "to_static=False") == OFF
    assert said(files, *way, "-o", "to_static=false") == OFF


def test_the_yaml_reaches_the_hook(said: Callable[..., list[str]]) -> None:
    assert said(FILES, "--train_dali", config=f"to_static: True\n{YAML}") == ON


def test_multigrid_hooks_each_model_that_it_builds(said: Callable[..., list[str]]) -> None:
    assert said(FILES, "--multigrid") == OFF * 2
    assert said(FILES, "--multigrid", "-o", "to_static=True") == ON * 2


def test_testing_is_not_hooked(said: Callable[..., list[str]]) -> None:
    assert said(FILES, "--test", "-o", "to_static=True") == OFF


def test_a_nested_switch_would_not_be_reachable(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    root = applied("PaddleVideo", FILES)
    (root / "c.yaml").write_text(YAML, encoding="utf-8")
    done = start(root, "main.py", "-c", "c.yaml", "-o", "TO_STATIC.enable=True")
    assert "Key TO_STATIC not exist" in done.stderr


def test_the_config_is_read_by_get_alone(plan: Callable[..., ChangeSet]) -> None:
    gates = {hook.gate for hook in plan("PaddleVideo", FILES).hooks}
    assert {str(gate).replace('"', "'") for gate in gates} == {
        "cfg.get('to_static', False)",
        "cfg.get('to_static', False) in (True, 'true')",
    }


def test_what_is_added_and_what_stands(plan: Callable[..., ChangeSet]) -> None:
    change = plan("PaddleVideo", FILES)
    assert {(hook.scope, hook.status) for hook in change.hooks} == {
        ("train_model", Status.PRESENT),
        ("train_dali", Status.INSERTED),
        ("build_trainer", Status.INSERTED),
        ("train_model_multigrid", Status.INSERTED),
    }
    assert [(edit.lines_added, edit.lines_removed) for edit in change.edits] == [
        (1, 1),
        (3, 0),
        (4, 0),
        (3, 0),
    ]


@pytest.mark.parametrize(
    ("stage", "part"), [("train_stage1", "extracter"), ("train_stage2", "seghead")]
)
def test_ma_net_hooks_the_part_that_computes(
    applied: Callable[..., Path],
    start: Callable[..., subprocess.CompletedProcess[str]],
    stage: str,
    part: str,
) -> None:
    root = applied("PaddleVideo", MA)
    script = f"applications/Ma-Net/{stage}.py"
    begin = f"import sys; sys.path.insert(0, {str(root / 'applications/Ma-Net')!r})\n"
    (root / script).write_text(begin + (root / script).read_text(encoding="utf-8"))
    assert start(root, script).stdout.splitlines() == ["forward vos"]
    run = start(root, script, "--to_static", "--TRAIN_LR", "0.2")
    assert run.stdout.splitlines()[0] == f"static {part}", run.stderr


def test_a_trainer_that_copies_its_model_later_is_left_alone(
    plan: Callable[..., ChangeSet],
) -> None:
    text = """\
import copy


class BaseTrainer:
    def __init__(self, model, config):
        self.config = config
        self.model = model

    def train(self):
        best = copy.deepcopy(self.model)
"""
    change = plan("PaddleVideo", {"applications/T2VLAD/base/base_trainer.py": text})
    assert not change.changes
    assert not change.hooks
    (skip,) = change.skipped
    assert "deep-copies the model" in str(skip.reason)


def test_static_graph_trainers_are_left_alone(plan: Callable[..., ChangeSet]) -> None:
    text = """\
import paddle

paddle.enable_static()


def train(args):
    train_model = models.get_model(args.model_name, train_config, mode='train')
    optimizer = train_model.optimizer()
    optimizer.minimize(train_model.loss())
    compiled = paddle.static.CompiledProgram(main).with_data_parallel()
"""
    change = plan("PaddleVideo", {"applications/VideoTag/train.py": text})
    assert not change.changes
    assert not change.hooks
