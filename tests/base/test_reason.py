"""Reasons: a code with fields, a sentence in each language, and the way through JSON."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from string import Formatter

import pytest

from codemod.base import messages
from codemod.base.reason import Reason

TABLES = [name for _, name, _ in iter_modules(messages.__path__)]
ROWS = [
    pytest.param(*row, id=f"{wing}.{code}")
    for wing in TABLES
    for code, row in import_module(f"codemod.base.messages.{wing}").TABLE.items()
]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("english", "chinese"), ROWS)
def test_both_languages_name_the_same_fields(english: str, chinese: str) -> None:
    assert fields(english) == fields(chinese)


@pytest.mark.parametrize(("english", "chinese"), ROWS)
def test_the_chinese_is_chinese(english: str, chinese: str) -> None:
    words = "".join(text for text, *_ in Formatter().parse(chinese))
    assert not words or any("\u3000" <= character <= "\u9fff" for character in words)


def test_a_reason_is_one_sentence_a_language() -> None:
    reason = Reason.of("engine.gradient-of-gradient", place="train.py:3")
    assert reason.text().startswith("train.py:3 differentiates a gradient")
    assert reason.text("zh").startswith("train.py:3对梯度再求导")


def test_a_reason_survives_json() -> None:
    inner = Reason.of("engine.after-build")
    reason = Reason.of("engine.gradient-of-gradient", place=("a", 3, inner))
    assert Reason.from_json(reason.to_json()) == reason
    assert reason.text().startswith("a, 3, after the model is built differentiates")


def test_a_code_that_no_table_has_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Reason.of("engine.no-such-code").text()
