"""All that is known of a kit is in one folder, `rules/<Kit>/`; a fork borrows what it lacks.

`kits.yaml` says which kit a fork is `like`: files that its own folder does not hold are that
kit's. Each file is looked up in the folder that `CODEMOD_DATA` names first, then in the tool's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from codemod.base.files.data_folder import data_path
from codemod.kits.catalogue import load_kits

RULE = "rule.yaml"
CASES = "cases.yaml"
CONFIGS = "configs.yaml"
RECIPE = "recipe.yaml"
FAMILIES = "families.yaml"
DOCS = "docs.yaml"
EVALUATION = "evaluation.yaml"
CONVERGENCE = "convergence.yaml"
ADAPTER = "adapter.py"
CAUSES = "causes.yaml"
FIXES = "fixes.yaml"
SWITCH = "switch.py"
LAUNCH = "launch.py"
SAMPLES = "samples"


def kit_file(kit: str, name: str) -> Path | None:
    """The file `name` of a kit's folder, or of the kit that it is like; None where neither has it.

    `kit` is spelt as in `kits.yaml`.
    """
    return next(filter(Path.is_file, _places(kit, name)), None)


def kit_files(kit: str, name: str) -> tuple[Path, ...]:
    """The Python files of a kit's folder `name`, its own and those it borrows, sorted."""
    return tuple(sorted(file for folder in _places(kit, name) for file in folder.glob("*.py")))


def kit_data(kit: str) -> tuple[tuple[str, bytes], ...]:
    """The names and texts of the YAML files of a kit's folder, and of those that it borrows."""
    files = (file for folder in _places(kit, "") for file in sorted(folder.glob("*.yaml")))
    return tuple((file.name, file.read_bytes()) for file in files)


def _places(kit: str, name: str) -> Iterator[Path]:
    """Where `name` may lie: in the kit's own folder, then in that of the kit that it is like."""
    known = load_kits().get(kit)
    for folder in filter(None, (kit, known.like if known else "")):
        yield data_path(f"rules/{folder}/{name}")


def adapter_version(kit: str) -> int | None:
    """The version of a kit's adapter, read from its text; None where there is none."""
    file = kit_file(kit, ADAPTER) if kit else None
    if file is None:
        return None
    found = re.search(r"^VERSION = (\d+)", file.read_text(encoding="utf-8"), re.M)
    return int(found[1]) if found else None


def kits_with(name: str) -> tuple[str, ...]:
    """The kits of `kits.yaml` that have the file `name`, their own or a borrowed one, sorted."""
    return tuple(sorted(kit for kit in load_kits() if kit_file(kit, name) is not None))
