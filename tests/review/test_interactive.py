from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Hook, Source, Status
from codemod.base.errors import UsageError
from codemod.base.reason import Reason
from codemod.reports.review.interactive import Outcome, ask_hooks

TRAIN = (
    "import os\n\n\ndef train(cfg):\n    net = build(cfg)\n    run(net)\n"
    "\n\ndef main():\n    pass\n"
)
EVAL = "def search(cfg):\n    net = build(cfg)\n    run(net)\n"
DOC = "# 训练\n\n选项：\n"


@dataclass(frozen=True)
class Put:
    """One insertion: `text` after the line `after` of `file`, for these hooks."""

    file: str
    after: str
    text: str
    kind: EditKind
    hooks: frozenset[int]


@dataclass(frozen=True)
class SmallPlan:
    """A plan as the engine makes it, of insertions written by hand."""

    files: dict[str, str]
    hooks: tuple[Hook, ...]
    puts: tuple[Put, ...]

    def change_set(self, accepted: frozenset[int] | None = None) -> ChangeSet:
        chosen = frozenset(range(len(self.hooks))) if accepted is None else accepted
        kept = sorted(chosen)
        new = dict(self.files)
        edits = []
        for put in self.puts:
            users = put.hooks & chosen
            if users:
                new[put.file] = new[put.file].replace(put.after, put.after + put.text, 1)
                lines = put.text.count("\n")
                index = tuple(sorted(kept.index(user) for user in users))
                edits.append(Edit(put.file, put.kind, lines, 0, index))
        hooks = tuple(_at(self.hooks[i], new[self.hooks[i].file]) for i in kept)
        changes = tuple(
            FileChange(path, old.encode(), new[path].encode())
            for path, old in self.files.items()
            if new[path] != old
        )
        return ChangeSet(Source("PaddleDemo", Path("/kit"), None), hooks, tuple(edits), changes)


def _at(hook: Hook, text: str) -> Hook:
    lines = text.splitlines()
    found = next(i for i, line in enumerate(lines, 1) if f"static({hook.target}" in line)
    return replace(hook, line=found)


def hook(file: str, scope: str, target: str) -> Hook:
    return Hook(
        "trainer", Status.INSERTED, file, scope, None, target, "cfg.on", Reason.said("Why not.")
    )


def plan() -> SmallPlan:
    """Hook 0 and 1 share an import in train.py; hook 2 stands in another file."""
    both, first, second, third = map(frozenset, ({0, 1}, {0}, {1}, {2}))
    call = "    if cfg.on:\n        {0} = to_static({0})\n"
    return SmallPlan(
        {"train.py": TRAIN, "search.py": EVAL, "doc.md": DOC},
        (
            hook("train.py", "train", "net"),
            hook("train.py", "main", "cfg"),
            hook("search.py", "search", "net"),
        ),
        (
            Put("train.py", "import os\n", "from jit import to_static\n", EditKind.IMPORT, both),
            Put("train.py", "build(cfg)\n", call.format("net"), EditKind.HOOK, first),
            Put("train.py", "    pass\n", call.format("cfg"), EditKind.HOOK, second),
            Put("doc.md", "选项：\n", "- on：动转静\n", EditKind.DOC, first),
            Put("search.py", "build(cfg)\n", call.format("net"), EditKind.HOOK, third),
        ),
    )


