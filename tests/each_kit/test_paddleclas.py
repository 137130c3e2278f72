"""PaddleClas: the hook between the average's copy and the wrap, reached by `-o` and YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

TRAIN = """\
from ppcls.engine.engine import Engine
from ppcls.utils import config

if __name__ == "__main__":
    args = config.parse_args()
    config = config.get_config(args.config, overrides=args.override)
    engine = Engine(config, mode="train")
    engine.train()
"""
# As the kit does it: attributes are keys (a missing one is a KeyError), `-o` may be given many
# times, its value is evaluated where that can be done and stays text where it cannot.
CONFIG = """\
import argparse

import yaml


class AttrDict(dict):
    def __getattr__(self, key):
        return self[key]


def wrapped(value):
    if isinstance(value, dict):
        return AttrDict({k: wrapped(v) for k, v in value.items()})
    return value


def override(node, keys, value):
    if len(keys) > 1:
        node.setdefault(keys[0], AttrDict())
        return override(node[keys[0]], keys[1:], value)
    try:
        node[keys[0]] = eval(value)
    except Exception:
        node[keys[0]] = value


def get_config(name, overrides=None):
    with open(name) as file:
        config = wrapped(yaml.safe_load(file))
    for option in overrides:
        key, value = option.split('=')
        override(config, key.split('.'), value)
    return config


def parse_args():
    parser = argparse.ArgumentParser("mini clas")
    parser.add_argument('-c', '--config', type=str)
    parser.add_argument('-o', '--override', action='append', default=[])
    return parser.parse_args()
"""
ARCH = """\
import paddle


class Net(paddle.nn.Layer):
    def __deepcopy__(self, memo):
        print("copy", self.name)
        return Net(self.name)


def build_model(config, mode="train"):
    return Net(config["Arch"]["name"])
"""
HELPER = """\
import paddle
from paddle.jit import to_static


class Net(paddle.nn.Layer):
    def __deepcopy__(self, memo):
        print("copy", self.name)
        return Net(self.name)


def build_model(config, mode="train"):
    return Net(config["Arch"]["name"])


def apply_to_static(config, model, is_rec):
    support_to_static = config['Global'].get('to_static', False)

    if support_to_static:
        model = to_static(model, input_spec=None)
    return model
"""
EMA = """\
from copy import deepcopy


class ExponentialMovingAverage():
    def __init__(self, model, decay=0.9999):
        self.module = deepcopy(model)
"""
LOGGER = """\
def info(text):
    print(text)
"""
ENGINE = """\
import paddle
from ppcls.arch import build_model
from ppcls.utils import logger
from ppcls.utils.ema import ExponentialMovingAverage


class Engine(object):
    def __init__(self, config, mode="train"):
        self.mode = mode
        self.config = config

        # build model
        self.model = build_model(self.config, self.mode)
        self.optimizer = build_optimizer(self.config, [self.model])

        # build EMA model
        self.ema = "EMA" in self.config and self.mode == "train"
        if self.ema:
            self.model_ema = ExponentialMovingAverage(
                self.model, self.config['EMA'].get("decay", 0.9999))

        # for distributed
        if self.config["Global"]["distributed"]:
            self.model = paddle.DataParallel(self.model)

    def train(self):
        loss = self.model(1)
        loss.backward()
        self.optimizer()


def build_optimizer(config, models):
    return lambda: print("step")
"""
HOOKED = ENGINE.replace("import build_model\n", "import apply_to_static, build_model\n").replace(
    "        self.optimizer =",
    "        self.is_rec = False\n"
    "        # set @to_static for benchmark, skip this by default.\n"
    "        apply_to_static(self.config, self.model, is_rec=self.is_rec)\n"
    "        self.optimizer =",
)
AVERAGED = "Arch: {name: net}\nGlobal: {distributed: True}\nEMA: {decay: 0.9}\n"
PLAIN = "Arch: {name: net}\nGlobal: {distributed: False}\n"
ON = "Training runs under paddle.jit.to_static."


def kit(engine: str, arch: str) -> dict[str, str]:
    """A kit of one trainer, with the config the tests start from."""
    return {
        "tools/train.py": TRAIN,
        "ppcls/__init__.py": "",
        "ppcls/utils/__init__.py": "",
        "ppcls/utils/logger.py": LOGGER,
        "ppcls/utils/config.py": CONFIG,
        "ppcls/utils/ema.py": EMA,
        "ppcls/arch/__init__.py": arch,
        "ppcls/engine/__init__.py": "",
        "ppcls/engine/engine.py": engine,
        "averaged.yaml": AVERAGED,
        "plain.yaml": PLAIN,
        "on.yaml": AVERAGED.replace("True}", "True, to_static: True}"),
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "averaged.yaml", "-o", "Global.to_static=True"),
        ("-c", "averaged.yaml", "-o", "Global.epochs=1", "-o", "Global.to_static=True"),
        ("-c", "on.yaml"),
    ],
)
def test_on_the_net_is_hooked_after_the_copy_and_before_the_wrap(
    applied: Callable[..., Path],
    start: Callable[..., subprocess.CompletedProcess[str]],
    arguments: tuple[str, ...],
) -> None:
    done = start(applied("PaddleClas", kit(ENGINE, ARCH)), "tools/train.py", *arguments)
    assert done.returncode == 0, done.stderr
    expected = ["copy net", "static net", ON, "wrap net", "forward net", "step"]
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "averaged.yaml"),
        ("-c", "averaged.yaml", "-o", "Global.to_static=False"),
        ("-c", "on.yaml", "-o", "Global.to_static=False"),
        ("-c", "plain.yaml", "-o", "Global.to_static=0"),
    ],
)
def test_off_the_kit_does_what_it_did(
    plan: Callable[..., object],
    applied: Callable[..., Path],
    start: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
    arguments: tuple[str, ...],
) -> None:
    plan("PaddleClas", kit(ENGINE, ARCH))
    before = start(tmp_path / "kit", "tools/train.py", *arguments)
    after = start(applied("PaddleClas", kit(ENGINE, ARCH)), "tools/train.py", *arguments)
    assert (before.returncode, before.stdout) == (after.returncode, after.stdout)
    assert before.returncode == 0
    assert "static" not in after.stdout


def test_the_kits_hook_moves_behind_the_copy_of_the_average(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    root = applied("PaddleClas", kit(HOOKED, HELPER))
    on = ("-o", "Global.to_static=True")
    averaged = start(root, "tools/train.py", "-c", "averaged.yaml", *on)
    assert averaged.stdout.splitlines() == [
        "copy net",
        "static net",
        "wrap net",
        "forward net",
        "step",
    ]
    plain = start(root, "tools/train.py", "-c", "plain.yaml", *on)
    assert plain.stdout.splitlines() == ["static net", "forward net", "step"]
    for word in ((), ("false",), ("False",), ("0",)):
        options = [f"Global.to_static={one}" for one in word]
        given = ("-o", *options) if options else ()
        off = start(root, "tools/train.py", "-c", "averaged.yaml", *given)
        assert off.stdout.splitlines() == ["copy net", "wrap net", "forward net", "step"]


FLAT = """\
import paddle
from ppcls.arch import build_model
from ppcls.utils import config as configs


