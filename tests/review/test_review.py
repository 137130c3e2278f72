from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Hook, Skip, Source, Status
from codemod.base.files.data_folder import table_beside
from codemod.base.reason import Reason
from codemod.base.terminal.text import visible
from codemod.hazards.trainer import TrainerHazard
from codemod.reports import review
from codemod.reports.review import show

OLD = (
    "import paddle\n"
    "# 模型：[red]方括号[/red] " + "x" * 300 + "\n"
    "names = '[bold]', \":smile:\"\n"
    "def build(config):\n"
    "\tif config:\n"
    "\t    return  None\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "def train(config):\n"
    "    model = build(config)\n"
    "    model = paddle.DataParallel(model)\n"
)
NEW = OLD.replace(
    "    model = build(config)\n",
    "    model = build(config)\n"
    "    if config.get('to_static', False):\n"
    "        model = paddle.jit.to_static(model)  # 动转静\n",
).replace("names = ", "flag = '[/red]'\nnames = ")
HOOK = Hook(
    trainer="trainer",
    status=Status.INSERTED,
    file="train.py",
    scope="train",
    line=16,
    target="model",
    gate="config.get('to_static', False)",
    reason=Reason.said("After the model is built, before it is wrapped."),
    after="build",
    before="wrap",
    switch="-o Global.to_static=True",
)


def change_set(old: str = OLD, new: str = NEW, path: str = "train.py") -> ChangeSet:
    return ChangeSet(
        Source("PaddleDemo", Path("/kit"), "0123abc"),
        hooks=(HOOK,),
        edits=(
            Edit("train.py", EditKind.HOOK, 2, 0, (0,), Reason.said("the call")),
            Edit("train.py", EditKind.PLUMBING, 1, 0, (0,)),
        ),
        changes=(FileChange(path, old.encode(), new.encode()),),
        skipped=(Skip("broken.py", Reason.said("not readable as Python")),),
    )


def piped(change: ChangeSet, *hazards: TrainerHazard) -> str:
    out = io.StringIO()
    show(change, Console(file=out, width=80), hazards)
    return out.getvalue()


def on_terminal(change: ChangeSet, width: int, *, colour: bool = False) -> str:
    out = io.StringIO()
    system = "truecolor" if colour else None
    show(
        change,
        Console(file=out, width=width, force_terminal=True, color_system=system),  # type: ignore[arg-type]
    )
    return out.getvalue()


def shown_lines(text: str, sign: str) -> list[str]:
    return [line[1:] for line in text.splitlines() if line[:1] == sign and line[:3] != sign * 3]


def test_a_pipe_gets_the_source_to_the_letter_and_no_escapes() -> None:
    text = piped(change_set())
    assert "\x1b" not in text
    assert shown_lines(text, "+") == [
        "flag = '[/red]'",
        "    if config.get('to_static', False):",
        "        model = paddle.jit.to_static(model)  # 动转静",
    ]
    assert " " + OLD.splitlines()[1] in text.splitlines()
    assert " \tif config:" in text.splitlines()
    assert " names = '[bold]', \":smile:\"" in text.splitlines()


@pytest.mark.parametrize("width", [20, 80, 200])
def test_a_terminal_gets_every_line_whole_at_any_width(width: int) -> None:
    lines = on_terminal(change_set(), width).splitlines()
    assert " " + OLD.splitlines()[1] in lines
    assert " \tif config:" in lines


def test_colours_change_no_character() -> None:
    import re

    coloured = on_terminal(change_set(), 80, colour=True)
    assert "\x1b[" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert plain == on_terminal(change_set(), 80)


