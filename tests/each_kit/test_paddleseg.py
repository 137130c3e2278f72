"""PaddleSeg: the switch goes from --opts or the YAML through each entry script into train()."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

# As the kit does it: base files, `_inherited_`, literals in --opts, a new top-level key taken.
CONFIG = """\
import os
from ast import literal_eval

import yaml


class Config(object):
    def __init__(self, path, iters=None, opts=None):
        self.dic = self._parse_from_yaml(path)
        self.update(iters=iters, opts=opts)

    def _parse_from_yaml(self, path):
        with open(path) as file:
            dic = yaml.safe_load(file)
        if '_base_' in dic:
            base = os.path.join(os.path.dirname(path), dic.pop('_base_'))
            dic = {**self._parse_from_yaml(base), **dic}
        return dic

    def update(self, iters=None, opts=None):
        if iters:
            self.dic['iters'] = iters
        for item in opts or []:
            assert '=' in item
            key, value = item.split('=')
            try:
                value = literal_eval(value)
            except (ValueError, SyntaxError):
                pass
            node = self.dic
            *outer, last = key.split('.')
            for name in outer:
                assert name in node, 'Can not update {}'.format(key)
                node = node[name]
            node[last] = value

    @property
    def iters(self):
        return self.dic.get('iters')

    @property
    def model(self):
        from paddle.nn import Layer
        return Layer(self.dic['model']['type'])
"""
TRAIN = """\
import paddle
from paddleseg.utils import logger


def train(model,
          iters=1,
          ranks=1,
          use_vdl=False):
    \"\"\"
    Launch training.

    Args:
        model (nn.Layer): A semantic segmentation model.
    \"\"\"
    model.train()
    if ranks > 1:
        ddp_model = paddle.DataParallel(model)
    for data in range(iters):
        logits_list = ddp_model(data) if ranks > 1 else model(data)
        loss = logits_list
        loss.backward()
"""
ENTRY = """\
import argparse

from paddleseg.cvlibs import Config
from paddleseg.core import train


def parse_args():
    parser = argparse.ArgumentParser(description='Model training')
    parser.add_argument('--config', dest='cfg', type=str)
    parser.add_argument('--iters', type=int, default=None)
    parser.add_argument('--ranks', type=int, default=1)
    parser.add_argument('--opts', nargs='+')
    return parser.parse_args()


def main(args):
    cfg = Config(
        args.cfg,
        iters=args.iters,
        opts=args.opts)
    train(
        cfg.model,
        iters=cfg.iters,
        ranks=args.ranks)


if __name__ == '__main__':
    args = parse_args()
    main(args)
