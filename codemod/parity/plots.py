"""The loss-consistency plot: both curves, and their difference on a logarithmic scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codemod.evidence.result import Curve, Result

# Colours that stay apart in print and for colour-blind readers (Okabe and Ito).
_COLOURS = {"dynamic": "#000000", "ast": "#0072B2", "sot": "#D55E00"}
_STYLES = {"dynamic": "-", "ast": "--", "sot": ":"}
_WIDTHS = {"dynamic": 1.2, "ast": 2.2, "sot": 3.0}


def available() -> bool:
    """Whether matplotlib is installed (the extra `parity`)."""
    import importlib.util

    return importlib.util.find_spec("matplotlib") is not None


def _series(values: Sequence[float | None]) -> tuple[list[int], list[float]]:
    points = [(step, value) for step, value in enumerate(values) if value is not None]
    return [step for step, _ in points], [value for _, value in points]


def draw(result: Result, stem: Path) -> tuple[str, ...]:
    """Write `stem`.svg and `stem`.png for a result; returns their names, none without curves."""
    shown = result.parity.curves if result.parity else {}
    if not any(curve.loss for curve in shown.values()):
        return ()
    import matplotlib

    matplotlib.use("Agg")
    # A fixed salt and no date: the same result gives the same file.
    matplotlib.rcParams["svg.hashsalt"] = "codemod"
    from matplotlib import pyplot

    # Equal curves have no differences to draw: a strip with the word is enough.
    apart = any(_apart(curve) for curve in shown.values())
    figure, (top, bottom) = pyplot.subplots(
        2,
        1,
        figsize=(7, 5.4 if apart else 4),
        sharex=True,
        height_ratios=(3, 2) if apart else (8, 1),
        layout="constrained",
    )
    for mode, curve in shown.items():
        steps, values = _series(curve.loss)
        style = {"color": _COLOURS.get(mode), "linestyle": _STYLES.get(mode, "-.")}
        top.plot(steps, values, label=mode, linewidth=_WIDTHS.get(mode, 1.5), **style)
    top.set_ylabel("loss")
    top.legend(frameon=False)
    top.set_title(f"{result.kit}  {result.config}", fontsize=9)
    _draw_differences(bottom, shown)
    bottom.set_xlabel(f"optimizer step   (Paddle {result.paddle}, {result.device})")
    names = []
    for ending in ("svg", "png"):
        path = stem.parent / f"{stem.name}.{ending}"
        figure.savefig(path, dpi=130, metadata={"Date": None} if ending == "svg" else None)
        names.append(path.name)
    pyplot.close(figure)
    return tuple(names)


def _apart(curve: Curve) -> bool:
    """Whether a mode's losses or gradients were ever off dynamic training's."""
    return any(curve.loss_difference) or any(curve.grad_difference)


def _draw_differences(axes: Any, shown: dict[str, Curve]) -> None:
    """Difference curves; zero has no place on a logarithmic axis, so equality is told in words."""
    equal = []
    drawn = False
    for mode, curve in shown.items():
        if mode == "dynamic":
            continue
        for differences, style, what in (
            (curve.loss_difference, "-", "loss"),
            (curve.grad_difference, ":", "gradient (relative)"),
        ):
            steps, values = _series(differences)
            above = [(step, value) for step, value in zip(steps, values, strict=True) if value > 0]
            if above:
                axes.plot(
                    [step for step, _ in above],
                    [value for _, value in above],
                    style,
                    marker=".",
                    markersize=4,
                    color=_COLOURS.get(mode),
                    label=f"{mode}: {what}",
                )
                drawn = True
        if not _apart(curve):
            equal.append(mode)
    if drawn:
        axes.set_yscale("log")
        low, high = (math.log10(edge) for edge in axes.get_ylim())
        # Whole decades, so that a single point still has a scale one can read.
        axes.set_ylim(10 ** (math.floor(low) - 0.5), 10 ** (math.ceil(high) + 0.2))
        axes.legend(frameon=False, fontsize=8)
    else:
        axes.set_yticks([])
    if equal:
        words = f"{' and '.join(equal)}: equal to dynamic to the bit"
        height = 0.06 if drawn else 0.5
        axes.text(
            0.02, height, words, transform=axes.transAxes, fontsize=9, color="#006d2c", va="center"
        )
    axes.set_ylabel("|difference|" if drawn else "")
