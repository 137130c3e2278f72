"""What is put under a gate's name before the hook: still the config, or something else."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source, Status
from codemod.code.tree import Tree
from codemod.engine.place.bound import _is_something_else
from codemod.engine.planner import make_plan
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.conftest import Make


@pytest.mark.parametrize(
    ("statement", "other"),
    [
        ("config = config.model", True),
        ("config = config['model']['head']", True),
        ("config = 1", True),
        ("config = 'a' + name", True),
        ("config = f'{name}'", True),
        ("del config", True),
        ("for config in configs:\n    pass", True),
        ("config = settings.model", False),
        ("config = load(config.path)", False),
        ("config = settings", False),
        ("import config", False),
        ("from kit import config", False),
        ("with opened() as config:\n    pass", False),
    ],
)
def test_a_part_or_a_constant_is_no_config(statement: str, other: bool) -> None:
    assert bool(_is_something_else(ast.parse(statement).body[0], "config")) is other


TRAINER = """\
import copy

import paddle
{imported}

def main(config):
{above}
    if config["a"]:
        model = build(config["a"])
        if config["ema"]:
            ema = copy.deepcopy(model)
{inside}
{below}
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for x in config["data"]:
        loss = model(x)
        loss.backward()
"""


def gate_of(change: Make, **parts: str) -> str | None:
    """The gate of the one hook of a trainer: at the end of a block, the build's own."""
    depths = {"above": 1, "inside": 3, "below": 1, "imported": 0}
    filled = {
        name: textwrap.indent(parts.get(name, "pass"), "    " * depth)
        for name, depth in depths.items()
    }
    made = change({"train.py": TRAINER.format(**filled)})
    (hook,) = made.hooks
    assert hook.status is Status.INSERTED
    lines = made.changes[0].new.decode().splitlines()
    assert hook.line is not None
    indent = " " * 12
    assert lines[hook.line - 1] == f"{indent}model = paddle.jit.to_static(model)"
    return hook.gate


OF_CONFIG, OF_VARIABLE = (
    'config.get("to_static", False)',
    'os.environ.get("PADDLE_TO_STATIC") == "1"',
)
# What puts something else under a name, and what may put a config under it again.
ELSE = [
    "NAME = NAME['part']",
    "NAME = 1",
    "NAME += 1",
    "NAME: int = 1",
    "del NAME",
    "del one, NAME",
    "for NAME in rows:\n    pass",
    "for one, NAME in rows:\n    pass",
    "def NAME():\n    pass",
    "class NAME:\n    pass",
]
AGAIN = [
    "NAME = load()",
    "import NAME",
    "import one, NAME",
    "from kit import NAME",
    "from kit import one, other as NAME",
    "with opened() as NAME:\n    pass",
    "with first() as one, opened() as NAME:\n    pass",
]
# Statements in which the config's own name stands, and nothing is put under it.
NEITHER = [
    "from kit import config as other",
    "with config as other:\n    pass",
    "for other in config:\n    pass",
    "other = config",
    "print(config)",
    "del config['part']",
    "config['part'] = 1",
]


@pytest.mark.parametrize("statement", ELSE)
def test_a_gate_is_not_read_by_a_name_that_something_else_has_where_the_hook_stands(
    statement: str, change: Make
) -> None:
    """What comes behind the hook, or has another name, is no obstacle."""
    lost, other = statement.replace("NAME", "config"), statement.replace("NAME", "other")
    assert gate_of(change, above=lost) == OF_VARIABLE
    assert gate_of(change, inside=lost) == OF_VARIABLE
    assert gate_of(change, below=lost) == OF_CONFIG
    assert gate_of(change, above=other, inside=other) == OF_CONFIG


@pytest.mark.parametrize("statement", AGAIN)
def test_the_last_that_is_put_under_a_name_before_the_hook_counts(
    statement: str, change: Make
) -> None:
    again, other = statement.replace("NAME", "config"), statement.replace("NAME", "other")
    assert gate_of(change, above=again) == OF_CONFIG
    assert gate_of(change, above=f"config = 1\n{again}") == OF_CONFIG
    assert gate_of(change, above=f"config = 1\n{other}") == OF_VARIABLE
    assert gate_of(change, above=f"{again}\nconfig = 1") == OF_VARIABLE
    assert gate_of(change, above="config = 1", below=again) == OF_VARIABLE


@pytest.mark.parametrize("statement", NEITHER)
def test_what_only_mentions_the_config_is_neither(statement: str, change: Make) -> None:
    assert gate_of(change, above=statement) == OF_CONFIG
    assert gate_of(change, above=f"config = 1\n{statement}") == OF_VARIABLE


