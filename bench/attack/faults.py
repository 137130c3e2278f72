"""Writing that fails: each step of `apply` and `revert` raises, or the process dies there.

A child does the work, with one of its calls to the system failing or killing it, or with a limit
on the size of a file, at which the kernel itself cuts a write short. Then every file is old or
every file is new, what the child said of it is so, and `revert` gives the old bytes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import resource
import signal
import sys
from typing import TYPE_CHECKING, Any

from bench.attack.table import attack
from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.errors import CodemodError, FindingsError
from codemod.base.patch.apply import apply_changes, interrupted, recover, revert

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
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
HOOKED = LINES.replace(b"line 9\n", b"line 9\nhook\n")
# Seconds after which a child is taken to hang.
LIMIT = 60


def attempt(seed: int, folder: Path) -> str:
    """One fault, kill or cut write, at one of the calls that the work makes."""
    draw = random.Random(seed)
    files, backwards = draw.randint(1, 5), draw.random() < 0.4
    change = small_tree(folder / "kit", files, backwards=backwards)
    root = change.source.root
    names = sorted(file.name for file in root.iterdir())
    old, wanted = (HOOKED, LINES) if backwards else (LINES, HOOKED)
    code = in_child(work_of(change, backwards=backwards), one_fault(draw, files, folder))
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


def small_tree(root: Path, files: int, *, backwards: bool) -> ChangeSet:
    """A tree of some files and a change to all of them; applied already, to be taken out."""
    root.mkdir(parents=True)
    names = [f"f{n}.py" for n in range(files)]
    for name in names:
        (root / name).write_bytes(LINES)
    change = ChangeSet(
        Source(None, root, None),
        edits=tuple(Edit(name, EditKind.HOOK, 1, hooks=(0,)) for name in names),
        changes=tuple(FileChange(name, LINES, HOOKED) for name in names),
    )
    if backwards:
        apply_changes(change, allow_dirty=True)
    return change


def work_of(change: ChangeSet, *, backwards: bool) -> Callable[[], None]:
    """What the child does."""

    def work() -> None:
        if backwards:
            revert(change.source)
        else:
            apply_changes(change, allow_dirty=True)

    return work


def one_fault(draw: random.Random, files: int, folder: Path) -> Callable[[], object]:
    """What is broken in the child, before it begins."""
    if draw.random() < 0.15:
        size = draw.randint(0, 3000)
        return lambda: cut_writes(size)
    at = draw.randint(1, calls_made(files, folder))
    number = None if draw.random() < 0.3 else draw.choice(ERRORS)
    return lambda: break_call(at, number)


def calls_made(files: int, folder: Path) -> int:
    """How many calls an undisturbed `apply` makes to as many files: one of them will fail."""
    if files not in _KNOWN:
        change = small_tree(folder / "rehearsal", files, backwards=False)
        reading, writing = os.pipe()

        def counting() -> None:
            os.environ["XDG_STATE_HOME"] = str(folder / "rehearsal-state")
            made = break_call(0, None)
            work_of(change, backwards=False)()
            os.write(writing, str(made()).encode())

        if in_child(counting, lambda: None) != DONE:
            raise RuntimeError("apply fails where nothing is broken")
        _KNOWN[files] = int(os.read(reading, 20))
        os.close(reading)
        os.close(writing)
    return _KNOWN[files]


_KNOWN: dict[int, int] = {}


def judged(code: int, now: set[bytes], old: bytes, wanted: bytes, root: Path) -> str:
    """Whether what the child said is so."""
    if code == -signal.SIGALRM:
        return "it does not end"
    if code == CRASHED:
        return "an exception that is not a CodemodError"
    if code == DONE and now != {wanted}:
        return "said done, and is not"
    if code == AS_IT_WAS and now != {old}:
        return "said as it was, and is not"
    if len(now) > 1 and code == -signal.SIGKILL and not interrupted(root):
        return "half changed without a journal"
    return ""


def in_child(work: Callable[[], None], breaks: Callable[[], object]) -> int:
    """The end of a child that breaks something of its own and then does the work."""
    child = os.fork()
    if not child:
        code = CRASHED
        signal.alarm(LIMIT)
        try:
            with contextlib.suppress(BaseException):
                breaks()
                code = ended(work)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def cut_writes(size: int) -> None:
    """Let no file grow beyond `size` bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def break_call(at: int, number: int | None, calls: Sequence[str] = CALLS) -> Callable[[], int]:
    """Let the call with the number `at` fail, or kill where there is no error `number`.

    Returns what tells how many calls were made.
    """

    def before(made: int, subject: object) -> None:
        if made == at and number is None:
            os.kill(os.getpid(), signal.SIGKILL)
        if made == at:
            raise OSError(number, os.strerror(number or 0), str(subject))

    return before_calls(before, calls)


def before_calls(
    before: Callable[[int, object], None], calls: Sequence[str] = CALLS
) -> Callable[[], int]:
    """Do something before each call to the system: it gets the call's number, from 1, and subject.

    Returns what tells how many calls were made.
    """
    made = 0

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal made
            made += 1
            before(made, next(iter((*arguments, *options.values())), None))
            return real(*arguments, **options)

        return call

    for name in calls:
        setattr(os, name, watched(getattr(os, name)))
    return lambda: made


def ended(work: Callable[[], None]) -> int:
    """Do the work; what is said at its end."""
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
