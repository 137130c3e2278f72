"""Whose fault it is that training fails with the switch off: the code's, or its surroundings'.

A verdict blames a kit, so the samples, the packages and the machine must be out of the question.
The patterns are read in the last words of a run, `Error: message`, of Paddle 2.6.2 and 3.3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codemod.base.reason import Reason

# Packages, files, network, memory, arguments, operators of this device, number of processes.
_ENVIRONMENT = re.compile(
    r"ImportError|ModuleNotFoundError|FileNotFoundError|NotADirectoryError|PermissionError"
    r"|URLError|ConnectionError|Refused|HTTPError|MaxRetryError|Download from|Can't load"
    r"|MemoryError|ResourceExhausted|arguments are not used|kernels_\.end\(\)"
    r"|[Kk]ernel .*is not registered|not compiled with|_user_defined_strategy|numpy\.org"
)
# What the Paddle of the run lacks by name, whatever machine it runs on; its own core is of a build.
_PADDLE = re.compile(
    r"cannot import name '\w+' from 'paddle(\.(?!base\.(core|libpaddle)\b)[\w.]+)?'"
    r"|No module named 'paddle\."
)
# Errors in the code itself, and a class that a config names and the kit lacks. An attribute or
# item of None may come from a sample.
_CODE = re.compile(
    r"^(SyntaxError|IndentationError|NameError|UnboundLocalError|TypeError|AttributeError"
    r"|RecursionError|NotImplementedError)\b"
    r"|RuntimeError: The specified component \(\w+\) was not found"
    r"|\(InvalidType\)|The type of data we are trying to retrieve \(\w+\) does not match"
    r"|used in gradient computation has been modified by an inplace operation"
    r"|argument '\w+' \(position \d+\) must be (list of )?Tensors?\b(?!.*empty)"
)
_NONE = re.compile(r"'NoneType'")
# A recipe's options may not be those of what they configure.
_OPTIONS = re.compile(r"__init__\(\) (got an unexpected|missing|takes)")
# Frames of a traceback between a data loader and its dataset: there, samples are read.
_DATA_LOADER = re.compile(r"/paddle/(fluid/)?(io|reader|dataloader)/|DataLoader worker")
_FAILED_OFF = ("judging.dynamic-fails", "judging.cannot-train")


def is_environment_error(error: str) -> bool:
    """Whether an error comes from what a run needs around it: a package, a file, the network."""
    return bool(_ENVIRONMENT.search(error)) and not _PADDLE.search(error)


def is_code_error(error: str, traceback: str = "") -> bool:
    """Whether the code raises this whatever samples it is fed and wherever it runs."""
    if is_environment_error(error) or _NONE.search(error) or _OPTIONS.search(error):
        return False
    if _DATA_LOADER.search(error + traceback):
        return False
    return bool(_CODE.search(error) or _PADDLE.search(error))


def failed_with_switch_off(said: Iterable[Reason]) -> bool:
    """Whether these reasons say that training failed with the switch off, whoever is at fault."""
    return any(one.code in _FAILED_OFF for one in said)


def outdated_blame(said: Iterable[Reason]) -> Reason | None:
    """Why an earlier judge's blame for a failure with the switch off does not stand, or None."""
    for one in said:
        if one.code == "judging.dynamic-fails":
            wrong = not is_code_error(str(one["last"]))
        else:
            wrong = one.code == "experiments.model-fails" and is_environment_error(str(one["said"]))
        if wrong:
            return Reason.of("judging.blamed-for-samples")
    return None
