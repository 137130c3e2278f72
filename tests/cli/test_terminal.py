"""What stands on a terminal: encodings, colours, suggestions, progress."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run
from codemod.work.planning import spread

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def _with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEMOD_PROGRESS")


def command(cwd: Path, *words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "codemod", *words],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["gbk", "ascii"])
def test_what_an_encoding_lacks_is_printed_plainly(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "文件").mkdir()
    (tmp_path / "文件" / "train.py").write_text("import paddle\n")
    done = command(tmp_path, "survey", "./文件", PYTHONIOENCODING=encoding)
    assert done.returncode == 2
    # click takes ASCII for a terminal that is set up wrongly, and writes UTF-8 there.
    assert "文件" in done.stderr.decode("gbk" if encoding == "gbk" else "utf-8")
    program = (
        "from codemod.cli.terminal import make_sayable; make_sayable(); "
        "print('✓ ⚠ → \\udcff'); print(chr(0x4e2d))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    ).stdout.decode(encoding)
    arrow = "→" if encoding == "gbk" else "->"
    assert shown.splitlines() == [f"ok ! {arrow} \\udcff", "中" if encoding == "gbk" else "\\u4e2d"]


@pytest.mark.parametrize(
    ("word", "meant"), [("aply", "Did you mean apply?"), ("zzz", "See `codemod --help`.")]
)
def test_a_mistyped_command(word: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word, "PaddleSeg"]) == 2
    assert meant in capsys.readouterr().err


def test_a_version_that_cannot_be_is_refused_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parity", "PaddleSeg", "-c", "a.yml", "--paddle", "nonsense"]) == 2
    assert "`nonsense` is not a version of Paddle." in capsys.readouterr().err


def test_no_colour_where_nobody_wants_it(minikit: Path, tmp_path: Path) -> None:
    """On a terminal of its own: a pipe gets no colours anyway."""
    import pty

    def shown(**env: str) -> bytes:
        parent, child = pty.openpty()
        words = [sys.executable, "-m", "codemod", "apply", str(minikit), "--dry-run"]
        with subprocess.Popen(
            words, cwd=tmp_path, stdout=child, stderr=child, env={**os.environ, **env}
        ) as process:
            os.close(child)
            parts = []
            try:
                while part := os.read(parent, 4096):
                    parts.append(part)
            except OSError:
                pass
            assert process.wait() == 0
        os.close(parent)
        return b"".join(parts)

    assert b"\x1b[1;32m" in shown(TERM="xterm-256color", NO_COLOR="")
    assert b"\x1b[1;32m" not in shown(TERM="xterm-256color", NO_COLOR="1")


@pytest.mark.parametrize(("width", "folded"), [(80, False), (30, True)])
def test_a_narrow_terminal_cuts_no_cell(width: int, folded: bool) -> None:
    import pty

    program = (
        "from codemod.cli.table import print_table; "
        "print_table(('kit', 'source', 'hooks'), [('PaddleDetection', '/kits/[x]', '1 present')])"
    )
    parent, child = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=child,
        env={**os.environ, "COLUMNS": str(width), "TERM": "xterm"},
    ) as process:
        os.close(child)
        parts = []
        try:
            while part := os.read(parent, 4096):
                parts.append(part)
        except OSError:
            pass
        assert process.wait() == 0
    os.close(parent)
    shown = b"".join(parts).decode()
    for cell in ("PaddleDetection", "/kits/[x]", "1 present"):
        assert cell in shown
    assert ("━" in shown) != folded
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert max(map(len, plain.splitlines())) <= width


def test_a_pipe_gets_plain_lines_of_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codemod.base.terminal.progress._SOON_S", 0)
    assert list(spread(abs, [1, 2, 3], "Counting", ["1", "2", "3"])) == [1, 2, 3]
    err = capsys.readouterr().err
    assert "  Counting kits: 1 of 3 done" in err
    assert "\x1b" not in err and "3 of 3" not in err


# Waits until a text was written to standard error, however busy the machine is.
UNTIL = (
    "import sys, time\n"
    "import codemod.base.terminal.progress as module\n"
    "heard, write = [], sys.stderr.write\n"
    "sys.stderr.write = lambda text: (heard.append(str(text)), write(text))[1]\n"
    "def until(word):\n"
    "    while not any(word in text for text in heard):\n"
    "        time.sleep(0.01)\n"
)
LATE = "module._SOON_S = 3600\n"
PROGRAM = (
    UNTIL
    + LATE
    + (
        "from codemod.base.terminal.progress import Progress\n"
        "from codemod.experiments.parity.experiment import usual_runs\n"
        "with Progress(50, usual_runs(('ast', 'sot'))) as progress:\n"
        "    progress.show('dynamic', 0, None, 0.5)\n"
        "    progress.show('dynamic-repeat', 10, 0.25, 5.0)\n"
        "    progress.show('dynamic-repeat', 20, 0.25, 10.0)\n"
        "    progress.show('sot', 25, 0.125, 10.0)\n"
        "    progress.show('lockstep-control', 1, None, 1.0)\n"
    )
)


def test_progress_of_runs_is_a_few_lines_in_a_pipe() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    assert done.stderr.decode().splitlines() == [
        "  run 1/4 (dynamic)",
        "  run 2/4 (dynamic-repeat)",
        "  run 4/4 (sot)",
        "  control run (lockstep-control)",
    ]
    assert done.stdout == b""


def test_progress_of_runs_says_how_far_each_is() -> None:
    leader, follower = os.openpty()
    try:
        slowly = PROGRAM.replace(
            "10.0)\n    progress.show('lock",
            "10.0)\n    until('step 25')\n    progress.show('lock",
        )
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        subprocess.run([sys.executable, "-c", slowly], stderr=follower, env=env, check=True)
        shown = os.read(leader, 100_000).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert re.search(r"run 4/4 \(sot\): step 25 of 50, loss 0.125, about \d+ \w+ left", shown)


def test_the_time_left_is_that_of_all_runs_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-way it is within a factor of two of the truth, where static runs compile, too."""
    from codemod.base.terminal import progress

    runs = ("dynamic", "dynamic-repeat", "ast", "sot")
    for busy in (1.0, 12.0):
        clock = 0.0
        monkeypatch.setattr("codemod.base.terminal.progress.time.monotonic", lambda: clock)  # noqa: B023
        said: list[tuple[float, str]] = []
        shown = progress.Progress(50, runs)
        monkeypatch.setattr(shown, "say", lambda text: said.append((clock, text)))  # noqa: B023
        for name in runs:
            began = clock
            clock += busy * (8.0 if name in ("dynamic", "dynamic-repeat") else 20.0)
            for step in range(1, 51):
                clock += busy * 0.5
                shown.show(name, step, None, clock - began)
        at, text = min(said, key=lambda one: abs(one[0] - clock / 2))
        told = re.search(r"about (?:(\d+) minutes?|(\d+) seconds?) left", text)
        assert told is not None, text
        left = 60 * int(told[1] or 0) + int(told[2] or 0)
        assert 0.5 < left / (clock - at) < 2