"""
NO_OPTS = ENTRY.replace("    parser.add_argument('--opts', nargs='+')\n", "").replace(
    "        iters=args.iters,\n        opts=args.opts)", "        iters=args.iters)"
)
KIT = {
    "paddleseg/__init__.py": "",
    "paddleseg/cvlibs/__init__.py": "from .config import Config\n",
    "paddleseg/cvlibs/config.py": CONFIG,
    "paddleseg/core/__init__.py": "from .train import train\n",
    "paddleseg/core/train.py": TRAIN,
    "paddleseg/utils/__init__.py": "import logging\n\nlogger = logging.getLogger('seg')\n",
    "train.py": ENTRY,
    "configs/_base_.yml": "iters: 1\nmodel: {type: FCN}\n",
    "configs/fcn.yml": "_base_: _base_.yml\n",
    "configs/static.yml": "_base_: fcn.yml\nto_static_training: true\n",
}
ON = ["static FCN", "forward FCN"]
OFF = ["forward FCN"]


@pytest.fixture
def trained(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., list[str]]:
    """Apply to a small kit, train as a user does; returns the lines that Paddle wrote."""

    def run(files: dict[str, str], script: str, *arguments: str) -> list[str]:
        root = applied("PaddleSeg", files)
        result = start(root, script, *arguments)
        assert result.returncode == 0, result.stderr
        return [s for s in result.stdout.splitlines() if not s.startswith("Training runs")]

    return run


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["configs/fcn.yml"], OFF),
        (["configs/static.yml"], ON),
        (["configs/fcn.yml", "--opts", "to_static_training=True"], ON),
        (["configs/static.yml", "--opts", "to_static_training=False"], OFF),
        (["configs/fcn.yml", "--opts", "iters=1", "to_static_training=1"], ON),
        (
            ["configs/fcn.yml", "--ranks", "2", "--opts", "to_static_training=True"],
            ["static FCN", "wrap FCN", "forward FCN"],
        ),
    ],
)
def test_one_command_reaches_the_hook(
    trained: Callable[..., list[str]], words: list[str], lines: list[str]
) -> None:
    assert trained(KIT, "train.py", "--config", *words) == lines


def test_without_opts_a_flag_does(trained: Callable[..., list[str]]) -> None:
    files = {**KIT, "train.py": NO_OPTS}
    flag = "--to_static_training"
    assert trained(files, "train.py", "--config", "configs/fcn.yml") == OFF
    assert trained(files, "train.py", "--config", "configs/fcn.yml", flag) == ON


def test_what_is_added_and_how_it_is_switched(plan: Callable[..., ChangeSet]) -> None:
    change_set = plan("PaddleSeg", KIT)
    added = {(e.file, e.kind.value): (e.lines_added, e.lines_removed) for e in change_set.edits}
    assert added == {
        ("paddleseg/core/train.py", "hook"): (3, 0),
        ("paddleseg/core/train.py", "plumbing"): (2, 1),
        ("train.py", "plumbing"): (1, 0),
    }
    assert [h.switch for h in change_set.hooks] == ["--opts to_static_training=True"]
    assert all(edit.reason for edit in change_set.edits if edit.lines_removed)


def test_the_switch_named_is_the_one_that_the_script_takes(
    plan: Callable[..., ChangeSet],
) -> None:
    (hook,) = plan("PaddleSeg", {**KIT, "train.py": NO_OPTS}).hooks
    assert hook.switch == "--to_static_training"


def test_a_positional_call_keeps_its_meaning(trained: Callable[..., list[str]]) -> None:
    entry = ENTRY.replace(
        "iters=cfg.iters,\n        ranks=args.ranks)", "cfg.iters,\n        args.ranks)"
    )
    files = {**KIT, "train.py": entry}
    words = ("--config", "configs/static.yml", "--ranks", "2")
    assert trained(files, "train.py", *words) == ["static FCN", "wrap FCN", "forward FCN"]


def test_a_config_class_of_its_own_needs_no_property(trained: Callable[..., list[str]]) -> None:
    """Copies in contrib/ have no `to_static_training`, but all keep the dictionary."""
    lane = "contrib/Lane"
    files = {
        **KIT,
        f"{lane}/core/__init__.py": "from .train import train\n",
        f"{lane}/core/train.py": TRAIN,
        f"{lane}/cvlibs/__init__.py": "from .config import Config\n",
        f"{lane}/cvlibs/config.py": CONFIG,
        f"{lane}/train.py": "import os, sys\n"
        "sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\n"
        + ENTRY.replace("paddleseg.cvlibs", "cvlibs").replace("paddleseg.core", "core"),
    }
    words = ("--config", "configs/fcn.yml", "--opts", "to_static_training=True")
    assert trained(files, f"{lane}/train.py", *words) == ON
    assert trained(files, f"{lane}/train.py", "--config", "configs/fcn.yml") == OFF


PRESENT = TRAIN.replace(
    "use_vdl=False)", "use_vdl=False,\n          to_static_training=False)"
).replace(
    "    for data",
    "    if to_static_training:\n        model = paddle.jit.to_static(model)\n    for data",
)
PRUNE = ENTRY.replace("from paddleseg.core import train", "from paddleseg.core.train import train")


def test_a_standing_hook_is_handed_the_switch_by_every_script(
    trained: Callable[..., list[str]], plan: Callable[..., ChangeSet]
) -> None:
    """Upstream's retraining after pruning calls train() and leaves the parameter out."""
    passing = ENTRY.replace(
        "        ranks=args.ranks)",
        "        ranks=args.ranks,\n        to_static_training=cfg.dic.get('to_static_training'))",
    )
    files = {
        **KIT,
        "paddleseg/core/train.py": PRESENT,
        "train.py": passing,
        "deploy/slim/prune/prune.py": PRUNE,
    }
    change_set = plan("PaddleSeg", files)
    assert [h.status for h in change_set.hooks] == [Status.PRESENT]
    assert [(e.file, e.lines_added, e.lines_removed) for e in change_set.edits] == [
        ("deploy/slim/prune/prune.py", 1, 0)
    ]
    words = ("--config", "configs/fcn.yml", "--opts", "to_static_training=True")
    assert trained(files, "deploy/slim/prune/prune.py", *words) == ON


