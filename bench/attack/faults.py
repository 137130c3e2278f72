"""Writing that fails: each step of `apply` and `revert` raises, or the process dies there.

A child does the work, with one of its calls to the system failing or killing it. Then every file
is old or every file is new, what the child said of it is so, and `revert` gives the old bytes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
import sys
from typing import TYPE_CHECKING, Any

from bench.attack.table import attack
from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.errors import CodemodError, FindingsError
from codemod.patch.apply import apply_changes, interrupted, recover, revert

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALLS = (
    "open",
    "fsync",
    "replace",
    "rename",
    "unlink",
    "mkdir",
    "fchmod",
    "fstat",
    "close",
    "stat",
)
ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE)
# What the child says of its end.
DONE, AS_IT_WAS, TOLD, CRASHED = 0, 2, 3, 4
LINES = b"".join(b"line %d\n" % n for n in range(30))


def attempt(seed: int, folder: Path) -> str:
    """One fault or kill at one call."""
    draw = random.Random(seed)
    root = folder / "kit"
    root.mkdir()
    names = [f"f{n}.py" for n in range(draw.randint(1, 5))]
    for name in names:
        (root / name).write_bytes(LINES)
    new = LINES.replace(b"line 9\n", b"line 9\nhook\n")
    change = ChangeSet(
        Source(None, root, None),
        edits=tuple(Edit(name, EditKind.HOOK, 1, hooks=(0,)) for name in names),
        changes=tuple(FileChange(name, LINES, new) for name in names),
    )
    backwards = draw.random() < 0.4
    if backwards:
        apply_changes(change, allow_dirty=True)
    old, wanted = (new, LINES) if backwards else (LINES, new)

    def work() -> None:
        if backwards:
            revert(change.source)
        else:
            apply_changes(change, allow_dirty=True)

    deadly = draw.random() < 0.3
    code = in_child(work, draw.randint(1, 90), draw.choice(ERRORS), deadly=deadly)
    now = {(root / name).read_bytes() for name in names}
    if fault := judged(code, now, old, wanted, root):
        return fault
    try:
        recover(root)
        revert(change.source)
    except CodemodError as error:
        return f"cannot be repaired: {type(error).__name__}"
    if {(root / name).read_bytes() for name in names} != {LINES}:
        return "not as it was after revert"
    left = sorted(file.name for file in root.iterdir())
    return "" if left == names else "something is left in the tree"


def judged(code: int, now: set[bytes], old: bytes, wanted: bytes, root: Path) -> str:
    """Whether what the child said is so."""
    if code == CRASHED:
        return "an exception that is no CodemodError"
    if code == DONE and now != {wanted}:
        return "said done, and is not"
    if code == AS_IT_WAS and now != {old}:
        return "said as it was, and is not"
    if len(now) > 1 and code == -signal.SIGKILL and not interrupted(root):
        return "half changed without a journal"
    return ""


def in_child(work: Callable[[], None], left: int, number: int, *, deadly: bool) -> int:
    """The end of a child in which the `left`-th call to the system fails or kills."""
    child = os.fork()
    if not child:
        code = CRASHED
        try:
            with contextlib.suppress(BaseException):
                code = ended(work, left, number, deadly=deadly)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def ended(work: Callable[[], None], left: int, number: int, *, deadly: bool) -> int:
    """Do the work with faulty calls; what is said at its end."""

    def faulty(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            if left == 0:
                raise OSError(number, os.strerror(number), str(arguments[0]))
            return real(*arguments, **options)

        return call

    for name in CALLS:
        setattr(os, name, faulty(getattr(os, name)))
    try:
        work()
    except FindingsError:
        return TOLD
    except CodemodError:
        return AS_IT_WAS
    except OSError:
        # Before anything is written, a command ends with the system's own words.
        return AS_IT_WAS
    return DONE


if __name__ == "__main__":
    sys.exit(attack("faults and kills of apply and revert", 2000, attempt))
