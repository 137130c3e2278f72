"""Extract method, by LibCST: statements of a method become a method behind it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import libcst as cst

from codemod.engine.ops import CannotRewriteError

if TYPE_CHECKING:
    from codemod.engine.ops import Extract

WIDTH = 79
LEVEL = 4


def extracted(module: cst.Module, node: Any, action: Extract) -> list[Any]:
    """The method without the statements, and the method that they make.

    The statements keep their indentation and comments, so where they reach to the end the change
    is a few lines put between two of the kit's.
    """
    if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
        raise CannotRewriteError("a part can be taken out of a method in lines of its own only")
    body = list(node.body.body)
    if any(isinstance(one, cst.SimpleStatementLine) and len(one.body) > 1 for one in body):
        raise CannotRewriteError("several statements stand on one line in the method")
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
    return _wrapped(f"{start}self.{action.name}(", action.arguments, ")", 2 * LEVEL)


def _signature(action: Extract) -> str:
    line = _wrapped(f"def {action.name}(", ("self", *action.arguments), "):", LEVEL)
    return f"{line}\n{' ' * LEVEL}pass"


def _comment(action: Extract) -> list[cst.EmptyLine]:
    lines = textwrap.wrap(action.comment, WIDTH - LEVEL - len("# "))
    return [cst.EmptyLine(comment=cst.Comment(f"# {line}")) for line in lines]


def _wrapped(start: str, names: tuple[str, ...], end: str, indent: int) -> str:
    """One line where it fits, else the names on lines of their own, one level and a bit deeper."""
    line = f"{start}{', '.join(names)}{end}"
    if indent + len(line) <= WIDTH:
        return line
    deeper = " " * (2 * LEVEL if start.startswith("def ") else LEVEL)
    filled = textwrap.wrap(f"{', '.join(names)}{end}", WIDTH - indent - len(deeper))
    return "\n".join([start, *(f"{deeper}{one}" for one in filled)])


def _first_blank(module: cst.Module, inner: list[Any]) -> tuple[cst.EmptyLine, list[Any]]:
    """A blank line to stand before the new method: the one that stood there, or a new one."""
    fresh = cst.EmptyLine(indent=False, newline=cst.Newline(value=None))
    first = inner[0]
    lines = list(first.leading_lines)
    if lines and lines[0].comment is None:
        return lines[0], [first.with_changes(leading_lines=lines[1:]), *inner[1:]]
    return fresh, inner


def parsed_lines(module: cst.Module, code: str) -> list[Any]:
    """Statements in the file's own indentation and line ends."""
    indent = module.default_indent
    lines = []
    for line in code.splitlines():
        bare = line.lstrip(" ")
        lines.append(indent * ((len(line) - len(bare)) // LEVEL) + bare)
    text = module.default_newline.join([*lines, ""])
    try:
        return list(cst.parse_module(text, config=module.config_for_parsing).body)
    except ValueError as fault:
        raise CannotRewriteError(f"LibCST cannot write in its indentation: {fault}") from fault
