"""Hostile kits' code in a contained box: what it reaches outside, and what it leaves behind.

Each attempt draws some of many steps: writing, linking, changing modes and times outside, the
network, other processes, mounts, and processes that hide from whoever ends them.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.attack.table import attack
from codemod.base.launch.containment import offered
from codemod.base.launch.start import Bounds, Box, kept_variables, own_folders, start

if TYPE_CHECKING:
    from collections.abc import Iterator

# Steps that must fail in a box with namespaces, by what they would reach; OUT is a folder outside.
STEPS = {
    "write": "open(OUT + '/new', 'w').write('a')",
    "overwrite": "open(OUT + '/kept', 'w').write('a')",
    "truncate": "os.truncate(OUT + '/kept', 0)",
    "remove": "os.unlink(OUT + '/kept')",
    "rename": "os.rename(OUT + '/kept', OUT + '/moved')",
    "folder": "os.mkdir(OUT + '/folder')",
    "hard link": "os.link(OUT + '/kept', OWN + '/hard'); open(OWN + '/hard', 'w')",
    "link": "os.symlink(OUT, OWN + '/out'); open(OWN + '/out/new', 'w')",
    "mode": "os.chmod(OUT + '/kept', 0o777)",
    "times": "os.utime(OUT + '/kept', (1, 1))",
    "pipe": "os.mkfifo(OUT + '/pipe')",
    "by /proc": "open('/proc/self/root' + OUT + '/new', 'w')",
    "by the parent": "open(f'/proc/{OUTER}/cwd' + OUT + '/new', 'w')",
    "variables": "open(f'/proc/{OUTER}/environ').read()",
    "signal": "os.kill(OUTER, 0)",
    "connect": "socket.create_connection(('192.0.2.1', 80), 2)",
    "datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'a', ('192.0.2.1', 80))",
    "outer loopback": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "mount": "ctypes.CDLL(None).mount(b'none', OUT.encode(), b'tmpfs', 0, None) and 1/0",
    "remount": "subprocess.run(['mount', '-o', 'remount,rw', '/'], check=True, stderr=-3)",
    "chroot": "os.chroot(OWN)",
    "owner": "os.chown(OUT + '/kept', 12345, 12345)",
    "namespaces": "subprocess.run(['unshare', '-r', 'touch', OUT + '/new'], check=True, stderr=-3)",
    "terminal": "os.close(os.open(TERMINAL, os.O_WRONLY | os.O_NOCTTY))",
    "disk": "[os.close(os.open(one, os.O_WRONLY)) for one in glob.glob('/dev/loop[0-9]') or 1 / 0]",
    "kernel's log": "os.close(os.open('/dev/kmsg', os.O_WRONLY))",
    "system": "os.close(os.open('/proc/sys/kernel/hostname', os.O_WRONLY))",
    "own /proc": "nested('--mount-proc', ': >> /proc/sys/kernel/hostname')",
    "bared /dev": "nested('--mount', 'umount -l /dev && test -e /dev/kmsg')",
    "bared files": "nested('--mount', f'mount -o remount,rw,bind / && touch {OUT}/new')",
    "by the parent's root": "open(f'/proc/{OUTER}/root' + OUT + '/new', 'w')",
}
# Ways to leave a process behind; each runs `sleep MARK`.
LEAVES = (
    "subprocess.Popen(['setsid', 'sleep', MARK])",
    "subprocess.Popen(['sh', '-c', f\"trap '' TERM HUP INT; sleep {MARK} & sleep {MARK}\"])",
    "subprocess.Popen(['nohup', 'sleep', MARK], stdout=-3, stderr=-3)",
    "twice()",
    "subprocess.Popen(['sleep', MARK], start_new_session=True, close_fds=False)",
)
ENDS = (
    "os._exit(0)",
    "sys.exit(3)",
    "os.kill(os.getpid(), 11)",
    "os.abort()",
    "1 / 0",
    "time.sleep(60)",
)
HEAD = """
import ctypes, glob, os, socket, subprocess, sys, time
OWN = os.environ["HOME"]
OUT, OUTER, PORT, MARK, TERMINAL = {out!r}, {outer}, {port}, {mark!r}, {terminal!r}
def nested(option, code):
    line = ["unshare", "--map-root-user", "--pid", "--fork", option, "sh", "-c", code]
    subprocess.run(line, check=True, stderr=-3)
def twice():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", MARK])
        os._exit(0)
"""


def attempt(seed: int, folder: Path) -> str:
    """One hostile script, in a box of its own."""
    draw = random.Random(seed)
    outside, home = folder / "outside", folder / "home"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    before = seen(outside)
    steps = draw.sample(sorted(STEPS), draw.randint(4, 12))
    leaves = draw.choices(LEAVES, k=draw.randint(0, 3))
    mark = f"{600 + seed % 1000}.{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, terminal() as shown:
        head = HEAD.format(
            out=str(outside),
            outer=os.getpid(),
            port=server.getsockname()[1],
            mark=mark,
            terminal=shown,
        )
        body = "".join(
            f"try:\n    {STEPS[name]}\n    print({name!r}, flush=True)\n"
            "except BaseException: pass\n"
            for name in steps
        )
        code = head + body + "\n".join(leaves) + f"\ntime.sleep(0.1)\n{draw.choice(ENDS)}\n"
        said = run(code, home)
    if seen(outside) != before:
        return "a file outside was changed"
    if said:
        return f"reached: {said[0]}"
    return "a process is left" if running(mark) else ""


@contextmanager
def terminal() -> Iterator[str]:
    """The path of a terminal of this user's."""
    handles = os.openpty()
    try:
        yield os.ttyname(handles[1])
    finally:
        for handle in handles:
            os.close(handle)


def run(code: str, home: Path) -> list[str]:
    """What a script in a box says that it reached."""
    env = kept_variables(os.environ) | own_folders(home)
    with (home.parent / "log").open("wb") as log:
        box = Box(home, Bounds(wall_s=3, processes=100, memory_mb=2000), contained=True)
        process = start(
            [sys.executable, "-u", "-c", code],
            box,
            cwd=home,
            env=env,
            stdout=log,
            stderr=subprocess.DEVNULL,
        )
        process.wait(30)
        process.end()
    return (home.parent / "log").read_text().splitlines()


def seen(folder: Path) -> list[tuple[object, ...]]:
    """Everything in a folder, with mode, owner, times and content."""
    found: list[tuple[object, ...]] = []
    for one in sorted(folder.iterdir()):
        state = one.lstat()
        content = one.read_bytes() if one.is_file() else b""
        found.append((one.name, state.st_mode, state.st_uid, state.st_mtime, content))
    return found


def running(mark: str) -> bool:
    """Whether a process with that mark on its command line still runs."""
    for place in Path("/proc").iterdir():
        try:
            words = (place / "cmdline").read_bytes() if place.name.isdigit() else b""
        except OSError:
            continue
        if mark.encode() in words.split(b"\0"):
            return True
    return False


if __name__ == "__main__":
    if offered() != "all":
        sys.exit("This system offers no namespaces; see SECURITY.md for what is open then.")
    sys.exit(attack("hostile scripts in a contained box", 200, attempt))
