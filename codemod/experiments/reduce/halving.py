"""The innermost layer of a net that shows a fault by itself, found by halving.

Where nothing raises, no line names the place. So layers are made static, each by itself, while the
rest of the net stays dynamic: all that stand directly within one, then half of them, until one is
left; then those within it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Halved:
    """Names of layers, each within the one before; `ended` unless the time was over first."""

    chain: tuple[str, ...] = ()
    ended: bool = True

    @property
    def layer(self) -> str:
        """The innermost layer that is known to show it by itself; empty where none is."""
        return self.chain[-1] if self.chain else ""


def innermost(
    shows: Callable[[Sequence[str]], bool], called: Sequence[str], goes_on: Callable[[], bool]
) -> Halved:
    """Layers that show the fault, the outermost first, each within the one before.

    `called` are names of layers in the order of their first call, a layer's parts named below it.
    `shows(names)` says whether the net shows the fault with these layers static. It ends where
    none of a layer's parts does alone, or `goes_on()` is no longer so.
    """
    chain: list[str] = []
    within = _outermost(called)
    while within and goes_on() and (found := _one(shows, within, goes_on)) is not None:
        chain.append(found)
        below = [name for name in called if name.startswith(f"{found}.")]
        within = _outermost(below)
    return Halved(tuple(chain), not within or goes_on())


def _outermost(names: Sequence[str]) -> list[str]:
    """Those that stand within no other one."""
    within = tuple(f"{name}." for name in names)
    return [name for name in names if not name.startswith(within)]


def _one(
    shows: Callable[[Sequence[str]], bool], names: list[str], goes_on: Callable[[], bool]
) -> str | None:
    """The first one of these that shows it alone, if halving comes down to one."""
    if not shows(names):
        return None
    while len(names) > 1:
        if not goes_on():
            return None
        first, rest = names[: len(names) // 2], names[len(names) // 2 :]
        if shows(first):
            names = first
        elif shows(rest):
            names = rest
        else:
            return None  # it takes some of both
    return names[0]
