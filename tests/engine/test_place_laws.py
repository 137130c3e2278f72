"""What holds of every place: of all bodies of a few statements, and of code that is then run."""

from __future__ import annotations

import ast
import itertools
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bench.programs.played import play
from codemod.base.changeset import ChangeSet, Source, Status
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module, Scope, parse
from codemod.code.sites import Kind, Site, find, group
from codemod.code.tree import Tree
from codemod.engine.place.placement import Position, place
from codemod.engine.planner import make_plan
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.engine.conftest import Make

BUILD, CONVERT, COPY = "model = build()", "model = convert_syncbn(model)", "ema = deepcopy(model)"
WRAP, CALL, OTHER = "net = paddle.DataParallel(model)", "loss = model(x)", "print(1)"


def scope_of(body: list[str], head: str = "def main(cfg):") -> Scope:
    text = "\n".join([head, *(f"    {line}" for line in body)]) + "\n"
    module = parse("train.py", text.encode())
    assert isinstance(module, Module)
    return module.scopes[1]


def placed(scope: Scope) -> Position | Refusal:
    return place(scope, find(scope, group(scope, "model")))


def bodies() -> Iterator[list[str]]:
    """All orders of a build and some of the other statements."""
    for count in range(6):
        for others in itertools.combinations((CONVERT, COPY, WRAP, CALL, OTHER), count):
            yield from map(list, itertools.permutations((BUILD, *others)))


def right(body: list[str]) -> int | None:
    """The index at which the hook belongs: the law that the engine is to keep, in a few words.

    Behind the build and what copies or converts the model, before what wraps or calls it first.
    Nowhere, where that comes before the build, or before a copy: on Paddle 2.6 the copy of a hooked
    model has no hook.
    """
    used = min(body.index(one) if one in body else len(body) for one in (WRAP, CALL))
    if body.index(BUILD) > used or (COPY in body and body.index(COPY) > used):
        return None
    return 1 + max(body.index(one) for one in (BUILD, CONVERT, COPY) if one in body[:used])


def test_every_body_is_hooked_at_the_first_place_that_is_right_or_not_at_all() -> None:
    seen = {None: 0, "place": 0}
    for body in bodies():
        found, index = placed(scope_of(body)), right(body)
        seen[None if index is None else "place"] += 1
        assert (found.index if isinstance(found, Position) else None) == index, body
    assert min(seen.values()) > 400


@pytest.mark.parametrize("around", ["with open(p) as f:", "if cfg.a:", "for fold in cfg.folds:"])
def test_a_block_around_everything_changes_no_place_in_it(around: str) -> None:
    for body in itertools.islice(bodies(), 0, None, 7):
        plain = placed(scope_of(body))
        inner = placed(scope_of([around, *(f"    {line}" for line in body)]))
        if isinstance(plain, Position):
            assert isinstance(inner, Position), body
            if inner.owner:  # else behind the whole block, where nothing uses the model
                assert inner.index == plain.index, body
                assert inner.reason == plain.reason
        elif WRAP in body or CALL in body:
            assert isinstance(inner, Refusal), body


def test_why_a_model_of_elsewhere_has_no_place_is_told_of_the_line_that_uses_it_first() -> None:
    """The model is wrapped twice: plainly, in a helper, or in the call that builds it.

    What converted its layers before, here or in another file, is not what used it.
    """
    reasons = {
        "plain": Reason.of("engine.made-elsewhere", line=3),
        "helper": Reason.of("engine.built-where-wrapped-in", line=3, scope="net.py:7"),
        "built": Reason.of("engine.built-where-wrapped", line=3),
    }
    scope = scope_of(["convert_syncbn(model)", WRAP, WRAP.replace("net", "other")])
    convert, *wraps = find(scope, group(scope, "model"))
    assert [site.kind for site in (convert, *wraps)] == [Kind.CONVERT, Kind.WRAP, Kind.WRAP]

    def made(site: Site, how: str) -> Site:
        site = replace(site, call=None) if how == "built" else site
        return replace(site, where="net.py:7") if how == "helper" else site

    for where, *hows in itertools.product(("", "layers.py:3"), reasons, reasons):
        found = place(scope, (replace(convert, where=where), *map(made, wraps, hows)))
        assert isinstance(found, Refusal)
        assert found.reason == reasons[hows[0]], hows


