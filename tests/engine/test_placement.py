"""Where a hook stands: each constraint with a small trainer that needs it."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module, parse
from codemod.code.sites import Kind, find, group
from codemod.engine.place.hookcode import standing_line
from codemod.engine.place.placement import Position, place

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

HEAD = """\
import copy
import paddle


def main(config):
"""
LINE_4 = Reason.of("code.line", line=4)
LOOP = """\
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for batch in config["data"]:
        loss = model(batch)
        loss.backward()
        optimizer.step()
"""


def lines_around(change_set: ChangeSet) -> tuple[str, str]:
    """The line before the hook's `if`, and the line after its log."""
    (change,) = change_set.changes
    lines = change.new.decode().splitlines()
    at = next(i for i, line in enumerate(lines) if "jit.to_static(" in line)
    return lines[at - 2].strip(), lines[at + 2].strip()


@pytest.mark.parametrize(
    ("body", "above", "below"),
    [
        (
            "    model = build()\n    model = paddle.DataParallel(model)\n",
            "model = build()",
            "model = paddle.DataParallel(model)",
        ),
        (
            "    model = build()\n    model = convert_sync_batchnorm(model)\n    model = paddle.DataParallel(model)\n",
            "model = convert_sync_batchnorm(model)",
            "model = paddle.DataParallel(model)",
        ),
        (
            "    model = build()\n    ema = copy.deepcopy(model)\n    model = paddle.DataParallel(model)\n",
            "ema = copy.deepcopy(model)",
            "model = paddle.DataParallel(model)",
        ),
        (
            "    if config['a']:\n        model = build()\n    else:\n        model = other()\n    model = paddle.DataParallel(model)\n",
            "model = other()",
            "model = paddle.DataParallel(model)",
        ),
        (
            "    model = build()\n",
            "model = build()",
            'optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())',
        ),
    ],
    ids=["wrap", "convert", "copy", "branches", "no wrap"],
)
def test_position(change: Make, body: str, above: str, below: str) -> None:
    made = change({"train.py": HEAD + body + LOOP})
    (hook,) = made.hooks
    assert hook.status is Status.INSERTED
    assert hook.gate == 'config.get("to_static", False)'
    assert lines_around(made) == (above, below)


def test_a_copy_after_the_wrap_is_refused(change: Make) -> None:
    body = "    model = build()\n    model = paddle.DataParallel(model)\n    ema = copy.deepcopy(model)\n"
    made = change({"train.py": HEAD + body + LOOP})
    assert made.changes == ()
    assert "is copied at line" in str(made.hooks[0].reason)


def test_build_and_wrap_in_one_branch(change: Make) -> None:
    body = "    if config['train']:\n        model = build()\n        model = paddle.DataParallel(model)\n"
    loop = "".join(f"    {line}\n" for line in LOOP.splitlines())
    made = change({"train.py": HEAD + body + loop})
    assert lines_around(made) == ("model = build()", "model = paddle.DataParallel(model)")


def test_a_conversion_tied_to_the_wrap_gives_way(change: Make) -> None:
    body = """\
    model = build()
    if config["cards"] > 1:
        model = convert_sync_batchnorm(model)
        model = paddle.DataParallel(model)
"""
    made = change({"train.py": HEAD + body + LOOP})
    assert lines_around(made) == ("model = build()", 'if config["cards"] > 1:')


def test_a_conversion_tied_to_an_evaluation_stays_before_the_hook(change: Make) -> None:
    body = """\
    model = build()
    if config["cards"] > 1:
        model = convert_sync_batchnorm(model)
        model.eval()
        model(config["x"])
        model.train()
    model = paddle.DataParallel(model)
"""
    made = change({"train.py": HEAD + body + LOOP})
    assert lines_around(made) == ("model.train()", "model = paddle.DataParallel(model)")


