"""Scans that were made before, each kept under a digest of all that it comes from.

A scan is near half of the work of `check` and `survey`. It comes from the kit's texts, its rule,
the loaded configs and this tool's own code, catalogue included: where one changes, it is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import codemod
from codemod.base.errors import CodemodError
from codemod.base.files.shared_file import read_bytes, replace_file
from codemod.base.files.state import cache_folder
from codemod.base.json_form import from_json, to_json
from codemod.code.kept import kept
from codemod.code.tree import Tree
from codemod.hazards.hazard import Occurrence
from codemod.hazards.scan import ModelHazards, scan_kit
from codemod.kits.config_rule import ConfigRule

# What a scan reads of a tree. A test holds that it reads nothing else.
READ = (".py", ".yaml", ".yml")
# What takes less time is not kept. The oldest go when there are so many: `check` and `survey` keep
# some forty of the ten kits.
_SHORT_S = 0.1
_MOST = 150
Configs = Mapping[str, dict[str, Any]]


def kept_scan(
    tree: Tree, rule: ConfigRule, configs: Configs, *, alike: bool = True
) -> tuple[ModelHazards, ...]:
    """As `scan_kit`, made once for the same texts, rule, configs and code."""
    folder = cache_folder() / "scans"
    file = folder / f"{_digest(tree, rule, configs, alike)}.json"
    # What cannot be read is made again, and what cannot be kept as well.
    with contextlib.suppress(CodemodError, ValueError, LookupError, TypeError, RecursionError):
        if data := read_bytes(file):
            return _unpacked(json.loads(data))
    began = time.process_time()
    made = scan_kit(tree, rule, configs, alike=alike)
    if time.process_time() - began > _SHORT_S:
        with contextlib.suppress(CodemodError, OSError):
            replace_file(file, json.dumps(_packed(made)).encode())
            for old in sorted(folder.glob("*.json"), key=_written)[:-_MOST]:
                old.unlink(missing_ok=True)
    return made


def _written(file: Path) -> float:
    return file.stat().st_mtime


def _digest(tree: Tree, rule: ConfigRule, configs: Configs, alike: bool) -> str:
    made = _texts(tree).copy()
    rest = (sys.version, rule, dict(configs), alike)
    made.update(repr(rest).encode("utf-8", "backslashreplace"))
    return made.hexdigest()


@kept(1)
def _texts(tree: Tree) -> hashlib._Hash:
    """A digest of what a scan reads beside its arguments."""
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


def _packed(models: tuple[ModelHazards, ...]) -> dict[str, Any]:
    """The models as JSON holds them, with each occurrence once: many configs have the same."""
    known = {id(one): one for model in models for one in model.found}
    numbers = {key: number for number, key in enumerate(known)}
    return {
        "occurrences": [to_json(one) for one in known.values()],
        "found": [[numbers[id(one)] for one in model.found] for model in models],
        "models": [to_json(replace(model, found=())) for model in models],
    }


def _unpacked(packed: dict[str, Any]) -> tuple[ModelHazards, ...]:
    known = [from_json(Occurrence, one) for one in packed["occurrences"]]
    return tuple(
        replace(from_json(ModelHazards, model), found=tuple(known[number] for number in found))
        for model, found in zip(packed["models"], packed["found"], strict=True)
    )
