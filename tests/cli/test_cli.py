from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import codemod.cli
from codemod.base.version import version
from codemod.cli.main import COMMANDS, run

if TYPE_CHECKING:
    from collections.abc import Callable

    Snapshot = Callable[[Path], dict[str, tuple[bytes, int]]]
    Call = Callable[..., tuple[int, str, str]]

HEAVY = ("libcst", "rich", "git", "jinja2", "yaml", "paddle", "numpy")

# What a command that keeps nothing says at Ctrl-C.
STOPPED = "Interrupted; nothing is half written, and the same command starts again.\n"


@pytest.fixture(autouse=True)
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run one command line in this process: exit code, standard output, standard error."""

    def run_words(*words: object) -> tuple[int, str, str]:
        code = run([str(word) for word in words])
        seen = capsys.readouterr()
        return code, seen.out, seen.err

    return run_words


def command(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the installed module in a process of its own."""
    line = [sys.executable, "-m", "codemod", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def modules_after(*words: object) -> set[str]:
    code = (
        "import sys\nfrom codemod.cli.main import run\n"
        f"code = run({[str(word) for word in words]!r})\n"
        "print(' '.join(sys.modules), file=sys.stderr)\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


# --- the whole ------------------------------------------------------------------------------


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    done = command("--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert "Exit codes" in done.stdout
    assert modules_after("--help").isdisjoint({*HEAVY, "tempfile", "difflib", "random"})
    assert not [name for name in modules_after("--help") if name.startswith("codemod.engine")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str) -> None:
    done = command(name, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: codemod {name}")


def test_every_command_s_module_is_in_the_table() -> None:
    folder = Path(codemod.cli.__file__).parent / "commands"
    found = {file.stem for file in folder.glob("*.py") if "\ndef command(" in file.read_text()}
    assert found == set(COMMANDS)


def test_version_names_the_distribution() -> None:
    assert command("--version").stdout == f"paddle-codemod {version()}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["apply"],
        ["apply", "--nonsense"],
        ["diff", "PadleSeg"],
        ["diff", "./nowhere"],
        ["diff", "--all", "PaddleSeg"],
        ["diff", "PaddleSeg", "PaddleGAN", "--path", "."],
        ["apply", "PaddleSeg", "PaddleGAN", "--interactive"],
        ["apply", "PaddleSeg", "--interactive", "--json"],
    ],
)
def test_wrong_usage_is_exit_code_2_and_no_traceback(words: list[str], call: Call) -> None:
    code, out, err = call(*words)
    assert code == 2
    assert "Error: " in err
    assert "Traceback" not in out + err


def test_json_reports_an_error_as_one_object_too(call: Call) -> None:
    code, out, err = call("diff", "./nowhere", "--json")
    fault = json.loads(out)
    assert code == fault["exit_code"] == 2
    assert fault["error"] == "There is no folder nowhere."
    assert fault["remedy"]
    assert err.startswith("Error: There is no folder")


def test_a_fault_of_ours_goes_to_a_log(
    call: Call, monkeypatch: pytest.MonkeyPatch, workdir: Path, minikit: Path
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("codemod.engine.plan_change", broken)
    code, out, err = call("apply", minikit, "--workspace", workdir / "ws")
    assert code == 70
    assert "bug in codemod (RuntimeError: boom)" in err
    assert "Traceback" not in out + err
    (log,) = (workdir / "ws" / "logs").iterdir()
    assert str(log) in err
    assert "RuntimeError: boom" in log.read_text()
    monkeypatch.setenv("CODEMOD_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boom"):
        call("apply", minikit)


def test_interruption_is_130_without_a_traceback(
    call: Call, monkeypatch: pytest.MonkeyPatch, minikit: Path
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("codemod.engine.plan_change", stopped)
    code, _, err = call("diff", minikit)
    assert code == 130
    assert err == STOPPED


def test_a_reader_that_goes_away_is_no_fault(minikit: Path) -> None:
    line = [sys.executable, "-m", "codemod", "diff", str(minikit)]
    done = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    err = done.stderr.read()
    done.stderr.close()
    assert done.wait() == 141
    assert "Traceback" not in err
    assert "Exception" not in err


# --- apply, diff, revert --------------------------------------------------------------------


def test_apply_twice_is_once_and_revert_gives_back_the_bytes(
    minikit: Path, call: Call, snapshot: Snapshot
) -> None:
    before = snapshot(minikit)
    code, out, _ = call("apply", minikit)
    assert code == 0
    assert "inserted  tools/train.py:" in out
    applied = snapshot(minikit)
    assert applied["tools/train.py"][0].count(b"paddle.jit.to_static(model)") == 1
    code, out, _ = call("apply", minikit)
    assert code == 0
    assert "minikit: nothing to do, 1 to_static call present already" in out
    assert snapshot(minikit) == applied
    code, out, _ = call("revert", minikit)
    assert (code, out) == (0, "restored tools/train.py\n")
    assert snapshot(minikit) == before
    code, out, _ = call("revert", minikit)
    assert code == 0
    assert "Nothing to take out" in out


def test_apply_json_is_the_contract_s_object(minikit: Path, call: Call) -> None:
    code, out, _ = call("apply", minikit, "--json")
    whole = json.loads(out)
    assert code == 0
    assert set(whole) == {
        "version",
        "kit",
        "root",
        "revision",
        "hooks",
        "edits",
        "files_changed",
        "lines_added",
        "lines_removed",
        "skipped",
        "training_files",
    }
    assert (whole["kit"], whole["root"], whole["revision"]) == (None, str(minikit), None)
    (hook,) = whole["hooks"]
    assert (hook["status"], hook["file"], hook["scope"]) == ("inserted", "tools/train.py", "main")
    line = (minikit / "tools/train.py").read_text().splitlines()[hook["line"] - 1]
    assert "to_static(" in line
    added = sum(edit["lines_added"] for edit in whole["edits"])
    assert whole["lines_added"] == added > 0
    assert whole["files_changed"] == 1


def test_the_root_is_shown_as_the_user_named_it(
    minikit: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(minikit)
    _, out, _ = call("diff", ".", "--json")
    assert json.loads(out)["root"] == "."


@pytest.mark.parametrize(
    "words", [["apply", "--dry-run"], ["apply", "--dry-run", "--json"], ["diff"]]
)
def test_looking_changes_nothing(
    words: list[str], minikit: Path, call: Call, snapshot: Snapshot, workdir: Path
) -> None:
    before = snapshot(minikit)
    code, out, _ = call(words[0], minikit, *words[1:])
    assert code == 0
    assert "to_static" in out
    assert snapshot(minikit) == before
    assert not (workdir / ".codemod").exists()


def test_the_patch_on_standard_output_is_what_apply_does(
    minikit: Path, call: Call, snapshot: Snapshot, workdir: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codemod", "diff", str(minikit)], capture_output=True, check=True
    )
    call("apply", minikit)
    applied = snapshot(minikit)
    call("revert", minikit)
    git = ["git", "-C", str(minikit), "apply", "-"]
    subprocess.run(git, input=done.stdout, check=True)
    assert snapshot(minikit) == applied


@pytest.mark.parametrize("versioned", [True, False])
def test_diff_after_apply_says_how_to_see_what_was_applied(
    minikit: Path, call: Call, commit: Callable[[Path], str], versioned: bool
) -> None:
    if versioned:
        commit(minikit)
    assert "changed one file here" not in call("diff", minikit)[2]
    call("apply", minikit)
    code, out, err = call("diff", minikit)
    assert (code, out) == (0, "")
    assert "minikit: nothing to do, 1 to_static call present already" in err
    way = f"`git -C {minikit} diff`" if versioned else f"`codemod revert {minikit}`"
    assert f"`apply` has changed one file here already: {way}" in err
    call("revert", minikit)
    assert call("diff", minikit)[1]


def test_odd_bytes_pass_through_the_command_line(minikit: Path, snapshot: Snapshot) -> None:
    train = minikit / "tools" / "train.py"
    text = train.read_bytes().replace(b"import paddle\n", "import paddle  # 训练\n".encode())
    train.write_bytes(b"\xef\xbb\xbf" + text.rstrip(b"\n").replace(b"\n", b"\r\n"))
    before = snapshot(minikit)
    done = subprocess.run(
        [sys.executable, "-m", "codemod", "diff", str(minikit)], capture_output=True, check=True
    )
    assert b"to_static" in done.stdout
    git = ["git", "-C", str(minikit), "apply"]
    subprocess.run([*git, "-"], input=done.stdout, check=True)
    assert b"\r\n    if args.to_static:\r\n" in train.read_bytes()
    subprocess.run([*git, "-R", "-"], input=done.stdout, check=True)
    assert snapshot(minikit) == before


def test_diff_into_a_file_and_into_a_folder(minikit: Path, call: Call, workdir: Path) -> None:
    _, out, err = call("diff", minikit, "-o", "new/mini.patch")
    assert out == ""
    assert "to insert  tools/train.py:" in err
    assert "minikit: 1 hook to insert" in err
    call("diff", minikit, "-o", "patches/")
    patches = workdir / "patches"
    assert (patches / "minikit.patch").read_bytes() == (workdir / "new/mini.patch").read_bytes()
    assert json.loads((patches / "index.json").read_text())["minikit"]["files"] == 1


def test_diff_into_a_place_that_cannot_be_written(minikit: Path, call: Call, workdir: Path) -> None:
    (workdir / "file").touch()
    code, _, err = call("diff", minikit, "-o", "file/mini.patch")
    assert code == 2
    assert "cannot be written" in err


def test_a_hook_that_cannot_be_placed_is_exit_code_1(minikit: Path, call: Call) -> None:
    train = minikit / "tools" / "train.py"
    both = "paddle.DataParallel(build_model(args.config))"
    train.write_text(train.read_text().replace("build_model(args.config)", both))
    code, out, _ = call("apply", minikit, "--json")
    assert code == 1
    assert [hook["status"] for hook in json.loads(out)["hooks"]] == ["unplaced"]


def test_a_dirty_file_stops_apply_and_only_apply(
    minikit: Path, call: Call, commit: Callable[[Path], str], snapshot: Snapshot
) -> None:
    commit(minikit)
    train = minikit / "tools" / "train.py"
    train.write_bytes(train.read_bytes() + b"# mine\n")
    before = snapshot(minikit)
    code, _, err = call("apply", minikit)
    assert code == 2
    assert "not committed: tools/train.py. Commit them, or give --allow-dirty." in err
    assert snapshot(minikit) == before
    assert call("diff", minikit)[0] == 0
    assert call("apply", minikit, "--allow-dirty")[0] == 0
    call("revert", minikit)
    assert snapshot(minikit) == before


def test_a_file_that_is_no_python_is_no_obstacle(minikit: Path, call: Call) -> None:
    (minikit / "broken.py").write_text("paddle.DataParallel(model\n")
    _, out, _ = call("apply", minikit, "--json")
    assert [hook["status"] for hook in json.loads(out)["hooks"]] == ["inserted"]


def test_revert_of_a_conflict_is_exit_code_1_and_names_the_file(minikit: Path, call: Call) -> None:
    call("apply", minikit)
    train = minikit / "tools" / "train.py"
    edited = train.read_text().replace("to_static(model)", "to_static(model, full_graph=True)")
    train.write_text(edited)
    code, _, err = call("revert", minikit)
    assert code == 1
    assert "edits touch our lines: tools/train.py" in err
    assert train.read_text() == edited


def test_the_workspace_moves(minikit: Path, call: Call, workdir: Path) -> None:
    call("apply", minikit, "--workspace", "elsewhere")
    assert not (workdir / ".codemod").exists()
    assert (workdir / "elsewhere").exists() is False, "a record is not kept there"
    assert "restored" in call("revert", minikit)[1]
    assert "no record" in call("revert", minikit, "--workspace", "elsewhere")[1]


@pytest.fixture
def original(minikit: Path) -> bytes:
    """The kit's trainer as it was."""
    return (minikit / "tools" / "train.py").read_bytes()


@pytest.fixture
def half_changed(original: bytes, minikit: Path, snapshot: Snapshot) -> Path:
    """The kit as an `apply` leaves it that is killed before it writes its record."""
    before = snapshot(minikit)
    code = (
        "import os, signal, sys\nimport codemod.base.patch.ledger as ledger\nreal = ledger.write_atomic\n"
        "def write(target, data):\n"
        "    if target.name == 'record.json':\n        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(target, data)\n"
        "ledger.write_atomic = write\n"
        f"from codemod.cli import main\nmain(['apply', {str(minikit)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert snapshot(minikit) != before
    return minikit


@pytest.mark.parametrize("words", [["diff"], ["check"], ["apply", "--dry-run"]])
def test_half_a_change_is_refused_by_commands_that_only_look(
    words: list[str], half_changed: Path, call: Call, snapshot: Snapshot, workdir: Path
) -> None:
    before = snapshot(half_changed)
    assert call(*words, half_changed) == (
        2,
        "",
        (
            f"Error: An earlier run on {half_changed} was interrupted, so its files are half "
            f"changed. `codemod revert {half_changed}` undoes what it had written.\n"
        ),
    )
    assert call(*words, half_changed, "--workspace", workdir / "other")[0] == 2
    assert snapshot(half_changed) == before


@pytest.mark.parametrize("moved", [False, True])
def test_half_a_change_is_undone_from_any_folder_and_after_a_move(
    moved: bool,
    original: bytes,
    half_changed: Path,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    kit = half_changed
    if moved:
        kit = half_changed.rename(tmp_path / "moved")
        assert call("diff", kit)[0] == 2
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, _, err = call("revert", kit)
    assert code == 0
    assert "interrupted; what it had written is undone" in err
    assert (kit / "tools" / "train.py").read_bytes() == original
    assert call("diff", kit)[0] == 0


def test_apply_undoes_half_a_change_before_it_plans(
    original: bytes, half_changed: Path, call: Call
) -> None:
    code, _, err = call("apply", half_changed)
    assert code == 0
    assert "interrupted; what it had written is undone" in err
    assert (half_changed / "tools" / "train.py").read_bytes().count(b"to_static(") == 1
    assert call("revert", half_changed)[0] == 0
    assert (half_changed / "tools" / "train.py").read_bytes() == original


def test_a_moved_tree_is_reverted_and_a_copy_is_not(
    original: bytes, minikit: Path, call: Call, tmp_path: Path
) -> None:
    call("apply", minikit)
    shutil.copytree(minikit, tmp_path / "copy")
    assert "no record" in call("revert", tmp_path / "copy")[1]
    moved = minikit.rename(tmp_path / "moved")
    assert "restored tools/train.py" in call("revert", moved)[1]
    assert (moved / "tools" / "train.py").read_bytes() == original
    assert "no record" in call("revert", moved)[1]


def test_a_copy_with_our_edits_is_never_nothing_to_do(
    minikit: Path, call: Call, commit: Callable[[Path], str], tmp_path: Path
) -> None:
    commit(minikit)
    call("apply", minikit)
    shutil.copytree(minikit, tmp_path / "copy")
    code, out, err = call("revert", tmp_path / "copy")
    assert code == 1
    assert "no record of changing" in err and "tools/train.py" in err
    assert "Nothing" not in out
    assert call("revert", minikit)[0] == 0


def test_revert_from_another_folder_says_where_the_kit_was_changed(
    minikit: Path, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = minikit.rename(tmp_path / "PaddleVideo")
    assert call("apply", kit)[0] == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, out, err = call("revert", "paddlevideo")
    assert code == 1
    assert f"it was changed in {kit}." in err
    assert f"codemod revert {kit}" in err
    assert out == ""
    assert call("revert", kit)[0] == 0
    code, out, _ = call("revert", "paddlevideo")
    assert (code, "nothing to take out" in out) == (0, True)


def test_nothing_to_change_needs_no_libcst(minikit: Path) -> None:
    assert command("apply", minikit).returncode == 0
    assert "libcst" not in modules_after("diff", minikit, "--json")


# --- several kits ---------------------------------------------------------------------------

ENTRY = """\
  {name}:
    git: file://{git}
    revision: {revision}
    paddle: ">=2.3"
    python: ">=3.8"
    marks: [tools]
    configs: ["configs/*.yml"]
"""


@pytest.fixture
def two_kits(
    workdir: Path, minikit: Path, commit: Callable[[Path], str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A kits.yaml of two kits, of which the second cannot be fetched."""
    # One config that trains, by PaddleVideo's rule, and one that does not.
    (minikit / "configs" / "train.yml").write_text("MODEL: {}\nOPTIMIZER: {}\n")
    revision = commit(minikit)
    data = workdir / "data"
    data.mkdir()
    (data / "rules").symlink_to(Path(__file__).parents[2] / "rules")
    good = ENTRY.format(name="PaddleVideo", git=minikit, revision=revision)
    bad = ENTRY.format(name="Absent", git=workdir / "nowhere", revision=revision)
    (data / "kits.yaml").write_text(f"kits:\n{good}{bad}")
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    return data


def test_kits_tells_what_is_known_and_what_is_at_hand(two_kits: Path, call: Call) -> None:
    code, out, _ = call("kits")
    assert code == 0
    named = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert named == ["PaddleVideo", "Absent"]
    assert call("diff", "paddlevideo")[0] == 0
    rows = {row["kit"]: row for row in json.loads(call("kits", "--json")[1])["kits"]}
    assert rows["PaddleVideo"]["models"] == 1
    assert rows["PaddleVideo"]["hooks"] == "1 hook to insert"
    assert rows["Absent"]["models"] is None
    assert call("apply", "PaddleVideo")[0] == 0
    rows = {row["kit"]: row for row in json.loads(call("kits", "--json")[1])["kits"]}
    assert rows["PaddleVideo"]["hooks"] == "1 to_static call present"
    assert "restored" in call("revert", "PaddleVideo")[1]


def test_all_kits_at_once_with_one_that_fails(two_kits: Path, workdir: Path) -> None:
    done = command("diff", "--all", "-o", "patches")
    assert done.returncode == 3, done.stderr
    assert (workdir / "patches" / "PaddleVideo.patch").exists()
    assert "Error: Absent: Absent cannot be fetched" in done.stderr
    done = command("apply", "--all", "--dry-run", "--json")
    good, bad = json.loads(done.stdout)["kits"]
    assert good["files_changed"] == 1
    assert bad["exit_code"] == 3


def test_one_tree_that_cannot_be_written_does_not_hide_the_other(
    minikit: Path, call: Call, commit: Callable[[Path], str], workdir: Path
) -> None:
    dirty = workdir / "dirty"
    shutil.copytree(minikit, dirty)
    commit(dirty)
    (dirty / "tools/train.py").write_bytes((dirty / "tools/train.py").read_bytes() + b"# mine\n")
    code, out, err = call("apply", minikit, dirty)
    assert code == 2
    assert "minikit: 1 hook inserted" in out
    assert f"Error: {dirty}: These files hold edits" in err
    code, out, _ = call("apply", dirty, "--json")
    assert code == json.loads(out)["exit_code"] == 2


def test_revert_of_a_kit_that_was_never_fetched_fetches_nothing(
    two_kits: Path, call: Call, workdir: Path
) -> None:
    code, out, _ = call("revert", "PaddleVideo")
    assert code == 0
    assert "not in the workspace" in out
    assert not (workdir / ".codemod").exists()


def test_a_broken_kits_file_is_named_with_its_line(two_kits: Path, call: Call) -> None:
    file = two_kits / "kits.yaml"
    file.write_text(file.read_text().replace("marks:", "makrs:", 1))
    code, _, err = call("kits")
    assert code == 2
    assert f"{file}:7: `kits.PaddleVideo.makrs` is not a known key" in err


def test_ctrl_c_ends_several_kits_without_a_word_too_many(two_kits: Path, workdir: Path) -> None:
    slow = (
        "import signal, sys, time\nimport codemod.work.planning as planning\n"
        # A test run in the background of a script inherits that Ctrl-C is ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def plan(request):\n    sys.stderr.write('started\\n')\n"
        "    time.sleep(60)\n"
        "planning.plan = plan\n"
        "from codemod.cli import main\nmain(['diff', '--all'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    # On a busy machine, lines of progress may stand between.
    told = (line for line in process.stderr if not line.startswith("  "))
    assert [next(told), next(told)] == ["started\n", "started\n"]
    os.killpg(process.pid, signal.SIGINT)
    err = "".join(told)
    process.stderr.close()
    assert process.wait() == 130
    assert err == STOPPED
