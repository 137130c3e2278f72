"""What a fix writes is what was proved, with a comment and no line longer than the kit's."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
import yaml

from bench.formatters import TABLE as FORMATTERS
from bench.origins import KITS, extract
from codemod.audit.fixes.catalog import REMEDIES
from codemod.audit.fixes.catalog import TABLE as REMEDY_TABLE
from codemod.audit.fixes.change import change_of
from codemod.audit.fixes.declared import declared_fixes
from codemod.audit.fixes.long_lines import broken
from codemod.audit.fixes.written import written_change
from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.base.patch.hunks import counts, hunks_of
from codemod.code.tree import Tree
from codemod.engine.rewrite.layout import Width
from codemod.kits.catalogue import load_kits
from codemod.work.fixing import proved_offers
from tests.fixes.test_remedies import CASES, fixes_of
from tests.hazards.test_catalog import module

MIRROR = os.environ.get("CODEMOD_MIRROR")
VERSIONS = ("2.6", "3.3.1")


def copies(text: str) -> int:
    return text.count(".clone()")


@pytest.mark.parametrize("kit", KITS)
def test_a_stated_fix_that_copies_says_which_paddle_needs_it(kit: str) -> None:
    copying = [fix for fix in declared_fixes(kit) if copies(fix.new) > copies(fix.old)]
    silent = [fix.id for fix in copying if not all(v in fix.comment for v in VERSIONS)]
    assert silent == []


def test_a_remedy_that_copies_says_which_paddle_needs_it() -> None:
    copying = {
        id_
        for id_, (_, cases) in CASES.items()
        for case in cases
        if copies(case.get("after", "")) > copies(case["before"])
    }
    comments = {remedy.id: remedy.comment for remedy in REMEDIES}
    assert copying == set(yaml.safe_load(REMEDY_TABLE.read_text())["comments"])
    assert all("3.3.1" in comments[id_] for id_ in copying)


def test_a_comment_stands_above_the_copy_and_the_rest_is_what_was_proved(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    case = next(case for case in CASES["D-63"][1] if "after" in case)
    file.write_text(module(case["before"]))
    found, source, tree = fixes_of(tmp_path), Source(None, tmp_path, None), Tree(tmp_path)
    bare = change_of(source, tree, found.fixes).changes[0]
    whole = written_change(source, tree, found.fixes)
    told = whole.changes[0]
    lines = told.new.decode().splitlines()
    at = next(n for n, line in enumerate(lines) if ".clone()" in line and "#" not in line)
    assert lines[at - 1].lstrip().startswith("# ")
    assert "Paddle 2.6" in told.new.decode()
    assert ast.dump(ast.parse(told.new)) == ast.dump(ast.parse(bare.new))
    assert max(map(len, lines)) <= 79
    added = sum(edit.lines_added for edit in whole.edits)
    assert added == counts(hunks_of(told))[0] > counts(hunks_of(bare))[0]


@pytest.mark.parametrize(
    ("line", "black", "parts"),
    [
        ("    a = f(one, g(two), three)", False, ["    a = f(", "        one, g(two), three)"]),
        (
            "    a = f(one, two, three, 4)",
            True,
            ["    a = f(", "        one, two, three, 4", "    )"],
        ),
        ("    one * 2, two(3, 4), three):", False, ["    one * 2, two(3, 4),", "    three):"]),
        ('    one("a,b"), two=3, three=4', True, ['    one("a,b"),', "    two=3,", "    three=4,"]),
        (
            "    one, two, three = function(",
            False,
            ["    one, two, three = \\", "        function("],
        ),
        ("    a = f(3) + g(one, t).h(b)", False, ["    a = f(3) + g(", "        one, t).h(b)"]),
        ("    a = f(one)", False, []),
        ("    a = function(one)  # a comment", False, []),
    ],
)
def test_a_long_line_is_broken_as_the_formatter_breaks_it(
    line: str, black: bool, parts: list[str]
) -> None:
    made = broken(line.encode() + b"\r\n", Width(26, black))
    assert made == [part.encode() + b"\r\n" for part in parts]


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_no_fix_of_a_kit_is_wider_than_its_formatter_allows(kit: str, tmp_path: Path) -> None:
    repository = next(Path(MIRROR or "").glob(f"*+{kit}")) / "repo"
    revision = load_kits()[kit].revision
    root = tmp_path / kit
    extract(repository, revision, root)
    source = Source(kit, root, revision)
    offers = proved_offers(source, Workspace.at(tmp_path / "workspace"))
    fixes = {fix.name: fix for one in offers if not one.refusal for fix in one.found.fixes}
    columns = yaml.safe_load(FORMATTERS.read_text())[kit]["columns"]
    wide = [
        line
        for change in written_change(source, Tree(root), fixes.values()).changes
        for hunk in hunks_of(change)
        for line in hunk.new
        if len(line.decode().rstrip()) > columns
    ]
    assert wide == []
