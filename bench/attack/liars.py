"""Kits' code that takes over the process it runs in and lies: links, pipes, floods, silence.

Where records and answers are asked for it makes something else, and where the tool's own files
would be written it plants links. The tool ends in a sentence, within its memory and its time, and
writes nothing outside.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.attack.boxes import seen
from bench.attack.table import attack
from codemod.base.errors import CodemodError
from codemod.experiments.probe import server
from codemod.experiments.probe.models import Model, list_models
from codemod.experiments.probe.probing import Prober
from codemod.experiments.probe.proving import run_legs
from codemod.experiments.probe.request import Limits
from codemod.experiments.reduce.trial import READINGS, Trial
from codemod.experiments.switch import run as switch
from codemod.training.runner import Command, RunRequest, run_once

if TYPE_CHECKING:
    from collections.abc import Callable

# What stands where a file was asked for; OUT is a folder outside, FILE the file.
FILES = {
    "link": "os.symlink(OUT + '/kept', FILE)",
    "dangling link": "os.symlink(OUT + '/new', FILE)",
    "pipe": "os.mkfifo(FILE)",
    "device": "os.symlink('/dev/zero', FILE)",
    "folder": "os.mkdir(FILE)",
    "1.2 GB": "os.truncate(os.open(FILE, os.O_CREAT | os.O_WRONLY), 1_200_000_000)",
    "12 GB": "os.truncate(os.open(FILE, os.O_CREAT | os.O_WRONLY), 12_000_000_000)",
    "no UTF-8": "open(FILE, 'wb').write(b'\\xff\\xfe\\x00\\n' * 9)",
    "nested": "open(FILE, 'w').write('[' * 200_000 + '\\n')",
    "no object": "open(FILE, 'w').write('[1, \"a\", null]\\n')",
    "wrong keys": 'open(FILE, \'w\').write(\'{"t": "step", "opt": [], "losses": 3}\\n\')',
    "wrong types": 'open(FILE, \'w\').write(\'{"t": [], "gave": 1, "executed": [[0]]}\\n\')',
    "nothing": "pass",
    "empty": "open(FILE, 'w').close()",
    "honest": "open(FILE, 'w').write(HONEST)",
}
# What is said on the channel instead of an answer.
ANSWERS = {
    "honest": 'b\'{"code": 0, "timed_out": false, "s": 1, "grown_mb": 1}\\n\'',
    "failed": 'b\'{"code": -9, "timed_out": true, "s": 1, "grown_mb": 1}\\n\'',
    "no JSON": "b'hello\\n'",
    "nested": "b'[' * 200_000 + b'\\n'",
    "list": "b'[1, 2]\\n'",
    "wrong types": 'b\'{"code": "a", "timed_out": [], "grown_mb": {}}\\n\'',
    "infinite": 'b\'{"code": 1e999, "timed_out": 0, "grown_mb": NaN}\\n\'',
    "flood": "b'a' * 40_000_000",
    "silence": "b''",
    "part": "b'{'",
}
READY = json.dumps({"ready": True, "paddle": "3.3.1", "adapter": 1, "configs": [], "note": ""})
WAYS = json.dumps([{"name": "a"}])
LISTED = {"config": "c", "model": "m", "family": "f", "key": "k", "rank": 1, "exact": True}
MODEL = Model("c", "m", "f", ({"size": 8},), exact=True)
# Places where another run of the tool, or a later step, may write.
NAMES = (
    "candidate0.py",
    "candidate1.py",
    "fresh.log",
    "leg0.log",
    "models.log",
    "dynamic.jsonl.lines",
)
HEAD = """
import fcntl, glob, json, os, stat, sys, time
OUT, HONEST = {out!r}, {honest!r}
def channel():
    for fd in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode) and fcntl.fcntl(fd, fcntl.F_GETFL) & 1:
                return fd
        except OSError:
            pass
    return 1
def say(what):
    sent = 0
    while sent < len(what):
        sent += os.write(channel(), what[sent:])
def put(FILE, how):
    try:
        if os.path.lexists(FILE):
            os.unlink(FILE)
        exec(how)
    except OSError:
        pass
def plant(folder):
    for name in {names!r}:
        try:
            os.symlink(OUT + "/" + name, folder + "/" + name)
        except OSError:
            pass
"""
# What a kit's import does in a probe: it answers each request by itself.
SERVED = """
def prepare():
    say({ready})
    for line in sys.stdin:
        asked = json.loads(line)
        plant(os.path.dirname(asked["out"]))
        plant(os.path.dirname(os.path.dirname(asked["out"])))
        put(asked["out"], {out_kind!r})
        put(asked["log"], {log_kind!r})
        say({answer})
        if {ends}:
            os._exit(0)
    time.sleep(600)
