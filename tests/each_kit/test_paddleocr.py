"""PaddleOCR: every algorithm and config reaches a hook, whatever the kit's helper knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Applied = Callable[..., Path]
    Start = Callable[..., subprocess.CompletedProcess[str]]

# As the kit does it: one `-o` with many keys, values read as YAML; only the first part of a
# dotted key must exist.
PROGRAM = """\
import logging
import sys
from argparse import ArgumentParser

import yaml


class ArgsParser(ArgumentParser):
    def __init__(self):
        super().__init__()
        self.add_argument("-c", "--config", help="configuration file to use")
        self.add_argument("-o", "--opt", nargs="+", help="set configuration options")

    def parse_args(self, argv=None):
        args = super().parse_args(argv)
        args.opt = self._parse_opt(args.opt)
        return args

    def _parse_opt(self, opts):
        config = {}
        for s in opts or []:
            k, v = s.strip().split("=")
            config[k] = yaml.load(v, Loader=yaml.SafeLoader)
        return config


def merge_config(config, opts):
    for key, value in opts.items():
        sub_keys = key.split(".")
        assert sub_keys[0] in config, "the sub_keys can only be one of global_config"
        cur = config
        for sub_key in sub_keys[:-1]:
            cur = cur[sub_key]
        cur[sub_keys[-1]] = value
    return config


def preprocess():
    flags = ArgsParser().parse_args()
    with open(flags.config, "rb") as file:
        config = merge_config(yaml.load(file, Loader=yaml.SafeLoader), flags.opt)
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    return config, logging.getLogger()


def train(config, model, logger):
    model(1).backward()
"""
TRAIN = """\
import paddle
import tools.program as program
from ppocr.modeling.architectures import build_model


def main(config, logger):
    model = build_model(config["Architecture"])
    if config["Global"]["distributed"]:
        model = paddle.DataParallel(model)

    optimizer = build_optimizer(config["Optimizer"], parameters=model.parameters())
    program.train(config, model, logger)


def build_optimizer(config, parameters):
    return None


if __name__ == "__main__":
    config, logger = program.preprocess()
    main(config, logger)
"""
HOOKED = TRAIN.replace("import build_model", "import apply_to_static, build_model").replace(
    '    if config["Global"]["dist',
    '    model = apply_to_static(model, config, logger)\n    if config["Global"]["dist',
)
BUILD = """\
import paddle


def build_model(config):
    return paddle.nn.Layer(config["algorithm"])
"""
HELPER = """\
import paddle
from paddle.jit import to_static
from paddle.static import InputSpec


def build_model(config):
    return paddle.nn.Layer(config["algorithm"])


def apply_to_static(model, config, logger):
    if config["Global"].get("to_static", False) is not True:
        return model
    assert (
        "d2s_train_image_shape" in config["Global"]
    ), "d2s_train_image_shape must be assigned for static training mode..."
    supported_list = [
        "DB",
        "SVTR_LCNet",
        "SVTR_HGNet",
    ]
    if config["Architecture"]["algorithm"] in ["Distillation"]:
        algo = list(config["Architecture"]["Models"].values())[0]["algorithm"]
    else:
        algo = config["Architecture"]["algorithm"]
    assert algo in supported_list, f"must be in {supported_list} but got {algo}"

    specs = [InputSpec([None] + config["Global"]["d2s_train_image_shape"])]
    if algo == "SVTR_LCNet":
        length = InputSpec([None, config["Global"]["max_text_length"]], dtype="int64")
        specs.append([length, length])
    model = to_static(model, input_spec=specs)
    logger.info("Successfully to apply @to_static with specs: {}".format(specs))
    return model
