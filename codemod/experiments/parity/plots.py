"""The loss curves of a result, and what separates them: drawn for light and for dark pages."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.base.files.shared_file import export
from codemod.judging.evidence.result import DARK, Curve, Result


@dataclass(frozen=True, slots=True)
class _Theme:
    """Colours that stay apart in print and for colour-blind readers (after Okabe and Ito)."""

    suffix: str
    page: str
    ink: str
    equal: str
    modes: dict[str, str]


_THEMES = (
    _Theme(
        "",
        "#ffffff",
        "#1b1f24",
        "#006d2c",
        {"dynamic": "#000000", "ast": "#0072B2", "sot": "#D55E00"},
    ),
    _Theme(
        DARK,
        "#0d1117",
        "#e6edf3",
        "#56d364",
        {"dynamic": "#ffffff", "ast": "#56B4E9", "sot": "#E69F00"},
    ),
)
_STYLES = {"dynamic": "-", "ast": "--", "sot": ":"}
_WIDTHS = {"dynamic": 1.2, "ast": 2.2, "sot": 3.0}


def available() -> bool:
    """Whether matplotlib is installed (the extra `parity`)."""
    import importlib.util

    return importlib.util.find_spec("matplotlib") is not None


def _plot(axes: Any, theme: _Theme, mode: str, values: Sequence[float | None], **look: Any) -> None:
    """A line in the look of a mode through all values that are there."""
    steps = [step for step, value in enumerate(values) if value is not None]
    shown = [value for value in values if value is not None]
    look |= {"color": theme.modes.get(mode, theme.ink), "linestyle": _STYLES.get(mode, "-.")}
    axes.plot(steps, shown, label=mode, **look)


def draw(result: Result, stem: Path) -> tuple[str, ...]:
    """Write `stem`.svg and `stem`.png, and both for dark pages; returns their names.

    None are written for a result without curves.
    """
    shown = result.parity.curves if result.parity else {}
    if not any(curve.loss for curve in shown.values()):
        return ()
    import matplotlib

    matplotlib.use("Agg")
    names: list[str] = []
    for theme in _THEMES:
        # A fixed salt and no date: the same result gives the same file.
        style: dict[Any, Any] = {
            "svg.hashsalt": "codemod",
            "figure.facecolor": theme.page,
            "axes.facecolor": theme.page,
            **dict.fromkeys(
                ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"),
                theme.ink,
            ),
        }
        with matplotlib.rc_context(style):
            names += _drawn(result, shown, theme, stem)
    return tuple(names)


def _drawn(result: Result, shown: dict[str, Curve], theme: _Theme, stem: Path) -> list[str]:
    from matplotlib import pyplot

    static = {mode: curve for mode, curve in shown.items() if mode != "dynamic"}
    differences = [
        (label, {mode: values for mode, values in found.items() if any(values)})
        for label, found in (
            ("loss difference", {m: c.loss_difference for m, c in static.items()}),
            (
                "gradient difference\n(of the global norm)",
                {m: c.grad_difference for m, c in static.items()},
            ),
        )
    ]
    panels = [(label, found) for label, found in differences if found]
    equal = [mode for mode in static if not any(mode in found for _, found in panels)]
    figure, axes = pyplot.subplots(
        1 + len(panels),
        1,
        figsize=(7, 3.4 + 2 * len(panels)),
        sharex=True,
        height_ratios=(3, *(2 for _ in panels)),
        layout="constrained",
        squeeze=False,
    )
    top = axes[0][0]
    for mode, curve in shown.items():
        _plot(top, theme, mode, curve.loss, linewidth=_WIDTHS.get(mode, 1.5))
    top.set_ylabel("loss")
    top.legend(frameon=False)
    top.set_title(f"{result.kit}  {result.config}", fontsize=9)
    for (label, found), (panel,) in zip(panels, axes[1:], strict=True):
        _draw_difference(panel, found, theme)
        panel.set_ylabel(label)
    if equal:
        words = f"{' and '.join(equal)}: equal to dynamic to the bit"
        figure.supxlabel(words, fontsize=9, color=theme.equal)
    axes[-1][0].set_xlabel(f"optimizer step   (Paddle {result.paddle}, {result.device})")
    names = []
    for ending in ("svg", "png"):
        path = stem.parent / f"{stem.name}{theme.suffix}.{ending}"
        drawn = io.BytesIO()
        dateless = {"Date": None} if ending == "svg" else None
        figure.savefig(drawn, format=ending, dpi=130, metadata=dateless)
        export(path, drawn.getvalue())
        names.append(path.name)
    pyplot.close(figure)
    return names


def _draw_difference(axes: Any, found: dict[str, tuple[float | None, ...]], theme: _Theme) -> None:
    """One kind of difference by step; zero has no place on a logarithmic axis."""
    for mode, values in found.items():
        above = [value if value and value > 0 else None for value in values]
        _plot(axes, theme, mode, above, marker=".", markersize=4)
    axes.set_yscale("log")
    low, high = (math.log10(edge) for edge in axes.get_ylim())
    # Whole decades, so that a single point still has a scale one can read.
    axes.set_ylim(10 ** (math.floor(low) - 0.5), 10 ** (math.ceil(high) + 0.2))
    axes.legend(frameon=False, fontsize=8)