def main(args):
    config = configs.get_config(args.config, overrides=args.override)
    net = build_model(config)
    optimizer = create_optimizer(config, parameter_list=net.parameters())
    if config["use_data_parallel"]:
        net = paddle.DataParallel(net)
    net(1).backward()
    optimizer()


def create_optimizer(config, parameter_list):
    return lambda: print("step")


if __name__ == '__main__':
    main(configs.parse_args())
"""


def test_the_flat_config_of_the_first_dynamic_trainer(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    files = kit(ENGINE, ARCH) | {
        "tools/train.py": FLAT,
        "ppcls/engine/engine.py": "",
        "flat.yaml": "Arch: {name: net}\nuse_data_parallel: True\n",
    }
    root = applied("PaddleClas", files)
    on = start(root, "tools/train.py", "-c", "flat.yaml", "-o", "to_static=True")
    expected = ["static net", ON, "wrap net", "forward net", "step"]
    assert on.stdout.splitlines() == expected, on.stderr
    off = start(root, "tools/train.py", "-c", "flat.yaml")
    assert off.stdout.splitlines() == ["wrap net", "forward net", "step"]


# A deepcopy of Paddle 2.6 takes the static forward from the net that is copied.
ROLLED_BACK = HELPER.replace(
    '        print("copy", self.name)\n',
    '        print("copy", self.name)\n        vars(self).pop("forward", None)\n',
)
EXPORTING = (
    HOOKED.replace("import paddle\n", "import copy\n\nimport paddle\n", 1).replace(
        "        loss = self.model(1)\n        loss.backward()\n        self.optimizer()\n",
        """\
        for epoch in range(2):
            net = getattr(self.model, '_layers', self.model)
            print("epoch", epoch, "static" if "forward" in vars(net) else "dynamic")
            self.model(1).backward()
            self.optimizer()
            self.export("inference")

    def export(self, path):
        model = self.model_ema.module if self.ema else self.model
        if hasattr(model, '_layers'):
            model = copy.deepcopy(model._layers)
        else:
            model = copy.deepcopy(model)
        model = ExportModel(self.config["Arch"], model)
        paddle.jit.save(model.net.name, path)
""",
    )
    + """

class ExportModel:
    def __init__(self, config, net):
        self.net = net
"""
)


@pytest.mark.parametrize("config", ["plain.yaml", "distributed.yaml", "averaged.yaml"])
def test_an_export_between_epochs_leaves_the_net_static(
    applied: Callable[..., Path],
    start: Callable[..., subprocess.CompletedProcess[str]],
    config: str,
) -> None:
    files = kit(EXPORTING, ROLLED_BACK)
    files["distributed.yaml"] = PLAIN.replace("False", "True")
    root = applied("PaddleClas", files)
    for value, how in (("True", "static"), ("False", "dynamic")):
        switch = ("-o", f"Global.to_static={value}")
        done = start(root, "tools/train.py", "-c", config, *switch)
        assert done.returncode == 0, done.stderr
        epochs = [line for line in done.stdout.splitlines() if line.startswith("epoch")]
        assert epochs == [f"epoch 0 {how}", f"epoch 1 {how}"]
        assert done.stdout.count("copy net") == 2 + (config == "averaged.yaml")
        assert done.stdout.count("net inference") == 2


def test_without_the_rule_the_export_makes_the_net_dynamic(
    plan: Callable[..., ChangeSet],
    start: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    plan("PaddleClas", kit(EXPORTING, ROLLED_BACK))
    switch = ("-o", "Global.to_static=True")
    done = start(tmp_path / "kit", "tools/train.py", "-c", "plain.yaml", *switch)
    assert "epoch 0 static" in done.stdout
    assert "epoch 1 dynamic" in done.stdout
