"""What is wrong with where a hook stood when things happened to its model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from codemod.base.reason import Reason

# What was done, and to which model: its number, or the path of a made-up one.
Happened = tuple[str, str]
# What must not have happened to a model before its hook, and what must not happen after it.
EARLIER = frozenset(("wrap", "call", "convert"))
LATER = frozenset(("copy", "convert", "change", "summary"))


def wrong_order(
    events: Sequence[Happened], covers: Mapping[str, Collection[str]], *, told: bool = False
) -> Reason | None:
    """The first fault of the hooks in a run with the switch on; None when there is none.

    `covers` are the models that each one calls; with `told`, a model without a hook was reported.
    """
    hooked: set[str] = set()
    before: dict[str, set[str]] = {}
    called: set[str] = set()
    for what, model in events:
        if what == "hook-without-model":
            return Reason.of("experiments.hook-on-no-model")
        if what == "hook":
            if model in hooked:
                return Reason.of("experiments.hooked-twice")
            if late := before.get(model, set()) & EARLIER:
                return Reason.of("experiments.hooked-after", events=tuple(sorted(late)))
            hooked.add(model)
        elif what in LATER and model in hooked:
            return Reason.of("experiments.after-the-hook", event=what)
        elif what == "peek" and model in hooked and model not in called:
            return Reason.of("experiments.first-without-gradients")
        elif what == "call" and model in hooked:
            called.add(model)
        before.setdefault(model, set()).add(what)
    if not hooked:
        return Reason.of("experiments.hook-not-reached")
    trained = {model for what, model in events if what == "train"}
    bare = [one for one in trained if not hooked & set(covers.get(one, (one,)))]
    return Reason.of("experiments.trained-not-hooked") if bare and not told else None
