"""A current folder full of modules and programs that leave a mark: none of them is run.

Commands and the steps of the Action are started in it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from bench.attack.table import TRAIN, attack

TOP = Path(__file__).parent.parent.parent
# Of Python, of the tool's dependencies, and of the tool itself.
MODULES = (
    *("venv", "pip", "uv", "paddle", "sitecustomize", "usercustomize", "sysconfig", "click"),
    *("codemod", "json", "subprocess", "ctypes", "box_inside", "yaml", "libcst", "encodings"),
    *("site", "os", "re", "typing", "git", "jinja2", "ray", "matplotlib", "psutil", "rich"),
    *("parity_recorder", "probe_inside", "switch_inside", "rehearsal_inside", "importlib"),
)
PROGRAMS = (
    *("git", "uv", "python3.10", "python3.11", "python", "python3", "gh", "nvidia-smi", "pip"),
    *("sh", "env", "unshare", "mount", "ssh", "git-upload-pack", "pager", "less", "vi"),
)
KIT = ("PaddleSeg", "--path", ".")
WORDS: tuple[tuple[str, ...], ...] = (
    ("kits",),
    ("doctor",),
    ("diff", "."),
    ("diff", *KIT, "-o", "out/a.patch"),
    ("apply", "."),
    ("apply", ".", "--rehearse"),
    ("revert", "."),
    ("check", *KIT, "--comment", "comment.md"),
    ("check", *KIT, "--exec"),
    ("survey", *KIT, "-o", "out/"),
    ("fix", *KIT),
    ("branch", *KIT),
    ("probe", *KIT, "--count", "1"),
    ("parity", *KIT, "-c", "configs/small.yml", "--python", sys.executable),
    ("spec", *KIT, "-c", "configs/small.yml", "--python", sys.executable),
    ("rules", "list"),
    ("rules", "scaffold", "."),
    ("report",),
    ("env", "PaddleSeg"),
)
SCRIPTS = ("check.sh", "install.sh")


def attempt(seed: int, folder: Path) -> str:
    """One command or step of the Action, in one such folder."""
    draw = random.Random(seed)
    kit, mark = folder / "kit", folder / "mark"
    plant(kit, mark, draw)
    if draw.random() < 0.2:
        script = draw.choice(SCRIPTS)
        step(kit, script, folder / "runner")
        what = script
    else:
        words = draw.choice(WORDS)
        said = command(kit, words, folder, draw)
        what = words[0]
        if "Traceback" in said:
            return f"{what} ends in a traceback"
    return f"{what} runs {mark.read_text().split()[0]}" if mark.exists() else ""


def plant(kit: Path, mark: Path, draw: random.Random) -> None:
    """A small kit beside the files that would run."""
    (kit / "configs").mkdir(parents=True)
    (kit / "train.py").write_bytes(TRAIN)
    (kit / "configs" / "small.yml").write_text("epochs: 1\n")
    for name in draw.sample(MODULES, draw.randint(8, len(MODULES))):
        code = f"open({str(mark)!r}, 'a').write('module-{name} ')\n"
        if draw.random() < 0.3:
            (kit / name).mkdir()
            (kit / name / "__init__.py").write_text(code)
            (kit / name / "__main__.py").write_text(code)
        else:
            (kit / f"{name}.py").write_text(code)
    for name in draw.sample(PROGRAMS, draw.randint(5, len(PROGRAMS))):
        if not (kit / name).exists():
            (kit / name).write_text(f"#!/bin/bash\necho program-{name} >> {mark}\nexit 1\n")
            (kit / name).chmod(0o755)
    (kit / "evil.pth").write_text(f"import os; os.system('echo pth >> {mark}')\n")
    (kit / "pyvenv.cfg").write_text("home = .\n")


def command(kit: Path, words: tuple[str, ...], folder: Path, draw: random.Random) -> str:
    """What a command says there, with a `PATH` whose entries also mean the current folder."""
    start = draw.choice((".::{}", "{}:.", ":{}", "./:{}"))
    env = {
        **os.environ,
        "PATH": start.format(os.environ["PATH"]),
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PIP_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_NO_INDEX": "1",
        "CODEMOD_MIRROR": str(folder / "no-such-mirror"),
    }
    line = [sys.executable, "-I", "-m", "codemod", *words]
    done = subprocess.run(line, cwd=kit, env=env, capture_output=True, text=True, check=False)
    return done.stderr


def step(kit: Path, script: str, runner: Path) -> subprocess.CompletedProcess[str]:
    """A step of the Action, with the pull request's checkout as its current folder."""
    runner.mkdir()
    env = {
        **os.environ,
        "PYTHON": sys.executable,
        "GITHUB_ACTION_PATH": str(TOP),
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
        "KIT": "PaddleSeg",
        "CHECKOUT": ".",
        "BASE": "",
        "FAIL_ON": "none",
        "PIP_NO_INDEX": "1",
        "PYTHONPATH": ".",
    }
    line = ["bash", str(TOP / "action" / script)]
    return subprocess.run(line, cwd=kit, env=env, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(attack("modules and programs in the current folder, the Action too", 100, attempt))
