"""Losses that a static graph computes otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import constructor_calls
from codemod.hazards.reach.reached import Reached

# The parameters by position; `ignore_index` is -100 where none is given.
_FUNCTION = ("input", "label", "weight", "ignore_index", "reduction", "soft_label")
_LAYER = ("weight", "ignore_index", "reduction", "soft_label")
_FUNCTIONS = ("paddle.nn.functional.cross_entropy", "paddle.nn.functional.loss.cross_entropy")
_LAYERS = tuple(f"paddle.nn.{place}CrossEntropyLoss" for place in ("", "loss.", "layer.loss."))


@finds("D-88")
def ignored_labels(reached: Reached) -> Iterator[Match]:
    """The mean of a cross entropy that ignores a negative label.

    `F.cross_entropy(x, y)` and `nn.CrossEntropyLoss()`, whose `ignore_index` is -100 or a negative
    number that is written out, with `reduction="mean"` and without `weight` and `soft_label`.
    """
    for call, name in (*constructor_calls(reached), *reached.calls):
        if name in _LAYERS:
            yield from _told(call, _LAYER)
    for call, name in reached.calls:
        if name in _FUNCTIONS:
            yield from _told(call, _FUNCTION)


def _told(call: ast.Call, names: tuple[str, ...]) -> Iterator[Match]:
    given = dict(zip(names, call.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in call.keywords}
    value = given.get("ignore_index")
    ignored = -100 if value is None else _number(value)
    mean = ast.unparse(given.get("reduction", ast.Constant("mean"))) == "'mean'"
    plain = not any(name in given for name in ("weight", "soft_label", "**"))
    if ignored is not None and ignored < 0 and mean and plain:
        yield call, Reason.of("hazards.counted-labels", label=ignored)


def _number(value: ast.expr) -> int | None:
    """The integer that is written out."""
    try:
        found = ast.literal_eval(value)
    except ValueError:
        return None
    return found if isinstance(found, int) else None
