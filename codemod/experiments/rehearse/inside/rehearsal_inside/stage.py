"""Runs a trainer's script, or one scope of it with what it needs made up, and writes the events."""

from __future__ import annotations

import argparse
import builtins
import inspect
import json
import os
import random
import signal
import sys
import types
from typing import Any

from .importing import NowhereFinder, TreeFinder
from .journal import JOURNAL, TooLong
from .made import WORLD, Answering, MadeUp
from .paddle_stand_in import PaddleFinder, paddle_modules

LIMIT_S = 5
# So many runs of a scope that come to the hook are enough.
ENOUGH = 3


class Lenient(dict[str, Any]):
    """Names of a module by itself: what `import *` or its callers would have set is made up."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name) or name == "paddle":
            raise KeyError(name)
        return MadeUp(name)


class Missing(Answering):
    """Before a class whose instance is made without its callers: attributes are made up."""

    # Before one of the class's own, even where that derives from what is made up.
    __getattr__ = Answering.__getattr__

    def _made_up(self, name: str) -> MadeUp:
        return MadeUp(f"self.{name}")


def _lenient_options() -> None:
    """No option is required, for nobody gives any but the switch."""
    added = argparse._ActionsContainer.add_argument

    def add_argument(self: Any, *names: Any, **words: Any) -> Any:
        words.pop("required", None)
        positional = names and isinstance(names[0], str) and names[0][:1] not in self.prefix_chars
        if positional and "nargs" not in words:
            words["nargs"] = "?"
        return added(self, *names, **words)

    argparse._ActionsContainer.add_argument = add_argument  # type: ignore[method-assign]


def _made_for(function: Any, skip: int) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a function: made up where it has no default, the switch where it asks."""
    given: dict[str, Any] = {}
    found = list(inspect.signature(function).parameters.values())[skip:]
    positional: list[Any] = []
    for one in found:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        if one.name in WORLD.switches:
            value: Any = WORLD.on
        else:
            value = one.default if one.default is not one.empty else MadeUp(one.name)
        if one.kind is one.KEYWORD_ONLY:
            given[one.name] = value
        else:
            positional.append(value)
    return positional, given


def _call_made_up(function: Any, *instance: Any) -> None:
    """Call a function, or a method on an instance, with arguments that are made for it."""
    positional, given = _made_for(function, len(instance))
    function(*instance, *positional, **given)


def _scope(content: dict[str, Any], scope: str) -> None:
    """Run a function, or a method on an instance whose callers are made up."""
    name = scope.partition(".<locals>.")[0]
    owner_name, _, method = name.rpartition(".")
    if not owner_name:
        _call_made_up(content[name])
        return
    owner = content[owner_name]
    made: Any = type(owner.__name__, (Missing, owner), {"__module__": owner.__module__})
    instance = made.__new__(made)
    if method != "__init__":
        try:  # for what the constructor sets, however far it comes
            _call_made_up(made.__init__, instance)
        except (Exception, SystemExit):
            JOURNAL.note("raises", "__init__")
    _call_made_up(getattr(owner, method), instance)


def play(job: dict[str, Any], run: dict[str, Any], changed: dict[str, str]) -> dict[str, Any]:
    """The events of one run: `run` has level, seed, words, variables and switch."""
    os.environ.update(run["variables"])
    root, file = job["root"], job["file"]
    path = os.path.join(root, file)
    switches = frozenset(job["switches"])
    WORLD.begin(run["seed"], switches, run["on"], job["message"])
    JOURNAL.clear()
    finder = TreeFinder([os.path.dirname(path), root], root, changed)
    script = run["level"] == "script"
    for name in [n for n in sys.modules if n.partition(".")[0] == "paddle"]:
        del sys.modules[name]
    sys.modules.update(paddle_modules(job["paddle"]))
    own = [finder] if script else []
    sys.meta_path[:] = [PaddleFinder(), *own, *sys.meta_path, NowhereFinder()]
    # Packages of this Python are none of the kit's: imports end at the standard library.
    sys.path[:] = [one for one in sys.path if "site-packages" not in one]
    sys.argv = [path, *run["words"]]
    _lenient_options()
    error = ""
    try:
        _run_file(finder, path, job["scope"], script)
    except TooLong:
        error = "too long"
    except SystemExit as end:
        error = f"exit {end.code}" if end.code else ""
    except BaseException as fault:
        error = f"{type(fault).__name__}: {str(fault)[:200]}"
    covers = {one: sorted(inner) for one, inner in JOURNAL.covers.items()}
    return {"events": JOURNAL.events, "covers": covers, "error": error}


def _run_file(finder: TreeFinder, path: str, scope: str, script: bool) -> None:
    top = script or scope == "<module>"
    module = types.ModuleType("__main__" if top else "rehearsed")
    text = finder.text(path)
    content = vars(module)
    if not script:
        content = Lenient(content)
        random.seed = lambda *_: None
    content["__file__"] = path
    package = os.path.relpath(os.path.dirname(path), finder.root).replace(os.sep, ".")
    content["__package__"] = "" if script or package == "." else package
    sys.modules[module.__name__] = module
    # What a scope by itself asserts of its options does not hold for made-up ones.
    exec(compile(text, path, "exec", optimize=-1 if script else 1), content)
    if not top:
        _scope(content, scope)


def _in_child(job: dict[str, Any], run: dict[str, Any], tree: dict[str, str]) -> dict[str, Any]:
    """One run in a forked process, so that nothing of it is left for the next."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        signal.alarm(LIMIT_S)
        # In a forced run the gate of the trainer is open.
        forced = {job["file"]: run["forced"]} if "forced" in run else {}
        made = json.dumps(play(job, run, tree | forced)).encode("utf-8", "backslashreplace")
        with os.fdopen(write, "wb") as pipe:
            pipe.write(made)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"events": [], "covers": {}, "error": "ended"}


def main(jobs: str) -> None:
    """The stages of every job of a file, as JSON lines: each stage is a list of runs.

    Stages end with a script that came to the hook, or when enough of a scope's runs did.
    """
    out = os.fdopen(os.dup(1), "w")
    with open(jobs, encoding="utf-8") as opened:
        asked = json.load(opened)
    for job in asked["jobs"]:
        found: list[list[dict[str, Any]]] = []
        reached = 0
        for stage in job["stages"]:
            runs = [_in_child(job, run, asked["trees"][run["tree"]]) for run in stage]
            found.append(runs)
            reached += any(what.startswith("hook") for what, _ in runs[-1]["events"])
            whole = stage[0]["level"] == "script" and reached and not runs[-1]["error"]
            if whole or reached >= ENOUGH:
                break
        out.write(json.dumps(found) + "\n")
        out.flush()
