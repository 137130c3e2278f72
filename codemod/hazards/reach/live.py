"""Which branches a training step can take: evaluation and export are left out.

`truth` knows what training fixes (`self.training` is true, `mode == "infer"` is not) and which
names hold None whoever calls, and says nothing of the rest. One process is assumed: what only
several run is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from codemod.code.liveness import LEAVES
from codemod.code.module import DEFINITIONS, dotted
from codemod.code.traversal import blocks

_ON = re.compile(r"(^|\.|_)(training|is_train|is_training|train_mode|in_training)$")
_OFF = re.compile(
    r"(^|[._])(in_)?(export\w*|exporting|for_export\w*|is_export\w*|deploy\w*|onnx\w*|tensorrt|trt"
    r"|use_trt|is_infer\w*|inference\w*|infer|is_test|is_eval|eval_mode|test_mode|predict\w*)$"
)
_TRAIN_WORD = re.compile(r"^train", re.IGNORECASE)
_OTHER_WORD = re.compile(r"^(infer|inference|test|val|valid|eval|predict|export|deploy)\w*$", re.I)
_MANY = re.compile(
    r"(world_size|nranks|sep_parallel_degree|tensor_parallel_degree|context_parallel_degree"
    r"|get_world_size\(\)|get_size_or_one\(\)|mp_degree|parallel_size)$"
)
_DISTRIBUTED = re.compile(r"(^|[._])(sequence_parallel|is_distributed|use_distributed)$")


def truth(test: ast.expr, absent: Collection[str] = ()) -> bool | None:
    """What a condition is while a model trains; None when training does not fix it.

    `absent` are the names that hold None there, whoever calls.
    """
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand, absent)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _both(test, absent)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, absent)
    if isinstance(test, ast.Name) and test.id in absent:
        return False
    name = dotted(test)
    if name and not name.startswith("paddle"):
        if _ON.search(name):
            return True
        if _OFF.search(name) or _DISTRIBUTED.search(name):
            return False
    return None


def _both(test: ast.BoolOp, absent: Collection[str]) -> bool | None:
    parts = [truth(value, absent) for value in test.values]
    decisive = isinstance(test.op, ast.Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compared(test: ast.Compare, absent: Collection[str]) -> bool | None:
    """`mode == "train"`, `self.training is True`, `mask is None`, `world_size > 1`."""
    right = test.comparators[0]
    one = isinstance(right, ast.Constant) and right.value == 1 and right.value is not True
    if one and _MANY.search(ast.unparse(test.left)):
        return isinstance(test.ops[0], (ast.Eq, ast.LtE, ast.GtE))  # one process trains
    equal = isinstance(test.ops[0], (ast.Eq, ast.Is))
    if not equal and not isinstance(test.ops[0], (ast.NotEq, ast.IsNot)):
        return None
    if not isinstance(right, ast.Constant):
        return None
    if right.value is None and isinstance(test.left, ast.Name) and test.left.id in absent:
        return equal
    if isinstance(right.value, bool):
        left = truth(test.left, absent)
        return None if left is None else (left == right.value) == equal
    if isinstance(right.value, str) and re.search(r"mode|phase|stage", dotted(test.left) or ""):
        if _TRAIN_WORD.match(right.value):
            return equal
        if _OTHER_WORD.match(right.value):
            return not equal
    return None


def returns(body: list[ast.stmt]) -> list[ast.expr]:
    """The values that a block can return, in the branches that training can take."""
    found: list[ast.expr] = []
    for node in body:
        if isinstance(node, ast.Return):
            return [*found, node.value] if node.value is not None else found
        if isinstance(node, ast.If):
            known = truth(node.test)
            taken = (
                [node.body, node.orelse] if known is None else [node.body if known else node.orelse]
            )
            for block in taken:
                found += returns(block)
            if all(ends(block) for block in taken):
                return found
        elif not isinstance(node, DEFINITIONS):
            for block in blocks(node):
                found += returns(block)
    return found


def ends(body: list[ast.stmt]) -> bool:
    """Whether a block never falls through to what follows it."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return ends(last.body) and ends(last.orelse)
    if isinstance(last, ast.With):
        return ends(last.body)
    return isinstance(last, LEAVES)