class Script:
    """Answers given one after another; the end of them is the end of input."""

    def __init__(self, answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


def answer(answers: str, decisions: Path | None = None) -> tuple[Outcome, str, Script]:
    out = io.StringIO()
    script = Script(answers)
    console = Console(file=out, width=100)
    return ask_hooks(plan(), console, decisions=decisions, ask=script), out.getvalue(), script


def new_text(outcome: Outcome) -> dict[str, str]:
    return {change.path: change.new.decode() for change in outcome.change_set.changes}


def test_yes_to_all_is_the_whole_plan() -> None:
    outcome, text, _ = answer("yyy")
    assert outcome.change_set == plan().change_set()
    assert outcome.accepted == {0, 1, 2} and not outcome.undecided
    assert "All answered: 3 accepted, 0 left out." in text


def test_no_to_all_changes_nothing() -> None:
    outcome, _, _ = answer("nnn")
    assert outcome.change_set.changes == () and outcome.rejected == {0, 1, 2}


def test_what_a_standing_hook_lacks_is_asked_for() -> None:
    whole = plan()
    standing = replace(whole.hooks[2], status=Status.PRESENT, line=3)
    files = {**whole.files, "search.py": EVAL.replace("run(net)", "net = to_static(net)")}
    flag = Put(
        "search.py", "build(cfg)\n", "    cfg.on = True\n", EditKind.PLUMBING, frozenset({2})
    )
    made = SmallPlan(files, (*whole.hooks[:2], standing), (*whole.puts[:4], flag))
    for letter, added in (("y", True), ("n", False)):
        script = Script("nn" + letter)
        console = Console(file=io.StringIO(), width=100)
        outcome = ask_hooks(made, console, ask=script)
        assert script.prompts[-1].startswith("This hook stands already; add what it lacks [y")
        assert ("search.py" in new_text(outcome)) is added


def test_shared_plumbing_stays_while_one_hook_needs_it() -> None:
    only_second, _, _ = answer("nyn")
    text = new_text(only_second)["train.py"]
    assert "from jit import" in text and "to_static(cfg)" in text and "to_static(net)" not in text


def test_each_hook_shows_what_it_adds_to_what_was_accepted() -> None:
    _, text, _ = answer("yyn")
    first, second, _ = text.split("would insert  ")[1:]
    assert "+from jit import to_static" in first
    assert "+from jit import" not in second and " from jit import" not in second
    assert "+        cfg = to_static(cfg)" in second


def test_quitting_keeps_what_was_accepted_and_says_so() -> None:
    outcome, text, _ = answer("yq")
    assert outcome.accepted == {0} and outcome.undecided == {1, 2}
    assert "to_static(net)" in new_text(outcome)["train.py"]
    assert "Quit: 1 accepted, 0 left out, 2 undecided. What was accepted is kept" in text


def test_the_end_of_input_is_a_quit() -> None:
    assert answer("n")[0].undecided == {1, 2}


def test_a_and_d_reach_to_the_end_of_the_file() -> None:
    taken, _, script = answer("an")
    assert taken.accepted == {0, 1} and taken.rejected == {2} and len(script.prompts) == 2
    left, _, _ = answer("dy")
    assert left.accepted == {2} and left.rejected == {0, 1}


def test_a_question_mark_and_nonsense_print_the_help() -> None:
    outcome, text, script = answer("?xyyy")
    assert text.count("s - decide hunk by hunk") == 2
    assert outcome.accepted == {0, 1, 2}
    assert script.prompts[0].startswith("Insert this hook [y,n,q,a,d,s,e,?]")


def test_hunk_by_hunk_an_optional_hunk_goes_alone() -> None:
    outcome, _text, script = answer("s" + "yyn" + "nn")
    assert set(new_text(outcome)) == {"train.py"}
    assert outcome.accepted == {0}
    assert [edit.kind for edit in outcome.change_set.edits] == [EditKind.IMPORT, EditKind.HOOK]
    assert "(3/3, optional)" in script.prompts[3] and "(1/3, needed" in script.prompts[1]


def test_a_call_cannot_be_accepted_without_its_import() -> None:
    outcome, text, _ = answer("s" + "n" + "nn")
    assert outcome.change_set.changes == ()
    assert "cannot work without this hunk, so the hook is left out" in text


def test_quitting_between_hunks_leaves_the_hook_undecided() -> None:
    outcome, _, _ = answer("s" + "yq")
    assert outcome.undecided == {0, 1, 2} and outcome.change_set.changes == ()


def test_all_hunks_at_once_and_no_more_hunks() -> None:
    assert answer("s" + "a" + "nn")[0].change_set == plan().change_set(frozenset({0}))
    assert answer("s" + "yyd" + "nn")[0].accepted == {0}
    assert answer("s" + "d" + "nn")[0].accepted == frozenset()


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\nfile = sys.argv[1]\ntext = open(file, encoding='utf-8').read()\n"
        + textwrap.dedent(program)
        + "\nopen(file, 'w', encoding='utf-8').write(text)\n",
        encoding="utf-8",
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")


def test_an_edited_hunk_is_what_gets_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(
        tmp_path,
        monkeypatch,
        "text = text.replace('+    if cfg.on:', '+    # 开关\\n+    if cfg.on:')",
    )
    outcome, _, _ = answer("nne")
    assert new_text(outcome)["search.py"] == EVAL.replace(
        "build(cfg)\n", "build(cfg)\n    # 开关\n    if cfg.on:\n        net = to_static(net)\n"
    )
    assert outcome.change_set.edits[0].lines_added == 3


def test_an_edit_keeps_the_lines_of_later_hooks_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(
        tmp_path, monkeypatch, "text = text.replace('+    if cfg.on:', '+    #\\n+    if cfg.on:')"
    )
    outcome, _, _ = answer("eyn")
    first, second = outcome.change_set.hooks
    lines = new_text(outcome)["train.py"].splitlines()
    assert second.line is not None and "to_static(cfg)" in lines[second.line - 1]
    assert sum(e.lines_added for e in outcome.change_set.edits) == 7
    assert first.scope == "train"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("text = text.replace('+    if cfg.on:', '+    if cfg.on')", "would not parse"),
        ("text = text.replace('     run(net)', '     run(None)')", "Only the added lines"),
        ("text = text.replace('+    if', 'if')", "begins with none of"),
        ("text = '+x = 1\\n' + text", "outside the hunk"),
        ("sys.exit(3)", "Editing failed"),
    ],
)
def test_a_bad_edit_is_refused_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, told: str
) -> None:
    editor(tmp_path, monkeypatch, program)
    outcome, text, _ = answer("nn" + "en")
    assert told in text and "Nothing was taken over" in text
    assert outcome.change_set.changes == ()


