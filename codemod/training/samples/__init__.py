"""Small sample data for any config: seeded, made on the spot, in the kit's own format.

Only the standard library is used, so that data can be made without any of the kits' packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.doing import doing
from codemod.base.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

# Increase it when a generator writes something else: what an older one made is made again.
VERSION = 2
# The same for one kind alone.
VERSIONS = {"texts": 3}

# Kind -> module; each has `generate(folder, count, size, seed)`.
KINDS = {
    "classification": "classification",
    "segmentation": "segmentation",
    "matting": "matting",
    "detection": "coco",
    "detection-voc": "voc",
    "keypoints": "coco_keypoints",
    "text-detection": "text_detection",
    "text-recognition": "text_recognition",
    "digits": "digits",
    "unpaired": "unpaired",
    "paired": "paired",
    "clips": "clips",
    "skeletons": "skeletons",
    "tokens": "tokens",
    "tagged": "tagged",
    "texts": "texts",
    "instructions": "instructions",
    "extraction": "extraction",
    "intents": "intents",
    "answers": "answers",
    "documents": "documents",
    "points": "points",
    "tracks": "tracks",
}


def made_by(kind: str) -> str:
    """The kind with the version of what makes it."""
    return f"{kind} {VERSIONS.get(kind, VERSION)}"


def generate(kind: str, folder: Path, count: int, size: int, seed: int = 0) -> Path:
    """Make `count` samples of `kind` in `folder`, pictures `size` pixels wide; returns the folder.

    A folder that this version completed is left as it is. Raises UsageError for an unknown kind.
    """
    if kind not in KINDS:
        raise UsageError(
            f"There is no sample data of kind {kind!r}.", f"Known: {', '.join(KINDS)}."
        )
    stamp = folder / f".made-{kind}-{count}-{size}-{seed}-{VERSIONS.get(kind, VERSION)}"
    if not stamp.exists():
        import importlib

        doing(f"Making samples: {kind}")
        folder.mkdir(parents=True, exist_ok=True)
        module = importlib.import_module(f"codemod.training.samples.{KINDS[kind]}")
        module.generate(folder, count, size, seed)
        stamp.touch()
    return folder
