"""What went wrong in a static run, so that another program's runs can be told to show the same."""

from __future__ import annotations

import math
import re
import signal
from dataclasses import dataclass, replace
from typing import Any

from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Verdict

# In float64 what two modes compute differs by up to about here, relative to its size: rounding does
# far less, but a static graph keeps numbers of Python in float32.
NOISE_DOUBLE = 1e-6
# In float32, where a program cannot be run in float64: well above what rounding drifts to.
NOISE_SINGLE = 1e-3
# A gradient that is nothing but rounding (of a bias before a normalisation) differs by all of its
# size: smaller ones are measured against this part of the step's largest.
_OF_LARGEST = 1e-3
# Kinds that rounding, too, may show.
NUMERIC = ("loss", "gradient", "buffer")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
# What Python says of a SyntaxError's place: AST writes each function to a file of a new name.
_PLACE = re.compile(r" \([\w.-]+\.py, line \d+\)")
# An object without words of its own: the module of its class is another one in a program. SOT puts
# its own name for the object, and where that comes from, behind it.
_OBJECT = re.compile(r"<[\w.]*?(\w+) object at 0x[0-9a-fA-F]+>(, [\w, ]+)?")
_QUOTED_PATH = re.compile(r"/[\w./-]+")
# The operator that a crash happened in, as Paddle's own stack names it.
_KERNEL = re.compile(r"\b(\w+Kernel)\b|pd_op\.(\w+)|operator\s*<\s*(\w+)\s*>")
_LONGEST = 160
_ADVICE = "For more info, please refer to"


@dataclass(frozen=True, slots=True)
class RunEnd:
    """One run: what it wrote, its exit code (below 0 for a signal), its log's end."""

    content: dict[str, Any]
    code: int = 0
    late: bool = False
    log: str = ""

    @property
    def sound(self) -> bool:
        """Whether it came to its end with finite losses."""
        if self.code or self.late or "error" in self.content or not self.content.get("losses"):
            return False
        return all(math.isfinite(loss["norm"]) for loss in self.content["losses"])


@dataclass(frozen=True, slots=True)
class Signature:
    """A kind (`error`, `crash`, `hang`, `loss`, `gradient`, …), and what of it must be the same.

    `forms` are those of a gradient in dynamic and in static mode (`dense`, `sparse`, `none`).
    Numbers differ for other reasons where the net `passes` a tensor on that it was fed: no graph
    computes that one's gradient.
    """

    kind: str
    detail: str = ""
    place: str = ""
    forms: tuple[str, ...] = ()
    passes: bool = False

    def __str__(self) -> str:
        """One line for people."""
        return ": ".join(filter(None, (self.kind, self.detail or " becomes ".join(self.forms))))


def signature(dynamic: RunEnd, static: RunEnd, noise: float = NOISE_DOUBLE) -> Signature | None:
    """How the static run parts from the dynamic one, None where it does not, or nothing is said.

    `noise` is how far numbers may be apart relative to their size and still be the same.
    """
    if not dynamic.sound:
        return None
    if static.late:
        return Signature("hang")
    if static.code:
        return _crash(static)
    error = static.content.get("error")
    if error:
        return None if error["program"] else _error(error)
    found = _difference(dynamic.content, static.content, noise)
    passes = bool(dynamic.content.get("passes"))
    return replace(found, passes=passes) if found else None


def _crash(static: RunEnd) -> Signature:
    named = [next(filter(None, match)) for match in _KERNEL.findall(static.log)]
    try:
        name = signal.Signals(-static.code).name
    except ValueError:
        name = f"exit {static.code}"
    return Signature("crash", name, named[-1] if named else "")


def _error(error: dict[str, Any]) -> Signature:
    lines = [line.strip() for line in error["message"].splitlines() if line.strip()]
    # Paddle puts the kit's code around its words; what it has to say comes last.
    last = lines[-1] if lines else ""
    if last.startswith(_ADVICE):  # below errors that have nothing to do with each other
        named = [line for line in lines if line.startswith(f"{error['class']}: ")]
        last = (named or lines)[0].removeprefix(f"{error['class']}: ")
    last = template(last)[:_LONGEST]
    return Signature("error", f"{error['class']}: {last}", "/".join(error["inside"][-1:]))


def template(line: str) -> str:
    """A message without what is another's in each program: numbers, paths, files, modules."""
    bare = _OBJECT.sub(r"<\1 object>", _PLACE.sub("", line))
    return _NUMBER.sub("0", _QUOTED_PATH.sub("PATH", bare))


def _difference(dynamic: dict[str, Any], static: dict[str, Any], noise: float) -> Signature | None:
    """The first class of difference: losses, then gradients' form, then their values, buffers."""
    steps = list(zip(dynamic["losses"], static["losses"], strict=False))
    grads = list(zip(dynamic["gradients"], static["gradients"], strict=False))
    if any(_apart(one, other) > noise for one, other in steps):
        return Signature("loss")
    for one, other in grads:
        for name in one:
            if _form(one[name]) != _form(other.get(name)):
                forms = (_form(one[name]), _form(other.get(name)))
                return Signature("gradient's form", forms=forms)
    for one, other in grads:
        least = _OF_LARGEST * max(map(_size, (*one.values(), *other.values())), default=0.0)
        both = [(value, other[name]) for name, value in one.items() if value and other.get(name)]
        if any(_apart(value, static_value, least) > noise for value, static_value in both):
            return Signature("gradient")
    state = static["state"]
    if any(_apart(one, state.get(name, {})) > noise for name, one in dynamic["state"].items()):
        return Signature("buffer")
    return None


def _form(gradient: dict[str, Any] | None) -> str:
    return "none" if gradient is None else str(gradient["form"])


def _size(gradient: dict[str, Any] | None) -> float:
    """The norm of a dense gradient, 0 where it says nothing of how large others may be."""
    norm = float((gradient or {}).get("norm", 0.0))
    return norm if math.isfinite(norm) else 0.0


def _apart(one: dict[str, Any], other: dict[str, Any], least: float = 0.0) -> float:
    """How far two tensors are apart relative to their size, at least to `least`; 0: same bytes."""
    if one.get("digest") == other.get("digest"):
        return 0.0
    if not other:
        return math.inf
    scale = max(one["norm"], other["norm"], least)
    if not math.isfinite(scale):
        return 0.0 if one["norm"] == other["norm"] else math.inf
    far = max(abs(a - b) for a, b in zip(one["projected"], other["projected"], strict=True))
    return far / scale if scale else 0.0


_ALIKE = {Verdict.FAILS: ("error",), Verdict.CRASH: ("crash",), Verdict.TIMEOUT: ("hang",)}


def agrees(found: Signature, shown: ModeResult) -> bool:
    """Whether a program shows what the kit's own net shows: the kind, and of an error its class.

    A net's difference may show in other numbers first: its program has another loss.
    """
    wanted = _ALIKE.get(shown.verdict, ("loss", "gradient", "gradient's form", "buffer"))
    if found.kind not in wanted:
        return False
    kind, _, message = found.detail.partition(": ")
    return found.kind != "error" or (
        kind in shown.traceback + shown.reason and message in template(shown.message)
    )
