"""A small kit in the manner of PaddleDetection and its fork, for the tests of both.

What matters is kept: one global config, base files, flags merged over the YAML, `-o` merged
after them and again after a slim config, and a trainer that wraps inside train().
"""

WORKSPACE = """\
import os

import yaml


class AttrDict(dict):
    def __getattr__(self, key):
        if key in self:
            return self[key]
        raise AttributeError(key)

    def __setattr__(self, key, value):
        self[key] = value


global_config = AttrDict()


def _with_bases(path):
    with open(path) as file:
        own = yaml.safe_load(file)
    merged = {}
    for base in own.pop('_BASE_', []):
        dict_merge(merged, _with_bases(os.path.join(os.path.dirname(path), base)))
    return dict_merge(merged, own)


def dict_merge(into, other):
    for key, value in other.items():
        both = isinstance(into.get(key), dict) and isinstance(value, dict)
        into[key] = dict_merge(into[key], value) if both else value
    return into


def load_config(path):
    cfg = _with_bases(path)
    cfg['filename'] = os.path.splitext(os.path.basename(path))[0]
    return merge_config(cfg)


def merge_config(config, another_cfg=None):
    return dict_merge(another_cfg or global_config, config)


def create(name):
    from paddle.nn import Layer
    return Layer(name)
"""
CLI = """\
from argparse import ArgumentParser

import yaml


class ArgsParser(ArgumentParser):
    def __init__(self):
        super().__init__()
        self.add_argument('-c', '--config')
        self.add_argument('-o', '--opt', nargs='*')

    def parse_args(self, argv=None):
        args = super().parse_args(argv)
        pairs = [text.split('=', 1) for text in args.opt or []]
        args.opt = {key: yaml.safe_load(value) for key, value in pairs}
        return args


def merge_args(config, args, exclude_args=('config', 'opt', 'slim_config')):
    for key, value in vars(args).items():
        if key not in exclude_args:
            config[key] = value
    return config
"""
SLIM = """\
from ppdet.core.workspace import create, load_config


def build_slim_model(cfg, slim_cfg):
    slim = load_config(slim_cfg)
    cfg['model'] = create('distilled ' + slim.slim)
    return cfg
"""
TRAINER = """\
import paddle
from ppdet.core.workspace import create
from ppdet.utils.logger import setup_logger

logger = setup_logger('ppdet.engine')


class Trainer(object):
    def __init__(self, cfg, mode='train'):
        self.cfg = cfg
        self.mode = mode
        self._nranks = cfg.get('ranks', 1)
        if 'model' not in self.cfg:
            self.model = create(cfg.architecture)
        else:
            self.model = self.cfg.model

    def train(self, validate=False):
        assert self.mode == 'train'
        model = self.model
        if self._nranks > 1:
            model = paddle.DataParallel(
                model, find_unused_parameters=False)
        for epoch_id in range(self.cfg.epoch):
            data = {'image': 0, 'epoch_id': epoch_id}
            loss = model(data)
            loss.backward()

    def evaluate(self):
        if self._nranks > 1:
            self.model = paddle.DataParallel(self.model)
        self.model(None)
"""
MAIN = """\
from ppdet.core.workspace import load_config, merge_config
from ppdet.engine import Trainer
from ppdet.slim import build_slim_model
from ppdet.utils.cli import ArgsParser, merge_args


def parse_args():
    parser = ArgsParser()
    parser.add_argument('--eval', action='store_true', default=False)
    parser.add_argument('--slim_config', default=None, type=str)
    args = parser.parse_args()
    return args


def run(FLAGS, cfg):
    trainer = Trainer(cfg, mode='train')
    trainer.train(FLAGS.eval)


def main():
    FLAGS = parse_args()
    cfg = load_config(FLAGS.config)
    merge_args(cfg, FLAGS)
    merge_config(FLAGS.opt)
    if FLAGS.slim_config:
        cfg = build_slim_model(cfg, FLAGS.slim_config)
    merge_config(FLAGS.opt)
    run(FLAGS, cfg)


if __name__ == '__main__':
    main()
"""
LOGGER = """\
import logging


def setup_logger(name):
    return logging.getLogger(name)
"""
FLAG = """\
    parser.add_argument(
        "--to_static",
        action='store_true',
        default=False,
        help="Enable dy2st to train.")
"""
KIT = {
    "ppdet/core/workspace.py": WORKSPACE,
    "ppdet/utils/cli.py": CLI,
    "ppdet/utils/logger.py": LOGGER,
    "ppdet/slim/__init__.py": SLIM,
    "ppdet/engine/__init__.py": "from .trainer import *\n",
    "ppdet/engine/trainer.py": TRAINER,
    "tools/train.py": MAIN,
    "configs/runtime.yml": "epoch: 1\nto_static: false\n",
    "configs/net.yml": "_BASE_: [runtime.yml]\narchitecture: YOLOv3\n",
    "configs/static.yml": "_BASE_: [net.yml]\nto_static: true\n",
    "configs/slim.yml": "slim: FGD\nepoch: 1\n",
}
