"""One hunk in the user's editor, written and read back as `git add -p` does it."""

from __future__ import annotations

import ast
import os
import shlex
import tempfile
from pathlib import Path

import yaml

from codemod.base.launch.tools import found, in_foreground
from codemod.base.patch.hunks import CONTEXT, Hunk, split_lines

# What is looked for where the user names no editor.
_EDITORS = ("sensible-editor", "vim", "nano", "vi")

_HEAD = "# Edit the added lines of {path}; a quick guide stands at the end.\n"
_GUIDE = """\
# ---
# Lines that begin with '+' are added: change them, delete them, or add others.
# Leave the lines that begin with ' ' or '-' as they are.
# Lines that begin with '#' are dropped. Deleting every '+' line leaves the hunk out.
"""


class RefusedEditError(Exception):
    """What came back from the editor cannot be used; the message says why."""


def edit(hunk: Hunk, old: bytes) -> tuple[bytes, ...]:
    """The lines that the user wants in place of `hunk.new`.

    Raises:
        RefusedEditError: the editor failed, or more than the added lines was changed.
    """
    lines = split_lines(old)
    before = lines[max(0, hunk.start - CONTEXT) : hunk.start]
    after = lines[hunk.stop : hunk.stop + CONTEXT]
    return read_back(_in_editor(_written(hunk, before, after)), hunk, before, after)


def _written(hunk: Hunk, before: list[bytes], after: list[bytes]) -> bytes:
    body = [
        *(_row(b" ", line) for line in before),
        *(_row(b"-", line) for line in hunk.old),
        *(_row(b"+", line) for line in hunk.new),
        *(_row(b" ", line) for line in after),
    ]
    head = _HEAD.format(path=hunk.path) + f"# from line {hunk.start + 1}\n"
    return head.encode("utf-8", "backslashreplace") + b"".join(body) + _GUIDE.encode()


def _row(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n"


def _in_editor(text: bytes) -> bytes:
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        file = Path(folder) / "hunk.diff"
        file.write_bytes(text)
        own = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        editor = own or next((name for name in _EDITORS if found(name)), "vi")
        try:
            done = in_foreground([*shlex.split(editor), str(file)])
        except (OSError, ValueError) as error:
            raise RefusedEditError(
                f"{editor}: it cannot be run. Set $EDITOR to an editor that works."
            ) from error
        if done:
            raise RefusedEditError(
                f"{editor}: Editing failed. Set $EDITOR to an editor that works."
            )
        return file.read_bytes()


def read_back(
    text: bytes, hunk: Hunk, before: list[bytes], after: list[bytes]
) -> tuple[bytes, ...]:
    """The added lines in an edited hunk.

    Raises:
        RefusedEditError: another line than an added one was changed.
    """
    kept: list[bytes] = []
    added: list[bytes] = []
    inner = len(before) + len(hunk.old)
    for row in split_lines(text):
        sign, line = row[:1], row[1:]
        if sign == b"#":
            continue
        if sign == b"+":
            if not len(before) <= len(kept) <= inner:
                raise RefusedEditError("A line was added outside the hunk.")
            added.append(line if line.endswith(b"\n") else line + b"\n")
        elif sign in (b" ", b"-"):
            kept.append(line)
        elif row in (b"\n", b"\r\n"):  # an editor took the space off an empty context line
            kept.append(row)
        else:
            raise RefusedEditError("A line begins with none of ' ', '-', '+' and '#'.")
    if [line.rstrip(b"\r\n") for line in kept] != [
        line.rstrip(b"\r\n") for line in (*before, *hunk.old, *after)
    ]:
        raise RefusedEditError("Only the added lines may be changed.")
    if added and hunk.new and not after and not hunk.new[-1].endswith(b"\n"):
        added[-1] = added[-1].removesuffix(b"\n")
    return tuple(added)


def fault(path: str, data: bytes) -> str | None:
    """Why a changed file could not be used any more, or None when it still parses."""
    if path.endswith(".py"):
        try:
            ast.parse(data)
        except (SyntaxError, ValueError) as error:
            return f"{path} would not parse: {error}."
    if path.endswith((".yml", ".yaml")):
        try:
            yaml.compose(data, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            return f"{path} would not parse: {' '.join(str(error).split())}."
    return None
