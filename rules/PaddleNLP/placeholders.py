"""Import PaddleNLP's own package on a Paddle that lacks names which the package imports.

The newest revision reads names that only some Paddle between 2.6 and 3.3 has: eight-bit types,
parts of distributed training. A placeholder can be named and inherited from, but not used, so that
what needs a lacking name fails.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
from typing import Any

# What was put in place so far, by its full name.
LACKING: list[str] = []
# Names that Paddle 2.6.2 or 3.3.1 lacks.
_KNOWN = (
    "paddle.float8_e5m2",
    "paddle.float8_e4m3fn",
    "paddle.distributed.fleet.recompute.recompute.switch_rng_state_tracker",
    "paddle.distributed.LocalLayer",
    "paddle.distributed.auto_parallel.intermediate.parallelize.parallelize_model",
    "paddle.distributed.auto_parallel.intermediate.parallelize.parallelize_optimizer",
    "paddle.distributed.checkpoint.load_state_dict._load_state_dict",
    "paddle.distributed.checkpoint.load_state_dict.get_rank_to_read_files",
    "paddle.distributed.checkpoint.metadata.LocalTensorIndex",
    "paddle.distributed.checkpoint.metadata.LocalTensorMetadata",
    "paddle.distributed.checkpoint.metadata.Metadata",
    "paddle.distributed.checkpoint.utils.flatten_state_dict",
)
_LACKS_NAME = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<place>paddle(\.\w+)*)'")
_LACKS_ATTRIBUTE = re.compile(
    r"module '(?P<place>paddle(\.\w+)*)' has no attribute '(?P<name>\w+)'"
)


def hold_known(refused: type[Exception] = RuntimeError) -> None:
    """Hold what is known to be lacking; `refused` is raised where a placeholder is used.

    Done first, it lets the package be imported once: it wraps functions of other packages, and a
    second import would wrap them twice.
    """
    for known in _KNOWN:
        place, _, missing = known.rpartition(".")
        _hold_name(place, missing, refused)


def imported(name: str, refused: type[Exception] = RuntimeError) -> Any:
    """A module of the kit, once all that it lacks is held, known or not."""
    hold_known(refused)
    while name not in sys.modules:
        _try_import(name, refused)
    return sys.modules[name]


def _try_import(name: str, refused: type[Exception]) -> None:
    try:
        importlib.import_module(name)
    except (ImportError, AttributeError) as error:
        _hold(error, refused)
        # What was imported half-way begins anew.
        for half in [key for key in sys.modules if key.split(".")[0] == name.split(".")[0]]:
            del sys.modules[half]


def _hold(error: Exception, refused: type[Exception]) -> None:
    """Put a placeholder where Paddle lacks what the error names; raises any other error again."""
    text = str(error)
    found = _LACKS_NAME.match(text) or _LACKS_ATTRIBUTE.match(text)
    if found:
        _hold_name(found["place"], found["name"], refused)
    elif isinstance(error, ModuleNotFoundError) and str(error.name).startswith("paddle."):
        _hold_module(str(error.name))
    else:
        raise error


def _hold_name(place: str, name: str, refused: type[Exception]) -> None:
    """Hold `name` of the module `place`, and that module too, where they are lacking."""
    parts = place.split(".")
    for end in range(1, len(parts) + 1):
        whole = ".".join(parts[:end])
        if not _exists(whole):
            _hold_module(whole)
    module = sys.modules[place]
    if not hasattr(module, name):
        setattr(module, name, _placeholder(name, refused))
        LACKING.append("{}.{}".format(place, name))


def _exists(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return True


def _hold_module(name: str) -> None:
    empty = types.ModuleType(name)
    empty.__path__ = []
    sys.modules[name] = empty
    LACKING.append(name)


def _placeholder(name: str, refused: type[Exception]) -> type:
    def lacks(_self: Any, *_args: Any, **_options: Any) -> None:
        raise refused("This Paddle has no {}.".format(name))

    return type(name, (), {"__init__": lacks})
