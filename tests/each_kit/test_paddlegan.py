"""PaddleGAN: one hook over the trainer's nets, reached by flag and YAML, never twice."""

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
from ppgan.engine.trainer import Trainer
from ppgan.utils.config import get_config
from ppgan.utils.options import parse_args
from ppgan.utils.setup import setup

if __name__ == '__main__':
    args = parse_args()
    cfg = get_config(args.config_file, args.opt)
    setup(args, cfg)
    Trainer(cfg).train()
"""
OPTIONS = """\
import argparse


def parse_args():
    parser = argparse.ArgumentParser(description='mini gan')
    parser.add_argument('-c', '--config-file', metavar='FILE')
    parser.add_argument('--evaluate-only', action='store_true', default=False)
    parser.add_argument('-o', '--opt', nargs='+')
    args = parser.parse_args()

    return args
"""
SETUP = """\
import time


def setup(args, cfg):
    cfg.is_train = not args.evaluate_only

    cfg.timestamp = time.strftime('-%Y', time.localtime())
    cfg.output_dir = 'out' + cfg.timestamp
"""
# As the kit does it: attributes are keys, `-o` refuses a key that is not there.
CONFIG = """\
import yaml


class AttrDict(dict):
    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError:
            raise AttributeError(key)

    def __setattr__(self, key, value):
        self[key] = value


def wrapped(values):
    return AttrDict({k: wrapped(v) if isinstance(v, dict) else v for k, v in values.items()})


def get_config(name, options):
    with open(name) as file:
        config = wrapped(yaml.safe_load(file))
    for option in options or []:
        path, value = option.split('=')
        *outer, last = path.split('.')
        node = config
        for key in outer:
            node = node[key]
        assert last in node, '{} is not exist'.format(last)
        node[last] = eval(value)
    return config
"""
TRAINER = """\
import logging

import paddle

from ..models.builder import build_model


class Trainer:
    def __init__(self, cfg):
        self.logger = logging.getLogger(__name__)
        self.cfg = cfg

        # build model
        self.model = build_model(cfg.model)

        self.optimizers = self.model.setup_optimizers()

        if cfg.get('cards', 1) > 1:
            self.distributed_data_parallel()

    def distributed_data_parallel(self):
        for name, net in self.model.nets.items():
            self.model.nets[name] = paddle.DataParallel(net)

    def train(self):
        for data in range(self.cfg.get('steps', 1)):
            self.model.setup_input(data)
            self.model.train_iter(self.optimizers)
"""
BASE = """\
from collections import OrderedDict


class BaseModel:
    def __init__(self):
        self.nets = OrderedDict()

    def set_requires_grad(self, net, flag):
        for parameter in net.parameters():
            parameter.trainable = flag

    def setup_optimizers(self):
        return [p for net in self.nets.values() for p in net.parameters()]

    def setup_input(self, data):
        pass

    def train_iter(self, optimizers):
        for net in self.nets.values():
            net(1)
"""
HELPER = """

def apply_to_static(support_to_static, image_shape, model):
    if support_to_static:
        specs = None
        model = to_static(model, input_spec=specs)
    return model
"""
SIMPLE = '''\
import paddle

from .base_model import BaseModel


class SimpleModel(BaseModel):
    def __init__(self):
        super().__init__()
        self.nets['generator'] = paddle.nn.Layer('first')


class RebuildingModel(SimpleModel):
    """Builds the net of its base class again, as ESRGAN and DRN do."""

    def __init__(self):
        super().__init__()
        self.nets['generator'] = paddle.nn.Layer('second')


class EDVRModel(SimpleModel):
    def __init__(self, tsa_iter):
        super().__init__()
        self.tsa_iter = tsa_iter
        self.current_iter = 1

    def train_iter(self, optimizers):
        if self.tsa_iter and self.current_iter == max(self.tsa_iter, 1) + 1:
            print('freed')
        super().train_iter(optimizers)
        self.current_iter += 1


class AveragedModel(BaseModel):
    def __init__(self):
        super().__init__()
        self.nets['gen'] = paddle.nn.Layer('gen')
        self.nets['gen_ema'] = paddle.nn.Layer('gen_ema')
        self.nets['gen_ema'].eval()
        self.nets['encoder'] = paddle.nn.Layer('encoder')
        self.set_requires_grad(self.nets['encoder'], False)
'''
ESRGAN = """\
import paddle