def test_a_hook_that_stands_is_known_where_it_is_or_one_before() -> None:
    source = b"def main(a):\n    if a:\n        net = to_static(net)\n    b()\n    c()\n"
    module = parse("train.py", source)
    assert isinstance(module, Module)
    (scope,) = (s for s in module.scopes if s.name == "main")
    path = next(s.path for s in scope.statements if s.node.lineno == 2)
    lines = []
    for index in range(4):
        at = Position(path[:-1], path[-1][0], index, None, None, Reason.of("engine.no-position"))
        lines.append(standing_line(scope, at, "if a:\n    net = to_static(net)"))
    assert lines == [3, 3, None, None]


def test_the_gate_is_read_after_its_config_is_there(change: Make) -> None:
    body = """\
    model = build()
    cfg = load_config("c.yaml")
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(cfg["lr"], parameters=model.parameters())
    loss = model(cfg["x"])
    loss.backward()
"""
    made = change({"train.py": HEAD.replace("main(config)", "main()") + body})
    assert lines_around(made)[1] == "model = paddle.DataParallel(model)"


def test_a_model_that_comes_as_a_parameter_is_hooked_below_the_docstring(change: Make) -> None:
    source = '''\
import paddle


def train(model, config):
    """Train it."""
    model.train()
    ddp = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    loss = ddp(config["x"])
    loss.backward()
'''
    made = change({"train.py": source})
    assert lines_around(made) == ('"""Train it."""', "model.train()")
    assert made.hooks[0].target == "model"


def test_a_class_that_builds_and_wraps_in_different_methods(change: Make) -> None:
    source = """\
import paddle


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(cfg)
        self.ema = ModelEMA(self.model)
        self.optimizer = paddle.optimizer.SGD(parameters=self.model.parameters())

    def train(self):
        model = self.model
        model = paddle.DataParallel(model)
        for x in self.cfg["data"]:
            loss = model(x)
            loss.backward()
"""
    made = change({"train.py": source})
    (hook,) = made.hooks
    assert hook.scope == "Trainer.train"
    assert lines_around(made) == ("model = self.model", "model = paddle.DataParallel(model)")


def test_a_forward_before_the_build_is_over_leaves_no_place(change: Make) -> None:
    body = """\
    for step in range(3):
        model(step)
        model = build()
        model = paddle.DataParallel(model)
        optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
        loss = model(step)
        loss.backward()
"""
    made = change({"train.py": HEAD + body})
    (hook,) = made.hooks
    assert hook.status is Status.UNPLACED
    assert "before this scope makes it" in str(hook.reason)
    assert made.changes == ()


@pytest.mark.parametrize(
    "source",
    [
        # evaluation wraps too
        "import paddle\ndef test_model(cfg):\n    model = build(cfg['m'])\n    model = paddle.DataParallel(model)\n    model.eval()\n    model(cfg['x'])\n",
        # the loss may be a layer that is wrapped
        "import paddle\ndef main(cfg):\n    loss_func = build(cfg['l'])\n    loss_func = paddle.DataParallel(loss_func)\n    loss_func(1).backward()\n",
        # a static-graph trainer
        "import paddle\npaddle.enable_static()\ndef main(cfg):\n    exe = paddle.static.Executor()\n    exe.run(cfg['p'])\n",
        # words in comments and strings
        "# model = paddle.DataParallel(model); loss.backward()\nx = 'paddle.DataParallel(model)'\n",
    ],
    ids=["evaluation", "loss", "static graph", "comment"],
)
def test_what_does_not_train_is_left_alone(change: Make, source: str) -> None:
    made = change({"train.py": source})
    assert made.hooks == ()
    assert made.changes == ()


def test_paddle_fluid_is_told_apart(change: Make) -> None:
    source = """\
import paddle.fluid as fluid
def main(config):
    with fluid.dygraph.guard():
        model = build(config["m"])
        model = fluid.dygraph.parallel.DataParallel(model)
        optimizer = fluid.optimizer.SGD(config["lr"], parameter_list=model.parameters())
        loss = model(config["x"])
        loss.backward()
"""
    made = change({"train.py": source})
    assert made.hooks == ()
    assert "fluid" in str(made.skipped[0].reason)


def test_a_frozen_teacher_is_left_alone(change: Make) -> None:
    body = """\
    student = build()
    teacher = build()
    student = paddle.DataParallel(student)
    teacher = paddle.DataParallel(teacher)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=student.parameters())
    for x in config["data"]:
        loss = student(x) - teacher(x)
        loss.backward()
"""
    made = change({"train.py": HEAD + body})
    assert [h.target for h in made.hooks] == ["student"]


