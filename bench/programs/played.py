"""Runs a program's files on the stand-in for Paddle, in this process."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.programs.libraries import libraries
from codemod.experiments.rehearse.inside.rehearsal_inside.journal import JOURNAL
from codemod.experiments.rehearse.inside.rehearsal_inside.layers import StandInLayer
from codemod.experiments.rehearse.inside.rehearsal_inside.paddle_stand_in import paddle_modules
from codemod.kits.paddles import measured

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Mapping, Sequence

    from codemod.experiments.rehearse.inside.rehearsal_inside.journal import Event

Files = dict[str, bytes]


@dataclass(frozen=True)
class Play:
    """What happened in one run: events, what was optimized, what each call covers, the error."""

    events: tuple[Event, ...]
    covers: dict[str, frozenset[str]]
    error: str = ""


class FilesFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from bytes that are held in memory."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A module that is one of the files."""
        return importlib.machinery.ModuleSpec(name, self) if f"{name}.py" in self.files else None

    def create_module(self, spec: Any) -> None:
        """As usual."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run its bytes."""
        path = f"{module.__name__}.py"
        exec(compile(self.files[path], path, "exec"), vars(module))


@contextlib.contextmanager
def _world(
    files: Mapping[str, bytes], words: Sequence[str], variables: Mapping[str, str]
) -> Iterator[None]:
    """The stand-ins and the program's own modules, for as long as one run takes."""
    modules = {**_MODULES, **libraries()}
    own = {path.removesuffix(".py") for path in files}
    names = {*modules, *own}
    kept = {name: sys.modules.pop(name, None) for name in names}
    argv, finder = sys.argv, FilesFinder(files)
    sys.modules.update(modules)
    sys.argv = ["train.py", *words]
    sys.meta_path.insert(0, finder)
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.argv = argv
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


_MODULES = paddle_modules(measured()[-1])


def play(
    files: Mapping[str, bytes], words: Sequence[str] = (), variables: Mapping[str, str] = {}
) -> Play:
    """What happens when a program runs; what it prints is not looked at."""
    JOURNAL.clear()
    quiet = io.StringIO()
    error = ""
    main = {"__name__": "__main__", "__file__": "train.py"}
    with (
        _world(files, words, variables),
        contextlib.redirect_stdout(quiet),
        contextlib.redirect_stderr(quiet),
    ):
        sys.modules["__main__"], kept = _as_main(main), sys.modules["__main__"]
        try:
            exec(compile(files["train.py"], "train.py", "exec"), main)
        except SystemExit as end:
            error = f"exit {end.code}" if end.code else ""
        except Exception as fault:
            error = f"{type(fault).__name__}: {fault}"
        finally:
            sys.modules["__main__"] = kept
    covers = {one: frozenset(inner) for one, inner in JOURNAL.covers.items()}
    return Play(tuple(JOURNAL.events), covers, error)


def _as_main(content: dict[str, Any]) -> types.ModuleType:
    made = type(sys)("__main__")
    made.__dict__.update(content)
    return made


__all__ = ["Files", "Play", "StandInLayer", "play"]
