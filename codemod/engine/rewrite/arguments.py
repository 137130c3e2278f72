"""Adds parameters, arguments and elements to LibCST's nodes, set apart as their neighbours are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from codemod.base.reason import Reason
from codemod.engine.rewrite import ops


def with_parameter(node: Any, action: ops.AddParameter) -> Any:
    """The new parameter comes last, so that callers by position keep their meaning.

    Raises:
        CannotRewriteError: the node is no function.
    """
    if not isinstance(node, cst.FunctionDef):
        raise ops.CannotRewriteError(Reason.of("engine.parameter-of-function"))
    params = node.params
    space = cst.SimpleWhitespace(" " if action.annotation else "")
    made = cst.Param(
        name=cst.Name(action.name),
        annotation=cst.Annotation(cst.parse_expression(action.annotation))
        if action.annotation
        else None,
        default=cst.parse_expression(action.default),
        equal=cst.AssignEqual(whitespace_before=space, whitespace_after=space),
    )
    keyword_only = isinstance(params.star_arg, (cst.ParamStar, cst.Param))
    name = "kwonly_params" if keyword_only else "params"
    items = _appended(getattr(params, name), [made], "whitespace_after_param")
    return node.with_changes(params=params.with_changes(**{name: items}))


def _appended(items: Sequence[Any], made: list[Any], space: str = "") -> list[Any]:
    """Items and further ones, set apart as they are; the new last one ends as the old one did.

    `space` names what an item has behind its comma.
    """
    if not items:
        return made
    comma, last = _separator(items), items[-1]
    between = {"comma": comma} | ({space: cst.SimpleWhitespace("")} if space else {})
    end = {"comma": last.comma} | ({space: getattr(last, space)} if space else {})
    inner = [one.with_changes(comma=comma) for one in made[:-1]]
    return [*items[:-1], last.with_changes(**between), *inner, made[-1].with_changes(**end)]


def _separator(items: Sequence[Any]) -> cst.Comma:
    """How the neighbours are set apart: on one line, or each on its own."""
    for item in reversed(items[:-1]):
        if isinstance(item.comma, cst.Comma):
            return item.comma
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


class _AddToCall(cst.CSTTransformer):
    def __init__(self, module: cst.Module, action: ops.AddArgument) -> None:
        self.module = module
        self.action = action
        self.found = 0

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:  # noqa: N802
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if self.module.code_for_node(original_node.func) != self.action.callee:
            return updated_node
        self.found += 1
        return updated_node.with_changes(args=_with_keyword(updated_node.args, self.action))


def with_argument(module: cst.Module, node: Any, action: ops.AddArgument) -> Any:
    """The statement with one more keyword argument in the one call of `action.callee`.

    Raises:
        CannotRewriteError: there is no such call, or more than one.
    """
    visitor = _AddToCall(module, action)
    node = node.visit(visitor)
    if visitor.found != 1:
        raise ops.CannotRewriteError(
            Reason.of("engine.argument-calls", name=action.callee, count=visitor.found)
        )
    return node


def with_elements(module: cst.Module, node: Any, action: ops.AddElements) -> Any:
    """More elements, set apart as the list's last two are.

    Raises:
        CannotRewriteError: the statement holds no list or tuple, or an empty one.
    """
    small: Any = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
    value = getattr(small, "value", None)
    if not isinstance(value, (cst.List, cst.Tuple)) or not value.elements:
        raise ops.CannotRewriteError(Reason.of("engine.elements-of-list"))
    made = [cst.Element(cst.parse_expression(text)) for text in action.elements]
    value = value.with_changes(elements=_appended(value.elements, made))
    return node.with_changes(body=[small.with_changes(value=value)])


def with_line(module: cst.Module, node: Any, action: ops.AddToDocstring) -> Any:
    """The docstring with one line of text more.

    Raises:
        CannotRewriteError: the statement is no plain docstring.
    """
    small: Any = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
    string = getattr(small, "value", None)
    if not isinstance(string, cst.SimpleString):
        raise ops.CannotRewriteError(Reason.of("engine.plain-docstring"))
    lines = string.value.split("\n")
    end = "\r" if lines[0].endswith("\r") else ""
    lines.insert(action.index, action.text + end)
    string = string.with_changes(value="\n".join(lines))
    return node.with_changes(body=[small.with_changes(value=string)])


def _with_keyword(args: Sequence[cst.Arg], action: ops.AddArgument) -> list[cst.Arg]:
    made = cst.Arg(
        keyword=cst.Name(action.name),
        value=cst.parse_expression(action.value),
        equal=cst.AssignEqual(
            whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
        ),
    )
    if args and (args[-1].keyword is not None or args[-1].star == "**"):
        return [*args[:-1], made.with_changes(comma=_separator(args)), args[-1]]
    return _appended(args, [made], "whitespace_after_arg")
