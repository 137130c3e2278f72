"""PaddleNLP: the switch as users of its scripts set it, and what must be left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

    Applied = Callable[..., Path]
    Planned = Callable[..., ChangeSet]
    Start = Callable[..., subprocess.CompletedProcess[str]]

TOY = """\
def AdamW(parameters=None):
    return parameters


def get_world_size():
    return 2
"""
LOOP = """\
    if get_world_size() > 1:
        model = paddle.DataParallel(model)
    optimizer = AdamW(parameters=model.parameters())
    for batch in range(2):
        loss = model(batch)
        loss.backward()
"""
ARGS = """\
import argparse


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    if True:
        parser.add_argument("--early", action="store_true")
    args = parser.parse_args()
    return args
"""
HEAD = "import paddle\nfrom toy import AdamW, get_world_size\n"
RUN = f"""\
{HEAD}from args import parse_args


def do_train(args):
    model = paddle.nn.Layer("net")
{LOOP}

if __name__ == "__main__":
    do_train(parse_args())
"""
# A module of functions under the name that its result takes over.
MODULE = RUN.replace("from args import parse_args", "import args").replace(
    "do_train(parse_args())", "args = args.parse_args()\n    do_train(args)"
)
GLOBAL = f"""\
import argparse

{HEAD}
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()


def do_train():
    model = paddle.nn.Layer("net")
    print("epochs", args.epochs)
{LOOP}

if __name__ == "__main__":
    do_train()
"""
GETTER = f"""\
import argparse

{HEAD}

def get_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    return parser


def main(args):
    model = paddle.nn.Layer("net")
    print("epochs", args.epochs)
{LOOP}

if __name__ == "__main__":
    main(get_parser().parse_args())
"""
HANDED = f"""\
{HEAD}from args import parse_args


def train(args, model, epochs):
    optimizer = AdamW(parameters=model.parameters())
    for batch in range(epochs):
        loss = model(batch)
        loss.backward()


def main(args):
    model = paddle.nn.Layer("net")
    if get_world_size() > 1:
        model = paddle.DataParallel(model)
    train(args, model, args.epochs)


if __name__ == "__main__":
    main(parse_args())
"""
EPOCHS = f"""\
{HEAD}from args import parse_args


def train_epoch(model, optimizer):
    loss = model(1)
    loss.backward()


def main(args):
    model = paddle.nn.Layer("net")
    optimizer = AdamW(parameters=model.parameters())
    for epoch in range(args.epochs):
        train_epoch(model, optimizer)


if __name__ == "__main__":
    main(parse_args())
"""


@pytest.mark.parametrize("script", [RUN, MODULE, GLOBAL, GETTER, HANDED, EPOCHS])
def test_a_flag_reaches_the_hook_before_the_wrap(
    script: str, applied: Applied, start: Start
) -> None:
    root = applied("PaddleNLP", {"toy.py": TOY, "args.py": ARGS, "run.py": script})
    on = start(root, "run.py", "--to_static", "--epochs", "2")
    off = start(root, "run.py", "--epochs", "2")
    assert on.returncode == 0, on.stderr
    assert on.stdout.count("static net\n") == 1
    wrap = on.stdout.find("wrap net")
    assert wrap == -1 or on.stdout.find("static net") < wrap
    assert off.returncode == 0, off.stderr
    assert "static net" not in off.stdout


ATTRDICT = """\
class AttrDict(dict):
    def __getattr__(self, key):
        return self[key]
"""
YAML = f"""\
import argparse

import yaml
{HEAD}from attrdict import AttrDict


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="base.yaml")
    return parser.parse_args()


def do_train(args):
    model = paddle.nn.Layer("net")
    print("layers", args.n_layer)
{LOOP}

if __name__ == "__main__":
    args = parse_args()
    with open(args.config) as f:
        args = AttrDict(yaml.safe_load(f))
    do_train(args)
"""


def test_a_yaml_read_over_the_command_line_carries_the_switch(
    applied: Applied, start: Start
) -> None:
    files = {"toy.py": TOY, "attrdict.py": ATTRDICT, "train.py": YAML}
    root = applied("PaddleNLP", files | {"base.yaml": "n_layer: 2\n"})
    (root / "on.yaml").write_text("n_layer: 2\nto_static: True\n")
    assert "static net" not in start(root, "train.py").stdout
    on = start(root, "train.py", "--config", "on.yaml")
    assert "static net" in on.stdout, on.stderr


ARGPARSER = """\
import argparse
import dataclasses