def test_emptying_a_needed_hunk_leaves_the_hook_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "text = ''.join(l for l in text.splitlines(True) if l[0] != '+')")
    outcome, text, _ = answer("nn" + "e")
    assert outcome.rejected == {0, 1, 2} and "you emptied" in text


def test_a_session_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    answer("yq", file)
    outcome, text, script = answer("ny", file)
    assert "Taken up again: 1 accepted and 0 left out before." in text
    assert len(script.prompts) == 2
    assert outcome.accepted == {0, 2} and outcome.rejected == {1}
    assert not file.exists()


def test_an_edit_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, "text = text.replace('cfg.on:', 'cfg.on:  # 改')")
    file = tmp_path / "answers.json"
    answer("eq", file)
    outcome, _, _ = answer("nn", file)
    assert "if cfg.on:  # 改" in new_text(outcome)["train.py"]


def test_answers_for_other_lines_are_not_taken_up(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    answer("yq", file)
    file.write_text(file.read_text().replace('"digest": "', '"digest": "0'))
    assert answer("nnn", file)[0].rejected == {0, 1, 2}
    for damaged in ("{", "[]", '{"version": 99}', '{"version": 1, "decisions": {"x": {}}}'):
        file.write_text(damaged)
        assert answer("yyy", file)[0].accepted == {0, 1, 2}


def test_control_c_writes_nothing_and_keeps_the_answers(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    answers = iter("y")

    def ask(_: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    with pytest.raises(UsageError, match="nothing was written, and your answers are kept"):
        ask_hooks(plan(), Console(file=io.StringIO()), decisions=file, ask=ask)
    assert "1 accepted" in answer("nn", file)[1]


def test_without_a_terminal_it_says_so() -> None:
    with pytest.raises(UsageError, match="--interactive needs a terminal"):
        ask_hooks(plan(), Console(file=io.StringIO()))


def talk(command: list[str], keys: list[str], environment: dict[str, str]) -> str:
    """Run a command on a pseudo-terminal; each key line is typed when a question stands."""
    leader, follower = pty.openpty()
    child = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment, close_fds=True
    )
    os.close(follower)
    seen = ""
    waiting = list(keys)
    asked = 0
    while True:
        ready, _, _ = select.select([leader], [], [], 600)
        assert ready, f"silent after: {seen[-300:]}"
        try:
            seen += os.read(leader, 65536).decode("utf-8", "replace")
        except OSError:  # the child closed its side
            break
        if seen.count("]? ") > asked and waiting:
            asked = seen.count("]? ")
            os.write(leader, waiting.pop(0).encode())
    child.wait(600)
    os.close(leader)
    return seen


CHILD = """
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location("small", {test!r})
small = importlib.util.module_from_spec(spec)
sys.modules["small"] = small
spec.loader.exec_module(small)
from rich.console import Console
outcome = small.ask_hooks(small.plan(), Console(), decisions=pathlib.Path(sys.argv[1]))
for change in outcome.change_set.changes:
    (pathlib.Path(sys.argv[1]).parent / change.path).write_bytes(change.new)
"""


def test_on_a_real_terminal_with_quit_and_a_second_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "text = text.replace('cfg.on:', 'cfg.on:  # 改')")
    file = tmp_path / "answers.json"
    command = [sys.executable, "-c", CHILD.format(test=__file__), str(file)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])

    seen = talk(command, ["?\n", "s\n", "y\n", "e\n", "y\n", "\x04"], environment)
    assert "s - decide hunk by hunk" in seen and "\x1b[" in seen
    assert "Quit: 1 accepted, 0 left out, 2 undecided." in seen
    assert "if cfg.on:  # 改" in (tmp_path / "train.py").read_text()

    seen = talk(command, ["n\n", "y\n"], environment)
    assert "Taken up again: 1 accepted and 0 left out before." in seen
    assert "All answered: 2 accepted, 1 left out." in seen
    assert "to_static(net)" in (tmp_path / "search.py").read_text()
    assert not file.exists()