from .simple_model import SimpleModel


class ESRGAN(SimpleModel):
    def __init__(self):
        super(ESRGAN, self).__init__()
        self.nets['discriminator'] = paddle.nn.Layer('discriminator')
"""
REFUSED = """\
from .simple_model import SimpleModel


class {name}(SimpleModel):
    def __init__(self):
        super({name}, self).__init__()
"""
LOST = {
    "GPENModel": "gpen_model",
    "SinGANModel": "singan_model",
    "StarGANv2Model": "starganv2_model",
    "StyleGAN2Model": "styleganv2_model",
}
OLD_CYCLE = """\
import paddle

from .base_model import BaseModel


class CycleGANModel(BaseModel):
    def __init__(self):
        super(CycleGANModel, self).__init__()
        self.nets['netG'] = paddle.nn.Layer('netG')
        self.nets['netD_A'] = paddle.nn.Layer('netD_A')

    def forward(self):
        pass
"""
CYCLE = """\
import paddle

from .base_model import BaseModel, apply_to_static


class CycleGANModel(BaseModel):
    def __init__(self, to_static=False, image_shape=None):
        super(CycleGANModel, self).__init__()
        self.nets['netG'] = paddle.nn.Layer('netG')
        self.nets['netD_A'] = paddle.nn.Layer('netD_A')
        apply_to_static(to_static, image_shape, self.nets['netG'])

    def forward(self):
        self.real_A.stop_gradient = False
"""
# A model stands in the file that the kit has it in.
BUILD = """\
import importlib

FILES = {
    'SimpleModel': 'simple_model', 'RebuildingModel': 'simple_model',
    'AveragedModel': 'simple_model', 'ESRGAN': 'esrgan_model', 'EDVRModel': 'simple_model',
    'GPENModel': 'gpen_model', 'SinGANModel': 'singan_model',
    'StarGANv2Model': 'starganv2_model', 'StyleGAN2Model': 'styleganv2_model',
    'CycleGANModel': 'cycle_gan_model',
}


def build_model(cfg):
    cfg_ = dict(cfg)
    name = cfg_.pop('name', None)
    module = importlib.import_module('ppgan.models.' + FILES[name])
    return getattr(module, name)(**cfg_)
