"""Which lines a run executed: noted by the run itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from codemod.training.reads import (
    as_ranges,
    executed_of,
    from_ranges,
    lines_file,
    read_executed,
)
from codemod.training.runner import INJECT

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "tools/train.py": """
import sys
sys.path.insert(0, 'kit')
import net
exec(compile('x = 1', 'elsewhere.py', 'exec'))
if net.build(len(sys.argv) > 1):
    from parity_recorder.files import executed
    executed.follow(False)
    net.unseen()
    executed.follow(True)
    net.legs()
    net.Kept(1, 2).told(net.Kept(1, 2))
""",
    "kit/net.py": """
def build(static):
    if static:
        print('static')
    return True


def unseen():
    return 1


def legs():
    return 2


class Kept:
    def __init__(self, first, second):
        for name, value in locals().items():
            setattr(self, name, value)

    def told(self, options):
        return vars(options), self.vars()

    def vars(self):
        return dir()
""",
}


def run(root: Path, *arguments: str) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.lstrip())
    out = lines_file(root.parent / "ast.jsonl")
    out.unlink(missing_ok=True)
    env = {
        **os.environ,
        "PYTHONPATH": str(INJECT),
        "CODEMOD_LINES": json.dumps({"out": str(out), "root": str(root)}),
    }
    command = [sys.executable, "tools/train.py", *arguments]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return out


def test_lines_by_file_up_to_the_rest(tmp_path: Path) -> None:
    off = read_executed(run(tmp_path / "kit"))
    assert sorted(off) == ["kit/net.py", "tools/train.py"], "no file that is not there"
    assert off["kit/net.py"] == {1, 2, 4, 7, 11, 12, 15, 16, 20, 21, 23, 24}, (
        "neither the branch nor what rests, and what reads its own names is not followed"
    )
    on = read_executed(run(tmp_path / "kit", "on"))
    assert on["kit/net.py"] - off["kit/net.py"] == {3}


def test_of_some_files_with_their_digests(tmp_path: Path) -> None:
    noted = run(tmp_path / "kit")
    assert executed_of(noted, {"kit/net.py": "0123"}) == {
        "kit/net.py": "0123 1-2 4 7 11-12 15-16 20-21 23-24"
    }
    assert executed_of(tmp_path / "no.lines", {"kit/net.py": "0123"}) == {}


def test_ranges_and_back() -> None:
    for lines in (set(), {5}, {1, 2, 3}, {1, 3, 4, 9}):
        assert from_ranges(as_ranges(lines)) == lines
    assert as_ranges([9, 4, 3, 3, 1]) == "1 3-4 9"