def test_two_trained_nets_get_a_hook_each(change: Make) -> None:
    body = """\
    a = build()
    b = build()
    opt_a = paddle.optimizer.SGD(config["lr"], parameters=a.parameters())
    opt_b = paddle.optimizer.SGD(config["lr"], parameters=b.parameters())
    for x in config["data"]:
        (a(x) + b(x)).backward()
"""
    made = change({"train.py": HEAD + body})
    assert [h.target for h in made.hooks] == ["a", "b"]
    lines = made.changes[0].new.decode().splitlines()
    for hook in made.hooks:
        assert hook.line is not None
        assert (
            lines[hook.line - 1].strip() == f"{hook.target} = paddle.jit.to_static({hook.target})"
        )


def placed(body: str, *, head: str = "def main(cfg):") -> tuple[str | None, Position] | str:
    """The statement that the hook of `model` would stand before, or the reason for none."""
    text = "\n".join([head, *textwrap.indent(textwrap.dedent(body).strip(), "    ").splitlines()])
    module = parse("train.py", f"{text}\n".encode())
    assert isinstance(module, Module)
    scope = module.scopes[1]
    bound = tuple(s for s in scope.statements if ast.unparse(s.node).startswith("cfg = "))
    found = place(scope, find(scope, group(scope, "model")), bound)
    if isinstance(found, Refusal):
        return str(found.reason)
    before = (*found.owner, (found.field, found.index))
    line = next(
        (ast.unparse(s.node).splitlines()[0] for s in scope.statements if s.path == before), None
    )
    return line, found


