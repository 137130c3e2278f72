"""PaddleRec: one command turns the hook on; `-o` gives strings, sparse tables stay dynamic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Applied = Callable[..., Path]
    Start = Callable[..., subprocess.CompletedProcess[str]]

# As the kit does it: the YAML is flattened, keys outside three sections are dropped, and `-o`
# casts a value only by the type of a key that the YAML has.
UTILS = """\
import os
import sys

import yaml


def load_yaml(name):
    flat = {}

    def flatten(prefix, values):
        for key, value in values.items():
            if isinstance(value, dict):
                flatten(prefix + [key], value)
            else:
                flat['.'.join(prefix + [key])] = value

    with open(name) as file:
        flatten([], yaml.safe_load(file))
    parts = ('workspace', 'runner', 'hyper_parameters')
    return {key: value for key, value in flat.items() if key.startswith(parts)}


def load_dy_model_class(abs_dir):
    sys.path.append(abs_dir)
    from dygraph_model import DygraphModel
    return DygraphModel()
"""
TRAINER = """\
import os
os.environ['FLAGS_enable_pir_api'] = '0'
import paddle
import argparse
import logging
import sys

__dir__ = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.abspath(os.path.join(__dir__, '..', 'tools')))

from utils_single import load_yaml, load_dy_model_class

logging.basicConfig(stream=sys.stdout, format='%(message)s', level=logging.INFO)
logger = logging.getLogger(__name__)


def parse_args():
    parser = argparse.ArgumentParser(description='mini rec')
    parser.add_argument("-m", "--config_yaml", type=str)
    parser.add_argument("-o", "--opt", nargs='*', type=str)
    args = parser.parse_args()
    args.abs_dir = os.path.dirname(os.path.abspath(args.config_yaml))
    return args


def main(args):
    # load config
    config = load_yaml(args.config_yaml)
    dy_model_class = load_dy_model_class(args.abs_dir)
    # modify config from command
    if args.opt:
        for parameter in args.opt:
            parameter = parameter.strip()
            key, value = parameter.split("=")
            if type(config.get(key)) is int:
                value = int(value)
            if type(config.get(key)) is float:
                value = float(value)
            if type(config.get(key)) is bool:
                value = (True if value.lower() == "true" else False)
            config[key] = value

    use_fleet = config.get("runner.use_fleet", False)
    epochs = config.get("runner.epochs", None)

    dy_model = dy_model_class.create_model(config)

    # to do : add optimizer function
    optimizer = dy_model_class.create_optimizer(dy_model, config)

    if use_fleet:
        dy_model = paddle.DataParallel(dy_model)

    for epoch_id in range(epochs):
        loss = dy_model_class.train_forward(dy_model, None, 1, config)
        loss.backward()
        optimizer()


if __name__ == '__main__':
    args = parse_args()
    main(args)
"""
NET = """\
import paddle


class Embedding(paddle.nn.Layer):
    def __init__(self, sparse):
        super().__init__("table")
        self._sparse = sparse

    def __call__(self, x):
        print("look up")
        return x


class Net(paddle.nn.Layer):
    def __init__(self, name, sparse):
        super().__init__(name)
        self.table = Embedding(sparse=sparse)
        self.fc = paddle.nn.Layer("fc")
        self.out = paddle.nn.Layer(name)

    def sublayers(self, include_self=False):
        return [self, self.table] if include_self else [self.table]

    def forward(self, x):
        y = self.table(x)
        y = self.fc(y)
        return self.out(y)
"""
MODEL = """\
import os

import net


class DygraphModel():
    def create_model(self, config):
        print("pir", os.environ.get("FLAGS_enable_pir_api"))
        deepfm_model = net.Net("deepfm", config["hyper_parameters.sparse"])
        return deepfm_model

    def create_optimizer(self, dy_model, config):
        return lambda: print("step")

    def train_forward(self, dy_model, metrics_list, batch_data, config):
        return dy_model.forward(batch_data)