@pytest.mark.parametrize(
    ("head", "lost"),
    [
        ("for NAME in rows:", True),
        ("if (NAME := 1):", True),
        ("while (NAME := 1) < len(\n        rows\n    ):", True),
        ("with opened() as NAME:", False),
        ("for one in NAME:", False),
    ],
)
def test_what_a_block_begins_with_comes_before_its_first_statement(
    head: str, lost: bool, tmp_path: Path
) -> None:
    """A rule may have its hook there: before the statement that it names."""
    trainer = Trainer(
        id="own",
        model=("begin($MODEL)",),
        position="before",
        gates=(GateRule("mapping"), GateRule("variable")),
    )
    for name in ("config", "other"):
        source = f"""\
import paddle


def main(config, rows):
    model = build(config["a"])
    {head.replace("NAME", name)}
        begin(model)
        model(rows)
"""
        (tmp_path / "train.py").write_text(source)
        rule = Rule(kits=("Kit",), trainers=(trainer,))
        made = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
        (hook,) = made.hooks
        assert hook.status is Status.INSERTED
        assert hook.gate == (OF_VARIABLE if lost and name == "config" else OF_CONFIG)


PARSED = """\
import argparse
from dataclasses import dataclass

import paddle


@dataclass
class Arguments:
    lr: float = 0.1


def main(config):
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    {above}
    {read}
    model = build()
    model = paddle.DataParallel(model)
    {below}
    optimizer = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    for x in load(args):
        loss = model(x)
        loss.backward()
"""
ATTRIBUTE, KEY = "args.to_static", 'args.get("to_static", False)'
# How the options of what a statement makes are read.
READ = {
    "args = parser.parse_args()": ATTRIBUTE,
    "args, rest = parser.parse_known_args()": ATTRIBUTE,
    "(args,) = PdArgumentParser((Arguments,)).parse_args_into_dataclasses()": ATTRIBUTE,
    "args = vars(parser.parse_args())": KEY,
    "args = load_yaml(config)": KEY,
}
USED = {ATTRIBUTE: "print(args.lr)", KEY: 'print(args["lr"])'}


@pytest.mark.parametrize("above", READ)
@pytest.mark.parametrize("below", [None, *READ])
def test_the_switch_is_read_in_the_way_of_what_is_there_and_not_of_what_comes_later(
    above: str, below: str | None, change: Make
) -> None:
    """A mapping has no attributes, an object of options no `get`: the hook would raise."""
    source = PARSED.format(above=above, read=USED[READ[above]], below=below or "pass")
    (hook,) = change({"train.py": source}).hooks
    assert hook.status is Status.INSERTED
    assert hook.gate in (READ[above], OF_VARIABLE)
    always = (None, above) if "vars" not in above else ()
    assert hook.gate == READ[above] or below not in always
    if READ[above] == ATTRIBUTE:
        assert (hook.gate == READ[above]) == (below is None or READ[below] == ATTRIBUTE)


CALLED = """\
import argparse

import paddle


def train(args):
    model = build()
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    for x in load(args):
        loss = model(x)
        loss.backward()


def first():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    {first}
    train(args)


def second(config):
    {second}
    train(args)
"""
OBJECT, MAPPING, UNKNOWN = "args = parser.parse_args()", "args = load_yaml(1)", "args = config"


@pytest.mark.parametrize(
    ("first", "second", "attribute", "key"),
    [
        (OBJECT, UNKNOWN, True, False),
        (OBJECT, MAPPING, True, False),
        (MAPPING, UNKNOWN, True, True),
        (UNKNOWN, UNKNOWN, True, True),
        (OBJECT, OBJECT, True, False),
        (MAPPING, MAPPING, True, True),
    ],
)
def test_a_rule_s_own_switch_is_read_unless_a_caller_is_known_to_give_what_lacks_get(
    first: str, second: str, attribute: bool, key: bool, tmp_path: Path
) -> None:
    """A kit's rule knows what its config is: only what would raise is held against it."""
    (tmp_path / "train.py").write_text(CALLED.format(first=first, second=second))
    for test, fits in ((ATTRIBUTE, attribute), (KEY, key)):
        gates = (GateRule("expression", test=test), GateRule("variable"))
        rule = Rule(kits=("Kit",), trainers=(Trainer(id="own", gates=gates),))
        made = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
        (hook,) = made.hooks
        assert hook.gate == (test if fits else OF_VARIABLE)