def test_controls_are_foretold_once_one_was_made() -> None:
    """Half-way through them the time left counts those that follow, for the other mode too."""
    from codemod.base.terminal.time_left import TimeLeft
    from codemod.experiments.parity.experiment import expected_runs

    modes = ("ast", "sot")
    assert list(expected_runs(modes, 50, ())) == [
        "dynamic", "dynamic-repeat", "ast", "sot", "ast-read", "sot-read",
    ]  # fmt: skip
    for controlled in ((), ("ast",), ("sot",), modes):
        names = ["dynamic", "dynamic-repeat", *modes]
        for mode in modes:
            names.append(f"{mode}-read")
            if mode in controlled:
                names += [] if "dynamic-ulp" in names else ["dynamic-ulp", "dynamic-kernels"]
                names += [f"{mode}-lockstep", f"{mode}-lockstep-double"]
        whole = expected_runs(modes, 50, names)
        assert [name for name in whole if name in names] == names
        left = TimeLeft(partial(expected_runs, modes, 50))
        clock, said = 0.0, []
        for name in names:
            began = clock
            clock += 6.0
            for step in range(1, whole[name].steps + 1):
                clock += 0.5 * whole[name].weight
                left.saw(name, step, clock - began, clock)
                said.append((clock, left.seconds(name, clock)))
        at, told = min(said, key=lambda one: abs(one[0] - clock / 2))
        assert told is not None
        assert 0.5 < told / (clock - at) < 2


def test_a_run_that_makes_more_steps_than_foretold_has_no_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from codemod.base.terminal.progress import Progress

    said: list[str] = []
    progress = Progress(12)
    monkeypatch.setattr(progress, "say", said.append)
    for step in (0, 6, 40):
        progress.show("ast", step, None, 60.0)
    assert said == [
        "run (ast): starting",
        "run (ast): step 6 of 12, about 60 seconds left",
        "run (ast): step 40",
    ]


