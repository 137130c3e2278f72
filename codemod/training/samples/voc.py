"""Pictures with boxes in Pascal VOC's format: an XML file a picture, lists of `picture xml`."""

from __future__ import annotations

from pathlib import Path

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

CLASSES = 4
_SIDES = ("xmin", "ymin", "xmax", "ymax")


def _object(label: int, box: tuple[int, int, int, int]) -> str:
    sides = "".join(f"<{s}>{v}</{s}>" for s, v in zip(_SIDES, box, strict=True))
    head = f"<name>class{label}</name><difficult>0</difficult>"
    return f"<object>{head}<bndbox>{sides}</bndbox></object>"


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two boxes a picture; the class is the colour. An eighth of `train.txt` is `val.txt` too."""
    random = seeded(seed)
    lines = []
    (folder / "annotations").mkdir(parents=True, exist_ok=True)
    shape = f"<size><width>{size}</width><height>{size}</height><depth>3</depth></size>"
    for index in range(count):
        picture, objects = Picture.noise(random, size, size), ""
        for label in random.sample(range(CLASSES), 2):
            box = random_box(random, size)
            picture.box(*box, colour_of(label))
            objects += _object(label, box)
        name = f"{index:05d}"
        picture.save(folder / "images" / f"{name}.png")
        text = f"<annotation>{shape}{objects}</annotation>\n"
        (folder / "annotations" / f"{name}.xml").write_text(text)
        lines.append(f"images/{name}.png annotations/{name}.xml\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
    (folder / "label_list.txt").write_text("".join(f"class{n}\n" for n in range(CLASSES)))
