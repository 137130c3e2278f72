"""The box: what a process in it can reach, and that nothing of it is left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import codemod.base.launch.start as module
from codemod.base.launch.containment import offered, tell
from codemod.base.launch.start import Bounds, Box, Boxed, BoxEnd, kept_variables, own_folders, start
from codemod.base.launch.tools import ask, ask_on_terminal


def boxed(
    tmp_path: Path, code: str, bounds: Bounds | None = None, contained: bool = False
) -> Boxed:
    kit = tmp_path / "kit"
    kit.mkdir(exist_ok=True)
    (kit / "file.txt").write_text("the kit's")
    home = tmp_path / "home"
    env = kept_variables(os.environ) | own_folders(home) | {"OUT": str(tmp_path)}
    box = Box(home, bounds or Bounds(), contained, covered=(kit,))
    with (tmp_path / "log").open("wb") as log:
        command = [sys.executable, "-u", "-c", code]
        return start(command, box, cwd=kit, env=env, stdout=log, stderr=subprocess.STDOUT)


def ended(process: Boxed) -> BoxEnd:
    found = process.wait(600)
    process.end()
    assert found is not None
    return found


def said(tmp_path: Path) -> str:
    return (tmp_path / "log").read_text()


def running(mark: str) -> list[str]:
    return [
        pid
        for pid in [path.name for path in Path("/proc").iterdir()]
        if pid.isdigit() and mark.encode() in _command(pid) and int(pid) != os.getpid()
    ]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("contained", [False, True])
@pytest.mark.parametrize("end", ["sys.exit(7)", "os.kill(os.getpid(), 11)", "os.abort()"])
def test_it_tells_how_the_process_ended(tmp_path: Path, end: str, contained: bool) -> None:
    found = ended(boxed(tmp_path, f"import os, sys; {end}", contained=contained))
    assert found.code == {"s": 7, "k": -11, "a": -6}[end.partition(".")[2][0].replace("e", "s")]
    assert found.limit == ""


def test_a_number_that_is_anothers_by_now_is_left_alone() -> None:
    """The process that is looked at is a child's: its parent may have waited for it."""
    code = """
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from box_inside.watch import Watch
between = subprocess.Popen(["sh", "-c", "sleep 600 & wait"])
while len(below := Watch().below(os.getpid())) < 2:
    time.sleep(0.01)
asleep = max(pid for pid, parent in below.items() if parent == between.pid)
Watch().end_below(asleep, parent=1)
time.sleep(0.2)
print(asleep in Watch().below(os.getpid()))
Watch().end_below(asleep, parent=between.pid)
print(between.wait())
"""
    inside = str(Path(module.__file__).parent / "inside")
    assert ask([sys.executable, "-c", code, inside], seconds=600).text.split() == ["True", "0"]


@pytest.mark.parametrize("contained", [False, True])
def test_the_supervisor_imports_nothing_of_the_folder_it_stands_in(
    tmp_path: Path, contained: bool
) -> None:
    (tmp_path / "kit").mkdir()
    for name in ("json", "resource", "select", "box_inside", "struct", "fcntl"):
        (tmp_path / "kit" / f"{name}.py").write_text("print('the kit s')\n")
    assert ended(boxed(tmp_path, "print('started')", contained=contained)).code == 0
    assert said(tmp_path) == "started\n"


@pytest.mark.parametrize("contained", [False, True])
def test_nothing_is_left(tmp_path: Path, contained: bool) -> None:
    mark = f"60.{os.getpid()}"
    code = f"""
import os, subprocess
subprocess.Popen(["setsid", "sleep", "{mark}"])
subprocess.Popen(["sh", "-c", "trap '' TERM HUP; sleep {mark} & sleep {mark}"])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "{mark}"])
import time
from pathlib import Path
def asleep(file):
    try:
        return file.read_bytes() == b"sleep\\x00{mark}\\x00"
    except OSError:
        return False
for _ in range(60_000):
    if sum(map(asleep, Path("/proc").glob("[0-9]*/cmdline"))) == 4:
        break
    time.sleep(0.01)
"""
    found = ended(boxed(tmp_path, code, contained=contained))
    assert found.left >= 4
    assert running(mark) == []


def test_all_of_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    mark = f"61.{os.getpid()}"
    code = f"""
import os, subprocess, sys
from pathlib import Path
from codemod.base.launch.start import Box
import codemod.base.launch.start as module
from codemod.base.launch.start import start
start(["setsid", "-w", "sleep", "{mark}"], Box(Path("{tmp_path}")), cwd=Path("/"), env=os.environ)
print("started", flush=True)
sys.stdin.read()
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        until = time.monotonic() + 600
        while not running(mark) and time.monotonic() < until:
            time.sleep(0.05)
        assert running(mark)
        process.kill()
    while running(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert running(mark) == []


@pytest.mark.parametrize(
    ("limit", "bounds", "code"),
    [
        ("wall", Bounds(wall_s=1), "import time; time.sleep(60)"),
        ("memory", Bounds(memory_mb=300), "a = b'1' * 2**30; import time; time.sleep(60)"),
        (
            "processes",
            Bounds(processes=20),
            # So many and no more: what is not stopped in time must not take the machine.
            "import os, time\nfor _ in range(90):\n    if os.fork() == 0: break\ntime.sleep(60)",
        ),
        ("log", Bounds(log_mb=1), "while True: print('x' * 10000)"),
    ],
)
def test_limits(tmp_path: Path, limit: str, bounds: Bounds, code: str) -> None:
    assert ended(boxed(tmp_path, code, bounds)).limit == limit


def test_shared_memory_counts_once(tmp_path: Path) -> None:
    code = """