class PdArgumentParser(argparse.ArgumentParser):
    def __init__(self, kinds):
        super().__init__()
        self.kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        for kind in self.kinds:
            for field in dataclasses.fields(kind):
                boolean = field.type in ("bool", bool)
                self.add_argument(
                    f"--{field.name}",
                    type=(lambda text: text == "True") if boolean else str,
                    nargs="?" if boolean else None,
                    const=True if boolean else None,
                    default=field.default,
                )

    def parse_args_into_dataclasses(self):
        found, rest = self.parse_known_args()
        if rest:
            raise ValueError(f"Some specified arguments are not used: {rest}")
        names = vars(found)
        return tuple(
            kind(**{field.name: names[field.name] for field in dataclasses.fields(kind)})
            for kind in self.kinds
        )
"""
TRAINING_ARGS = """\
from dataclasses import dataclass, field


@dataclass
class TrainingArguments:
    output_dir: str = field(default="out", metadata={"help": "Where to write."})

    def __post_init__(self):
        pass
"""
TRAINER = """\
import paddle

from ..log import logger
from .training_args import TrainingArguments


class Trainer:
    def __init__(self, model=None, args: TrainingArguments = None):
        if args is None:
            args = TrainingArguments()
        self.args = args

        self.model_wrapped = model
        self.model = model

    def _wrap_model(self, model):
        return paddle.DataParallel(model)

    def train(self):
        model = self._wrap_model(self.model_wrapped)
        model(1).backward()
"""
LOG = """\
class logger:
    info = staticmethod(print)
"""
PACKAGE = {
    "paddlenlp/__init__.py": "",
    "paddlenlp/log.py": LOG,
    "paddlenlp/trainer/__init__.py": (
        "from .argparser import *\nfrom .trainer import *\nfrom .training_args import *\n"
    ),
    "paddlenlp/trainer/argparser.py": ARGPARSER,
    "paddlenlp/trainer/trainer.py": TRAINER,
    "paddlenlp/trainer/training_args.py": TRAINING_ARGS,
}
FINETUNE = """\
from dataclasses import dataclass, field

import paddle
from paddlenlp.trainer import PdArgumentParser, Trainer, TrainingArguments


@dataclass
class ModelArguments:
    name: str = field(default="net", metadata={"help": "The model."})


@dataclass
class FinetuneArguments(TrainingArguments):
    rounds: str = field(default="1")


def main():
    parser = PdArgumentParser((ModelArguments, FinetuneArguments))
    model_args, training_args = parser.parse_args_into_dataclasses()
    trainer = Trainer(model=paddle.nn.Layer(model_args.name), args=training_args)
    trainer.train()


if __name__ == "__main__":
    main()
"""
PRETRAIN = (
    FINETUNE.replace(
        'help": "The model."})\n',
        'help": "The model."})\n    to_static: bool = field(default=False)\n    depth: str = "2"\n',
    )
    .replace(
        "    trainer = Trainer(model=paddle.nn.Layer(model_args.name), args=training_args)\n",
        "    model = paddle.nn.Layer(model_args.name)\n"
        "    if model_args.to_static:\n"
        "        model = paddle.jit.to_static(model, input_spec=[None])\n"
        "    trainer = Trainer(model=model, args=training_args)\n",
    )
    .replace("class FinetuneArguments(TrainingArguments):\n    rounds", "class Unused:\n    rounds")
    .replace("(ModelArguments, FinetuneArguments)", "(ModelArguments, TrainingArguments)")
)


@pytest.mark.parametrize("spelling", [("--to_static",), ("--to_static", "True")])
def test_one_field_reaches_the_trainer_from_every_script(
    spelling: tuple[str, ...], applied: Applied, start: Start
) -> None:
    root = applied("PaddleNLP", PACKAGE | {"llm/finetune.py": FINETUNE})
    on = start(root, "llm/finetune.py", *spelling)
    assert on.returncode == 0, on.stderr
    assert on.stdout.index("static net") < on.stdout.index("wrap net")
    assert "static" not in start(root, "llm/finetune.py").stdout
    refused = start(root, "llm/finetune.py", "--to_statics")
    assert refused.returncode != 0


def test_a_field_that_another_dataclass_has_is_taken_over(
    applied: Applied, start: Start, plan: Planned
) -> None:
    files = PACKAGE | {"bert/run_pretrain_trainer.py": PRETRAIN}
    reasons = [edit.reason for edit in plan("PaddleNLP", files).edits if edit.lines_removed]
    assert reasons and all(reasons)
    root = applied("PaddleNLP", files)
    on = start(root, "bert/run_pretrain_trainer.py", "--to_static", "True", "--depth", "3")
    assert on.returncode == 0, on.stderr
    assert "static net" in on.stdout
    off = start(root, "bert/run_pretrain_trainer.py")
    assert off.returncode == 0, off.stderr
    assert "static" not in off.stdout


def test_a_field_of_a_base_class_is_not_declared_again(plan: Planned) -> None:
    files = PACKAGE | {
        "paddlenlp/trainer/training_args.py": TRAINING_ARGS.replace(
            '    output_dir: str = field(default="out", metadata={"help": "Where to write."})\n',
            '    output_dir: str = "out"\n    to_static: bool = field(default=False)\n',
        ),
        "gpt/run_glue.py": f"""\
{HEAD}from dataclasses import dataclass
from paddlenlp.trainer import PdArgumentParser, TrainingArguments


