"""Inserted lines are broken as the file's own, and as the kit's formatter leaves them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.code.module import Module, parse
from codemod.code.tree import Tree
from codemod.engine.planner import UNKNOWN, make_plan
from codemod.engine.rewrite.layout import filled_call, layout_of

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.changeset import ChangeSet
    from codemod.engine.rewrite.layout import Layout

FLAG = "parser.add_argument('--to_static', action='store_true', help='Train with to_static now.')"
ALIGNED = "call(1,\n     two=2)\n"
HANGING = "call(\n    1,\n    two=2)\n"
CLOSED = "call(\n    1, two=2\n)\n"


def layout(root: Path, source: str, **settings: str) -> Layout:
    for name, text in settings.items():
        path = {"hooks": ".pre-commit-config.yaml", "project": "pyproject.toml"}[name]
        (root / path).write_text(text)
    (root / "train.py").write_text(source)
    module = parse("train.py", source.encode())
    assert isinstance(module, Module)
    return layout_of(Tree(root), module)


@pytest.mark.parametrize(
    ("own", "lines"),
    [
        (
            ALIGNED,
            [
                "parser.add_argument('--to_static',",
                "                    action='store_true',",
                "                    help='Train with to_static now.')",
            ],
        ),
        (
            HANGING,
            [
                "parser.add_argument(",
                "    '--to_static', action='store_true', help='Train with to_static now.')",
            ],
        ),
        (
            CLOSED,
            [
                "parser.add_argument(",
                "    '--to_static', action='store_true', help='Train with to_static now.'",
                ")",
            ],
        ),
    ],
    ids=["aligned", "hanging", "closed"],
)
def test_a_long_call_is_broken_as_the_files_own(tmp_path: Path, own: str, lines: list[str]) -> None:
    assert layout(tmp_path, own).fitted(FLAG, 0).split("\n") == lines


def test_deeper_down_each_argument_has_a_line(tmp_path: Path) -> None:
    broken = layout(tmp_path, HANGING).fitted(FLAG, 8).split("\n")
    assert broken == [
        "parser.add_argument(",
        "    '--to_static',",
        "    action='store_true',",
        "    help='Train with to_static now.')",
    ]


def test_a_comma_before_the_bracket_says_nothing(tmp_path: Path) -> None:
    assert layout(tmp_path, "call(\n    1,\n    two=2,\n)\n").breaks == "hanging"
    assert layout(tmp_path, "call('é',\n     two=2)\ncall(\n    1,\n    two=2,\n)\n").breaks == (
        "aligned"
    )


def test_what_fits_stays_and_what_is_not_a_call_too(tmp_path: Path) -> None:
    plain = layout(tmp_path, "a = 1\n")
    assert plain.fitted("if a:\n    f(1)", 0) == "if a:\n    f(1)"
    long = "if " + " and ".join(["some_condition"] * 6) + ":\n    f(1)"
    assert plain.fitted(long, 0) == long
    noted = f"f({'1, ' * 30}2)  # a comment behind it is kept"
    assert plain.fitted(noted, 0) == noted


def test_statements_that_end_with_a_call(tmp_path: Path) -> None:
    plain = layout(tmp_path, "a = 1\n")
    name = "self.model.feature_extracter"
    assert plain.fitted(f"{name} = paddle.jit.to_static({name}.of_the_net)", 12) == (
        f"{name} = paddle.jit.to_static(\n    {name}.of_the_net)"
    )
    error = f"raise RuntimeError('{'x' * 60}')"
    assert plain.fitted(f"if a:\n    {error}", 4) == (
        f"if a:\n    raise RuntimeError(\n        '{'x' * 60}')"
    )


@pytest.mark.parametrize(
    ("settings", "columns"),
    [
        ({"hooks": "-   repo: https://github.com/psf/black.git\n"}, 88),
        ({"project": "[tool.black]\nline-length = 119\ntarget_version = ['py38']\n"}, 119),
        ({"hooks": "- id: ruff-format\n", "project": "[tool.ruff]\nline-length = 100\n"}, 100),
    ],
    ids=["black", "black with a length", "ruff format"],
)
def test_black_has_its_quotes_and_its_length(
    tmp_path: Path, settings: dict[str, str], columns: int
) -> None:
    black = layout(tmp_path, ALIGNED, **settings)
    assert (black.columns, black.breaks) == (columns, "closed")
    assert black.fitted("print('a')\nprint('say \"b\"')", 0) == 'print("a")\nprint(\'say "b"\')'
    lines = black.fitted(f"f('{'x' * 70}', key='{'y' * 60}')", 0).split("\n")
    assert lines == ["f(", f'    "{"x" * 70}",', f'    key="{"y" * 60}",', ")"]


def test_a_linter_alone_does_not_format(tmp_path: Path) -> None:
    found = layout(tmp_path, "a = 1\n", project="[tool.ruff]\nline-length = 100\n")
    assert (found.columns, found.black) == (79, False)


def test_nothing_is_aligned_in_a_file_with_another_indentation(tmp_path: Path) -> None:
    assert layout(tmp_path, f"def f():\n  pass\n\n\n{ALIGNED}").breaks == "hanging"


def test_names_fill_the_lines_and_are_aligned_unless_that_takes_more_of_them() -> None:
    names = ["feat_embeddings", "y_first_order", "y_second_order"]
    assert filled_call("return self.forward_dense(", names, ")", 8, 79) == (
        "return self.forward_dense(feat_embeddings, y_first_order,\n"
        "                          y_second_order)"
    )
    start = "transformer_output, item_output_unqueeze = self.forward_dense("
    assert filled_call(start, ["position_emb_val", "interest_agg"], ")", 8, 79) == (
        f"{start}\n    position_emb_val, interest_agg)"
    )
    assert filled_call("f(", ["a", "b"], ")", 8, 79) == "f(a, b)"


SCRIPT = """\
import argparse

