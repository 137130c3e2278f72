"""Run a kit's own training script up to its hook, once for each config and way to switch it on.

`paddle.jit.to_static` and whatever costs time are stand-ins; options, config reader, gate, helper
and assertions are the kit's. Each try is a process forked from this one, which has imported Paddle
and the kit.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import re
import resource
import runpy
import select
import signal
import socket
import sys
import traceback
import types
import zipfile
from typing import Any

from .config_text import with_key
from .stand_ins import Anything, Ended

# One try runs option code; what takes longer than this builds or trains something after all.
LIMIT_S = 90
# One that waits uses no processor time: it is ended by the clock, slow as the machine may be.
WALL_S = 600
# Ways differ in option code that all configs share: the other ways are tried on so many configs,
# evenly spread, unless all are asked for.
SAMPLED = 12
# How argparse ends a program that is given an option which it does not know.
_UNKNOWN_OPTION = "SystemExit: 2"
# How a kit says that a file is not there, or could not be fetched.
_ABSENT = re.compile("not exist|not found|No such|Download")
# Where hooks were reached in this process, which makes one try.
_REACHED: list[str] = []


def main(job_file: str) -> None:
    """Answer each try of the job as one JSON line on standard output."""
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with open(job_file, encoding="utf-8") as file:
        job = json.load(file)
    _offline()
    _paddle()
    adapter = _adapter(job["adapter"])
    sys.path[:0] = [os.path.abspath(path) for path in getattr(adapter, "PATHS", ["."])]
    adapter.prepare()
    every = [{"argv": [], "yaml": {}, **way} for way in adapter.WAYS]
    ways = _known(adapter, job["configs"][:1], every)
    channel.write(json.dumps({"ways": ways}) + "\n")
    channel.flush()
    step = 1 if job["every_way"] else max(1, len(job["configs"]) // SAMPLED)
    for number, config in enumerate(job["configs"]):
        for way in ways if number % step == 0 else ways[:1]:
            told = _forked(adapter, config, way, float(job.get("wall_s", WALL_S)))
            channel.write(json.dumps({"config": config, "way": way["name"], **told}) + "\n")
            channel.flush()


def _known(adapter: Any, configs: list[str], ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ways that this tree has: an option that its parser does not know comes with a hook."""

    def message(config: str, way: dict[str, Any]) -> Any:
        return _forked(adapter, config, way, WALL_S)["message"]

    known = [way for way in ways if _UNKNOWN_OPTION not in (message(one, way) for one in configs)]
    return known if any(way.get("on") for way in known) else ways


