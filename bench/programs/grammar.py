"""Draws a trainer of the grammar from a seed, and says which pairs of productions it has."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.programs import options, productions
from bench.programs.layouts import LAYOUTS
from bench.programs.trainer import Trainer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.programs.form import Form
    from bench.programs.productions import Part
    from bench.programs.trainer import Layout

# Each feature with its productions; the first of each is the plain one, which is drawn more often.
FEATURES: dict[str, tuple[Part, ...]] = {
    "build": productions.BUILDS,
    "convert": productions.CONVERTS,
    "call": productions.CALLS,
    "copy": productions.COPIES,
    "wrap": productions.WRAPS,
    "optimizer": productions.OPTIMIZERS,
    "loop": productions.LOOPS,
    "forward": productions.FORWARDS,
    "partner": productions.PARTNERS,
    "noise": productions.NOISE,
    "block": productions.BLOCKS,
    "end": productions.ENDS,
}
# How often a feature's plain production is drawn without a look at the others.
PLAIN = 0.4


@dataclass(frozen=True)
class Program:
    """A trainer: its files, how it is started, and which production it has of each feature."""

    seed: int
    files: Mapping[str, bytes]
    words: tuple[str, ...]
    features: Mapping[str, str]

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of productions, each as `feature: production`."""
        named = [f"{feature}: {name}" for feature, name in sorted(self.features.items())]
        return frozenset(itertools.combinations(named, 2))


def drawn(seed: int) -> Program:
    """The program of a seed."""
    draw = random.Random(seed)
    layout: Layout = draw.choice(LAYOUTS)
    form: Form = draw.choice(options.FORMS)
    parts = {
        name: of[0] if draw.random() < PLAIN else draw.choice(of) for name, of in FEATURES.items()
    }
    return written(seed, layout, form, parts)


def written(seed: int, layout: Layout, form: Form, parts: dict[str, Part]) -> Program:
    """The program of these productions, without what does not fit together."""
    _fitted(layout, parts)
    end = parts["end"].lines[0]
    files = layout(Trainer(form, parts))
    features = {name: part.name for name, part in parts.items()}
    features |= {"layout": layout.__name__, "options": form.name}
    coded = {path: text.replace("\n", end).encode() for path, text in files.items()}
    return Program(seed, coded, form.words, features)


# Layouts that train in no loop of their own, or in which the model is an attribute.
_FIXED: dict[str, tuple[str, ...]] = {
    "high_level": ("wrap", "partner", "optimizer", "forward", "block"),
    "lightning": ("optimizer", "forward", "loop"),
    "closure": ("loop",),
}
_ATTRIBUTES = frozenset(
    [
        "one_class",
        "set_up_class",
        "wrapped_late_class",
        "built_late_class",
        "chained_class",
        "derived_class",
        "base_trains",
        "built_by_override",
        "set_up_above",
        "two_heirs",
        "inner_of_three",
        "set_attribute",
        "property_class",
        "callbacks",
        "callbacks_by_name",
        "registered",
        "lightning",
    ]
)


def _fitted(layout: Layout, parts: dict[str, Part]) -> None:
    """Exchange what cannot be together for the plain production."""
    name = layout.__name__
    fixed = {one for start, of in _FIXED.items() if name.startswith(start) for one in of}
    build = parts["build"].marks
    if "name" in build and name in _ATTRIBUTES:
        fixed.add("build")
    elif "wrapped" in build:
        fixed |= {"build"} if name.startswith("high_level") else {"wrap", "convert", "call"}
    if name == "two_functions" and "early" in parts["optimizer"].marks:
        fixed.add("optimizer")
    if parts["loop"].name == "amp" and "loop" not in fixed:
        # Its loss comes from a line of its own.
        fixed.add("forward")
    lonely = name == "lightning" or parts["loop"].name == "amp"
    if lonely and parts["partner"].marks & {"adversary", "teacher"}:
        fixed.add("partner")
    parts.update({feature: FEATURES[feature][0] for feature in fixed})


def number_of_productions() -> int:
    """All productions of all features."""
    return sum(map(len, FEATURES.values())) + len(LAYOUTS) + len(options.FORMS)


def possible_pairs() -> int:
    """Pairs of productions of two features, those that exclude each other among them."""
    sizes = [*map(len, FEATURES.values()), len(LAYOUTS), len(options.FORMS)]
    return sum(one * other for one, other in itertools.combinations(sizes, 2))
