"""The finished file, and the issue that is written of it. No Paddle is needed."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from codemod.experiments.reduce.report import issue, program, said
from codemod.experiments.reduce.request import Printed, Reduced
from codemod.experiments.reduce.signature import Signature
from codemod.experiments.reduce.trial import READINGS

TEXT = "import paddle\nfrom paddle import nn\n\n\ndef build():\n    return nn.Linear(1, 1)\n"


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("apart", [False, True])
def test_it_is_python_with_all_that_was_reduced(reading: object, apart: bool) -> None:
    file = program(TEXT, reading, apart, 'Says """this"""')  # type: ignore[arg-type]
    tree = ast.parse(file)
    assert ast.get_docstring(tree)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert names == ["build", "outcome", "told"]
    assert ("subprocess" in file) == apart


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"dynamic": "-0.5 sparse", "AST": "-0.5 1", "SOT": "ends with -6"}, 1),
        ({"dynamic": "0.5", "AST": "0.5", "SOT": "0.5"}, 0),
        ({"dynamic": "RuntimeError", "AST": "-0.5 1", "SOT": "-0.5 1"}, 2),
        ({"dynamic": "ends with -6", "AST": "1", "SOT": "1"}, 2),
        ({"dynamic": "nan", "AST": "1", "SOT": "1"}, 2),
        ({"dynamic": "", "AST": "1", "SOT": "1"}, 2),
    ],
)
def test_a_file_counts_where_dynamic_mode_gives_numbers(said: dict[str, str], code: int) -> None:
    last = program(TEXT, READINGS[0], False, "Says").splitlines()[-1]
    ended: list[int] = []
    exec(last, {"said": said, "os": SimpleNamespace(_exit=ended.append)})
    assert ended == [code]
    assert Printed("Paddle 3.3.1: dynamic", code).sound is (code < 2)
    assert not Printed("", code).sound


def test_an_issue_in_two_languages() -> None:
    result = Reduced(
        mode="sot",
        paddle="3.3.1",
        sought=Signature("error", "A|B"),
        file="program.py",
        lines=30,
        code_lines=8,
        tests=10,
        minutes=1.0,
        ended=True,
        verified=True,
        shown={"3.3.1": {"ast": None, "sot": Signature("error", "A|B", "of_a_release")}},
        printed={"3.3.1": Printed("Paddle 3.3.1: x", 1)},
        same="triu_abort.py",
    )
    english = issue(result, TEXT, "en")
    chinese = issue(result, TEXT, "zh")
    assert result.fails_on == ("3.3.1",)
    told = result.to_json()
    assert told["sought"] == told["shown"]["3.3.1"]["sot"] == "error: A|B"
    assert told["shown"]["3.3.1"]["ast"] == ""
    for text in (english, chinese):
        assert TEXT in text
        assert "A\\|B |" in text
        assert "（Paddle 3.3.1）" in text or "(Paddle 3.3.1)" in text
        assert "Paddle 3.3.1: x" in text
        assert "triu_abort.py" in text
    assert "动态图" in chinese
    assert "dynamic" not in chinese.replace(TEXT, "")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "sought",
    [
        Signature("error", "TypeError: no"),
        Signature("crash", "SIGABRT"),
        Signature("hang"),
        Signature("loss"),
        Signature("gradient's form", forms=("dense", "none")),
        Signature("gradient"),
        Signature("buffer"),
    ],
    ids=lambda sought: getattr(sought, "kind", ""),
)
def test_what_a_run_shows_has_words(language: str, sought: Signature) -> None:
    words = said(sought, language)
    assert words not in {"", said(None, language), str(sought)}
    assert "becomes" not in words
    assert said(None, language)