@pytest.mark.parametrize(
    ("body", "before", "words"),
    [
        ("model = build()\nwrapped = paddle.DataParallel(model)", "wrapped = paddle.DataParallel(model)", ("build", "wrap")),
        ("model = build()\nprint(1)\nloss = model(x)", "print(1)", ("build", "loop")),
        ("model = build()\nmodel = convert_sync_batchnorm(model)\nprint(1)", "print(1)", ("convert", None)),
        ("model = build()\nema = copy.deepcopy(model)\nprint(1)\nmodel(x)", "print(1)", ("copy", "loop")),
        # The later of two builds counts, and what befell an earlier object does not.
        ("model = build()\nif cfg.ema:\n    ema = copy.deepcopy(model)\nmodel = build()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        # Every build lies in one block: the hook stands in it, else below.
        ("if cfg.a:\n    model = build()\n    print(1)\n    model(x)", "print(1)", ("build", "loop")),
        ("if cfg.a:\n    pass\nelse:\n    model = build()\n    print(1)\n    model(x)", "print(1)", ("build", "loop")),
        ("try:\n    pass\nfinally:\n    model = build()\n    print(1)\n    model(x)", "print(1)", ("build", "loop")),
        ("if cfg.a:\n    model = build()\nelse:\n    model = other()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        ("if cfg.a:\n    model = build()\n    print(1)\nmodel(x)", "print(1)", ("build", "loop")),
        ("with cfg.a:\n    if cfg.b:\n        model = build()\n        print(1)\n        model(x)", "print(1)", ("build", "loop")),
        # The gate's config is bound later, on the way, or in a block of its own.
        ("model = build()\ncfg = load()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        ("cfg = load()\nmodel = build()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        ("model = build()\nif 1:\n    cfg = load()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        # A conversion in the block of the wrap gives way.
        ("model = build()\nif cfg.n > 1:\n    model = convert_sync_batchnorm(model)\n    model = paddle.DataParallel(model)", "if cfg.n > 1:", ("build", "wrap")),
        # What the model is made into is a wrapper where nothing else fits.
        ("model = build()\nprint(1)\nif cfg.a:\n    model(x)\nmodel = add_lora(model)", "print(1)", ("build", "loop")),
        ("model = build()\nprint(1)\nif cfg.a:\n    model = add_lora(model)\n    model(x)", "print(1)", ("build", "build")),
        ("model = build()\nmodel = add_lora(model)\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        # An alias of an earlier object lies in another block.
        ("if cfg.a:\n    model = self.net\nwith cfg.b:\n    model = build()\n    print(1)\n    model(x)", "print(1)", ("build", "loop")),
        ("model(x)\nmodel = add_lora(model)", "model(x)", ("build", "loop")),
        ("if cfg.a:\n    model = build()\n    print(0)\nelse:\n    convert_sync_batchnorm(model)\nmodel(x)", "print(0)", ("convert", "loop")),
        ("if 1:\n    pass\n    pass\n    cfg = load()\nwith cfg.x:\n    model = build()\n    print(1)\n    model(x)", "print(1)", ("build", "loop")),
        ("with cfg.x:\n    model = build()\ncfg = load()\nprint(1)\nmodel(x)", "print(1)", ("build", "loop")),
        ("if cfg.a:\n    model = build()\n    cfg = load()\n    print(1)\nelse:\n    model(x)", "print(1)", ("build", "loop")),
        ("with cfg.x:\n    model = build()\n    cfg = load()\n    print(1)\nif cfg.b:\n    model(x)", "print(1)", ("build", "loop")),
        ("model = build()\nprint(1)\nnet = paddle.DataParallel(model)\nmodel(x)", "print(1)", ("build", "wrap")),
    ],
)  # fmt: skip
def test_the_position_of_one_model(
    body: str, before: str, words: tuple[str | None, str | None]
) -> None:
    found = placed(body)
    assert not isinstance(found, str), found
    line, position = found
    assert (line, (position.after, position.before)) == (before, words)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "model = build()\nmodel(x)\nema = copy.deepcopy(model)",
            "the model is copied at line 4, not before it is called or wrapped at line 3",
        ),
        (
            "model = build()\nmodel = paddle.DataParallel(copy.deepcopy(model))",
            "the model is copied at line 3, not before it is called or wrapped at line 3",
        ),
        (
            "match cfg.a:\n    case 1:\n        model = build()\n        model = add_lora(model)\n        model(x)",
            "no position lies after the build and copies and before line 6",
        ),
        (
            "match cfg.a:\n    case 1:\n        model = build()",
            "no position lies after the build and copies",
        ),
        (
            "model = paddle.DataParallel(build())\nloss = model(x)",
            "the call that wraps the model at line 2 also builds it: it has no name before",
        ),
        (
            "model(x)\nmodel = build()",
            "the model is called or wrapped at line 2, before this scope makes it",
        ),
        (
            "match cfg.a:\n    case 1:\n        model = build()\n        model(x)",
            "no position lies after the build and copies and before line 5",
        ),
        (
            "model = build()\nmodel(x)\ncfg = load()",
            "no position lies after the build and copies and before line 3",
        ),
    ],
)
def test_a_model_without_a_position(body: str, reason: str) -> None:
    assert placed(body) == reason


def test_a_parameter_is_hooked_first_thing() -> None:
    found = placed('"""Train it."""\nprint(1)\nmodel(x)', head="def train(model):")
    assert not isinstance(found, str)
    assert found[0] == "print(1)"
    assert str(found[1].reason) == "Where the trainer receives the model, before its first forward."
    copied = placed("ema = copy.deepcopy(model)\nprint(1)\nmodel(x)", head="def train(model):")
    assert not isinstance(copied, str)
    assert copied[0] == "print(1)"
    again = placed("model(x)\nmodel = build()", head="def train(model):")
    assert not isinstance(again, str)
    assert again[0] == "model(x)"
    assert again[1].after == "build"


@pytest.mark.parametrize("own", ["model = add_lora(model)", "model = self.net"])
@pytest.mark.parametrize("around", ["if cfg.a:", "for one in cfg:", "with cfg:"])
def test_a_parameter_that_gives_way_to_another_model_in_a_block_is_hooked_in_it(
    own: str, around: str
) -> None:
    body = f"{around}\n    {own}\n    print(1)\n    model(x)"
    for head in ("def train(model, cfg):", "def train(cfg):"):
        found = placed(body, head=head)
        assert not isinstance(found, str)
        assert found[0] == "print(1)"


def test_the_reason_names_what_comes_before_and_after() -> None:
    found = placed(
        """
        model = build()
        model = convert_sync_batchnorm(model)
        ema = copy.deepcopy(model)
        model = paddle.DataParallel(model)
        model(x)
        """
    )
    assert not isinstance(found, str)
    assert str(found[1].reason) == (
        "After the model is built and copied and its layers are converted (a later deepcopy would "
        "undo the hook on Paddle 2.6), before it is wrapped for several cards (hooking the wrapper "
        "raises)."
    )
    assert found[1].reason.text("zh") == (
        "放在模型构建并复制、各层改写之后（在 Paddle 2.6 上，后面的 deepcopy 会使转换失效）、"
        "多卡封装之前（转换封装后的对象会报错）。"
    )
    alone = placed("model = build()\nprint(1)")
    assert not isinstance(alone, str)
    assert str(alone[1].reason) == "After the model is built."


def test_a_model_that_the_trainer_is_given_is_not_said_to_be_built_there() -> None:
    """Paddle3D's trainer keeps its argument: `self.model = model`."""
    found = placed("model = net\nprint(1)", head="def train(net):")
    assert not isinstance(found, str)
    assert str(found[1].reason) == "After the trainer takes the model over."
    found = placed("model = net\nema = copy.deepcopy(model)", head="def train(net):")
    assert not isinstance(found, str)
    assert found[1].reason.text("zh").startswith("放在训练器接管模型并复制之后（")


def refused(body: str, where: str = "", **kinds: Kind) -> Reason | None:
    """Why no hook of `model` stands in a body whose sites at some lines are of other kinds."""
    text = "\n".join(["def main(cfg):", *textwrap.indent(body, "    ").splitlines()])
    module = parse("train.py", f"{text}\n".encode())
    assert isinstance(module, Module)
    scope = module.scopes[1]
    sites = tuple(
        replace(site, kind=kinds[f"line_{line}"], where=where)
        if site.statement and f"line_{(line := site.statement.node.lineno)}" in kinds
        else site
        for site in find(scope, group(scope, "model"))
    )
    found = place(scope, sites)
    return found.reason if isinstance(found, Refusal) else None


def test_a_call_without_gradients_after_the_wrap_and_before_training_is_refused() -> None:
    body = "model = build()\nnet = paddle.DataParallel(model)\nmodel(y)\nmodel(x)"
    assert refused(body) is None
    late = refused(body, line_4=Kind.PEEK)
    assert late == Reason.of("engine.peeked-late", place=LINE_4, first=3)
    # The trained call comes first: the later one without gradients does no harm.
    after = "model = build()\nnet = paddle.DataParallel(model)\nmodel(x)\nmodel(y)"
    assert refused(after, line_5=Kind.PEEK) is None


def test_a_call_without_gradients_in_the_block_of_the_trained_one_is_named() -> None:
    body = "model = build()\nif cfg.a:\n    model(y)\n    model(x)"
    traced = refused(body, line_4=Kind.PEEK)
    assert traced == Reason.of("engine.traced-without-gradients", place=LINE_4)


def test_layers_that_a_called_function_converts_after_the_wrap_are_refused() -> None:
    body = "model = build()\nnet = paddle.DataParallel(model)\nmodel(y)\nmodel(x)"
    late = refused(body, where="Trainer.fuse", line_4=Kind.CONVERT)
    assert late == Reason.of("engine.changed-late", place="Trainer.fuse", first=3)
    # In the scope itself it changes another object, which the wrapper does not see.
    assert refused(body, line_4=Kind.CONVERT) is None


def test_the_gate_may_hang_on_the_statement_around_the_build() -> None:
    text = "def main(cfg):\n    with cfg.x as y:\n        model = build()\n        model(x)\n"
    module = parse("train.py", text.encode())
    assert isinstance(module, Module)
    scope = module.scopes[1]
    around = next(s for s in scope.statements if isinstance(s.node, ast.With))
    found = place(scope, find(scope, group(scope, "model")), (around,))
    assert isinstance(found, Position)
    assert (found.owner, found.index) == (around.path, 1)
