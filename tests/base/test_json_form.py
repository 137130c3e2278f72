"""Dataclasses to JSON and back, and what is said of values that do not fit."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest

from codemod.base.json_form import FormError, from_json, to_json


class Colour(str, Enum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    kind: str = field(metadata={"key": "class"})
    far: float = 0.0


@dataclass(frozen=True)
class Outer:
    colour: Colour
    count: int | None = None
    sure: bool = True
    inner: Inner | None = None
    listed: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = field(default_factory=dict)
    free: dict[str, Any] = field(default_factory=dict)


def test_what_is_written_is_read_back() -> None:
    inner = Inner("drift", math.inf)
    whole = Outer(Colour.RED, 3, False, inner, (inner, Inner("x", 1.5)), {"a": inner}, {"b": [1]})
    text = json.dumps(to_json(whole), allow_nan=False)
    assert json.loads(text)["inner"] == {"class": "drift", "far": "inf"}
    assert from_json(Outer, json.loads(text)) == whole
    assert from_json(Outer, {"colour": "red", "later": 1}) == Outer(Colour.RED)


def test_what_is_not_a_number_stays_that() -> None:
    assert to_json(Inner("x", math.nan))["far"] == "nan"
    assert math.isnan(from_json(Inner, {"class": "x", "far": "nan"}).far)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "`the file` is not an object"),
        ({}, "`colour` is missing"),
        ({"colour": "blue"}, "`colour` is 'blue', which is not a Colour"),
        ({"colour": "red", "count": True}, "`count` is not a whole number"),
        ({"colour": "red", "count": 1.5}, "`count` is not a whole number"),
        ({"colour": "red", "sure": 1}, "`sure` is not true or false"),
        ({"colour": "red", "listed": {}}, "`listed` is not a list"),
        ({"colour": "red", "listed": [{"class": 1}]}, "`listed[0].class` is not a text"),
        ({"colour": "red", "by_name": []}, "`by_name` is not an object"),
        ({"colour": "red", "inner": {"class": "x", "far": "1"}}, "`inner.far` is not a number"),
    ],
)
def test_what_does_not_fit_is_named(content: Any, message: str) -> None:
    with pytest.raises(FormError) as told:
        from_json(Outer, content)
    assert str(told.value) == message
