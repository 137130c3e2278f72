"""Run a kit's own training script up to its hook, with one config and one way to switch it on.

`paddle.jit.to_static` and whatever costs time are stand-ins; options, config reader, gate, helper
and assertions are the kit's. A probe's server forks the process of each try, from one that has
imported Paddle and the kit.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import runpy
import socket
import sys
import traceback
import types
import zipfile
from typing import Any

from probe_inside.serve import module_in

from .config_text import with_key
from .stand_ins import Anything, Ended

# How a kit says that a file is not there, or could not be fetched.
_ABSENT = re.compile("not exist|not found|No such|Download")
# Where hooks were reached in this process, which makes one try.
_REACHED: list[str] = []


def prepare() -> Any:
    """Put the stand-ins in place, and import the kit; gives its `switch.py`."""
    _offline()
    _paddle()
    kit = module_in(os.environ["CODEMOD_SWITCH"], "kit_switch")
    sys.path[:0] = [os.path.abspath(path) for path in getattr(kit, "PATHS", ["."])]
    kit.prepare()
    return kit


def answer(adapter: Any, request: dict[str, Any]) -> int:
    """Write what came of `request["config"]`, switched in `request["way"]`. Returns 0."""
    way = {"argv": [], "yaml": {}, **request["way"]}
    told = _tried(adapter.KIT.command(request["config"]), request["config"], way)
    with open(request["out"], "w", encoding="utf-8") as file:
        json.dump(told, file)
    return 0


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


def _tried(command: list[str], config: str, way: dict[str, Any]) -> dict[str, Any]:
    try:
        _edit(config, way["yaml"])
        _start(command, way["argv"])
        return _came("ended")
    except Ended:
        return _came("trains")
    except BaseException as error:
        traceback.print_exc()
        outcome = "unable" if _lacks(error) else "raises"
        return {"outcome": outcome, "message": _said(error), "where": _raised(error)}


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
