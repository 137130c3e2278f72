"""Every name that a change uses is bound: Python's scopes, and the ways through a function."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source, Status
from codemod.code.tree import Tree
from codemod.engine.planner import UNKNOWN, make_plan
from codemod.engine.rewrite.bindings import unbound
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path

HOOK = "# HOOK"


def _why(source: str, code: str = "if cfg.x: pass") -> str | None:
    """What is said of `code` in the place of the line `# HOOK`."""
    old = textwrap.dedent(source)
    lines = []
    for line in old.splitlines():
        bare = line.lstrip()
        indent = line[: len(line) - len(bare)]
        lines += [indent + one for one in code.splitlines()] if bare == HOOK else [line]
    found = unbound(old.encode(), "\n".join([*lines, ""]).encode())
    return None if found is None else str(found)


BOUND = {
    "a parameter": "def f(cfg):\n    # HOOK\n    return cfg",
    "a keyword-only parameter": "def f(*, cfg):\n    # HOOK\n    return 1",
    "an earlier assignment": "def f():\n    cfg = g()\n    # HOOK\n    return 1\n\ndef g(): pass",
    "both branches": """
        def f(a):
            if a:
                cfg = 1
            else:
                cfg = 2
            # HOOK
            return a
        """,
    "the other branch leaves": """
        def f(a):
            if a:
                cfg = 1
            else:
                raise ValueError
            # HOOK
            return a
        """,
    "the same branch": """
        def f(a):
            if a:
                cfg = 1
                # HOOK
            return a
        """,
    "a with block": """
        def f(a):
            with a as cfg:
                pass
            # HOOK
            return a
        """,
    "try and except": """
        def f(a):
            try:
                cfg = a()
            except ValueError:
                cfg = None
            # HOOK
            return a
        """,
    "a handler that leaves": """
        def f(a):
            try:
                cfg = a()
            except ValueError:
                return None
            # HOOK
            return a
        """,
    "sys.exit in the other branch": """
        import sys

        def f(a):
            if a:
                cfg = 1
            else:
                sys.exit(1)
            # HOOK
            return a
        """,
    "the kit relies on it": """
        def f(a):
            if a:
                cfg = 1
            # HOOK
            return cfg
        """,
    "a name of the module, bound later": "def f():\n    # HOOK\n    return 1\n\n\ncfg = f",
    "a name of the main block that the function uses": """
        def f():
            # HOOK
            return cfg.y

        if __name__ == "__main__":
            cfg = 1
            f()
        """,
    "the function around": """
        def f(cfg):
            def g():
                # HOOK
                return 1
            return g
        """,
    "a star import that the file uses": """
        from settings import *

        def f():
            # HOOK
            return cfg
        """,
}
UNBOUND = {
    "nothing at all": ("def f():\n    # HOOK\n    return 1", "`cfg` is not bound"),
    "a nested function's local name": (
        """
        def f():
            def g():
                cfg = 1
                return cfg
            # HOOK
            return g
        """,
        "`cfg` is not bound",
    ),
    "an assignment that comes later": (
        "def f(a):\n    # HOOK\n    cfg = a\n    return cfg",
        "`cfg`",
    ),
    "a module's name before it is bound": ("# HOOK\ncfg = 1", "`cfg` is not bound"),
    "one branch alone": (
        """
        def f(a):
            if a:
                cfg = 1
            # HOOK
            return a
        """,
        "`cfg` is bound on some ways to it only",
    ),
    "a loop that may not run": (
        """
        def f(a):
            for one in a:
                cfg = one
            # HOOK
            return a
        """,
        "`cfg` is bound on some ways to it only",
    ),
    "a handler that goes on": (
        """
        def f(a):
            try:
                cfg = a()
            except ValueError:
                pass
            # HOOK
            return a
        """,
        "`cfg` is bound on some ways to it only",
    ),
    "a deleted name": ("def f(cfg):\n    del cfg\n    # HOOK\n    return 1", "`cfg` is not bound"),
    "a comprehension's name": (
        "def f(a):\n    b = [cfg for cfg in a]\n    # HOOK\n    return b",
        "`cfg` is not bound",
    ),
    "a class's name in its method": (
        "class A:\n    cfg = 1\n    def f(self):\n        # HOOK\n        return 1",
        "`cfg` is not bound",
    ),
    "the main block's name in a function that does without": (
        """
        def f():
            # HOOK
            return 1

        if __name__ == "__main__":
            cfg = 1
            f()
        """,
        "`cfg` is bound on some ways to it only",
    ),
    "a star import, perhaps": (
        "from settings import *\n\ndef f():\n    # HOOK\n    return 1",
        "star import",
    ),
}


@pytest.mark.parametrize("source", BOUND.values(), ids=BOUND)
def test_a_bound_name_is_no_obstacle(source: str) -> None:
    assert _why(source) is None


@pytest.mark.parametrize(("source", "reason"), UNBOUND.values(), ids=UNBOUND)
def test_a_name_that_may_be_unbound_is_told(source: str, reason: str) -> None:
    assert reason in (_why(source) or "")


def test_an_assignment_must_not_make_a_name_local_that_was_not() -> None:
    source = """
        net = 1

        def f(cfg):
            print(net)
            # HOOK
            return net
        """
    code = "if cfg.x:\n    net = str(net)"
    assert "would make `net` a local name" in (_why(source, code) or "")


def test_names_that_the_kit_leaves_unbound_are_not_held_against_the_change() -> None:
    assert _why("def f(cfg):\n    # HOOK\n    return undefined") is None


def test_what_runs_with_the_switch_on_alone_may_rely_on_the_kits_own_branches() -> None:
    source = "def f(cfg):\n    if cfg.a:\n        net = 1\n    # HOOK\n    return cfg"
    assert _why(source, "if cfg.x:\n    print(net)") is None


SCRIPT = """\
import argparse

