"""A real kit whose code turned hostile: what it reaches when the commands run it.

    python -m bench.attack.kits KIT CHECKOUT CONFIG [--paddle VERSION] [--seed N] [--count N]

Each attempt writes some of the steps of `bench.attack.boxes` behind every module of a copy's tools
and of the config's model. It runs `check --exec` or `probe`, which contain them, or `parity`, which
does not: there it must leave no process, and see no variable but those listed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import socket
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.attack.boxes import HEAD, LEAVES, STEPS, running, seen, terminal
from bench.attack.calling import called
from bench.attack.table import attack
from codemod.base.launch.containment import offered

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECRET = "CODEMOD_ATTACK_TOKEN"
_MARKED = "REACHED"
_TOLD = "STEPS MADE"


def attempt(options: argparse.Namespace, seed: int, folder: Path) -> str:
    """One command on one such kit."""
    draw = random.Random(seed)
    command = draw.choice(("check", "probe", "parity"))
    kit, outside = folder / "kit", folder / "outside"
    shutil.copytree(options.checkout, kit, ignore=shutil.ignore_patterns(".git"), symlinks=True)
    outside.mkdir()
    (outside / "kept").write_text("kept")
    before = seen(outside)
    mark = f"{600 + seed % 1000}.{os.getpid()}"
    names = draw.sample(sorted(STEPS), 8) if command != "parity" else []
    os.environ[_SECRET] = "secret"
    called("apply", options.kit, "--path", str(kit))
    with socket.create_server(("127.0.0.1", 0)) as server, terminal() as shown:
        head = HEAD.format(
            out=str(outside),
            outer=os.getpid(),
            port=server.getsockname()[1],
            mark=mark,
            terminal=shown,
        )
        _plant(kit, options.config, head + _body(names, draw.choices(LEAVES, k=2)))
        words = ("--path", str(kit), "--workspace", str(folder / "ws"))
        with _kept_logs():
            done = called(command, options.kit, *words, *_words(command, options))
    said = _logs(folder / "ws")
    if done.bug or done.code not in (0, 1, 2, 3):
        return f"{command} ends with {done.code} {done.bug}"
    if _TOLD not in said:
        return f"{command} did not run the kit's code: {done.err[-200:]!r}"
    if seen(outside) != before:
        return f"{command} changed a file outside"
    reached = [line for line in said.splitlines() if line.startswith(_MARKED)]
    if reached:
        return f"{command}: {reached[0]}"
    return f"{command} left a process" if running(mark) else ""


@contextmanager
def _kept_logs() -> Iterator[None]:
    """While nothing is removed: what a kit's code printed is where the attempt looks for it."""
    real = shutil.rmtree
    shutil.rmtree = lambda *_, **__: None  # type: ignore[assignment]
    try:
        yield
    finally:
        shutil.rmtree = real


def _words(command: str, options: argparse.Namespace) -> tuple[str, ...]:
    if command == "check":
        return ("--exec",)
    paddle = ("--paddle", options.paddle) if options.paddle else ()
    steps = ("--steps", "2", "--modes", "ast", "--no-controls") if command == "parity" else ()
    return ("-c", options.config, *paddle, *steps)


def _body(names: list[str], leaves: list[str]) -> str:
    """The steps, each of which says what it reached, in a function of its own."""
    secret = f"os.environ[{_SECRET!r}]"
    tried = {**{name: STEPS[name] for name in names}, "a secret variable": secret}
    body = "".join(
        f"try:\n    {step}\n    print({f'{_MARKED} {name}'!r}, file=sys.stderr, flush=True)\n"
        "except BaseException: pass\n"
        for name, step in tried.items()
    )
    started = "\n".join(leaves)
    return f"{body}{started}\nprint({_TOLD!r}, file=sys.stderr, flush=True)\n"


def _plant(kit: Path, config: str, code: str) -> None:
    """Behind the modules' own lines; the first of them that runs runs it."""
    once = "if not os.environ.get('PLANTED'):\n    os.environ['PLANTED'] = '1'"
    line = f"import os\n{once}\n    exec({code!r}, {{}})\n"
    for module in (*(kit / "tools").rglob("*.py"), *(kit / config).parent.rglob("*.py")):
        text = module.read_text(encoding="utf-8", errors="surrogateescape")
        module.write_text(f"{text}\n{line}", encoding="utf-8", errors="surrogateescape")


def _logs(workspace: Path) -> str:
    found = (one for one in workspace.rglob("*.log") if one.is_file() and not one.is_symlink())
    return "\n".join(one.read_text(errors="replace") for one in found)


def main() -> int:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kit")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("config")
    parser.add_argument("--paddle")
    options, sys.argv[1:] = parser.parse_known_args()
    if offered() != "all":
        sys.exit("This system offers no namespaces; see SECURITY.md for what is open then.")
    return attack(f"a hostile {options.kit}", 6, partial(attempt, options))


if __name__ == "__main__":
    sys.exit(main())
