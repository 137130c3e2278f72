"""What stands on a terminal some seconds after each command was started.

Each command is started in a terminal of its own, and the seconds until its first word are taken.
What has ended by then is listed with its time; with `--interrupt` the others get a Ctrl-C, and what
they say then is shown with the exit code. `--first` prints first words' times alone, and exits
with 1 where one came later than `--seconds`. `--left` lets each run to its end, and prints the time
left that it told at half-way, the true one, and their ratio; those that tell none are left out.

Run: python -m bench.terminal WORKSPACE [--columns N] [--seconds N] [--interrupt|--first|--left]
                              [NAME ...]
WORKSPACE is copied and must hold the kits; NAME chooses from the list below.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.screen import Screen
from codemod.kits.paddles import measured

CONFIG = "ppcls/configs/ImageNet/MobileNetV3/MobileNetV3_small_x1_0.yaml"
# {ws} is the workspace, {new} an empty one, {repo} a copy of PaddleGAN,
# {hooked} one of PaddleClas with its hook.
COMMANDS = {
    "kits": "kits --workspace {ws}",
    "fetch": "apply PaddleDetection --dry-run --workspace {new}",
    "apply": "apply PaddleNLP --dry-run --workspace {ws}",
    "diff": "diff PaddleNLP --workspace {ws}",
    "diff-all": "diff --all --workspace {ws}",
    "check": "check PaddleOCR --workspace {ws}",
    "check-all": "check --all --workspace {ws}",
    "check-exec": "check PaddleSeg --exec --workspace {ws}",
    "survey": "survey PaddleSeg --workspace {ws}",
    "survey-all": "survey --all --workspace {ws}",
    "revert": "revert PaddleNLP --workspace {ws}",
    "branch": "branch PaddleGAN --path {repo} --workspace {ws}",
    "env": f"env PaddleRec --paddle {measured()[0]}",
    "probe": "probe PaddleClas -c {config} --force --workspace {ws}",
    "probe-some": "probe PaddleClas --count 4 --force --workspace {ws}",
    "parity": "parity PaddleClas -c {config} --steps 3 --path {hooked} --workspace {ws}",
    "parity-ast": "parity PaddleClas -c {config} --steps 30 --modes dynamic,ast --path {hooked} "
    "--workspace {ws}",
    "spec": "spec PaddleClas -c {config} --workspace {ws}",
    "fix": "fix PaddleGAN --dry-run --workspace {ws}",
    "fix-proof": "fix PaddleDetection -c configs/picodet/picodet_s_320_coco_lcnet.yml "
    "--force --workspace {ws}",
    "report": "report --workspace {ws}",
    "evidence-list": "evidence list",
    "evidence-verify": "evidence verify",
    "rules-list": "rules list",
    "rules-test": "rules test",
    "reduce": "reduce PaddleClas -c {config} --minutes 1 --workspace {ws}",
    "explain": "explain D-77",
    "doctor": "doctor",
    "schema": "schema apply",
}
# An environment for these is made anew, in a folder of their own.
COLD = ("env",)
PATIENCE_S = 30.0
# Longer than any command of the list takes.
WHOLE_S = 3600.0
_LEFT = re.compile(r"about ([^|;()\x1b\r\n]*?) left")
_UNITS_S = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


@dataclass
class Shown:
    """One command: what stood there, after how many seconds, and the exit code if it had ended.

    `first` are the seconds until its first word; None where there was none.
    """

    lines: list[str]
    seconds: float
    code: int | None
    first: float | None
    afterwards: list[str] = field(default_factory=list)
    told: list[tuple[float, float]] = field(default_factory=list)
    """Times left that it told, each with when: seconds since its start, seconds left."""

    def half_way(self) -> tuple[float, float] | None:
        """What was told to be left when half of the time was over, and what was left."""
        before = [one for one in self.told if one[0] <= self.seconds / 2]
        if not before:
            return None
        at, left = before[-1]
        return left, self.seconds - at


def watched(words: list[str], columns: int, seconds: float, env: dict[str, str]) -> Shown:
    """Start the command in a terminal; look at it after `seconds`, then end it by Ctrl-C."""
    screen = Screen(columns)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    started = time.monotonic()
    process = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=env, preexec_fn=_own_terminal
    )
    os.close(theirs)
    told: list[tuple[float, float]] = []
    spoke = _read(ours, screen, process, started + seconds, told)
    first = None if spoke is None else spoke - started
    shown = Shown(screen.lines(), time.monotonic() - started, process.poll(), first)
    shown.told = [(at - started, left) for at, left in told]
    if shown.code is None:
        os.write(ours, b"\x03")
        _read(ours, screen, process, time.monotonic() + PATIENCE_S, [])
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shown.afterwards = [*screen.lines(), f"[exit code {process.returncode}]"]
    os.close(ours)
    return shown


def _own_terminal() -> None:
    """A session whose terminal this is: Ctrl-C reaches the command and what it has started."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(
    ours: int,
    screen: Screen,
    process: subprocess.Popen[bytes],
    until: float,
    told: list[tuple[float, float]],
) -> float | None:
    """Read until then, or until it has ended; when the first word stood there.

    Times left are added to `told`, each with when it was told.
    """
    spoke = None
    while (left := until - time.monotonic()) > 0:
        if select.select([ours], [], [], min(left, 0.1))[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                process.wait()
                break
            text = piece.decode("utf-8", "replace")
            screen.feed(text)
            told += [(time.monotonic(), _seconds(words)) for words in _LEFT.findall(text)]
            if spoke is None and any(screen.lines()):
                spoke = time.monotonic()
        elif process.poll() is not None:
            break
    return spoke


def _seconds(words: str) -> float:
    """`2 hours and 5 minutes` in seconds."""
    return sum(
        float(count) * _UNITS_S[unit] for count, unit in re.findall(r"(\d+) ([a-z]+?)s?\b", words)
    )


def main() -> int:
    """Watch each command, and print the list as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*COMMANDS, []])
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--interrupt", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--left", action="store_true")
    asked = parser.parse_args()
    late = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(asked.workspace, folder / "ws", symlinks=True)
        kits = folder / "ws" / "kits"
        shutil.copytree(kits / "PaddleGAN", folder / "repo", symlinks=True)
        shutil.copytree(kits / "PaddleClas", folder / "hooked", symlinks=True)
        apply = ["apply", "PaddleClas", "--path", str(folder / "hooked"), "--quiet"]
        subprocess.run([sys.executable, "-m", "codemod", *apply], check=True)
        for name in asked.names or COMMANDS:
            line = COMMANDS[name].format(
                ws=folder / "ws",
                new=folder / "new",
                repo=folder / "repo",
                hooked=folder / "hooked",
                config=CONFIG,
            )
            env = dict(os.environ)
            if name in COLD:
                env["XDG_CACHE_HOME"] = str(folder / "cache")
            words = [sys.executable, "-m", "codemod", *line.split()]
            seconds = WHOLE_S if asked.left else asked.seconds
            shown = watched(words, asked.columns, seconds, env)
            if asked.left:
                _print_left(COMMANDS[name], shown)
                continue
            late |= shown.first is None or shown.first > asked.seconds
            if asked.first:
                first = "nothing" if shown.first is None else f"{shown.first:.2f} s"
                print(f"{first:>8}  codemod {COMMANDS[name]}", flush=True)
            else:
                _print(COMMANDS[name], shown, scratch, asked.interrupt)
    return int(late and asked.first)


def _print_left(command: str, shown: Shown) -> None:
    found = shown.half_way()
    if found is not None:
        left, true = found
        words = f"{left / true:5.2f}  {left:.0f} s told, {true:.0f} s true"
        print(f"{words}  codemod {command} ({shown.seconds:.0f} s)", flush=True)


def _print(command: str, shown: Shown, scratch: str, interrupt: bool) -> None:
    ended = f"ended with {shown.code}" if shown.code is not None else "running"
    print(f"\n### codemod {command}\n\nAfter {shown.seconds:.1f} s ({ended}):\n", flush=True)
    lines = shown.lines if shown.code is None else shown.lines[-2:]
    for text in lines or ["(nothing)"]:
        print("    " + text.replace(scratch, ""))
    if interrupt and shown.code is None:
        print("\nAfter Ctrl-C:\n")
        for text in shown.afterwards:
            print("    " + text.replace(scratch, ""))
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