# Where a trainer may get its logger from, and whether that is sure to be there at the hook.
LOGGED = """\
import paddle

class Log:
    def info(self, text):
        assert text == "Training runs under paddle.jit.to_static."

    warning = info

{top}
class Trainer:
    {classwide}

    def __init__(self, config):
        self.config = config
        {begin}

    def late(self):
        {late}

    def train(self{parameter}):
        config = self.config
        {before}
        model = paddle.nn.Linear(4, 4)
        {after}
        net = paddle.DataParallel(model)
        optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
        for batch in [paddle.ones([2, 4])]:
            loss = net(batch)
            loss.backward()
            optimizer.step()

Trainer({{"lr": 0.1, "to_static": True}}).train({argument})
"""
MADE, HELD = "logger = Log()", "self.logger = Log()"
SOMETIMES = 'if config.get("verbose"):'
LOGGERS: list[tuple[str, dict[str, str]]] = [
    ("logger.info", {"top": MADE}),
    ("logger.info", {"before": MADE}),
    ("logger.info", {"parameter": ", logger", "argument": "Log()"}),
    ("self.logger.info", {"begin": HELD}),
    ("print", {}),
    ("print", {"after": MADE}),
    ("print", {"after": HELD}),
    ("print", {"late": HELD}),
    ("print", {"begin": f"{SOMETIMES} {HELD}"}),
    ("print", {"before": f"{SOMETIMES} {MADE}"}),
    # A name that the function binds later is no longer the module's.
    ("print", {"top": MADE, "after": MADE}),
    ("self.logger.info", {"before": HELD}),
    ("self.logger.info", {"begin": HELD, "late": HELD, "after": HELD}),
    ("logger.info", {"top": MADE, "begin": HELD}),
]


@pytest.mark.parametrize(("name", "parts"), LOGGERS)
def test_the_hook_writes_to_a_logger_that_is_there_when_it_runs(
    name: str, parts: dict[str, str], change: Make
) -> None:
    empty = dict.fromkeys(("parameter", "argument", "top"), "")
    bodies = dict.fromkeys(("classwide", "begin", "late", "before", "after"), "pass")
    source = LOGGED.format(**empty | bodies | parts)
    made = change({"train.py": source})
    text = made.changes[0].new
    assert f'{name}("Training runs under'.encode() in text
    assert play({"train.py": text}).error == ""
    assert any(what == "hook" for what, _ in play({"train.py": text}).events)


TRAINER = """\
import copy

import paddle


def main(config):
    model = build(config)
    {second}
    {third}
    for batch in config["data"]:
        loss = model(batch)
        loss.backward()
"""


def changed_by(
    trainer: Trainer, source: str, folder: Path, kits: tuple[str, ...] = ("Kit",)
) -> ChangeSet:
    (folder / "train.py").write_text(textwrap.dedent(source))
    rule = Rule(kits=kits, trainers=(replace(trainer, gates=(GateRule(kind="mapping"),)),))
    return make_plan(Source(None, folder, None), Tree(folder), rule).change_set()


@pytest.mark.parametrize("spec", ["", '[paddle.static.InputSpec([None, 4], "float32")]'])
@pytest.mark.parametrize("position", ["after", "constraints"])
def test_every_word_of_a_rule_s_hook_is_filled(spec: str, position: str, tmp_path: Path) -> None:
    """MODEL is what is hooked, SPEC the rule's or None, LOG what logs; the code parses."""
    trainer = Trainer(
        id="own",
        files=("*.py",),
        model=("$MODEL = build($CONFIG)",),
        position=position,
        hook="$LOG($CONFIG)\n$MODEL = paddle.jit.to_static($MODEL, $SPEC)",
        input_spec=spec,
    )
    made = changed_by(trainer, TRAINER.format(second="pass", third="pass"), tmp_path)
    (hook,) = made.hooks
    assert hook.input_spec == (spec or None)
    (change,) = made.changes
    text = ast.unparse(ast.parse(change.new))
    wanted = ast.unparse(ast.parse(f"model = paddle.jit.to_static(model, {spec or 'None'})"))
    assert wanted in text
    assert b"print(config)" in change.new
    assert b"$" not in change.new


