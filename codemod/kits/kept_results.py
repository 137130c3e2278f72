"""What was found in a kit's texts before, kept under a digest of all that it comes from.

That is the texts, what the caller names beside them, and this tool's own code, catalogues included:
where one changes, the result is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import codemod
from codemod.base.errors import CodemodError
from codemod.base.files.shared_file import read_bytes, replace_file
from codemod.base.files.state import cache_folder
from codemod.code.kept import kept
from codemod.code.tree import Tree

# The files of a tree that a result may come from.
READ = (".py", ".yaml", ".yml")
# What takes less time is not kept. The oldest go when a folder holds so many: `check` and `survey`
# keep some forty scans of the ten kits.
_SHORT_S = 0.1
_MOST = 150
Result = TypeVar("Result")


def kept_result(
    folder: str,
    tree: Tree,
    beside: object,
    make: Callable[[], Result],
    pack: Callable[[Result], Any],
    unpack: Callable[[Any], Result],
) -> Result:
    """What `make` makes of a tree's texts and of what stands in `beside`, which `repr` tells whole.

    It is kept in a `folder` of the user's cache as `pack` puts it into JSON.
    """
    place = cache_folder() / folder
    file = place / f"{_digest(tree, beside)}.json"
    # What cannot be read is made again, and what cannot be kept as well.
    with contextlib.suppress(CodemodError, ValueError, LookupError, TypeError, RecursionError):
        if data := read_bytes(file):
            return unpack(json.loads(data))
    began = time.process_time()
    made = make()
    if time.process_time() - began > _SHORT_S:
        with contextlib.suppress(CodemodError, OSError):
            replace_file(file, json.dumps(pack(made)).encode())
            for old in sorted(place.glob("*.json"), key=_written)[:-_MOST]:
                old.unlink(missing_ok=True)
    return made


def _written(file: Path) -> float:
    return file.stat().st_mtime


def _digest(tree: Tree, beside: object) -> str:
    made = _texts(tree).copy()
    made.update(repr((sys.version, beside)).encode("utf-8", "backslashreplace"))
    return made.hexdigest()


@kept(1)
def _texts(tree: Tree) -> hashlib._Hash:
    """A digest of the texts that a result may come from."""
    made = hashlib.sha256(_CODE)
    for path in tree.paths(READ):
        made.update(f"{path}\0".encode("utf-8", "surrogateescape"))
        with contextlib.suppress(FileNotFoundError):
            made.update(hashlib.sha256(tree.read(path)).digest())
    return made


def _code() -> bytes:
    """A digest of this tool's modules and tables."""
    made = hashlib.sha256()
    folder = Path(codemod.__file__).parent
    found = (one for suffix in READ for one in folder.rglob(f"*{suffix}"))
    # An editor's lock is a link to nothing, with the ending of what is edited.
    for file in sorted(one for one in found if one.is_file()):
        made.update(f"{file.relative_to(folder)}\0".encode())
        made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.digest()


# Made with the import, before there is a process for each kit.
_CODE = _code()
