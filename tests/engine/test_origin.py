"""What a config object is, told from the code that made it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.gate.kinds import Dataclass, Mapping, Namespace, Origin
from codemod.engine.gate.origin import trace
from codemod.engine.point import Point

if TYPE_CHECKING:
    from pathlib import Path

PARSER = """\
    import argparse

    def parse_args():
        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs")
        args = parser.parse_args()
        return args

    def get_parser():
        made = argparse.ArgumentParser()
        made.add_argument("--epochs")
        return made
    """


def origin(root: Path, files: dict[str, str], scope: str, name: str) -> Origin | None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text))
    project = Project(Tree(root))
    module = project.module("train.py")
    assert module is not None
    found = module.scope(scope)
    assert found is not None
    return trace(Point(project, module, found), name)


@pytest.mark.parametrize(
    "script",
    [
        "from args import parse_args\nargs = parse_args()\n",
        "import args\nargs = args.parse_args()\n",
        "from args import parse_args\nargs = parse_args()\nargs = finish(args)\n",
        "from args import *\nargs = parse_args()\n",
        (
            "from args import parse_args\n\ndef main(args):\n    train(args)\n\n"
            "def train(config):\n    pass\n\nif __name__ == '__main__':\n    main(parse_args())\n"
        ),
    ],
)
def test_a_parser_of_another_file_is_found(tmp_path: Path, script: str) -> None:
    scope, name = ("train", "config") if "config" in script else ("<module>", "args")
    found = origin(tmp_path, {"args.py": PARSER, "train.py": script}, scope, name)
    assert isinstance(found, Namespace)
    assert (found.at.module.path, found.at.scope.name, found.parser) == (
        "args.py",
        "parse_args",
        "parser",
    )


def test_a_parser_that_a_function_returns_is_extended_there(tmp_path: Path) -> None:
    script = "from args import get_parser\nargs = get_parser().parse_args()\n"
    found = origin(tmp_path, {"args.py": PARSER, "train.py": script}, "<module>", "args")
    assert isinstance(found, Namespace)
    assert (found.at.scope.name, found.parser) == ("get_parser", "made")


@pytest.mark.parametrize(
    "last", ["AttrDict(yaml.safe_load(f))", "{'a': 1}", "yaml.safe_load(open(args.config))"]
)
def test_the_last_assignment_counts(tmp_path: Path, last: str) -> None:
    script = f"""\
        from args import parse_args

        def do_train(args):
            pass

        if __name__ == "__main__":
            args = parse_args()
            args = {last}
            do_train(args)
        """
    found = origin(tmp_path, {"args.py": PARSER, "train.py": script}, "do_train", "args")
    assert isinstance(found, Mapping)


def test_a_later_name_for_something_else_does_not_count(tmp_path: Path) -> None:
    script = """\
        from args import parse_args

        def do_train(args):
            pass

        args = parse_args()
        do_train(args)
        args = {"other": 1}
        """
    found = origin(tmp_path, {"args.py": PARSER, "train.py": script}, "do_train", "args")
    assert isinstance(found, Namespace)


@pytest.mark.parametrize("value", ["args.rate", "load_it()"])
def test_what_cannot_be_told_is_not_guessed(tmp_path: Path, value: str) -> None:
    script = f"from args import parse_args\nargs = parse_args()\nargs = {value}\n"
    files = {"args.py": PARSER, "train.py": script}
    assert origin(tmp_path, files, "<module>", "args") is None


def test_each_dataclass_of_a_parser_has_its_name(tmp_path: Path) -> None:
    script = """\
        from dataclasses import dataclass

        @dataclass
        class Model:
            name: str = ""

        @dataclass
        class Training:
            rate: float = 0.1

        def main():
            parser = PdArgumentParser((Model, Training))
            model_args, training_args = parser.parse_args_into_dataclasses()
        """
    for name, kind in (("model_args", "Model"), ("training_args", "Training")):
        found = origin(tmp_path, {"train.py": script}, "main", name)
        assert isinstance(found, Dataclass)
        assert found.node.name == kind


def test_names_that_go_round_in_a_circle_end(tmp_path: Path) -> None:
    script = "def a(args):\n    b(args)\n\ndef b(args):\n    a(args)\n"
    assert origin(tmp_path, {"train.py": script}, "a", "args") is None
