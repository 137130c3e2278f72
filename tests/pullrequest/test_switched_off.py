"""Which changed lines run with the switch off: conditions over them, and who calls them."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent, indent
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    EditOrigin,
    FileChange,
    Hook,
    Source,
    Status,
)
from codemod.base.reason import Reason
from codemod.reports.pullrequest.claims.facts import without_switch
from codemod.reports.pullrequest.claims.switched_off import Fate, fates_of

if TYPE_CHECKING:
    from pathlib import Path

GATE = "config.get('to_static', False)"


def change(root: Path, text: str) -> tuple[FileChange, ChangeSet]:
    """A file whose lines NEW come, in a folder beside `other.py`."""
    made = FileChange("t.py", text.replace("NEW", "pass").encode(), text.encode())
    return made, ChangeSet(Source(None, root, None), (), (), (made,))


def fates(made: FileChange, whole: ChangeSet) -> frozenset[Fate]:
    return fates_of(replace(whole, changes=(made,)), [made.path])[made.path]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"if {GATE} is not True:\n    return model\nNEW\n", Fate.NEVER),
        (f"if not {GATE} or x:\n    return model\nNEW\n", Fate.NEVER),
        (f"if not {GATE} and x:\n    return model\nNEW\n", Fate.BESIDE),
        (f"if {GATE}:\n    if x:\n        NEW\n", Fate.NEVER),
        (f"if {GATE}:\n    def inner():\n        NEW\n", Fate.NEVER),
        (f"if {GATE}:\n    old()\n    # NEW\n", None),
        (f"if {GATE} and x:\n    NEW\n", Fate.NEVER),
        (f"if {GATE} or x:\n    NEW\n", Fate.BESIDE),
        (f"if not {GATE}:\n    NEW\n", Fate.RUNS),
        (f"if {GATE}:\n    old()\nelse:\n    NEW\n", Fate.RUNS),
        ("if x:\n    NEW\n", Fate.RUNS),
        ("NEW\n", Fate.RUNS),
    ],
)
def test_what_the_conditions_over_a_line_say(
    tmp_path: Path, body: str, wanted: Fate | None
) -> None:
    """What stood behind PaddleOCR's early return was said to run with the switch off, too."""
    text = "def main(config, model, x):\n" + indent(body, "    ")
    assert fates(*change(tmp_path, text)) == ({wanted} if wanted else frozenset())


@pytest.mark.parametrize(
    ("callers", "other", "wanted"),
    [
        (f"def main(config):\n    if {GATE}:\n        helper()\n", "", Fate.NEVER),
        (f"def main(config):\n    if {GATE}:\n        helper()\n    helper()\n", "", Fate.RUNS),
        (f"def main(config):\n    if {GATE}:\n        helper()\n", "helper", Fate.CALLED),
        (f"def main(config):\n    if {GATE}:\n        helper()\n    f(helper)\n", "", Fate.CALLED),
        (
            f"def main(config):\n    if {GATE}:\n        helper()\n    getattr(x, 'helper')()\n",
            "",
            Fate.CALLED,
        ),
        (
            f"def middle():\n    helper()\n\n\ndef main(config):\n    if {GATE}:\n        middle()\n",
            "",
            Fate.NEVER,
        ),
        ("def main(config):\n    helper()\n", "", Fate.RUNS),
        ("", "", Fate.RUNS),
    ],
)
def test_callers_are_followed(tmp_path: Path, callers: str, other: str, wanted: Fate) -> None:
    (tmp_path / "other.py").write_text(f"from t import {other}\n" if other else "")
    text = f"def helper():\n    NEW\n\n\n{callers}"
    assert fates(*change(tmp_path, text)) == {wanted}


def test_the_lines_of_a_hook_are_left_out(tmp_path: Path) -> None:
    text = dedent(f"""\
        def main(config, model):
            if {GATE}:
                model = paddle.jit.to_static(model)
            return model
    """)
    made, whole = change(tmp_path, text)
    made = replace(made, old=b"def main(config, model):\n    return model\n")
    hook = Hook("r", Status.INSERTED, "t.py", "main", 3, "model", GATE, Reason.said(""))
    assert fates(made, whole) == {Fate.NEVER}, "the `if` itself does no more than read the switch"
    assert not fates(made, replace(whole, hooks=(hook,)))


@pytest.mark.parametrize(
    ("caller", "wanted"),
    [
        (
            f"from t import helper\n\ndef main(config):\n    if {GATE}:\n        helper(1)\n",
            Fate.NEVER,
        ),
        ("from t import helper\n\ndef main(config):\n    helper(1)\n", Fate.RUNS),
        (f"import t\n\ndef main(config):\n    if {GATE}:\n        t.helper(1)\n", Fate.NEVER),
        (f"from t import helper as other\n\nif {GATE}:\n    other(1)\n", Fate.RUNS),
        (f"from t import helper\n\nTABLE = [helper]\nif {GATE}:\n    helper(1)\n", Fate.RUNS),
        ("import t\n", Fate.RUNS),
    ],
)
def test_a_helper_that_other_files_call_under_the_switch_alone(
    tmp_path: Path, caller: str, wanted: Fate
) -> None:
    """PaddleYOLO's helper is called under the switch, and its line was said to run without it."""
    (tmp_path / "caller.py").write_text(caller)
    text = '__all__ = ["helper"]\n\n\ndef helper(x):\n    NEW\n    return x\n'
    assert fates(*change(tmp_path, text)) == {wanted}


@pytest.mark.parametrize("wanted", [Fate.NEVER, Fate.RUNS])
def test_lines_that_go_count_as_well(tmp_path: Path, wanted: Fate) -> None:
    """PaddleOCR's assertions that go stand behind its early return: only the switch meets them."""
    over = f"    if not {GATE}:\n        return\n" if wanted is Fate.NEVER else ""
    made, whole = change(tmp_path, f"def main(config, x):\n{over}    return x\n")
    made = replace(made, old=made.new.replace(b"    return x", b"    assert x\n    return x"))
    assert fates(made, whole) == {wanted}


def test_what_is_not_decided_is_named_with_its_file(tmp_path: Path) -> None:
    _, whole = change(tmp_path, f"def main(config, x):\n    if {GATE} or x:\n        NEW\n")
    origin = EditOrigin(Reason.said("`NEW` is added"))
    one = Edit("t.py", EditKind.PLUMBING, 1, 0, (), origin=origin)
    assert without_switch(replace(whole, edits=(one,))).undecided == {Fate.BESIDE: ["t.py"]}