import paddle


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lr',
                        type=float,{help}
                        default=0.1)
    return parser.parse_args()


def main(args):
    net = build(args.lr)
    net = paddle.DataParallel(net)
    optimizer = paddle.optimizer.SGD(args.lr, parameters=net.parameters())
    net(1).backward()
    optimizer.step()


main(parse())
"""


def planned(root: Path, source: str) -> ChangeSet:
    (root / "train.py").write_text(source)
    return make_plan(Source(None, root, None), Tree(root), UNKNOWN).change_set()


def test_a_flag_is_aligned_and_explained_as_its_siblings(tmp_path: Path) -> None:
    source = SCRIPT.replace("{help}", "\n                        help='Learning rate.',")
    (change,) = planned(tmp_path, source).changes
    assert (
        b"""
    parser.add_argument('--to_static',
                        action='store_true',
                        help='Train with paddle.jit.to_static.')
"""
        in change.new
    )
    (tmp_path / "train.py").write_bytes(change.new)
    again = planned(tmp_path, change.new.decode())
    assert again.changes == ()


def test_a_flag_among_flags_without_help_has_none(tmp_path: Path) -> None:
    (change,) = planned(tmp_path, SCRIPT.replace("{help}", "")).changes
    assert b"    parser.add_argument('--to_static', action='store_true')\n" in change.new


def test_ruff_leaves_what_is_inserted_into_a_formatted_file(tmp_path: Path) -> None:
    """A real formatter in black's style, over a file that it has formatted before."""
    (tmp_path / ".pre-commit-config.yaml").write_text("- id: ruff-format\n")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-q", "train.py"]
    source = SCRIPT.replace("{help}", "\n                        help='Learning rate.',")
    (tmp_path / "train.py").write_text(source)
    subprocess.run(command, cwd=tmp_path, check=True)
    (change,) = planned(tmp_path, (tmp_path / "train.py").read_text()).changes
    (tmp_path / "train.py").write_bytes(change.new)
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (tmp_path / "train.py").read_bytes() == change.new


@pytest.mark.parametrize(
    ("imported", "log"),
    [
        ("from kit.utils import get_logger\n", "get_logger('kit').info("),
        ("", "print("),
    ],
)
def test_the_logger_of_the_file_is_fetched_where_another_function_does(
    tmp_path: Path, imported: str, log: str
) -> None:
    other = "\n\ndef test():\n    logger = get_logger('kit')\n    logger.info('x')\n\n\nmain("
    source = imported + SCRIPT.replace("{help}", "").replace("\n\n\nmain(", f"\n{other}", 1)
    (change,) = planned(tmp_path, source).changes
    assert f"        {log}" in change.new.decode()
