"""The lines of a hook run where they stand, whatever the file imports and however it logs."""

from __future__ import annotations

import ast
import itertools
import textwrap
from typing import TYPE_CHECKING

import pytest

from bench.programs.played import play
from codemod.base.changeset import Status
from codemod.base.reason import Reason
from codemod.code.module import Module, parse
from codemod.engine.place.hookcode import standing_line
from codemod.engine.place.placement import Position

if TYPE_CHECKING:
    from tests.engine.conftest import Make

KIT = b"""\
import paddle


class Log:
    def info(self, text):
        assert text == "Training runs under paddle.jit.to_static."


def get_logger(*names):
    return Log()


fetch, logger = get_logger, Log()
"""
SCRIPT = """\
import paddle.nn as nn
from paddle import DataParallel, ones
from paddle.optimizer import SGD
{top}

def other(name):
    {other}

def main(config{parameter}):
    {before}
    model = nn.Linear(4, 4)
    {after}
    net = {wrap}(model)
    optimizer = SGD(config["lr"], parameters=model.parameters())
    for batch in [ones([2, 4])]:
        loss = net(batch)
        loss.backward()
        optimizer.step()

main({{"lr": 0.1, "to_static": True}})
"""


def hooked(change: Make, **parts: str) -> str:
    """The script with its hook, which was run with the switch on."""
    empty = dict.fromkeys(("top", "other", "before", "after"), "pass")
    source = SCRIPT.format(**empty | {"parameter": "", "wrap": "DataParallel"} | parts)
    made = change({"train.py": source})
    (hook,) = made.hooks
    assert hook.status is Status.INSERTED, hook.reason
    (edited,) = made.changes
    played = play({"train.py": edited.new, "kit.py": KIT})
    assert played.error == ""
    assert [what for what, _ in played.events].count("hook") == 1
    return edited.new.decode()


GETS, PLAIN = "from kit import get_logger", "log = get_logger('kit')"
FETCHED, PRINTED = "get_logger('kit').info", "print"


@pytest.mark.parametrize(
    ("logs", "parts"),
    [
        (FETCHED, {"top": GETS, "other": PLAIN}),
        (FETCHED, {"top": "from kit import Log, get_logger", "other": PLAIN}),
        (FETCHED, {"top": "from kit import fetch as get_logger", "other": PLAIN}),
        (FETCHED, {"top": GETS, "other": "print(get_logger('kit'), name)"}),
        (FETCHED, {"top": GETS, "after": PLAIN}),
        (FETCHED, {"top": f"{GETS}\n{PLAIN}"}),
        ("get_logger().info", {"top": GETS, "other": "log = get_logger()"}),
        ("get_logger('a', 1).info", {"top": GETS, "other": "log = get_logger('a', 1)"}),
        # The first that can be had with constants alone, and by its own name.
        (FETCHED, {"top": GETS, "other": f"log = get_logger(name); {PLAIN}"}),
        (FETCHED, {"top": GETS, "other": f"log = kit.get_logger(); {PLAIN}"}),
        (PRINTED, {"top": GETS, "other": "log = get_logger('a', name)"}),
        (PRINTED, {"top": GETS, "other": "log = get_logger(name='kit')"}),
        (PRINTED, {"top": "import kit", "other": "log = kit.get_logger('kit')"}),
        (PRINTED, {"top": GETS, "other": "log = my_get_logger('kit')"}),
        (PRINTED, {"top": GETS}),
        # The function of that name must be the module's in the trainer, too.
        (PRINTED, {"other": f"{GETS}; {PLAIN}"}),
        (PRINTED, {"top": "from kit import get_logger as fetch", "other": PLAIN}),
        (PRINTED, {"top": GETS, "other": PLAIN, "parameter": ", get_logger=None"}),
        (PRINTED, {"top": GETS, "other": PLAIN, "before": "get_logger = None"}),
        (PRINTED, {"top": GETS, "other": PLAIN, "after": "get_logger = None"}),
        # A logger that is at hand goes before one that has to be fetched.
        ("logger.info", {"top": f"{GETS}, logger", "other": PLAIN}),
        ("logger.info", {"top": GETS, "other": PLAIN, "before": "logger = get_logger()"}),
        (PRINTED, {"top": "from kit import logger as log", "other": "log.info(name)"}),
        (PRINTED, {"top": "from kit import logger", "after": "logger = None"}),
        ("logger.info", {"top": "if True:\n    from kit import logger"}),
        # What another function imports is bound in there alone.
        ("logger.info", {"before": "from kit import logger"}),
        (PRINTED, {"other": "from kit import logger"}),
    ],
)
def test_the_hook_fetches_its_logger_as_other_functions_do(
    logs: str, parts: dict[str, str], change: Make
) -> None:
    text = hooked(change, **parts).replace('"', "'")
    assert f"        {logs}('Training runs under" in text


