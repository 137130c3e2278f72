"""Loss curves as a small SVG in a page: no files, no library, the colours of the page."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

_WIDTH, _HEIGHT = 480, 150
_LEFT, _TOP, _BOTTOM = 64, 22, 18
# The reference in the page's ink; the other dashed, in a blue that is legible on white and black.
_LOOKS = (
    'stroke="currentColor" stroke-width="1.2"',
    'stroke="#2b8fd6" stroke-width="2.4" stroke-dasharray="6 4"',
)


def curve_svg(title: str, curves: Mapping[str, Sequence[float | None]]) -> str:
    """The curves by name over the steps, the reference first; "" where nothing can be drawn.

    A value of None, no number, leaves a gap.
    """
    values = [value for curve in curves.values() for value in curve if value is not None]
    steps = max(map(len, curves.values()), default=0)
    if not values or steps < 2:
        return ""
    low, high = min(values), max(values)
    drawn = [
        part
        for look, curve in zip(_LOOKS, curves.values(), strict=False)
        for part in _lines(curve, steps, low, high, look)
    ]
    texts = [
        _text(_LEFT - 6, _TOP + 8, f"{high:.4g}", "end"),
        _text(_LEFT - 6, _HEIGHT - _BOTTOM, f"{low:.4g}", "end"),
        _text(_LEFT, _HEIGHT - 3, "1", "start"),
        _text(_WIDTH - 4, _HEIGHT - 3, str(steps), "end"),
        *_legend(list(curves)),
    ]
    return (
        f'<svg class="curve" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        'style="max-width:100%;height:auto" font-size="11" font-family="system-ui,sans-serif">'
        f"<title>{html.escape(title)}</title>{''.join(drawn)}{''.join(texts)}</svg>"
    )


def _lines(
    curve: Sequence[float | None], steps: int, low: float, high: float, look: str
) -> Iterator[str]:
    """A line for each stretch of numbers."""
    across = (_WIDTH - _LEFT - 4) / (steps - 1)
    down = (_HEIGHT - _TOP - _BOTTOM) / ((high - low) or 1.0)
    for known, found in groupby(enumerate(curve), lambda item: item[1] is not None):
        points = (
            f"{_LEFT + step * across:.1f},{_TOP + (high - value) * down:.1f}"
            for step, value in found
            if value is not None
        )
        if known:
            yield f'<polyline fill="none" {look} points="{" ".join(points)}"/>'


def _legend(names: list[str]) -> Iterator[str]:
    for number, (look, name) in enumerate(zip(_LOOKS, names, strict=False)):
        x = _LEFT + 130 * number
        yield f'<line {look} x1="{x}" x2="{x + 24}" y1="9" y2="9"/>'
        yield _text(x + 30, 13, name, "start")


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text fill="currentColor" x="{x}" y="{y}" text-anchor="{anchor}">'
        f"{html.escape(words)}</text>"
    )
