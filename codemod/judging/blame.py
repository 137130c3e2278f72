"""Whether what ended training with the switch off is the code's, whatever it ran on and was fed.

A verdict blames a kit, so the samples, the packages and the machine must be out of the question.
The patterns are read in the last words of a run, `Error: message`, of Paddle 2.6.2 and 3.3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codemod.base.reason import Reason

# What a run stands on: packages, files, network, memory, arguments, this device's operators, ranks.
_GROUND = re.compile(
    r"ImportError|ModuleNotFoundError|FileNotFoundError|NotADirectoryError|PermissionError"
    r"|URLError|ConnectionError|Refused|HTTPError|MaxRetryError|Download from|Can't load"
    r"|MemoryError|ResourceExhausted|arguments are not used|kernels_\.end\(\)"
    r"|[Kk]ernel .*is not registered|not compiled with|_user_defined_strategy|numpy\.org"
)
# What code raises by how it is written. An attribute or item of None may be a sample's.
_WRITTEN = re.compile(
    r"^(SyntaxError|IndentationError|NameError|UnboundLocalError|TypeError|AttributeError"
    r"|RecursionError|NotImplementedError)\b"
    r"|\(InvalidType\)|argument '\w+' \(position \d+\) must be (list of )?Tensors?\b(?!.*empty)"
)
_NONE = re.compile(r"'NoneType'")
# Frames of a traceback between a data loader and its dataset: there, samples are read.
_FEEDING = re.compile(r"/paddle/(fluid/)?(io|reader|dataloader)/|DataLoader worker")
_ENDED_OFF = ("judging.dynamic-fails", "judging.cannot-train")


def stands_on(error: str) -> bool:
    """Whether an error is of the ground that a run stands on: a package, a file, the network."""
    return bool(_GROUND.search(error))


def written_so(error: str, traceback: str = "") -> bool:
    """Whether the code itself raises this, whatever samples it is fed and wherever it runs."""
    if stands_on(error) or _NONE.search(error) or _FEEDING.search(error + traceback):
        return False
    return bool(_WRITTEN.search(error))


def ended_off(said: Iterable[Reason]) -> bool:
    """Whether these sentences say that training ended with the switch off, whosever fault it is."""
    return any(one.code in _ENDED_OFF for one in said)


def misblamed(said: Iterable[Reason]) -> Reason | None:
    """Why an earlier judge's word on what failed with the switch off does not stand, or None."""
    for one in said:
        trainers = one.code == "judging.dynamic-fails" and not written_so(str(one["last"]))
        if trainers or (one.code == "experiments.model-fails" and stands_on(str(one["said"]))):
            return Reason.of("judging.blamed-for-samples")
    return None
