"""`--quiet`: results and errors alone; of a change that was made, nothing where all is well."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from typing import IO

_WORDS = ("--quiet", "-q")
# Their result is the change; what they print of it is told where something is left to do.
_CHANGING = ("apply", "revert", "branch", "fix")
_ASKED_FOR = ("--json", "--dry-run", "--interactive")


def split(words: Sequence[str]) -> tuple[list[str], bool]:
    """The command line without `--quiet`, and whether it was there; behind `--` it is a name."""
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word not in _WORDS]
    return [*kept, *words[end:]], len(kept) < end


class QuietOutput:
    """What a quiet command held back: of standard output all, of standard error what is wrong."""

    def __init__(self) -> None:
        self.held = ""
        self.errors = ""


@contextlib.contextmanager
def hushed(words: Sequence[str], quiet: bool) -> Iterator[QuietOutput]:
    """Keep standard error silent, and standard output back where the command changes something."""
    made = QuietOutput()
    if not quiet:
        yield made
        return
    import tempfile

    with contextlib.ExitStack() as stack:
        # With a descriptor: programs that are run get it, too.
        sink = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace"))
        stack.callback(_keep_errors, made, sink)
        stack.enter_context(contextlib.redirect_stderr(sink))
        if words[:1] and words[0] in _CHANGING and not set(words) & set(_ASKED_FOR):
            out = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            yield made
            made.held = out.getvalue()
        else:
            yield made


def _keep_errors(hush: QuietOutput, sink: IO[str]) -> None:
    """Of several targets each tells its own error while the others go on."""
    sink.flush()
    sink.seek(0)
    hush.errors = "".join(line for line in sink if line.startswith("Error: "))
