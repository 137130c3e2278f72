"""Reasons: a code with fields, a sentence in each language, and the way through JSON."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from codemod.base import messages
from codemod.base.reason import Reason
from codemod.hazards.measured import SECTIONS
from tests.parsed import dotted, nodes

TABLES = sorted(file.stem for file in Path(messages.__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("wing", TABLES)
def test_a_table_has_each_code_once(wing: str) -> None:
    """YAML takes the last of two rows with one key, and the first reason says another thing."""
    text = (Path(messages.__file__).parent / f"{wing}.yaml").read_text(encoding="utf-8")
    codes = re.findall(r"^([\w-]+):", text, re.MULTILINE)
    assert len(codes) == len(set(codes)) == len(messages.table(wing))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("wing", TABLES)
def test_both_languages_name_the_same_fields(wing: str) -> None:
    found = {
        code: (fields(row["en"]), fields(row["zh"])) for code, row in messages.table(wing).items()
    }
    assert {code: both for code, both in found.items() if both[0] != both[1]} == {}


def chinese(text: str) -> bool:
    """Whether a template has a Chinese character, or no words of its own."""
    words = "".join(text for text, *_ in Formatter().parse(text))
    return not words or any(character >= "\u3000" for character in words)


@pytest.mark.parametrize("wing", TABLES)
def test_the_chinese_is_chinese(wing: str) -> None:
    table = messages.table(wing)
    assert {code: row["zh"] for code, row in table.items() if not chinese(row["zh"])} == {}


_SEVERAL = re.compile(r"\{\w+\} (steps|updates|gradients|batches|operators)\b")


@pytest.mark.parametrize("wing", TABLES)
def test_what_may_be_one_is_not_always_told_as_several(wing: str) -> None:
    """A text said "at the weights of 1 updates": a count and its noun are one field."""
    table = messages.table(wing)
    assert {code: row["en"] for code, row in table.items() if _SEVERAL.search(row["en"])} == {}


def test_a_reason_is_one_sentence_a_language() -> None:
    reason = Reason.of("engine.gradient-of-gradient", place="train.py:3")
    assert reason.text().startswith("train.py:3 differentiates a gradient")
    assert reason.text("zh").startswith("train.py:3对梯度再求导")


def test_a_reason_survives_json() -> None:
    inner = Reason.of("engine.model-built")
    reason = Reason.of("engine.gradient-of-gradient", place=("a", 3, inner))
    assert Reason.from_json(reason.to_json()) == reason
    assert reason.text().startswith("a, 3, the model is built differentiates")


def test_a_code_that_no_table_has_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Reason.of("engine.no-such-code").text()
    for wing in ("no-such-wing", "", "../messages/engine"):
        with pytest.raises(KeyError):
            Reason.of(f"{wing}.found").text()


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("TypeError: TypeError: no", "TypeError: no"),
        ("AssertionError: AssertionError", "AssertionError"),
        ("KeyError: TypeError: two", "KeyError: TypeError: two"),
        ("ValueError: ValueErrors are", "ValueError: ValueErrors are"),
    ],
)
def test_the_class_of_an_error_is_told_once(last: str, told: str) -> None:
    assert Reason.of("judging.static-fails", last=last).text() == f"Static training stopped: {told}"
    assert Reason.of("judging.static-fails", last=last).text("zh").endswith(told)


def test_a_word_of_the_judge_s_is_no_word_of_its_sentence_again() -> None:
    """A text said "Training with the switch off failed (fails)"."""
    said = Reason.of("judging.dynamic-fails", how="fails", last="KeyError: x")
    assert said.text() == "Training with the switch off failed: KeyError: x"
    assert said.text("zh") == "开关关闭时训练报错：KeyError: x"
    first = Reason.of("judging.first", step=0, name="loss", kind="drift")
    assert first.text() == "First at step 0: loss (another value)."


def test_a_kit_s_own_words_are_english_where_they_have_no_chinese() -> None:
    reason = Reason.said("It is so.", "正是如此。")
    assert (reason.text(), reason.text("zh")) == ("It is so.", "正是如此。")
    assert Reason.from_json(reason.to_json()) == reason
    assert Reason.said("It is so.").text("zh") == "It is so."


def test_values_are_joined_as_the_template_says() -> None:
    numbers = Reason.of("engine.changing-number", place="t.py:3", numbers=("`a`", "`b`"))
    assert "hands the model `a` and `b`, which" in numbers.text()
    assert "循环中变化的 `a` 和 `b` 传给模型" in numbers.text("zh")
    three = Reason.of("engine.changing-number", place="t.py:3", numbers=("`a`", "`b`", "`c`"))
    assert "hands the model `a`, `b` and `c`, which" in three.text()
    assert "循环中变化的 `a`、`b` 和 `c` 传给模型" in three.text("zh")
    built = Reason.of("engine.after", steps=(Reason.of("engine.model-built"),))
    assert Reason.of("engine.placed", where=(built,)).text() == "After the model is built."


ROOT = Path(messages.__file__).parents[3]
# The judge makes codes of verdicts.
FILES = [
    file.relative_to(ROOT).as_posix()
    for file in sorted((ROOT / "codemod").rglob("*.py"))
    if "Reason.of" in file.read_text(encoding="utf-8")
    if file.relative_to(ROOT).parts[1] != "judging"
    or (file.parent.name == "evidence" and file.name != "speed_text.py")
]


def made(file: str) -> list[ast.Call]:
    """Where a module makes reasons."""
    calls = (node for node in nodes(ROOT / file) if isinstance(node, ast.Call))
    return [call for call in calls if dotted(call.func) == "Reason.of"]


def code_of(call: ast.Call) -> str:
    (code,) = call.args
    assert isinstance(code, ast.Constant), "the code stands where the reason is made"
    return str(code.value)


@pytest.mark.parametrize("file", FILES)
def test_a_reason_is_made_with_the_fields_of_its_template(file: str) -> None:
    wrong = []
    for call in made(file):
        code = code_of(call)
        given = {keyword.arg for keyword in call.keywords}
        if given != (wanted := fields(messages.template(code, "en"))):
            wrong.append((call.lineno, code, given, wanted))
    assert wrong == []


def test_every_row_of_a_table_is_used() -> None:
    used = {code_of(call) for file in FILES for call in made(file)}
    used |= {f"hazards.{row.texts()[2]}" for _, row in SECTIONS["seen"].items()}
    rows = {
        f"{wing}.{code}" for wing in TABLES if wing != "judging" for code in messages.table(wing)
    }
    assert rows - used == {"base.said"}


@pytest.mark.parametrize("breaks", ["a print", " (a print)", ""])
def test_an_aside_stands_in_the_brackets_of_its_language(breaks: str) -> None:
    """A row on file has those of English in the field, and the Chinese sentence had them too."""
    why = Reason.of("judging.uncaptured")
    told = Reason.of("judging.not-static", place="t.py:3", why=why, breaks=breaks)
    inside = "a print" if breaks else ""
    assert ("captured (a print): dynamic" in told.text()) == bool(inside)
    assert ("任何图（a print）：比较" in told.text("zh")) == bool(inside)
    assert "(" not in told.text("zh") and "（）" not in told.text("zh")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("ValueError: a (b) [c].", "ValueError: a (b) [c]."),
        ("x[i] != 0) || (y[i] != 0) (at f.h:72)", "… x[i] != 0) || (y[i] != 0) (at f.h:72)"),
        ("MyError: MyError: a)", "… MyError: MyError: a)"),
    ],
)
def test_an_error_that_is_cut_at_its_start_says_so(error: str, told: str) -> None:
    """A row on file has an error from the middle of its words on."""
    assert told in Reason.of("judging.static-fails", last=error).text()


# English words with other senses: fixed numbers, a hook of Paddle's, "a kit's file" as one file.
_SEVERAL_SENSES = {"fix", "graph break", "hook", "kit", "switch"}


def test_the_chinese_of_a_reason_uses_the_words_of_the_glossary() -> None:
    """A probe was 试跑 in the survey, and 探测 in the guides."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    words = dict(re.findall(r"^\| ([a-z ]+) \| ([^|a-z]+) \|$", page, re.MULTILINE))
    assert {"probe", "recipe"} < words.keys() - _SEVERAL_SENSES
    rows = [row for wing in TABLES for row in messages.table(wing).values()]
    for word in words.keys() - _SEVERAL_SENSES:
        named = re.compile(rf"\b{word}s?\b", re.IGNORECASE)
        told = [row["zh"] for row in rows if named.search(re.sub(r"\{.*?\}|`.*?`", "", row["en"]))]
        assert [text for text in told if words[word] not in text] == [], word
