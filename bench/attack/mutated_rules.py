"""A kit's data files changed at random: a sentence and exit code 2, or a plan that is right.

Each attempt changes one of the YAML files of a kit a little and runs the commands that read it
on a small tree in that kit's manner (the first of its cases).
"""

from __future__ import annotations

import os
import random
import re
import sys
from typing import TYPE_CHECKING

from bench.attack.calling import Ended, called, time_limit
from bench.attack.hostile import difference, snapshot
from bench.attack.plants import git
from bench.attack.table import attack
from bench.attack.variants import is_json, parses
from codemod.base.errors import CodemodError
from codemod.base.files.data_folder import data_path
from codemod.engine.rule_cases import load_cases
from codemod.experiments.spec.evaluation import evaluation
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import CASES, kit_file
from codemod.training.recipes import read_recipe

if TYPE_CHECKING:
    from pathlib import Path

# As often as what they hold reaches code that changes files.
FILES = (
    *["rule.yaml"] * 6,
    *["configs.yaml"] * 2,
    "cases.yaml",
    "families.yaml",
    "docs.yaml",
    "recipe.yaml",
    "evaluation.yaml",
    "kits.yaml",
)
VALUES = (
    *("", "5", "-1", "1e999", "null", "true", "[]", "{}", "''", "[[[", "{a: {a: 1}}", "*a"),
    *("&a [*a]", "!!python/object/apply:os.getpid []", "!!timestamp x", "2001-99-99", "- x"),
    *("$MODEL", "$X = $Y($...)", "(a+)+$", "'('", "'[a'", "'\\x1b[2J'", '"\\0"', "../../x", "/"),
    *(
        "~",
        "'**'",
        "'def f(:'",
        "'a\\n  b'",
        "'x' * 9",
        "| \n  a\n  b",
        "<<: *a",
        "'\u202e'",
        "a" * 300,
    ),
)


def mutated(text: str, draw: random.Random) -> str:
    """The text with one to three of its lines changed."""
    lines = text.splitlines(keepends=True)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(lines))
        line, how = lines[at], draw.randrange(8)
        if how == 0:
            del lines[at]
        elif how == 1:
            lines.insert(at, draw.choice(lines))
        elif how == 2:
            lines[at] = re.sub(r":.*", lambda _: f": {draw.choice(VALUES)}", line, count=1)
        elif how == 3:
            lines[at] = re.sub(r"(?<=- ).*", lambda _: draw.choice(VALUES), line, count=1)
        elif how == 4:
            lines[at] = " " * draw.randint(1, 4) + line
        elif how == 5:
            words = re.findall(r"\w+", line) or [""]
            lines[at] = line.replace(draw.choice(words), draw.choice(("x", "", "0", "None")), 1)
        elif how == 6:
            place = draw.randrange(len(line) + 1)
            lines[at] = line[:place] + draw.choice("'\"[]{}:#&*!|>%@`\t\0$") + line[place:]
        else:
            lines[at] = line.rstrip("\n")[: draw.randrange(len(line) + 1)] + "\n"
        lines = lines or ["\n"]
    return "".join(lines)


def attempt(seed: int, folder: Path) -> str:
    """One changed file, and what reads it."""
    draw = random.Random(seed)
    name = draw.choice(FILES)
    kits = sorted(kit for kit in load_kits() if data_path(f"rules/{kit}/{name}").is_file())
    kit = draw.choice(kits or sorted(load_kits()))
    place = name if name == "kits.yaml" else f"rules/{kit}/{name}"
    root = tree_of(kit, folder / "kit")
    changed = folder / "data" / place
    changed.parent.mkdir(parents=True)
    changed.write_text(mutated(data_path(place).read_text(), draw))
    before = os.environ.get("CODEMOD_DATA")
    os.environ["CODEMOD_DATA"] = str(folder / "data")
    os.chdir(folder)
    try:
        with time_limit():
            fault = tried_out(name, kit, root)
    except TimeoutError:
        fault = "it does not end"
    finally:
        os.chdir("/")
        os.environ.pop("CODEMOD_DATA")
        if before is not None:
            os.environ["CODEMOD_DATA"] = before
    return f"{name}: {fault}" if fault else ""


def tree_of(kit: str, root: Path) -> Path:
    """A small repository in the kit's manner."""
    root.mkdir()
    file = kit_file(kit, CASES) or data_path(f"rules/PaddleSeg/{CASES}")
    case = load_cases(file)[0]
    for path, text in case.before.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def tried_out(name: str, kit: str, root: Path) -> str:
    """What is wrong with what the commands do that read the file `name`."""
    target = (kit, "--path", str(root))
    if name in ("recipe.yaml", "evaluation.yaml"):
        return asked(name, kit)
    readers: dict[str, list[tuple[str, ...]]] = {
        "rule.yaml": [("rules", "show", kit), ("rules", "test", kit)],
        "cases.yaml": [("rules", "test", kit)],
        "configs.yaml": [("check", *target, "--json"), ("survey", *target, "--json")],
        "families.yaml": [("survey", *target, "--json")],
        "docs.yaml": [("branch", *target, "--docs", "--json")],
        "kits.yaml": [("kits",), ("rules", "list")],
    }
    for words in (*readers[name], ("diff", *target, "--json")):
        before = snapshot(root) if words[0] != "branch" else {}
        done = called(*words)
        if fault := wrong(done):
            return f"`{words[0]}` {fault}"
        if "--json" in words and not is_json(done.out):
            return f"`{words[0]}` prints no JSON"
        if before and difference(before, snapshot(root)):
            return f"`{words[0]}` changes the kit"
    return applied(target, root)


def applied(target: tuple[str, ...], root: Path) -> str:
    """Whether `apply` does it all or nothing, and `revert` brings back every byte."""
    before = snapshot(root)
    done = called("apply", *target)
    after = snapshot(root)
    if fault := wrong(done):
        return f"`apply` {fault}"
    if done.code == 2 and difference(before, after):
        return "`apply` refuses, and has changed the kit"
    for path, (_, data) in after.items():
        if path.endswith(".py") and before.get(path) != after[path] and not parses(data):
            return "`apply` writes what does not parse"
    done = called("revert", *target)
    if fault := wrong(done):
        return f"`revert` {fault}"
    if done.code == 0 and difference(before, snapshot(root)):
        return "`revert` does not give the bytes back"
    return ""


def wrong(done: Ended) -> str:
    """What is wrong with how a command ended."""
    if done.bug:
        return f"ends in a fault of the tool ({done.bug})"
    if done.code not in (0, 1, 2):
        return f"ends with {done.code}"
    if done.code == 2 and done.err.strip().count("\n") > 0:
        return "says more than one sentence"
    return ""


def asked(name: str, kit: str) -> str:
    """Recipes and evaluations are read without a command: those that do so train."""
    try:
        if name == "recipe.yaml":
            read_recipe(kit, "configs/a.yml")
        else:
            evaluation(kit, "configs/a.yml")
    except CodemodError:
        return ""
    except Exception as error:
        return f"ends in a fault of the tool ({type(error).__name__})"
    return ""


if __name__ == "__main__":
    sys.exit(attack("mutations of rules and of a kit's other data", 250, attempt))