@pytest.mark.parametrize("position", ["before", "after"])
@pytest.mark.parametrize("own", ["ema = copy.deepcopy(model)", "model = rebuild(model)"])
@pytest.mark.parametrize("other", ["pass", "twin = copy.deepcopy(model)"])
@pytest.mark.parametrize("wrap", [False, True])
def test_a_stated_place_is_told_by_the_statement_that_the_rule_names(
    position: str, own: str, other: str, wrap: bool, tmp_path: Path
) -> None:
    """A copy elsewhere in the scope says nothing of the place; a wrap in it does."""
    third = f"{other}; model = paddle.DataParallel(model)" if wrap else other
    pattern = f"ema = {own[6:]}" if own.startswith("ema") else own
    trainer = Trainer(
        id="own", files=("*.py",), model=(pattern,), position=position, target="model"
    )
    made = changed_by(trainer, TRAINER.format(second=own, third=third), tmp_path)
    (hook,) = made.hooks
    assert hook.after == ("copy" if own.startswith("ema") else "build")
    assert hook.before == ("wrap" if wrap else "loop")
    lines = [line.strip() for line in made.changes[0].new.decode().splitlines()]
    gate = next(i for i, line in enumerate(lines) if line.startswith("if config"))
    assert (gate > lines.index(own)) == (position == "after")


METHODS = """\
import copy

import paddle


class Trainer:
    def __init__(self, config):
        self.config = config
{first}

    def prepare(self):
{second}

    def train(self):
{third}
        optimizer = paddle.optimizer.SGD(self.config["lr"], parameters=self.model.parameters())
        for x in self.config["data"]:
            loss = self.model(x)
            loss.backward()


def main(config):
    trainer = Trainer(config)
    trainer.prepare()
    trainer.train()
"""
LAST = {
    "self.model = convert_sync_batchnorm(self.model)": " and its layers are converted",
    "convert_sync_batchnorm(self.model)": " and its layers are converted",
    "self.model = fuse_layers(self.model)": " and its layers are changed",
    "self.best = copy.deepcopy(self.model)": " and copied",
}


@pytest.mark.parametrize("where", ["second", "third"])
@pytest.mark.parametrize("last", LAST)
@pytest.mark.parametrize("wrap", ["", "self.model = paddle.DataParallel(self.model)"])
def test_the_hook_stands_in_the_method_that_does_last_what_must_come_first(
    where: str, last: str, wrap: str, change: Make
) -> None:
    """Whether that method builds the model itself or another did."""
    build = "self.model = build(self.config)"
    for first, own in ((build, "pass"), ("pass", build)):
        steps = {"first": [first], "second": ["pass"], "third": [wrap or "pass"]}
        steps[where] = [own, last, *([wrap] if where == "third" and wrap else [])]
        bodies = {name: textwrap.indent("\n".join(body), " " * 8) for name, body in steps.items()}
        made = change({"train.py": METHODS.format(**bodies)})
        (hook,) = made.hooks
        assert hook.status is Status.INSERTED
        assert hook.scope == f"Trainer.{'prepare' if where == 'second' else 'train'}"
        lines = made.changes[0].new.decode().splitlines()
        assert lines[(hook.line or 0) - 3].strip() == last
        assert str(hook.reason).startswith(f"After the model is built{LAST[last]}")


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("peek", ["model(x)", "loss = model(x)"])
def test_a_rule_whose_extras_keep_calls_without_gradients_dynamic_is_not_held_up_by_them(
    answered: bool, peek: str, tmp_path: Path
) -> None:
    source = f"""\
import paddle


def main(config):
    model = build(config)
    net = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for x in config["data"]:
        with paddle.no_grad():
            {peek}
        net(x).backward()
"""
    trainer = Trainer(id="own", dynamic_under_no_grad=answered)
    made = changed_by(trainer, source, tmp_path, kits=())
    assert [hook.status for hook in made.hooks] == [Status.INSERTED] * answered
    assert len(made.skipped) == (not answered)


@pytest.mark.parametrize("model", [(), ("$MODEL = build($CONFIG)",)])
@pytest.mark.parametrize("name", ["model", "net"])
def test_a_rule_s_target_is_a_part_of_the_model_that_is_found(
    model: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    """By a pattern of the rule's, or by its optimizer."""
    optimizer = "optimizer = paddle.optimizer.SGD(0.1, parameters=model.parameters())"
    source = TRAINER.format(second=optimizer, third="pass").replace("model", name)
    trainer = Trainer(id="own", model=model, position="constraints", target="$MODEL.core")
    made = changed_by(trainer, source, tmp_path)
    (hook,) = made.hooks
    assert hook.target == f"{name}.core"
    call = f"{name}.core = paddle.jit.to_static({name}.core)"
    assert call.encode() in made.changes[0].new
