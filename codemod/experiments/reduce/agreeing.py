"""Whether a program shows what a kit's own net shows in its probe."""

from __future__ import annotations

from codemod.experiments.reduce.signature import Signature, template
from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Verdict

_ALIKE = {
    Verdict.FAILS: ("error",),
    Verdict.CRASH: ("crash",),
    Verdict.TIMEOUT: ("hang",),
}


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
