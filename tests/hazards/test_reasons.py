"""What is said of a hazard is a code with fields, and whole in either language."""

from __future__ import annotations

import ast
import json
import re
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from codemod.audit.model_findings import hazard_findings
from codemod.base.messages import LANGUAGES, table, template
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.hazards import ModelHazards, Occurrence, scan
from codemod.hazards.finders import FINDERS
from codemod.hazards.hazard import SEVERE, Mode
from tests.hazards.test_catalog import CASES, module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.reason import Field


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A kit that has the code of every hazard, a file a case."""
    root = tmp_path_factory.mktemp("kit")
    flagged = (text for _, (_, sorts) in sorted(CASES.items()) for text in sorts["flagged"])
    for number, text in enumerate(flagged):
        root.joinpath(f"net{number}.py").write_text(module(text), encoding="utf-8")
    return Tree(root)


@pytest.fixture(scope="module")
def found(kit: Tree) -> tuple[Occurrence, ...]:
    return scan(kit, [f"{path}:Net" for path in kit.paths((".py",))])


def leaves(value: Field) -> Iterator[str]:
    """The texts that the fields of a reason hold in the end."""
    held = tuple(dict(value.fields).values()) if isinstance(value, Reason) else value
    if isinstance(held, str):
        yield held
    for one in held if isinstance(held, tuple) else ():
        yield from leaves(one)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_hazard_says_what_it_sees_by_a_code(found: tuple[Occurrence, ...]) -> None:
    assert {one.id for one in found} == set(FINDERS)
    for one in found:
        wing, _, _ = one.reason.code.partition(".")
        assert wing == "hazards", one
        for language in LANGUAGES:
            wanted = fields(template(one.reason.code, language))
            assert wanted <= dict(one.reason.fields).keys(), one


def test_a_finding_holds_codes_and_the_kit_s_own_words(
    kit: Tree, found: tuple[Occurrence, ...]
) -> None:
    """A text in English stood among the fields, and so in the Chinese sentence."""
    findings = hazard_findings([ModelHazards("net.yml", (), found)])
    assert {finding.kind for finding in findings} == {
        one.id for one in found if one.effect(Mode.SOT) in SEVERE
    }
    places = [(one.file, one.reason) for one in findings] + [(o.file, o.reason) for o in found]
    for file, reason in places:
        code = ast.unparse(ast.parse(kit.read(file)))
        said = [text for text in leaves(reason) if text not in code]
        assert [text for text in said if not all(map(str.isidentifier, text.split(".")))] == []


def test_json_has_the_sentence_and_the_code(found: tuple[Occurrence, ...]) -> None:
    for one in found:
        read = json.loads(json.dumps(one.to_json()))
        assert read["detail"] == one.detail == one.reason.text()
        assert Reason.from_json(read) == one.reason


def test_the_chinese_has_no_english_sentence() -> None:
    """Names of Python and Paddle stay as they are; two plain words in a row are English."""
    for code in table("hazards"):
        parts = Formatter().parse(template(f"hazards.{code}", "zh"))
        assert not re.search(r"[a-z]+ [a-z]+", "{}".join(text for text, *_ in parts)), code
