"""Who calls a function of another file: read from the text first, so only few files are parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.code.project import Project
from codemod.code.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

HOME = "def train(model):\n    return model\n"
CALLING = {
    "from lib.home import train\ntrain(net)\n",
    "from lib.home import (\n    other,  # train :)\n    train,\n)\ntrain(net)\n",
    "from lib.home import other, \\\n    train\ntrain(net)\n",
    "from lib.home import *\ntrain(net)\n",
    "from lib import train\ntrain(net)\n",
    "from .lib.home import train\ntrain(net)\n",
    "import lib.home as home\nhome.train(net)\n",
    "from lib import home\nhome.\\\n    train(net)\n",
    "import lib.home\nlib.home.train(net)\n",
    "def main():\n    from lib.home import train\n    return train(net)\n",
    '"""As from elsewhere import (see."""\nfrom lib.home import train\ntrain(net)\n',
}
# A file that does not parse is a fault as soon as somebody reads it as Python.
OTHERS = {
    "from lib.home import other\nparser.train(net)\n(",
    "from lib.home import other\nself.train(net)\n(",
    "from lib.home import other\nbuild().train(net)\n(",
    "from lib.home import other\ntrain(net)\n(",
    "from elsewhere.home import train\ntrain(net)\n(",
    "from near import train\nimport home\ntrain(net)\n(",
    "from lib.home import trainer\ndef train(net):\n    pass\ntrain(net)\n(",
}


def project(root: Path, main: str) -> Project:
    for name, text in {
        "lib/__init__.py": "from .home import train\n",
        "lib/home.py": HOME,
        "near.py": "def train(net):\n    pass\n",
        "main.py": main,
    }.items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Project(Tree(root))


@pytest.mark.parametrize("main", sorted(CALLING))
def test_a_call_is_found_by_whatever_import(tmp_path: Path, main: str) -> None:
    made = project(tmp_path, main)
    home = made.module("lib/home.py")
    assert home is not None
    callers = made.callers_elsewhere(home, home.scopes[1])
    assert [caller.module.path for caller in callers] == ["main.py"]


@pytest.mark.parametrize("main", sorted(OTHERS))
def test_a_file_that_cannot_mean_it_is_not_parsed(tmp_path: Path, main: str) -> None:
    made = project(tmp_path, main)
    home = made.module("lib/home.py")
    assert home is not None
    assert made.callers_elsewhere(home, home.scopes[1]) == ()
    assert made.faults == {}


def test_open_brackets_do_not_make_the_search_slow(tmp_path: Path) -> None:
    """Unmended, each of these imports would be looked through to the end of the file."""
    made = project(tmp_path, "import home\n" + "import (# \n" * 80_000 + "train(net)\n")
    home = made.module("lib/home.py")
    assert home is not None
    assert made.callers_elsewhere(home, home.scopes[1]) == ()
    assert set(made.faults) == {"main.py"}