"""
TRAINED = """
out = json.loads(os.environ["CODEMOD_PARITY"])["out"]
plant(os.path.dirname(out))
for file in (out, out + ".reads", out + ".lines"):
    put(file, {out_kind!r})
put(out[:-1 - len("json")] + "log", {log_kind!r})
os.makedirs(out[:-1 - len("json")] + "ranks", exist_ok=True)
put(out[:-1 - len("json")] + "ranks/workerlog.0", {out_kind!r})
"""
TRIED = """
say({ready})
say({answer})
time.sleep(0 if {ends} else 600)
os._exit(0)
"""
# Seconds and MB that a run of the tool may take.
LIMIT_S, MEMORY_MB = 60, 600


def attempt(seed: int, folder: Path) -> str:
    """One liar in one of the places where a kit's code runs."""
    draw = random.Random(seed)
    outside = folder / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    before = seen(outside)
    place = draw.choice((probed, probed, trained, tried))
    answers = sorted(ANSWERS)
    parts = {
        "out_kind": FILES[draw.choice(sorted(FILES))],
        "log_kind": FILES[draw.choice(sorted(FILES))],
        "answer": ANSWERS[draw.choice((*answers, *["honest"] * len(answers)))],
        "ends": draw.random() < 0.3,
    }
    honest = draw.choice((READY, WAYS)) if draw.random() < 0.2 else ""
    ready = "" if place is trained else READY
    started = ANSWERS[draw.choice(answers)] if draw.random() < 0.2 else repr(f"{ready}\n".encode())
    told = json.dumps([LISTED]) if draw.random() < 0.5 else '{"t": "start"}'
    head = HEAD.format(out=str(outside), honest=f"{honest or told}\n", names=NAMES)
    fault = _in_child(lambda: place(folder, head, {**parts, "ready": started}))
    if seen(outside) != before:
        return f"a file outside was changed ({place.__name__})"
    return f"{fault} ({place.__name__})" if fault else ""


def probed(folder: Path, head: str, parts: dict[str, object]) -> None:
    """All that a probe and a reduction ask of their server."""
    (folder / "kit").mkdir()
    adapter = folder / "adapter.py"
    adapter.write_text(head + SERVED.format(**parts))
    scratch = folder / "ws"
    scratch.mkdir()
    equipment = server.Equipment(Path(sys.executable), adapter)
    with server.Servers(equipment, folder / "kit", scratch, 1) as servers:
        (one,) = servers.all
        steps: tuple[Callable[[], object], ...] = (
            one.start,
            lambda: list_models(one, ["c"]),
            lambda: Prober(one, Limits(1, 1)).probe(MODEL),
            lambda: run_legs(one, folder / "kit", MODEL, {}, {}),
            lambda: Trial(servers, scratch).shapes("a", READINGS[0]),
        )
        for step in steps:
            _sentence(step)


def trained(folder: Path, head: str, parts: dict[str, object]) -> None:
    """A run of the kit's own training."""
    script = folder / "train.py"
    script.write_text(head + TRAINED.format(**parts))
    command = Command((sys.executable, str(script)), folder, watched={"": folder})
    wanted = RunRequest("dynamic", "dynamic", 2)
    _sentence(lambda: run_once(command, wanted, folder / "ws", "cpu", 20))


def tried(folder: Path, head: str, parts: dict[str, object]) -> None:
    """The kit's option code, as `check --exec` runs it."""
    copy = folder / "copy"
    copy.mkdir()
    (copy / "paddle.py").write_text(head + TRIED.format(**parts))
    equipment = switch.equipment(Path(sys.executable), folder / "switch.py", {})
    log = folder / "ws" / "0.log"
    log.parent.mkdir()
    with server.Server(equipment, copy, log) as one:
        _sentence(lambda: switch.tried(one, ["c"], every_way=False))


def _sentence(step: Callable[[], object]) -> None:
    with contextlib.suppress(CodemodError, OSError):
        step()


def _in_child(work: Callable[[], None]) -> str:
    """What is wrong with how the tool ended, in a process of its own."""
    child = os.fork()
    if not child:
        signal.alarm(LIMIT_S)
        # Liars that are silent are waited for no longer than this; the tool's own time is larger.
        server._IMPORT_S, server._CLOCK = 3.0, 0
        code = 70
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            work()
            code = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}"[:200], flush=True)
        finally:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            os._exit(71 if code == 0 and used > MEMORY_MB else code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ends = {0: "", 70: "a bug", 71: "too much memory", -signal.SIGALRM: "it does not end"}
    return ends.get(code, f"it ends with {code}")


if __name__ == "__main__":
    sys.exit(attack("kits' code that lies about what it did", 300, attempt))
