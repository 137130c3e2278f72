"""Small sample data for any config: seeded, made on the spot, in the kit's own format.

A kind is a module with `generate(samples)`: one of the kit's own, in `rules/<Kit>/samples/`, or one
of those here that serve several kits. Only the standard library is
used, so that data can be made without any of the kits' packages.
"""

from __future__ import annotations

import importlib
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from codemod.base.errors import UsageError
from codemod.base.terminal.doing import doing
from codemod.kits.folder import SAMPLES, kit_file, kit_files
from codemod.training.samples.making import Samples

# Increase it when generators write something else: what an older one made is made again. A module
# with a `VERSION` counts by itself.
VERSION = 2

# Kinds that several kits share.
SHARED = ("classification", "detection", "detection-voc", "segmentation")


def kinds_of(kit: str) -> tuple[str, ...]:
    """The kinds that a kit's recipe may name, sorted."""
    own = (file for file in kit_files(kit, SAMPLES) if b"\ndef generate(" in file.read_bytes())
    return tuple(sorted({*SHARED, *(file.stem.replace("_", "-") for file in own)}))


def made_by(kind: str, kit: str) -> str:
    """The kind with the version of what makes it."""
    return f"{kind} {_version(_module(kind, kit))}"


def generate(kind: str, kit: str, folder: Path, count: int, size: int, seed: int = 0) -> Path:
    """Make `count` samples of a kit's `kind`, pictures `size` pixels wide; returns the folder.

    A folder that this version completed is left as it is.

    Raises:
        UsageError: neither the kit nor the tool has the kind.
    """
    module = _module(kind, kit)
    stamp = folder / f".made-{kind}-{count}-{size}-{seed}-{_version(module)}"
    if not stamp.exists():
        doing(f"Making samples: {kind}")
        folder.mkdir(parents=True, exist_ok=True)
        module.generate(Samples(folder, count, size, seed))
        stamp.touch()
    return folder


def _module(kind: str, kit: str) -> ModuleType:
    name = kind.replace("-", "_")
    file = kit_file(kit, f"{SAMPLES}/{name}.py")
    if file is not None:
        return importlib.import_module(f"{_package(file.parent.resolve())}.{file.stem}")
    if kind not in SHARED:
        known = ", ".join(kinds_of(kit))
        raise UsageError(f"There is no sample data of kind {kind!r}.", f"Known: {known}.")
    return importlib.import_module(f"{__name__}.{name}")


def _package(folder: Path) -> str:
    """The name under which a kit's samples are imported: they import what lies beside them."""
    name = f"kit_samples_{sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name


def _version(module: ModuleType) -> int:
    version: int = getattr(module, "VERSION", VERSION)
    return version