"""
YAML = "runner: {epochs: 1, use_fleet: False}\nhyper_parameters: {sparse: True}\nto_static: True\n"
ON = "Training runs under paddle.jit.to_static."
TRAINS = ["look up", "forward fc", "forward deepfm", "step"]
STATIC = ["pir None", "static deepfm.forward_dense", ON, *TRAINS]
FOLDER = "models/rank/deepfm"
DENSE = "hyper_parameters.sparse=False"


def kit(trainer: str = "tools/trainer.py") -> dict[str, str]:
    """A kit of one trainer and one model, whose configs differ in the switch."""
    text = TRAINER
    if trainer != "tools/trainer.py":
        text = text.replace("import os\nos.environ['FLAGS_enable_pir_api'] = '0'\n", "import os\n")
        text = text.replace("'..', 'tools'", "'..', '..', '..', 'tools'")
    return {
        trainer: text,
        "tools/utils_single.py": UTILS,
        f"{FOLDER}/dygraph_model.py": MODEL,
        f"{FOLDER}/net.py": NET,
        f"{FOLDER}/config.yaml": YAML,
        f"{FOLDER}/off.yaml": YAML.replace("False}", "False, to_static: False}"),
        f"{FOLDER}/on.yaml": YAML.replace("False}", "False, to_static: True}"),
    }


def given(config: str, *options: str) -> tuple[str, ...]:
    """The arguments of one run."""
    return ("-m", f"{FOLDER}/{config}.yaml", *(("-o", *options) if options else ()))


@pytest.mark.parametrize("config", ["config", "off"])
@pytest.mark.parametrize("value", ["True", "true", "TRUE"])
def test_one_option_turns_the_hook_on(
    applied: Applied, start: Start, config: str, value: str
) -> None:
    root = applied("PaddleRec", kit())
    options = ("runner.epochs=1", f"runner.to_static={value}")
    on = start(root, "tools/trainer.py", *given(config, *options))
    assert on.stdout.splitlines() == STATIC, on.stderr


def test_the_config_turns_the_hook_on(applied: Applied, start: Start) -> None:
    on = start(applied("PaddleRec", kit()), "tools/trainer.py", *given("on"))
    assert on.stdout.splitlines() == STATIC, on.stderr


def test_a_net_whose_tables_are_dense_is_static_as_a_whole(applied: Applied, start: Start) -> None:
    on = start(applied("PaddleRec", kit()), "tools/trainer.py", *given("on", DENSE))
    assert on.stdout.splitlines() == ["pir None", "static deepfm", ON, *TRAINS], on.stderr


def test_a_net_that_could_not_be_split_is_refused(applied: Applied, start: Start) -> None:
    files = kit()
    text = files[f"{FOLDER}/net.py"]
    files[f"{FOLDER}/net.py"] = text.replace("self.out(y)", "self.out(self.table(y))")
    root = applied("PaddleRec", files)
    on = start(root, "tools/trainer.py", *given("on"))
    assert on.returncode != 0
    assert "AssertionError: No layer has a forward_dense" in on.stderr
    off = start(root, "tools/trainer.py", *given("off"))
    assert "static" not in off.stdout


def test_static_graphs_of_paddle_3_find_pir_on(
    applied: Applied, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLAGS_enable_pir_api", "1")
    on = start(applied("PaddleRec", kit()), "tools/trainer.py", *given("on"))
    assert on.stdout.splitlines() == ["pir 1", *STATIC[1:]], on.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        given("config"),
        given("off"),
        # A string, and true as every string that is not empty: the trap.
        given("config", "runner.to_static=False"),
        given("config", "runner.to_static=false"),
        given("config", "runner.to_static=0"),
        given("on", "runner.to_static=False"),
    ],
)
def test_off_the_kit_does_what_it_did(
    plan: Callable[..., object],
    applied: Applied,
    start: Start,
    tmp_path: Path,
    arguments: tuple[str, ...],
) -> None:
    plan("PaddleRec", kit())
    before = start(tmp_path / "kit", "tools/trainer.py", *arguments)
    after = start(applied("PaddleRec", kit()), "tools/trainer.py", *arguments)
    # The variable that dynamic training does not read is left as the user has it.
    assert before.stdout.splitlines() == ["pir 0", *TRAINS], before.stderr
    assert after.stdout.splitlines() == ["pir None", *TRAINS], after.stderr
    assert before.returncode == after.returncode


def test_the_hook_stands_before_the_wrap(applied: Applied, start: Start) -> None:
    options = ("runner.use_fleet=True", "runner.to_static=True")
    on = start(applied("PaddleRec", kit()), "tools/trainer.py", *given("config", *options))
    order = [line for line in on.stdout.splitlines() if line.startswith(("static", "wrap"))]
    assert order == ["static deepfm.forward_dense", "wrap deepfm"]


def test_a_model_s_own_copy_of_the_trainer(applied: Applied, start: Start) -> None:
    script = f"{FOLDER}/trainer.py"
    root = applied("PaddleRec", kit(script))
    on = start(root, script, *given("config", "runner.to_static=True"))
    assert on.stdout.splitlines() == STATIC, on.stderr
    off = start(root, script, *given("config"))
    assert off.stdout.splitlines() == ["pir None", *TRAINS], off.stderr


def test_a_net_that_is_copied_within_a_step_says_so(applied: Applied, start: Start) -> None:
    folder = "models/multitask/maml"
    files = {name.replace(FOLDER, folder): text for name, text in kit().items()}
    root = applied("PaddleRec", files)
    config = ("-m", f"{folder}/config.yaml")
    on = start(root, "tools/trainer.py", *config, "-o", "runner.to_static=True")
    assert on.returncode != 0
    assert "RuntimeError: MAML trains copies of its net" in on.stderr
    off = start(root, "tools/trainer.py", *config)
    assert off.stdout.splitlines() == ["pir None", *TRAINS], off.stderr


AGENT = """\
import argparse

import paddle


def train(args):
    model = paddle.nn.Layer("agent")
    optimizer = Adam(args.lr, parameters=model.parameters())
    loss = model(1)
    loss.backward()


def Adam(lr, parameters):
    return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser("A2C")
    parser.add_argument("--hidden_size", type=int, default=256)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    print(args)
    train(args)
"""


def test_an_agent_has_a_flag(applied: Applied, start: Start) -> None:
    root = applied("PaddleRec", {"models/rl/A2C/train.py": AGENT})
    on = start(root, "models/rl/A2C/train.py", "--lr", "0.1", "--to_static")
    assert on.stdout.splitlines()[1:] == ["static agent", ON, "forward agent"], on.stderr
    off = start(root, "models/rl/A2C/train.py", "--lr", "0.1")
    assert off.stdout.splitlines()[1:] == ["forward agent"], off.stderr
