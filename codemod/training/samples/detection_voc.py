"""Pictures with boxes in Pascal VOC's format: an XML file a picture, lists of `picture xml`."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, colour_of

CLASSES = 4
_SIDES = ("xmin", "ymin", "xmax", "ymax")


def _object(label: int, box: Box) -> str:
    sides = "".join(f"<{s}>{v}</{s}>" for s, v in zip(_SIDES, box, strict=True))
    head = f"<name>class{label}</name><difficult>0</difficult>"
    return f"<object>{head}<bndbox>{sides}</bndbox></object>"


def generate(samples: Samples) -> None:
    """Two boxes a picture; the class is the colour. An eighth of `train.txt` is `val.txt` too."""
    lines = []
    size = samples.size
    shape = f"<size><width>{size}</width><height>{size}</height><depth>3</depth></size>"
    for index in range(samples.count):
        picture, objects = samples.noise(), ""
        for label in samples.random.sample(range(CLASSES), 2):
            box = samples.box()
            picture.box(*box, colour_of(label))
            objects += _object(label, box)
        told = f"annotations/{index:05d}.xml"
        samples.write(told, f"<annotation>{shape}{objects}</annotation>\n")
        lines.append(f"{samples.save(index, picture)} {told}")
    samples.write_lists(lines)
    samples.write_lines("label_list.txt", (f"class{n}" for n in range(CLASSES)))