def test_the_hook_is_told_with_place_reason_gate_switch_and_hazards() -> None:
    danger = TrainerHazard(
        "train.py", 3, Reason.said("print-in-forward"), Reason.said("prints once")
    )
    elsewhere = TrainerHazard(
        "other.py", 1, Reason.said("numpy-call"), Reason.said("freezes a value")
    )
    text = piped(change_set(), danger, elsewhere)
    for fact in (
        "[1/1] would insert  train.py:16  train",
        str(HOOK.reason),
        "after build, before wrap",
        "config.get('to_static', False)",
        "-o Global.to_static=True",
        "train.py:3  print-in-forward: prints once",
        "broken.py: not readable as Python",
        "1 hook to insert.",
        "1 file would change, +3 -0 lines; 1 left alone, 2 hazards.",
    ):
        assert fact in text, fact
    assert "numpy-call" not in text.split("1 hook to insert.")[0]


def test_from_160_columns_on_both_files_stand_side_by_side() -> None:
    old = "def train():\n    model = build()\n    return model\n"
    new = old.replace("build()\n", "build()\n    model = to_static(model)\n")
    wide = on_terminal(change_set(old, new), 160).splitlines()
    row = next(line for line in wide if "to_static(model)" in line)
    left, right = row.split(" │ ")
    assert not left.strip()
    assert right.split() == ["3", "+", "model", "=", "to_static(model)"]
    both = next(line for line in wide if line.count("return model") == 2)
    assert both.split()[0] == "3" and both.split(" │ ")[1].split()[0] == "4"
    assert "│" not in on_terminal(change_set(old, new), 159)


def test_wide_characters_keep_the_columns_straight() -> None:
    from rich.cells import cell_len

    old = "def train():\n    # 中文注释\n    model = build()\n    return model\n"
    new = old.replace("build()\n", "build()\n    # 动转静\n")
    rows = [line for line in on_terminal(change_set(old, new), 180).splitlines() if " │ " in line]
    assert len({cell_len(row.split(" │ ")[0]) for row in rows}) == 1


def test_what_a_terminal_would_act_on_is_spelt_out() -> None:
    hostile = "a = 1\nb = '\x1b[2J\x07'  # \u202ereversed\r\n"
    shown = on_terminal(change_set("a = 1\n", hostile), 80)
    assert "+b = '^[[2J^G'  # <U+202E>reversed^M" in shown
    assert "\x1b" not in shown
    assert "+b = '\x1b[2J\x07'  # \u202ereversed" in piped(change_set("a = 1\n", hostile))
    assert visible("\t plain 文") == "\t plain 文"


def test_bytes_that_are_not_utf8_and_a_missing_last_newline_are_told() -> None:
    change = change_set()
    raw = FileChange("train.py", b"a = 1\n", b"a = 1\n# \xc4\xe3")
    text = piped(ChangeSet(change.source, changes=(raw,)))
    assert "+# \\xc4\\xe3" in text
    assert "\\ No newline at end of file" in text


def test_a_block_goes_to_the_hook_whose_call_it_holds() -> None:
    other = Hook(
        "other", Status.INSERTED, "train.py", "build", 3, "names", None, Reason.said("second")
    )
    both = change_set()
    two = ChangeSet(both.source, (HOOK, other), both.edits, both.changes)
    first, second = piped(two).split("[2/2]")
    assert "to_static(model)" in first and "flag =" not in first
    assert "flag =" in second and "to_static(model)" not in second


def test_an_unplaced_hook_says_why_and_offers_no_switch() -> None:
    lost = Hook(
        "trainer", Status.UNPLACED, "t.py", "main", 4, "net", None, Reason.said("Two models: a, b.")
    )
    text = piped(ChangeSet(Source(None, Path("/some/repo"), None), hooks=(lost,)))
    assert text.startswith("repo\n")
    assert "cannot place  t.py:4  main" in text and "Two models: a, b." in text
    assert "switch on" not in text


def test_every_label_has_its_chinese() -> None:
    labels = table_beside(review.__file__, "labels.yaml")
    code = Path(review.__file__).read_text(encoding="utf-8")
    yielded = re.findall(r'(?:yield |_fact\()"([a-z ]+)"', code)
    assert {*yielded, *(kind.value for kind in EditKind)} == labels.keys()
