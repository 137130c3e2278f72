"""What a text says to add to the training command switches the hook on: the kit's options say so.

What `check --exec` tries on all configs is in `rules/<Kit>/switch.py`. Of a script with options of its
own, these are run here: the parser gets the words, and the hook's gate what the parser makes of them.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import os
import runpy
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from bench.origins import KITS, extract
from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.experiments.switch.run import ADAPTER
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import SWITCH, kit_file
from codemod.reports.pullrequest.claims.facts import inserted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import ChangeSet, Hook

MIRROR = os.environ.get("CODEMOD_MIRROR")
sys.path.append(str(ADAPTER.parents[1]))
Anything: Any = importlib.import_module("switch_inside.stand_ins").Anything
IN_CONFIG = " in the config"


class Config(dict[str, Any]):
    """A config whose keys are attributes, too."""

    __getattr__ = dict.__getitem__


def ways(kit: str) -> set[str]:
    """What `check --exec` tries in order to switch the kit's training on."""
    file = kit_file(kit, SWITCH)
    tried = runpy.run_path(str(file))["WAYS"] if file else []
    return {way["name"].replace(" in the YAML", IN_CONFIG) for way in tried if way.get("on")}


def parsed(text: str, words: list[str]) -> list[Any]:
    """What each parser in a file makes of the words."""
    given: list[Any] = []

    class Parser(argparse.ArgumentParser):
        def add_argument(self, *names: Any, **more: Any) -> Any:
            if "required" in more:
                more["required"] = False
            return super().add_argument(*names, **more)

        def parse_args(self, *_: Any) -> Any:  # type: ignore[override]
            config = ["-c", "a.yml"] if "-c" in self._option_string_actions else []
            given.append(super().parse_args([*config, *words]))
            return given[-1]

    module = types.SimpleNamespace(**{**vars(argparse), "ArgumentParser": Parser})
    for body, called in _option_code(ast.parse(text)):
        loaded = {n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name)}
        names: dict[str, Any] = {n: Anything() for n in loaded if not hasattr(builtins, n)}
        names |= {"argparse": module, "ArgumentParser": Parser, "yaml": yaml, "__name__": "options"}
        exec(compile(ast.Module(body, []), "options", "exec"), names)
        before = len(given)
        try:
            made = _called(names[called]) if called else names.get("parser")
        except Exception:
            if len(given) == before:
                raise
            continue  # what follows on the parsing wants data or other options, too
        if isinstance(made, Parser):
            made.parse_args()
    return given


def _called(function: Any) -> Any:
    """What it gives, with anything for what it wants."""
    if isinstance(function, type):
        return function()
    return function(*[Anything()] * function.__code__.co_argcount)


def _option_code(tree: ast.Module) -> Iterator[tuple[list[ast.stmt], str]]:
    """Statements that make a parser, with the name of the function or class that is called."""
    plain = [node for node in tree.body if _of_parser(node)]
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and "ArgumentParser" in ast.dump(node):
            yield [node], node.name
        elif isinstance(node, ast.If):
            plain += [inner for inner in node.body if _of_parser(inner)]
    if plain:
        yield plain, ""


def _of_parser(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.Expr)) and "parser" in ast.unparse(node)


def decided(hook: Hook, change_set: ChangeSet, words: str) -> set[bool]:
    """What the hook's gate is when the words are given."""
    assert hook.gate is not None
    name = hook.gate.partition(",")[0].partition(".")[0].rpartition("(")[2]
    if words.endswith(IN_CONFIG):
        configs = [Config(yaml.safe_load(words.removesuffix(IN_CONFIG)))]
    else:
        made = [one for text in _texts(hook, change_set) for one in parsed(text, words.split())]
        opts = [getattr(one, "opt", None) for one in made]
        configs = [Config(o) if isinstance(o, dict) else m for m, o in zip(made, opts, strict=True)]
    return {bool(eval(hook.gate, {name: one})) for one in configs}


def _texts(hook: Hook, change_set: ChangeSet) -> Iterator[str]:
    """The file with the hook's flag as the change makes it, else the options that lie beside it."""
    users = {edit.file for edit in change_set.edits if change_set.hooks.index(hook) in edit.hooks}
    flagged = [one.new.decode() for one in change_set.changes if one.path in users]
    flagged = [text for text in flagged if "add_argument" in text and "to_static" in text]
    folder = (change_set.source.root / hook.file).parent
    yield from flagged or [file.read_text() for file in folder.glob("config.py")]


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_the_words_that_a_text_gives_switch_the_hook_on(kit: str, tmp_path: Path) -> None:
    assert MIRROR is not None
    extract(next(Path(MIRROR).glob(f"*+{kit}")) / "repo", load_kits()[kit].revision, tmp_path)
    change_set = plan_change(Source(kit, tmp_path, None)).change_set()
    for hook in inserted(change_set):
        assert hook.switch, hook.file
        if hook.switch not in ways(kit):
            assert decided(hook, change_set, hook.switch) == {True}, hook.file


def test_words_that_switch_nothing_on_are_seen() -> None:
    text = (
        'def parse():\n    p = argparse.ArgumentParser()\n    p.add_argument("--x")\n    return p\n'
    )
    assert [one.x for one in parsed(text, ["--x", "1"])] == ["1"]
    with pytest.raises(SystemExit):
        parsed(text, ["--to_static"])