"""
OLD = {
    "tools/main.py": MAIN,
    "ppgan/__init__.py": "",
    "ppgan/utils/__init__.py": "",
    "ppgan/utils/options.py": OPTIONS,
    "ppgan/utils/setup.py": SETUP,
    "ppgan/utils/config.py": CONFIG,
    "ppgan/engine/__init__.py": "",
    "ppgan/engine/trainer.py": TRAINER,
    "ppgan/models/__init__.py": "from .builder import build_model\n",
    "ppgan/models/builder.py": BUILD,
    "ppgan/models/base_model.py": BASE,
    "ppgan/models/simple_model.py": SIMPLE,
    "ppgan/models/esrgan_model.py": ESRGAN,
    "ppgan/models/cycle_gan_model.py": OLD_CYCLE,
    **{f"ppgan/models/{file}.py": REFUSED.format(name=name) for name, file in LOST.items()},
}
NEW = OLD | {
    "ppgan/models/base_model.py": "from paddle.jit import to_static\n" + BASE + HELPER,
    "ppgan/models/cycle_gan_model.py": CYCLE,
}


@pytest.fixture
def said(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., list[str]]:
    """What a run of the changed kit does to which net."""

    def run(files: dict[str, str], config: str, *arguments: str) -> list[str]:
        root = applied("PaddleGAN", files)
        (root / "c.yaml").write_text(config, encoding="utf-8")
        done = start(root, "tools/main.py", "-c", "c.yaml", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_the_switch_is_off_by_default(said: Callable[..., list[str]]) -> None:
    assert said(NEW, "model: {name: SimpleModel}") == ["forward first"]


def test_the_flag_reaches_the_hook(said: Callable[..., list[str]]) -> None:
    lines = said(NEW, "model: {name: SimpleModel}", "--to_static")
    assert lines == ["static first", "forward first"]


def test_a_flag_that_is_not_given_leaves_the_yaml_its_say(said: Callable[..., list[str]]) -> None:
    lines = said(NEW, "model: {name: SimpleModel, to_static: True}")
    assert lines == ["static first", "forward first"]


def test_an_override_reaches_a_key_that_the_yaml_declares(said: Callable[..., list[str]]) -> None:
    config = "model: {name: SimpleModel, to_static: False}"
    assert said(NEW, config, "-o", "model.to_static=True") == ["static first", "forward first"]
    assert said(NEW, config, "-o", "model.to_static=False") == ["forward first"]


def test_an_override_of_a_missing_key_is_refused_so_there_must_be_a_flag(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    root = applied("PaddleGAN", NEW)
    (root / "c.yaml").write_text("model: {name: SimpleModel}", encoding="utf-8")
    done = start(root, "tools/main.py", "-c", "c.yaml", "-o", "model.to_static=True")
    assert done.returncode == 1
    assert "to_static is not exist" in done.stderr


def test_another_model_key_that_the_constructor_does_not_take_is_still_refused(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    root = applied("PaddleGAN", NEW)
    config = "model: {name: SimpleModel, to_static: True, other: 1}"
    (root / "c.yaml").write_text(config, encoding="utf-8")
    done = start(root, "tools/main.py", "-c", "c.yaml")
    assert "unexpected keyword argument 'other'" in done.stderr


def test_the_net_that_is_trained_is_hooked_not_one_that_was_built_over(
    said: Callable[..., list[str]],
) -> None:
    lines = said(NEW, "model: {name: RebuildingModel}", "--to_static")
    assert lines == ["static second", "forward second"]


def test_averaged_copies_and_frozen_nets_stay_dynamic(said: Callable[..., list[str]]) -> None:
    lines = said(NEW, "model: {name: AveragedModel}", "--to_static")
    assert [line for line in lines if line.startswith("static")] == ["static gen"]


def test_nets_are_hooked_before_they_are_wrapped(said: Callable[..., list[str]]) -> None:
    lines = said(NEW, "cards: 2\nmodel: {name: SimpleModel}", "--to_static")
    assert lines == ["static first", "wrap first", "forward first"]


@pytest.mark.parametrize("more", [(), ("--to_static",)])
def test_a_constructor_that_hooks_is_not_followed_by_a_second_hook(
    said: Callable[..., list[str]], more: tuple[str, ...]
) -> None:
    config = "model: {name: CycleGANModel, to_static: False}"
    lines = said(NEW, config, *more, "-o", "model.to_static=True")
    assert lines == ["static netG", "static netD_A", "forward netG", "forward netD_A"]


def test_the_flag_alone_reaches_models_that_hook_themselves_too(
    said: Callable[..., list[str]],
) -> None:
    lines = said(NEW, "model: {name: CycleGANModel}", "--to_static")
    assert lines == ["static netG", "static netD_A", "forward netG", "forward netD_A"]


@pytest.fixture
def refused(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., bool]:
    """Whether a run is refused because its nets would not train the same."""

    def run(files: dict[str, str], name: str, *arguments: str) -> bool:
        root = applied("PaddleGAN", files)
        (root / "c.yaml").write_text(f"model: {{name: {name}}}", encoding="utf-8")
        done = start(root, "tools/main.py", "-c", "c.yaml", *arguments)
        named = f"gradients that {name} needs." in done.stderr and "model.to_static" in done.stderr
        assert done.returncode == named, done.stderr
        return done.returncode != 0

    return run


@pytest.mark.parametrize("model", LOST)
def test_a_model_that_differentiates_gradients_is_refused(
    refused: Callable[..., bool], model: str
) -> None:
    assert refused(NEW, model, "--to_static")
    assert not refused(NEW, model)
    assert refused(OLD, model, "--to_static")


def test_a_discriminator_that_is_frozen_first_stays_dynamic(
    said: Callable[..., list[str]],
) -> None:
    lines = said(NEW, "model: {name: ESRGAN}", "--to_static")
    assert lines == ["static first", "forward first", "forward discriminator"]


@pytest.mark.parametrize(("tsa_iter", "dynamic"), [(2, 2), (1, 1), (-1, 1)])
@pytest.mark.parametrize("cards", [1, 2])
def test_a_generator_becomes_static_in_the_step_that_frees_it(
    said: Callable[..., list[str]], tsa_iter: int, dynamic: int, cards: int
) -> None:
    config = f"steps: 3\ncards: {cards}\nmodel: {{name: EDVRModel, tsa_iter: {tsa_iter}}}"
    lines = said(NEW, config, "--to_static")
    before = ["forward first"] * dynamic
    after = ["static first", "freed", *["forward first"] * (3 - dynamic)]
    assert [line for line in lines if not line.startswith("wrap")] == [*before, *after]


def test_a_generator_that_is_never_frozen_is_static_from_the_start(
    said: Callable[..., list[str]],
) -> None:
    lines = said(NEW, "model: {name: EDVRModel, tsa_iter: 0}", "--to_static")
    assert lines == ["static first", "forward first"]
    off = said(NEW, "steps: 3\nmodel: {name: EDVRModel, tsa_iter: 1}")
    assert off == ["forward first", "freed", "forward first", "forward first"]


def test_discriminators_of_cyclegan_stay_dynamic_while_it_froze_them_first(
    said: Callable[..., list[str]],
) -> None:
    lines = said(OLD, "model: {name: CycleGANModel}", "--to_static")
    assert lines == ["static netG", "forward netG", "forward netD_A"]


def test_one_switch_whether_constructors_hook_or_not(
    plan: Callable[..., ChangeSet], said: Callable[..., list[str]]
) -> None:
    for files in (OLD, NEW):
        new = [hook for hook in plan("PaddleGAN", files).hooks if hook.status is Status.INSERTED]
        assert [hook.gate for hook in new] == ["cfg.model.get('to_static', False)"]
        assert said(files, "model: {name: SimpleModel}", "--to_static")[0] == "static first"


def test_the_kits_own_hooks_are_named_and_left_alone(plan: Callable[..., ChangeSet]) -> None:
    change = plan("PaddleGAN", NEW)
    own = [hook for hook in change.hooks if hook.status is Status.PRESENT]
    assert [(h.file, h.target) for h in own] == [
        ("ppgan/models/cycle_gan_model.py", "self.nets['netG']")
    ]
    assert {edit.file for edit in change.edits} == {
        "ppgan/engine/trainer.py",
        "ppgan/models/builder.py",
        "ppgan/models/esrgan_model.py",
        *(f"ppgan/models/{file}.py" for file in LOST.values()),
        "ppgan/utils/options.py",
        "ppgan/utils/setup.py",
    }
    assert sum(edit.lines_added for edit in change.edits) == 30
    assert not any(edit.lines_removed for edit in change.edits)


def test_nets_that_are_attributes_are_left_alone_with_the_reason(
    plan: Callable[..., ChangeSet],
) -> None:
    text = TRAINER.replace("self.model.nets.items()", "list_nets(self.model)").replace(
        "self.model.nets[name] = paddle.DataParallel(net)",
        "setattr(self.model, 'net' + name, paddle.DataParallel(net))",
    )
    change = plan("PaddleGAN", OLD | {"ppgan/engine/trainer.py": text})
    assert not change.changes
    assert [
        str(s.reason) for s in change.skipped if "keeps its nets as attributes" in str(s.reason)
    ]