def _adapter(file: str) -> Any:
    spec = importlib.util.spec_from_file_location("kit_switch", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _offline() -> None:
    """No try fetches weights or data: where a kit wants to, that config cannot be tried."""

    def refused(*args: Any, **kwargs: Any) -> None:
        raise ConnectionError("the network is not used")

    socket.socket.connect = refused  # type: ignore[method-assign]
    socket.getaddrinfo = refused  # type: ignore[assignment]


def _paddle() -> None:
    """Stand-ins of Paddle's: the hook, and devices that this machine may lack."""
    paddle: Any = importlib.import_module("paddle")
    paddle.jit.to_static = _hook
    api: Any = importlib.import_module("paddle.jit.api")
    api.to_static = _hook
    # What is not set in builds for processors, and is read where a config asks for a GPU.
    paddle.distributed.ParallelEnv._device_id = 0
    paddle.amp.decorate = _decorated
    paddle.set_device = paddle.device.set_device = lambda device: paddle.CPUPlace()


def _decorated(models: Any = None, optimizers: Any = None, **kwargs: Any) -> Any:
    """`amp.decorate`, which checks what it is given."""
    return models if optimizers is None else (models, optimizers)


def _hook(function: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Notes that the hook was reached, unless it decorates a function: that is no net that trains.

    What follows is run too, up to where training begins: assertions stand behind hooks as well.
    """
    if function is None:
        return lambda decorated: decorated
    if not isinstance(function, (types.FunctionType, type)):
        _REACHED.append(_place(sys._getframe(1)))
    return function


def _place(frame: Any) -> str:
    """FILE:LINE of the innermost frame in the kit."""
    while frame is not None:
        name = _in_kit(frame)
        if name:
            return "{}:{}".format(name, frame.f_lineno)
        frame = frame.f_back
    return ""


def _in_kit(frame: Any) -> str:
    """The kit's file that a frame runs; "" where it is another's."""
    root = os.path.join(os.path.realpath(os.getcwd()), "")
    name = os.path.realpath(frame.f_code.co_filename)
    return name[len(root) :] if name.startswith(root) else ""


def _forked(adapter: Any, config: str, way: dict[str, Any], wall_s: float) -> dict[str, Any]:
    sys.stderr.flush()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.setpgid(0, 0)
        _child(adapter, config, way, write)
    os.close(write)
    with contextlib.suppress(OSError):
        # Whichever of the two is first: before this the group may not be there to be ended.
        os.setpgid(pid, 0)
    with os.fdopen(read, encoding="utf-8") as pipe:
        if not select.select([pipe], [], [], wall_s)[0]:
            _end(pid)
            return {"outcome": "raises", "message": "it does not end", "where": ""}
        # The number of a try that has said all, and its group, are kept until it is waited for.
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        _, status = _end(pid)
        # A child of the try's may hold the pipe open: what is in it is all there will be.
        os.set_blocking(pipe.fileno(), False)
        text = pipe.read()
    if text:
        told: dict[str, Any] = json.loads(text)
        return told
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    why = "it takes longer than option code" if number == signal.SIGXCPU else "the process ended"
    return {"outcome": "raises", "message": why, "where": ""}


def _end(pid: int) -> tuple[int, int]:
    """End a try with its group, as far as they still run."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)


def _child(adapter: Any, config: str, way: dict[str, Any], channel: int) -> None:
    """Never returns."""
    told: dict[str, Any]
    _REACHED.clear()
    try:
        spent = int(sum(os.times()[:2]))
        resource.setrlimit(resource.RLIMIT_CPU, (spent + LIMIT_S, spent + LIMIT_S + 5))
        _edit(config, way["yaml"])
        _start(adapter.command(config), way["argv"])
        told = _came("ended")
    except Ended:
        told = _came("trains")
    except BaseException as error:
        traceback.print_exc()
        outcome = "unable" if _lacks(error) else "raises"
        told = {"outcome": outcome, "message": _said(error), "where": _raised(error)}
    with os.fdopen(channel, "w", encoding="utf-8") as pipe:
        json.dump(told, pipe)
    sys.stderr.flush()
    os._exit(0)


def _lacks(error: BaseException) -> bool:
    """Whether a file, a package or a host is not here, or a stand-in is no match for the real one.

    That says nothing of the switch. Some kits assert that a file exists, or fetch it.
    """
    text = str(error)
    absent = isinstance(error, (AssertionError, RuntimeError)) and _ABSENT.search(text)
    return (
        isinstance(error, (OSError, ImportError, zipfile.BadZipFile))
        or type(error).__module__ == "cv2"
        or bool(absent)
        or Anything.__module__ in text
    )


def _came(otherwise: str) -> dict[str, Any]:
    if _REACHED:
        return {"outcome": "reached", "message": "", "where": _REACHED[-1]}
    return {"outcome": otherwise, "message": "", "where": ""}


def _edit(config: str, keys: dict[str, Any]) -> None:
    """Set keys in the config file: the tree is a copy that is made for this alone."""
    own = config + ".codemod-original"
    if not os.path.exists(own):
        os.rename(config, own)
    with open(own, encoding="utf-8") as file:
        text = file.read()
    for key, value in keys.items():
        text = with_key(text, config, key, value)
    with open(config, "w", encoding="utf-8") as file:
        file.write(text)


def _start(command: list[str], more: list[str]) -> None:
    script = command[0]
    sys.argv = [*command, *more]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return "{}: {}".format(type(error).__name__, text)[:300]


def _raised(error: BaseException) -> str:
    """FILE:LINE in the kit where an error comes from."""
    lines = ((_in_kit(frame), line) for frame, line in traceback.walk_tb(error.__traceback__))
    places = ["{}:{}".format(name, line) for name, line in lines if name]
    return places[-1] if places else ""
