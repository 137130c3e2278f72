"""A new parameter is annotated and documented as its neighbours are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import EditKind, Source
from codemod.code.tree import Tree
from codemod.engine.planner import make_plan
from codemod.engine.rewrite.file import rewrite
from codemod.engine.rewrite.ops import AddToDocstring, CannotRewriteError, Op
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path

RULE = Rule(
    kits=(),
    trainers=(Trainer(id="train", gates=(GateRule("parameter", callers=(GateRule("mapping"),)),)),),
)
SOURCE = '''\
import paddle


def main(cfg):
    train(build(cfg["net"]), cfg["lr"])


def train(net{net}, lr{lr}=0.1):
    """{doc}"""
    net = paddle.DataParallel(net)
    optimizer = paddle.optimizer.SGD(lr, parameters=net.parameters())
    net(1).backward()
    optimizer.step()
'''
GOOGLE = """Train a net.

    Args:
        net (Layer): The net,
            which is trained.
        lr (float{optional}): The rate.
            It falls.

    Returns: nothing.
    """


def made(root: Path, doc: str, net: str = "", lr: str = "", end: str = "\n") -> str:
    source = SOURCE.format(doc=doc, net=net, lr=lr).replace("\n", end)
    (root / "train.py").write_bytes(source.encode())
    (change,) = make_plan(Source(None, root, None), Tree(root), RULE).change_set().changes
    return change.new.decode()


@pytest.mark.parametrize(
    ("doc", "above", "entry"),
    [
        (GOOGLE.format(optional=", optional"), "            It falls.", "(bool, optional): "),
        (GOOGLE.format(optional=""), "            It falls.", "(bool): "),
        (
            "Train.\n\n    Args:\n        net: The net.\n        lr: The rate.\n    ",
            "        lr: The rate.",
            ": ",
        ),
        (
            "Train.\n\n    :param net: The net.\n    :param lr: The rate.\n    ",
            "    :param lr: The rate.",
            ": ",
        ),
    ],
    ids=["optional", "types", "bare", "param"],
)
def test_the_entry_follows_the_last_parameters(
    tmp_path: Path, doc: str, above: str, entry: str
) -> None:
    new = made(tmp_path, doc).split("\n")
    indent = "    :param " if ":param" in doc else "        "
    space = "" if entry.startswith(":") else " "
    line = new[new.index(above) + 1]
    text = "Whether to train with paddle.jit.to_static. Default: False."
    assert line == f"{indent}to_static{space}{entry}{text}"


@pytest.mark.parametrize(
    "doc",
    ["Train a net.", "Train.\n\n    lr: The rate.", "Args: net, lr.\n    "],
    ids=["no entries", "the last entry ends the docstring", "a sentence"],
)
def test_without_entries_nothing_is_documented(tmp_path: Path, doc: str) -> None:
    assert "Whether" not in made(tmp_path, doc)


def test_line_ends_are_the_files_own(tmp_path: Path) -> None:
    new = made(tmp_path, GOOGLE.format(optional=""), end="\r\n")
    assert "Default: False.\r\n" in new
    assert "\n" not in new.replace("\r\n", "")


@pytest.mark.parametrize(
    ("lr", "parameter"),
    [(": float ", "to_static: bool = False"), ("", "to_static=False")],
)
def test_a_parameter_is_annotated_where_the_one_before_it_is(
    tmp_path: Path, lr: str, parameter: str
) -> None:
    assert f", {parameter}):" in made(tmp_path, "Train.", lr=lr)


def test_a_docstring_in_parts_is_refused() -> None:
    op = Op("f.py", EditKind.PLUMBING, AddToDocstring((("body", 0), ("body", 0)), 1, "    x: y"))
    with pytest.raises(CannotRewriteError, match="not a plain string"):
        rewrite(b'def f(x):\n    "a" "b"\n', [op])