@dataclass
class GlueArguments(TrainingArguments):
    task: str = "cola"


def do_train():
    (training_args,) = PdArgumentParser((GlueArguments,)).parse_args_into_dataclasses()
    print(training_args.task)
    model = paddle.nn.Layer("net")
{LOOP}
""",
    }
    change = plan("PaddleNLP", files)
    hooks = {(h.file, h.gate) for h in change.hooks if h.status is Status.INSERTED}
    assert ("gpt/run_glue.py", "training_args.to_static") in hooks
    assert [c.path for c in change.changes if c.path.endswith("training_args.py")] == []


DISTILL = f"""\
{HEAD}from args import parse_args
from paddlenlp.transformers.distill_utils import to_distill


def do_train(args):
    model = to_distill(paddle.nn.Layer("net"), return_qkv=True)
{LOOP}
"""
CACHED = f"""\
{HEAD}from args import parse_args


def do_train(args):
    model = paddle.nn.Layer("net")
    optimizer = AdamW(parameters=model.parameters())
    for batch in range(args.epochs):
        with paddle.no_grad():
            cosine = model(batch)
        loss = model(batch)
        loss.backward()
"""
HIGH_LEVEL = """\
import paddle
from args import parse_args


def do_train(args):
    model = paddle.Model(paddle.nn.Layer("net"))
    model.prepare(paddle.optimizer.Adam(parameters=model.parameters()))
    model.fit(range(args.epochs))
"""
AUTO = """\
import paddle.distributed as dist

from .trainer import Trainer


class AutoTrainer(Trainer):
    def _wrap_for_auto(self, model, loader):
        if self.args.to_static:
            model = dist.to_static(model, loader, self.criterion, self.optimizer)
        return model
"""


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (DISTILL, "to_distill"),
        (CACHED, "under no_grad"),
        (HIGH_LEVEL, "reads the signature"),
        (RUN.replace(HEAD, f"{HEAD}from paddleslim.nas.ofa import OFA\n"), "OFA"),
    ],
)
def test_what_a_hook_would_break_is_left_alone_with_the_reason(
    script: str, reason: str, plan: Planned
) -> None:
    change = plan("PaddleNLP", {"toy.py": TOY, "args.py": ARGS, "run.py": script})
    assert change.changes == ()
    assert change.hooks == ()
    assert any(reason in str(skip.reason) for skip in change.skipped)


def test_the_distributed_api_of_the_same_name_is_no_hook(plan: Planned) -> None:
    change = plan("PaddleNLP", PACKAGE | {"paddlenlp/trainer/auto_trainer.py": AUTO})
    found = {(hook.file, hook.status) for hook in change.hooks}
    assert found == {("paddlenlp/trainer/trainer.py", Status.INSERTED)}


def test_scripts_of_the_benchmark_chain_count_other_tests_do_not(plan: Planned) -> None:
    files = {
        "tests/test_tipc/train.py": RUN,
        "tests/test_tipc/args.py": ARGS,
        "tests/transformers/test_bert.py": RUN,
        "tests/transformers/args.py": ARGS,
    }
    change = plan("PaddleNLP", files)
    assert [hook.file for hook in change.hooks] == ["tests/test_tipc/train.py"]