def test_quantization_is_reported_and_not_handed_the_switch(
    plan: Callable[..., ChangeSet],
) -> None:
    entry = ENTRY.replace(
        "    train(\n",
        "    quantizer = QAT(config={})\n    quantizer.quantize(cfg.model)\n    train(\n",
    )
    change_set = plan("PaddleSeg", {**KIT, "deploy/slim/quant/qat_train.py": entry})
    assert {edit.file for edit in change_set.edits} == {"paddleseg/core/train.py", "train.py"}
    (skip,) = change_set.skipped
    assert skip.file == "deploy/slim/quant/qat_train.py"
    assert "takes *input" in str(skip.reason)


STFPM = """\
import argparse
from collections import namedtuple

import paddle
import paddle.optimizer as optim
import yaml
from paddle.nn import Layer


class ConfigParser(object):
    def __init__(self, args):
        with open(args.config) as file:
            self.cfg = yaml.safe_load(file)
        self.cfg.update({k: v for k, v in vars(args).items() if v is not None})

    def parser(self):
        return namedtuple('Obj', self.cfg.keys())(*self.cfg.values())


def argsparser():
    parser = argparse.ArgumentParser('STFPM')
    parser.add_argument('--config', type=str, required=True)
    parser.add_argument('--epochs', type=int, default=None)
    return parser.parse_args()


def main():
    args = argsparser()
    config_parser = ConfigParser(args)
    args = config_parser.parser()
    train(Layer('teacher'), Layer('student'), args)


def train(teacher, student, args):
    teacher.eval()
    student.train()
    optimizer = optim.Momentum(parameters=student.parameters())
    for epoch in range(args.epochs):
        t_feat = teacher(epoch)
        s_feat = student(epoch)
        loss = s_feat
        loss.backward()
        optimizer.step()


if __name__ == '__main__':
    main()
"""


def test_a_config_that_becomes_a_named_tuple(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    script = "contrib/QualityInspector/tools/uad/stfpm/train.py"
    optimizer = (
        "import types, sys\nm = types.ModuleType('paddle.optimizer')\n"
        "m.Momentum = lambda **k: types.SimpleNamespace(step=lambda: None)\n"
        "sys.modules['paddle.optimizer'] = m\n"
        "import paddle\npaddle.optimizer = m\n"
    )
    files = {
        script: STFPM,
        "off.yml": "epochs: 1\n",
        "on.yml": "epochs: 1\nto_static_training: true\n",
        "start.py": optimizer + f"import runpy\nrunpy.run_path('{script}', run_name='__main__')\n",
    }
    root = applied("PaddleSeg", files)
    off = start(root, "start.py", "--config", "off.yml")
    assert off.stdout.splitlines() == ["forward teacher", "forward student"], off.stderr
    on = start(root, "start.py", "--config", "on.yml", "--epochs", "1")
    lines = [s for s in on.stdout.splitlines() if "Training" not in s]
    assert lines == ["static student", "forward teacher", "forward student"], on.stderr


BARE = """\
import argparse
import os
import sys
import types

import paddle

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scripts.train import train


def parse_args():
    parser = argparse.ArgumentParser(description='Model training')
    parser.add_argument('--iters', type=int, default=1)
    return parser.parse_args()


def main(args):
    model = paddle.nn.Layer('ShuffleNet')
    optimizer = Momentum(parameters=model.parameters())
    train(
        model,
        iters=args.iters,
        ranks=2)


def Momentum(parameters):
    return None


if __name__ == '__main__':
    args = parse_args()
    main(args)
"""


def test_a_script_without_a_config_gets_a_flag_and_one_hook(
    trained: Callable[..., list[str]],
) -> None:
    """The script optimizes the model that train() wraps: both are found, one is hooked."""
    human = "contrib/HumanSeg"
    files = {
        "paddleseg/__init__.py": "",
        "paddleseg/utils/__init__.py": KIT["paddleseg/utils/__init__.py"],
        f"{human}/scripts/train.py": TRAIN,
        f"{human}/train.py": BARE,
    }
    wrapped = ["wrap ShuffleNet", "forward ShuffleNet"]
    assert trained(files, f"{human}/train.py") == wrapped
    assert trained(files, f"{human}/train.py", "--to_static_training") == [
        "static ShuffleNet",
        *wrapped,
    ]
