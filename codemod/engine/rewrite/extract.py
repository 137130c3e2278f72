"""Extract method, by LibCST: statements of a method become a method behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import libcst as cst

from codemod.base.reason import Reason
from codemod.code.kept import kept
from codemod.engine.rewrite.layout import COLUMNS, LEVEL, filled_call
from codemod.engine.rewrite.ops import CannotRewriteError, Extract


def extracted(module: cst.Module, node: Any, action: Extract) -> list[Any]:
    """The method without the statements, and the method that they make.

    The statements keep their indentation and comments, so where they reach to the end the change
    is a few lines put between two of the kit's.

    Raises:
        CannotRewriteError: the statements do not stand on lines of their own.
    """
    if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
        raise CannotRewriteError(Reason.of("engine.part-on-lines"))
    body = list(node.body.body)
    if any(isinstance(one, cst.SimpleStatementLine) and len(one.body) > 1 for one in body):
        raise CannotRewriteError(Reason.of("engine.several-on-line"))
    head, inner, rest = (
        body[: action.start],
        body[action.start : action.stop],
        body[action.stop :],
    )
    calls = parsed_lines(module, _call(action))
    given = parsed_lines(module, f"return {', '.join(action.results)}") if action.results else []
    blank, inner = _first_blank(module, inner)
    made = cst.ensure_type(parsed_lines(module, _signature(action))[0], cst.FunctionDef)
    made_body = cst.ensure_type(made.body, cst.IndentedBlock)
    # Comments at the very end belong to what stands there.
    footer, own = ((), node.body.footer) if not rest else (node.body.footer, ())
    made = made.with_changes(
        leading_lines=[blank, *_comment(action)],
        body=made_body.with_changes(
            body=[*inner, *given], footer=own, indent=node.body.indent, header=made_body.header
        ),
    )
    kept = node.body.with_changes(body=[*head, *calls, *rest], footer=footer)
    return [node.with_changes(body=kept), made]


def _call(action: Extract) -> str:
    results = ", ".join(action.results)
    start = f"{results} = " if results else "return "
    begin = f"{start}self.{action.name}("
    return filled_call(begin, list(action.arguments), ")", 2 * LEVEL, COLUMNS)


def _signature(action: Extract) -> str:
    names = ["self", *action.arguments]
    line = filled_call(f"def {action.name}(", names, "):", LEVEL, COLUMNS)
    return f"{line}\n{' ' * LEVEL}pass"


def _comment(action: Extract) -> list[cst.EmptyLine]:
    lines = textwrap.wrap(action.comment, COLUMNS - LEVEL - len("# "))
    return [cst.EmptyLine(comment=cst.Comment(f"# {line}")) for line in lines]


def _first_blank(module: cst.Module, inner: list[Any]) -> tuple[cst.EmptyLine, list[Any]]:
    """A blank line to stand before the new method: the one that stood there, or a new one."""
    fresh = cst.EmptyLine(indent=False, newline=cst.Newline(value=None))
    first = inner[0]
    lines = list(first.leading_lines)
    if lines and lines[0].comment is None:
        return lines[0], [first.with_changes(leading_lines=lines[1:]), *inner[1:]]
    return fresh, inner


def parsed_lines(module: cst.Module, code: str) -> list[Any]:
    """Statements in the file's own indentation and line ends, blank lines before them kept.

    Raises:
        CannotRewriteError: they cannot be read in the file's indentation.
    """
    indent = module.default_indent
    lines = []
    for line in code.splitlines():
        bare = line.lstrip(" ")
        levels, rest = divmod(len(line) - len(bare), LEVEL)
        lines.append(indent * levels + " " * rest + bare)
    text = module.default_newline.join([*lines, ""])
    try:
        return list(_parsed(text, module.config_for_parsing))
    except ValueError as fault:
        raise CannotRewriteError(Reason.of("engine.indentation", said=str(fault))) from fault


# One kit's hooks are often the same; LibCST's nodes are never changed.
@kept(None)
def _parsed(text: str, config: cst.PartialParserConfig) -> tuple[Any, ...]:
    parsed = cst.parse_module(text, config=config)
    # LibCST keeps what stands above the first statement apart.
    return tuple(_after(() if at else parsed.header, node) for at, node in enumerate(parsed.body))


def _after(lines: Sequence[cst.EmptyLine], node: Any) -> Any:
    """A statement behind more lines, its blank ones without blanks."""
    leading = [*lines, *node.leading_lines]
    bare = [line if line.comment else line.with_changes(indent=False) for line in leading]
    return node.with_changes(leading_lines=bare)