import os, time
a = b"1" * (200 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(1)
        os._exit(0)
time.sleep(1)
"""
    assert ended(boxed(tmp_path, code, Bounds(memory_mb=500))).limit == ""


def test_processor_time_and_file_size(tmp_path: Path) -> None:
    assert ended(boxed(tmp_path, "while True: pass", Bounds(cpu_s=0.5))).code == -24
    code = "import os; open(os.environ['HOME'] + '/a', 'wb').write(b'1' * (3 << 20))"
    assert ended(boxed(tmp_path, code, Bounds(file_mb=1))).code != 0
    assert (tmp_path / "home" / "a").stat().st_size == 1 << 20


REACHES = {
    "home": "open(os.environ['HOME'] + '/a', 'w').close()",
    "temporary": "__import__('tempfile').mkstemp()",
    "beside": "open(os.environ['OUT'] + '/outside', 'w').close()",
    "mode": "os.chmod(os.environ['OUT'] + '/log', 0o777)",
    "kit": "open('file.txt', 'w').write('changed'); assert open('file.txt').read() == 'changed'",
    "network": "socket.create_connection(('192.0.2.1', 80), 3)",
    "outer loopback": "socket.create_connection(('127.0.0.1', PORT), 3)",
    "datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'a', ('192.0.2.1', 80))",
    "loopback": "s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())",
    "parent": "open(f'/proc/{OUTER}/environ').read()",
    "signal": "os.kill(OUTER, 0)",
    "mount": "subprocess.run(['mount', '-o', 'remount,rw', '/'], check=True, capture_output=True)",
    "device": "open('/dev/null', 'w').write('a')",
    "services": "assert os.listdir('/run')",
    "terminal": "os.close(os.open(TERMINAL, os.O_WRONLY | os.O_NOCTTY))",
    "system": "os.close(os.open('/proc/sys/kernel/hostname', os.O_WRONLY))",
}
ALLOWED = {"home", "temporary", "kit", "loopback", "device"}


def reached(tmp_path: Path) -> tuple[str, set[str]]:
    body = "".join(
        f"try:\n    {code}\n    print('{name}')\nexcept BaseException: pass\n"
        for name, code in REACHES.items()
    )
    ours, terminal = os.openpty()
    outer = f"import os, socket, subprocess\nOUTER = {os.getpid()}\n"
    outer += f"TERMINAL = {os.ttyname(terminal)!r}\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        outer += f"PORT = {server.getsockname()[1]}\n"
        contained = ended(boxed(tmp_path, outer + body, contained=True)).contained
    os.close(ours)
    os.close(terminal)
    return contained, set(said(tmp_path).splitlines()) & set(REACHES)


def test_a_contained_process_reaches_its_own_folder_alone(tmp_path: Path) -> None:
    contained, found = reached(tmp_path)
    if contained != "all":
        pytest.skip("this system offers no namespaces")
    assert found - {"kit"} == ALLOWED - {"kit"}
    assert (tmp_path / "kit" / "file.txt").read_text() == "the kit's"
    assert not (tmp_path / "outside").exists()


def test_what_is_told_is_what_is_contained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered() == ended(boxed(tmp_path, "", contained=True)).contained
    tell(contained=True)
    tell(contained=False)
    inside, outside = capsys.readouterr().err.splitlines()
    assert ("This system contains nothing" in inside) == (offered() == "nothing")
    assert "can read and write your files" in outside


def test_without_namespaces_landlock_holds_files_and_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As a system does that offers none: the call is refused in the supervisor.
    shim = tmp_path / "inside"
    subprocess.run(["cp", "-r", module._INSIDE, shim], check=True)
    file = shim / "box_inside" / "namespaces.py"
    file.write_text(
        file.read_text().replace(
            "def enter() -> None:",
            "def enter() -> None:\n    raise OSError\n\n\ndef _unused() -> None:",
        )
    )
    monkeypatch.setattr(module, "_INSIDE", shim)
    contained, found = reached(tmp_path)
    if contained != "files":
        pytest.skip("this system offers no Landlock")
    assert not found & {"beside", "outer loopback", "kit", "parent", "terminal", "system"}
    assert found >= {"home", "temporary", "device"}
    assert not (tmp_path / "outside").exists()


def test_variables_that_may_hold_secrets_stay_outside(tmp_path: Path) -> None:
    given = {"PATH": "/bin", "GITHUB_TOKEN": "a", "AWS_SECRET_ACCESS_KEY": "b", "LC_ALL": "C"}
    assert kept_variables(given) == {"PATH": "/bin", "LC_ALL": "C"}


def test_a_program_in_the_current_folder_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\necho fake\n")
    fake.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".::{os.environ['PATH']}")
    assert ask(["git", "--version"]).text.startswith("git version")


def test_a_tool_without_an_answer_ends_with_its_helpers(tmp_path: Path) -> None:
    mark = f"62.{os.getpid()}"
    with pytest.raises(TimeoutError):
        ask(["sh", "-c", f"sleep {mark} & sleep {mark}"], seconds=0.5)
    until = time.monotonic() + 600
    while running(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert running(mark) == []


def test_what_a_tool_tells_a_terminal_is_heard_as_it_comes() -> None:
    heard: list[str] = []
    argv = ["sh", "-c", "test -t 2 && echo 10% >&2; echo out; sleep 0.3; echo 20% >&2; exit 3"]
    done = ask_on_terminal(argv, env=os.environ, heard=heard.append)
    assert (done.code, done.out, done.complaint.split()) == (3, b"", ["10%", "20%"])
    assert len(heard) > 1
    with pytest.raises(TimeoutError, match=r"no answer in 0\.2 s"):
        ask_on_terminal(["sleep", "62"], env=os.environ, heard=heard.append, seconds=0.2)
