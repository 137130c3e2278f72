"""The loss curves of a result, and what separates them: drawn for light and for dark pages."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.base.files.shared_file import export
from codemod.judging.evidence.result import DARK, Curve, Result

# Suffixes of the files by theme.
_THEMES = {"light": "", "dark": DARK}


def _table(name: str) -> dict[str, Any]:
    found: dict[str, Any] = table_beside(__file__, "plots.yaml")[name]
    return found


def available() -> bool:
    """Whether matplotlib is installed (the extra `parity`)."""
    import importlib.util

    return importlib.util.find_spec("matplotlib") is not None


def _plot(axes: Any, colours: Any, mode: str, values: Sequence[float | None], **look: Any) -> None:
    """A line in the look of a mode through all values that are there."""
    steps = [step for step, value in enumerate(values) if value is not None]
    shown = [value for value in values if value is not None]
    look |= {"color": colours.get(mode, colours["ink"])}
    look |= {"linestyle": _table("lines").get(mode, "-.")}
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
    for theme, suffix in _THEMES.items():
        colours = _table(theme)
        # A fixed salt and no date: the same result gives the same file.
        style: dict[Any, Any] = {
            "svg.hashsalt": "codemod",
            "figure.facecolor": colours["page"],
            "axes.facecolor": colours["page"],
            **dict.fromkeys(
                ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"),
                colours["ink"],
            ),
        }
        with matplotlib.rc_context(style):
            names += _drawn(result, shown, colours, stem.with_name(stem.name + suffix))
    return tuple(names)


def _drawn(
    result: Result, shown: dict[str, Curve], colours: dict[str, str], stem: Path
) -> list[str]:
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
        _plot(top, colours, mode, curve.loss, linewidth=_table("widths").get(mode, 1.5))
    top.set_ylabel("loss")
    top.legend(frameon=False)
    top.set_title(f"{result.kit}  {result.config}", fontsize=9)
    for (label, found), (panel,) in zip(panels, axes[1:], strict=True):
        _draw_difference(panel, found, colours)
        panel.set_ylabel(label)
    if equal:
        words = f"{' and '.join(equal)}: equal to dynamic to the bit"
        figure.supxlabel(words, fontsize=9, color=colours["equal"])
    axes[-1][0].set_xlabel(f"optimizer step   (Paddle {result.paddle}, {result.device})")
    names = []
    for ending in ("svg", "png"):
        path = stem.with_name(f"{stem.name}.{ending}")
        drawn = io.BytesIO()
        dateless = {"Date": None} if ending == "svg" else None
        figure.savefig(drawn, format=ending, dpi=130, metadata=dateless)
        export(path, drawn.getvalue())
        names.append(path.name)
    pyplot.close(figure)
    return names


def _draw_difference(
    axes: Any, found: dict[str, tuple[float | None, ...]], colours: dict[str, str]
) -> None:
    """One kind of difference by step; zero has no place on a logarithmic axis."""
    for mode, values in found.items():
        above = [value if value and value > 0 else None for value in values]
        _plot(axes, colours, mode, above, marker=".", markersize=4)
    axes.set_yscale("log")
    low, high = (math.log10(edge) for edge in axes.get_ylim())
    # Whole decades, so that a single point still has a scale one can read.
    axes.set_ylim(10 ** (math.floor(low) - 0.5), 10 ** (math.ceil(high) + 0.2))
    axes.legend(frameon=False, fontsize=8)