import paddle


def collate(data):
    settings = {"size": 1}
    return settings["size"]


def pretrain(data):
    net = Net()
    def collator():
        settings = {"size": 1}
        return settings["size"]
    net = paddle.DataParallel(net)
    opt = paddle.optimizer.SGD(parameters=net.parameters())
    net(collator()).backward()


def finetune(settings):
    net = Net()
    net = paddle.DataParallel(net)
    opt = paddle.optimizer.SGD(parameters=net.parameters())
    net(settings["size"]).backward()
"""


def test_a_hook_with_an_unbound_name_is_unplaced_and_the_others_stay(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    gate = GateRule("expression", test="settings.get('to_static', False)")
    rule = Rule(kits=(), trainers=(Trainer(id="t", gates=(gate,)),))
    change_set = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
    bad, good = change_set.hooks
    assert (bad.scope, bad.status) == ("pretrain", Status.UNPLACED)
    assert "`settings` is not bound" in str(bad.reason)
    assert (good.scope, good.status) == ("finetune", Status.INSERTED)
    assert change_set.wants_a_human
    assert change_set.changes[0].new.count(b"paddle.jit.to_static(net)") == 1


def test_a_nested_functions_config_is_not_taken_for_a_gate(tmp_path: Path) -> None:
    source = SCRIPT.replace("settings", "config").replace(
        "def finetune(config)", "def other(config)"
    )
    (tmp_path / "train.py").write_text(source)
    change_set = make_plan(Source(None, tmp_path, None), Tree(tmp_path), UNKNOWN).change_set()
    bad, good = change_set.hooks
    assert bad.switch == "PADDLE_TO_STATIC=1"
    assert "no config" in str(bad.reason)
    assert good.gate == 'config.get("to_static", False)'


@pytest.mark.parametrize(
    "made",
    [
        "Config.from_pretrained(args.name)",
        "getattr(net, Net.base_model_prefix).config",
        "net_class.pretrained_init_configuration[args.name]",
        "{'hidden_size': args.size}",
    ],
)
def test_a_models_own_config_is_not_the_users(tmp_path: Path, made: str) -> None:
    source = f"""\
import argparse

import paddle

parser = argparse.ArgumentParser()
parser.add_argument("--name", type=str)
args = parser.parse_args()


def train(args):
    net = Net()
    config = {made}
    size = config["hidden_size"]
    net = paddle.DataParallel(net)
    opt = paddle.optimizer.SGD(parameters=net.parameters())
    net(size).backward()


train(args)
"""
    (tmp_path / "train.py").write_text(source)
    change_set = make_plan(Source(None, tmp_path, None), Tree(tmp_path), UNKNOWN).change_set()
    (hook,) = change_set.hooks
    assert hook.gate == "args.to_static"


ELSEWHERE = {
    "the module loses it": ("cfg = 1\n", "cfg = 1\ndel cfg\n"),
    "the function that it names has another name": (
        "def cfg():\n    return 1\n",
        "def other():\n    return 1\n",
    ),
    "its import is replaced": ("import cfg\n", "import other\n"),
}


@pytest.mark.parametrize("change", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_function_that_no_line_changes_may_lose_a_name_too(change: tuple[str, str]) -> None:
    reads = "\n\ndef untouched():\n    return cfg\n"
    old, new = (text + reads for text in change)
    found = unbound(old.encode(), new.encode())
    assert found is not None
    assert "`cfg`" in str(found)


@pytest.mark.parametrize("change", ["x = g()", "x = g(1)\n    y = 2"])
def test_a_global_name_that_another_function_binds_is_bound(change: str) -> None:
    old = "def bind():\n    global x, cfg\n    cfg = x = 1\n\n\ndef f():\n    x = g(cfg)\n    return x\n"
    new = old.replace("x = g(cfg)", f"{change}\n    x = cfg")
    assert unbound(old.encode(), f"def g(*_): pass\n{new}".encode()) is None
