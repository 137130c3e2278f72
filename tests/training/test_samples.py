"""Sample data: the same for a seed, another for another, readable by plain readers."""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from codemod.base.errors import UsageError
from codemod.training.samples import KINDS, VERSION, generate
from codemod.training.samples.pictures import Picture


def checksum(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_fixes_every_byte(tmp_path: Path, kind: str) -> None:
    first, second, other = (
        checksum(generate(kind, tmp_path / name, 6, 64, seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    stamps = {path.name for path in (tmp_path / "c").glob(".made-*")}
    assert first == second
    assert first != other
    assert stamps == {f".made-{kind}-6-64-2-{VERSION}"}


def test_png_can_be_decoded(tmp_path: Path) -> None:
    picture = Picture(3, 2)
    picture.box(1, 0, 9, 1, b"\x01\x02\x03")
    picture.save(tmp_path / "a.png")
    content = (tmp_path / "a.png").read_bytes()
    length = struct.unpack(">I", content[33:37])[0]
    assert struct.unpack(">II", content[16:24]) == (3, 2)
    assert zlib.decompress(content[41 : 41 + length]) == (
        b"\0" + b"\0\0\0" + b"\x01\x02\x03" * 2 + b"\0" + b"\0" * 9
    )


def test_a_turned_picture_keeps_its_colours() -> None:
    picture = Picture(3, 2)
    picture.box(0, 0, 1, 1, b"\x01\x02\x03")
    turned = picture.upside_down()
    assert bytes(turned.pixels) == b"\0" * 15 + b"\x01\x02\x03"
    assert turned.upside_down().pixels == picture.pixels


def test_matting_has_every_part_that_its_lists_name(tmp_path: Path) -> None:
    folder = generate("matting", tmp_path, 8, 64)
    train = [line.split() for line in (folder / "train.txt").read_text().splitlines()]
    ((front, back, trimap),) = (
        line.split() for line in (folder / "val.txt").read_text().splitlines()
    )
    assert len(train) == 8
    for foreground, background in (*train, (front, back)):
        # The kit finds the opacity by this replacement.
        alpha = f"{folder}/{foreground}".replace("/fg", "/alpha")
        assert grey_values(Path(alpha)) == {0, 51, 102, 153, 204, 255}
        assert (folder / foreground).is_file() and (folder / background).is_file()
    assert grey_values(folder / trimap) == {0, 128, 255}


def grey_values(path: Path) -> set[int]:
    content = path.read_bytes()
    (length,) = struct.unpack(">I", content[33:37])
    rows, width = zlib.decompress(content[41 : 41 + length]), 64 + 1
    return {value for n, value in enumerate(rows) if n % width}


def test_coco_names_its_pictures(tmp_path: Path) -> None:
    folder = generate("keypoints", tmp_path, 8, 64)
    content = json.loads((folder / "annotations" / "train.json").read_text())
    assert all((folder / "images" / item["file_name"]).is_file() for item in content["images"])
    assert {len(item["keypoints"]) for item in content["annotations"]} == {51}


def test_voc_names_its_pictures_and_classes(tmp_path: Path) -> None:
    folder = generate("detection-voc", tmp_path, 8, 64)
    names = (folder / "label_list.txt").read_text().split()
    rows = [line.split() for line in (folder / "train.txt").read_text().splitlines()]
    assert len(rows) == 8
    for picture, marks in rows:
        tree = ElementTree.parse(folder / marks)
        assert (folder / picture).is_file()
        assert tree.findtext("size/width") == "64"
        for found in tree.iter("object"):
            left, top, right, bottom = (
                int(found.findtext(f"bndbox/{side}") or -1)
                for side in ("xmin", "ymin", "xmax", "ymax")
            )
            assert found.findtext("name") in names
            assert 0 <= left < right <= 64 and 0 <= top < bottom <= 64


def test_arrays_are_numpys(tmp_path: Path) -> None:
    folder = generate("skeletons", tmp_path, 4, 8)
    assert np.load(folder / "data.npy").shape == (4, 3, 8, 25, 2)
    assert np.load(folder / "label.npy").tolist() == [0, 1, 2, 3]


def test_a_kitti_label_lies_where_the_camera_sees_it(tmp_path: Path) -> None:
    """Trainers project a label's place and drop it where that is outside the picture."""
    training = generate("points", tmp_path, 6, 64) / "training"
    for name in (f"{number:06d}" for number in range(6)):
        rows = dict(
            line.split(": ")
            for line in (training / "calib" / f"{name}.txt").read_text().split("\n")[:-1]
        )
        camera = np.array(rows["P2"].split(), dtype=float).reshape(3, 4)
        words = (training / "label_2" / f"{name}.txt").read_text().split()
        left, top, right, bottom, height = (float(word) for word in words[4:9])
        place = np.array([float(word) for word in words[11:14]])
        x, y, depth = camera @ [place[0], place[1] - height / 2, place[2], 1]
        assert 0 <= left <= x / depth <= right <= 192
        assert 0 <= top <= y / depth <= bottom <= 64
        cloud = np.fromfile(training / "velodyne" / f"{name}.bin", dtype=np.float32).reshape(-1, 4)
        # A point x ahead and y to the left is at (-y, ., x) for the camera.
        near = (abs(cloud[:, 0] - place[2]) < 2) & (abs(cloud[:, 1] + place[0]) < 0.85)
        assert (near & (cloud[:, 2] > -1.65)).sum() > 200


def test_digits_can_be_read_by_hundreds(tmp_path: Path) -> None:
    folder = generate("digits", tmp_path, 101, 28)
    images = gzip.decompress((folder / "images.gz").read_bytes())
    labels = gzip.decompress((folder / "labels.gz").read_bytes())
    assert struct.unpack(">IIII", images[:16]) == (2051, 200, 28, 28)
    assert len(images) == 16 + 200 * 28 * 28
    assert struct.unpack(">II", labels[:8]) == (2049, 200)
    assert list(labels[8:]) == [number % 10 for number in range(200)]


def test_every_tag_and_word_is_listed(tmp_path: Path) -> None:
    folder = generate("tagged", tmp_path, 8, 12)
    lists = {name: (folder / f"{name}.dic").read_text().split() for name in ("word", "tag")}
    lines = (folder / "train.tsv").read_text().splitlines()
    assert len(lines) == 8
    for line in lines:
        words, tags = (part.split("\x02") for part in line.split("\t"))
        assert len(words) == len(tags)
        assert set(words) <= set(lists["word"])
        assert set(tags) <= set(lists["tag"])


def test_a_tiny_model_fits_its_vocabulary(tmp_path: Path) -> None:
    folder = generate("texts", tmp_path, 8, 12) / "model"
    config = json.loads((folder / "config.json").read_text())
    content = (folder / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + length])
    (entry,) = (entry for name, entry in header.items() if name != "__metadata__")
    values = np.frombuffer(content[8 + length :], "<f4").reshape(entry["shape"])
    words = (folder / "vocab.txt").read_text().split()
    assert values.shape == (config["vocab_size"], config["hidden_size"])
    assert len(words) == config["vocab_size"]
    assert 0.01 < values.std() < 0.03


def test_unknown_kinds_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no sample data of kind 'smells'"):
        generate("smells", tmp_path, 1, 8)
