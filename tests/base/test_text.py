"""Text of others, put where it must not act."""

from __future__ import annotations

import pytest

from codemod.base.terminal.text import harmless, in_markdown, shortened

ACTS = "\x1b[31m", "\u202e", "\u2066", "\r", "\x07", "\u200f"


@pytest.mark.parametrize("sign", ACTS)
def test_no_sign_acts(sign: str) -> None:
    assert sign not in in_markdown(f"a{sign}b")
    assert sign not in str(harmless(f"a{sign}b")) or sign == "\r"


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "![a](//evil/a.png)",
        "[a][b]",
        "[a]: //evil",
        "<script>",
        "a | b",
        "a\nb",
        "a\u2028# b",
        "a\u0085b",
    ],
)
def test_markdown_gets_no_markup_of_others(text: str) -> None:
    import re

    made = in_markdown(text)
    assert not re.search(r"(?<!\\)\][(\[:]|<|(?<!\\)\||[\n\r\u2028\u0085]", made)


def test_names_in_backticks_stay() -> None:
    assert in_markdown("`self.x` is **new** at x[0]") == "`self.x` is **new** at x[0]"


def test_a_long_text_keeps_whole_words_and_says_that_it_goes_on() -> None:
    text = "SETUP_WITH is not supported in the frame of a generator"
    for longest in range(12, len(text) + 3):
        first, last = shortened(text, longest), shortened(text, longest, end=True)
        assert len(first) <= longest and len(last) <= longest
        if longest >= len(text):
            assert first == last == text
            continue
        assert first.endswith(" …") and set(first[:-2].split()) <= set(text.split())
        assert last.startswith("… ") and set(last[2:].split()) <= set(text.split())
        assert shortened(first, longest) == first and shortened(last, longest, end=True) == last
    assert shortened("a/very/long/path/of/one/word", 10) == "a/very/l …"
    assert shortened("two words more", 11) == "two words …"