@pytest.mark.parametrize("after", ["logger = get_logger('kit')", "if config: logger = print"])
def test_a_script_whose_logger_comes_later_prints(after: str, change: Make) -> None:
    """Also a name of the module is not there before the line that binds it."""
    source = f"""\
import paddle
from kit import get_logger
config = {{"lr": 0.1, "to_static": True}}
model = paddle.nn.Linear(4, 4)
{after}
net = paddle.DataParallel(model)
optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
loss = net(paddle.ones([2, 4]))
loss.backward()
"""
    made = change({"train.py": source})
    (edited,) = made.changes
    played = play({"train.py": edited.new, "kit.py": KIT})
    assert (played.error, [what for what, _ in played.events].count("hook")) == ("", 1)


@pytest.mark.parametrize(
    ("own", "parts"),
    [
        (False, {"top": "import paddle"}),
        (False, {"top": "import os, paddle"}),
        (False, {"top": "import paddle.jit"}),
        (False, {"top": "try:\n    import paddle\nexcept ImportError:\n    raise"}),
        (False, {"before": "import paddle"}),
        (False, {"top": "from kit import paddle", "wrap": "paddle.DataParallel"}),
        (True, {}),
        (True, {"top": "import paddle as pd"}),
        (True, {"before": "import paddle.jit as jit"}),
        # What another function imports is bound in there alone, and what comes later not yet.
        (True, {"top": "def other():\n    import paddle\n    return paddle"}),
        (True, {"after": "import paddle"}),
        # A module of another name, which nothing in the trainer relies on.
        (True, {"top": "import kit as paddle"}),
    ],
)
@pytest.mark.parametrize("logged", [False, True])
def test_the_hook_imports_paddle_where_nothing_else_has(
    own: bool, parts: dict[str, str], logged: bool, change: Make
) -> None:
    """The import is the first line of the hook: nothing is imported with the switch off."""
    parts = parts | {"parameter": ", logger=__import__('kit').logger"} if logged else parts
    lines = [line.strip() for line in hooked(change, **parts).splitlines()]
    gate = next(i for i, line in enumerate(lines) if line.startswith("if config"))
    body = lines[gate + 1 : gate + 4 if own else gate + 3]
    assert body[:-1] == ["import paddle"] * own + ["model = paddle.jit.to_static(model)"]
    assert body[-1].startswith("logger.info(" if logged else "print(")


STANDS = """\
def main(a):
    {around}:
        one()
        if a:
            import paddle
            {call}
            log("on")
        two()
"""


@pytest.mark.parametrize("around", ["if a", "for one in a", "with a"])
@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("net = paddle.jit.to_static(net)", 6),
        ("net = other(paddle.jit.to_static(net))", 6),
        ("to_static(net, see(a))", 6),
        ("net.apply_to_static()", 6),
        ("net = made(\n                paddle.jit.to_static(net))", 7),
        # A rule's own hook may have another call.
        ("net = see(net)", 4),
    ],
)
def test_a_hook_that_stands_is_told_at_the_line_of_its_call(
    around: str, call: str, line: int
) -> None:
    """It stands at its place or as the statement before; the same code elsewhere is another."""
    module = parse("train.py", STANDS.format(around=around, call=call).encode())
    assert isinstance(module, Module)
    scope = module.scopes[1]
    block = next(one for one in scope.statements if one.node.lineno == 2)
    stands = next(one for one in scope.statements if one.node.lineno == 4)
    code = ast.unparse(stands.node)
    why = Reason.of("engine.no-position")
    for field, index in itertools.product(("body", "orelse"), range(4)):
        at = Position(block.path, field, index, None, None, why)
        there = field == "body" and index in (1, 2)
        assert standing_line(scope, at, code) == (line if there else None)
        assert standing_line(scope, at, code.replace("log", "tell")) is None
        outside = Position(block.path[:-1], field, index, None, None, why)
        assert standing_line(scope, outside, code) is None


NETS = """\
import paddle


def main(config):
{body}
    optimizers = [
{optimizers}
    ]
    for x in config["data"]:
        loss = {loss}
        loss.backward()
"""


@pytest.mark.parametrize("inside", [*itertools.product((False, True), repeat=3)])
def test_hooks_are_told_in_the_order_of_their_lines(inside: tuple[bool, ...], change: Make) -> None:
    """In whatever order the models are found, also where some stand in a block of their own."""
    built, body = "bca", []
    around = ("if config['x']:", "with config['x']:", "for _ in config['x']:")
    for name, head, within in zip(built, around, inside, strict=True):
        body += [head, f"    {name} = build()", "    print()"] if within else [f"{name} = build()"]
    one = "        paddle.optimizer.SGD(config['lr'], parameters={}.parameters()),"
    for found in itertools.permutations(built):
        source = NETS.format(
            body=textwrap.indent("\n".join(body), "    "),
            optimizers="\n".join(one.format(name) for name in found),
            loss=" + ".join(f"{name}(x)" for name in found),
        )
        made = change({"train.py": source})
        assert [hook.target for hook in made.hooks] == [*built]
        lines = made.changes[0].new.decode().splitlines()
        told = [lines[(hook.line or 0) - 1].strip() for hook in made.hooks]
        assert told == [f"{name} = paddle.jit.to_static({name})" for name in built]
        assert sorted(made.hooks, key=lambda hook: hook.line or 0) == [*made.hooks]