def quiet(capfd: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert run(list(words)) == code
    seen = capfd.readouterr()
    return seen.out, seen.err


def test_a_quiet_command_that_changes_something_says_nothing(
    minikit: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = (minikit / "tools" / "train.py").read_bytes()
    assert quiet(capfd, "apply", str(minikit), "--quiet") == ("", "")
    assert (minikit / "tools" / "train.py").read_bytes() != before
    assert quiet(capfd, "-q", "revert", str(minikit)) == ("", "")
    assert (minikit / "tools" / "train.py").read_bytes() == before


def test_a_quiet_command_still_prints_its_result_and_its_error(
    minikit: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, err = quiet(capfd, "diff", str(minikit), "--quiet")
    assert out.startswith("From ") and err == ""
    out, err = quiet(capfd, "apply", str(minikit), "--dry-run", "-q")
    assert "Nothing written." in out and err == ""
    out, err = quiet(capfd, "diff", "./nowhere", "--quiet", code=2)
    assert out == "" and err.startswith("Error: There is no folder nowhere.")
    (minikit / "--quiet").mkdir()
    out, err = quiet(capfd, "diff", "--", "--quiet", code=2)
    assert "--quiet" in err, "behind -- it is a name"


def test_what_is_left_to_do_is_told_by_a_quiet_command_too(
    minikit: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A hook that cannot be placed is a finding."""
    train = minikit / "tools" / "train.py"
    text = train.read_text()
    train.write_text(text.replace("        model = paddle.DataParallel(model)\n", UNPLACEABLE))
    code = run(["apply", str(minikit), "--quiet"])
    seen = capfd.readouterr()
    assert (code == 1) is bool(seen.out)


UNPLACEABLE = "        model = wrap_and_hide(model)\n"


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_as_the_user_wants(
    variables: dict[str, str],
    coloured: bool,
    minikit: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    run(["apply", str(minikit)])
    assert ("\x1b[" in capfd.readouterr().out) is coloured


STAGES = UNTIL + (
    "from codemod.base.terminal.doing import doing, hide\n"
    "from codemod.base.terminal.progress import LiveLine\n"
    "with LiveLine('Reading the kit'):\n"
    "    {first}\n"
    "    doing('Importing Paddle')\n"
    "    {second}\n"
    "print('done')\n"
)


def test_what_takes_long_is_a_plain_line_in_a_pipe() -> None:
    program = STAGES.format(first="pass", second="until('Importing')")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    *earlier, last = done.stderr.decode().splitlines()
    assert last == "  Importing Paddle"
    assert set(earlier) <= {"  Reading the kit"}, "that was long, too, on a busy machine"
    assert done.stdout == b"done\n"


def test_what_is_done_soon_says_nothing() -> None:
    program = STAGES.format(first=LATE, second="pass")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stderr == b""


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", "[⠋-⠿]"), ("gbk", r"[|/\\-]")])
def test_a_terminal_shows_each_stage_and_then_nothing(encoding: str, mark: str) -> None:
    """Standard output goes elsewhere, and gets the result alone."""
    leader, follower = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", STAGES.format(first="until('Read')", second="until('Import')")],
            stdout=subprocess.PIPE,
            stderr=follower,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": encoding},
            check=True,
        )
        shown = os.read(leader, 100_000).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert re.search(f"\r\x1b\\[K{mark} Reading the kit\r", shown)
    assert re.search(f"\r\x1b\\[K{mark} Importing Paddle\r", shown)
    assert shown.endswith("Importing Paddle\r\x1b[K")
    assert done.stdout == b"done\n"


def test_a_line_that_moves_is_never_wider_than_its_terminal() -> None:
    import fcntl
    import struct
    import termios

    leader, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 40, 0, 0))
    program = STAGES.format(first="until('xxx')", second="pass")
    program = program.replace("Reading the kit", "x" * 100)
    try:
        env = {**os.environ, "TERM": "xterm"}
        subprocess.run([sys.executable, "-c", program], stderr=follower, env=env, check=True)
        shown = os.read(leader, 100_000).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert max(len(part) for part in shown.split("\r\x1b[K")) == 39


def test_names_beyond_the_locale_survive_branch_and_diff(
    minikit: Path, tmp_path: Path, commit: Callable[[Path], str]
) -> None:
    """In a locale of ASCII alone, as a bare container has it."""
    (minikit / "tools" / "训练.py").write_bytes((minikit / "tools" / "train.py").read_bytes())
    commit(minikit)
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for role in ("AUTHOR", "COMMITTER"):
        bare |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.invalid"}
    made = command(tmp_path, "branch", str(minikit), **bare)
    assert made.returncode == 0, made.stderr
    listed = subprocess.run(
        ["git", "-C", str(minikit), "diff", "-z", "--name-only", "HEAD", "to-static-training"],
        capture_output=True,
        check=True,
    ).stdout
    assert "tools/训练.py".encode() in listed.split(b"\0")
    shown = command(tmp_path, "diff", str(minikit), **bare)
    applied = subprocess.run(
        ["git", "-C", str(minikit), "apply", "--check", "--verbose"],
        input=shown.stdout,
        capture_output=True,
        check=False,
    )
    assert applied.returncode == 0, applied.stderr
    assert b"train.py" in applied.stderr and shown.stdout.count(b"diff --git") == 2