"""
ON = "Training runs under paddle.jit.to_static."
BARE = "Training runs under paddle.jit.to_static, without a spec."
DOUBT = "Not verified for to_static: ABC."
IMAGE = "((None, 3, 48, 320), 'float32')"
APPLIED = "Successfully to apply @to_static with specs: "
SWITCH = "Global.to_static=true"
SHAPE = "Global.d2s_train_image_shape=[3,48,320]"


def kit(train: str, architectures: str) -> dict[str, str]:
    """A kit of one trainer; `ocr.yml` is a config of an algorithm without extra keys."""
    return {
        "tools/__init__.py": "",
        "tools/train.py": train,
        "tools/program.py": PROGRAM,
        "ppocr/__init__.py": "",
        "ppocr/modeling/__init__.py": "",
        "ppocr/modeling/architectures/__init__.py": architectures,
        "ocr.yml": "Global: {distributed: True}\nArchitecture: {algorithm: DB}\nOptimizer: {}\n",
    }


def lines(text: int | str) -> str:
    """The text of a spec whose length is `text`."""
    return f"[((None, {text}), 'int64'), ((None, {text}), 'int64')]"


CASES = {
    "listed, with a shape": (("DB", SHAPE), [APPLIED + f"[{IMAGE}]"]),
    "listed, without a shape": (("DB",), [BARE]),
    "not listed": (("ABC",), [DOUBT, BARE]),
    "not listed, with a shape": (("ABC", SHAPE), [DOUBT, BARE]),
    "with a text length": (
        ("SVTR_LCNet", SHAPE, "Global.max_text_length=25"),
        [APPLIED + f"[{IMAGE}, {lines(25)}]"],
    ),
    "fed a list for which the helper has no branch": (
        ("SVTR_HGNet", SHAPE, "Global.max_text_length=25"),
        [APPLIED + f"[{IMAGE}, {lines(25)}]"],
    ),
    "distillation of a listed one": (
        ("Distillation", "Architecture.Models={Student: {algorithm: DB}}"),
        [BARE],
    ),
}


@pytest.mark.parametrize("case", list(CASES))
def test_every_algorithm_and_config_reaches_the_hook(
    applied: Applied, start: Start, case: str
) -> None:
    (algorithm, *options), said = CASES[case]
    root = applied("PaddleOCR", kit(HOOKED, HELPER))
    keys = (f"Architecture.algorithm={algorithm}", *options)
    on = start(root, "tools/train.py", "-c", "ocr.yml", "-o", *keys, SWITCH)
    assert on.returncode == 0, on.stderr
    names = [f"static {algorithm}", f"wrap {algorithm}", f"forward {algorithm}"]
    assert [line for line in on.stdout.splitlines() if line not in said] == names
    assert [line for line in on.stdout.splitlines() if line in said] == said
    off = start(root, "tools/train.py", "-c", "ocr.yml", "-o", *keys)
    assert off.stdout.splitlines() == names[1:], off.stderr


def test_the_helper_alone_refuses_them(
    plan: Callable[..., object], start: Start, tmp_path: Path
) -> None:
    plan("PaddleOCR", kit(HOOKED, HELPER))
    reached = {
        case: start(
            tmp_path / "kit",
            "tools/train.py",
            *("-c", "ocr.yml", "-o", f"Architecture.algorithm={algorithm}"),
            *options,
            SWITCH,
        ).returncode
        == 0
        for case, ((algorithm, *options), _) in CASES.items()
    }
    assert {case for case, done in reached.items() if done} == {
        "listed, with a shape",
        "with a text length",
        "fed a list for which the helper has no branch",
    }


@pytest.mark.parametrize("value", ["true", "True", "on", "yes"])
def test_a_hook_of_ours_stands_before_the_wrap(applied: Applied, start: Start, value: str) -> None:
    root = applied("PaddleOCR", kit(TRAIN, BUILD))
    options = ("-o", "Global.distributed=True", f"Global.to_static={value}")
    on = start(root, "tools/train.py", "-c", "ocr.yml", *options)
    assert on.stdout.splitlines() == ["static DB", ON, "wrap DB", "forward DB"], on.stderr


@pytest.mark.parametrize("options", [(), ("-o", "Global.to_static=false"), ("-o", "Global.x=1")])
def test_off_the_kit_does_what_it_did(
    plan: Callable[..., object],
    applied: Applied,
    start: Start,
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    plan("PaddleOCR", kit(TRAIN, BUILD))
    before = start(tmp_path / "kit", "tools/train.py", "-c", "ocr.yml", *options)
    root = applied("PaddleOCR", kit(TRAIN, BUILD))
    after = start(root, "tools/train.py", "-c", "ocr.yml", *options)
    assert before.stdout.splitlines() == ["wrap DB", "forward DB"], before.stderr
    assert (before.returncode, before.stdout) == (after.returncode, after.stdout)
