"""Sample data: the same for a seed, another for another, readable by plain readers."""

from __future__ import annotations

import base64
import gzip
import hashlib
import itertools
import json
import pickle
import struct
import wave
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml

from codemod.base.errors import UsageError
from codemod.training.recipes import known_kits
from codemod.training.samples import generate, kinds_of, made_by
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture
from rules.PaddleNLP.samples.language_models import MODELS, write_model
from rules.PaddleOCR.samples.lightning import lmdb

# Pictures that move, sounds and many texts; a sample of each sort is made by a faster kind.
HEAVY = {
    *(("PaddleGAN", "speakers"), ("PaddleGAN", "videos"), ("Paddle3D", "scans")),
    *(("PaddleVideo", kind) for kind in ("videos", "activities", "rated-clips", "clips")),
    *(("PaddleNLP", kind) for kind in ("instructions", "corpora", "opinions", "texts", "pieces")),
    ("PaddleOCR", "blurred-text"),
}
KINDS = [(kit, kind) for kit in known_kits() for kind in kinds_of(kit)]


def checksum(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize(
    ("kit", "kind"),
    [pytest.param(*one, marks=pytest.mark.slow if one in HEAVY else []) for one in KINDS],
)
def test_a_seed_fixes_every_byte(tmp_path: Path, kit: str, kind: str) -> None:
    first, second, other = (
        checksum(generate(kind, kit, tmp_path / name, 6, 64, seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    stamps = {path.name for path in (tmp_path / "c").glob(".made-*")}
    assert first == second
    assert first != other
    assert stamps == {f".made-{kind}-6-64-2-{made_by(kind, kit).split()[1]}"}


def test_png_can_be_decoded() -> None:
    picture = Picture(3, 2)
    picture.box(1, 0, 9, 1, b"\x01\x02\x03")
    content = picture.png()
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
    folder = generate("matting", "PaddleSeg", tmp_path, 8, 64)
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


def test_a_segments_number_is_read_from_what_the_kit_transposes(tmp_path: Path) -> None:
    """PaddleSeg's transforms put the channels of a label first, and PanopticDeepLab reads on."""
    folder = generate("panoptic", "PaddleSeg", tmp_path, 1, 24) / "gtFine"
    listed = json.loads((folder / "cityscapes_panoptic_train_trainId.json").read_text())
    (annotation,) = listed["annotations"]
    content = (folder / "cityscapes_panoptic_train_trainId" / annotation["file_name"]).read_bytes()
    (length,) = struct.unpack(">I", content[33:37])
    rows = zlib.decompress(content[41 : 41 + length])
    grey = np.frombuffer(rows, np.uint8).reshape(24 * 24, 1 + 24)[:, 1:]
    label = grey.reshape(-1, 24, 24).transpose(1, 2, 0)  # as a label of more rows is read
    planes = label.transpose(2, 0, 1).astype(int)
    numbers = planes[:, :, 0] + 256 * planes[:, :, 1] + 65536 * planes[:, :, 2]
    areas = {one["id"]: one["area"] for one in annotation["segments_info"]}
    assert len(areas) == 2
    assert dict(zip(*np.unique(numbers, return_counts=True), strict=True)) == areas


def test_a_label_s_colours_are_the_numbers_of_its_segments(tmp_path: Path) -> None:
    folder = generate("coco-panoptic", "PaddleSeg", tmp_path, 130, 16)
    listed = json.loads((folder / "panoptic.json").read_text())
    lines = [line.split() for line in (folder / "train.txt").read_text().splitlines()]
    for (picture, label), described in zip(lines, listed["annotations"], strict=True):
        # The kit takes a picture's number from its name.
        assert int(Path(picture).stem) == described["image_id"]
        content = (folder / label).read_bytes()
        (length,) = struct.unpack(">I", content[33:37])
        rows = np.frombuffer(zlib.decompress(content[41 : 41 + length]), np.uint8)
        pixels = rows.reshape(16, 1 + 16 * 3)[:, 1:].reshape(16, 16, 3).astype(int)
        numbers = pixels @ [1, 256, 65536]
        assert set(numbers.flat) == {segment["id"] for segment in described["segments_info"]}


def test_videos_have_scribbles_on_their_objects_and_weights_by_name(tmp_path: Path) -> None:
    folder = generate("interactive", "PaddleVideo", tmp_path, 2, 64)
    for video in (folder / "ImageSets" / "2017" / "train.txt").read_text().split():
        frames = sorted((folder / "JPEGImages" / "480p" / video).iterdir())
        masks = sorted((folder / "Annotations" / "480p" / video).iterdir())
        assert [path.stem for path in frames] == [path.stem for path in masks]
        assert all(grey_values(mask) == {0, 1, 2} for mask in masks)
        drawn = json.loads((folder / "Scribbles" / video / "002.json").read_text())["scribbles"]
        assert [[line["object_id"] for line in lines] for lines in drawn[:4]] == [
            [],
            [],
            [1, 2],
            [],
        ]
    assert pickle.loads((folder / "weights.pdparams").read_bytes()) == {"state_dict": {}}
    weights = pickle.loads((folder / "stage1.pdparams").read_bytes(), encoding="latin1")
    assert len(weights) == 3 + 4 + 23 + 3 + 4
    named = weights["feature_extracter.backbone.layer4.2.bn3.weight"]
    assert (named.shape, named.dtype, float(named.max())) == ((2048,), np.float32, 0.0)


def test_coco_names_its_pictures(tmp_path: Path) -> None:
    folder = generate("keypoints", "PaddleDetection", tmp_path, 8, 64)
    content = json.loads((folder / "annotations" / "train.json").read_text())
    assert all((folder / "images" / item["file_name"]).is_file() for item in content["images"])
    assert {len(item["keypoints"]) for item in content["annotations"]} == {51}


def test_hands_have_their_points_within_their_boxes(tmp_path: Path) -> None:
    folder = generate("hands", "PaddleDetection", tmp_path, 8, 64)
    for item in json.loads((folder / "annotations" / "train.json").read_text())["annotations"]:
        for side in ("left", "right"):
            left, top, width, height = item[f"{side}hand_box"]
            points = np.array(item[f"{side}hand_kpts"]).reshape(21, 3)
            assert item[f"{side}hand_valid"]
            assert ((points[:, :2] >= [left, top]) & (points[:, 1::-1] < 64)).all()
            assert (points[:, :2] < [left + width, top + height]).all()


def test_people_in_space_are_in_stills_and_frames(tmp_path: Path) -> None:
    folder = generate("poses", "PaddleDetection", tmp_path, 8, 64)
    stills = json.loads((folder / "pose3d.json").read_text())["data"]
    act = folder / "frames" / "act"
    listed = json.loads((act / "json_results" / "player_0" / "player_0.json").read_text())
    assert len(stills) == len(listed["images"]) == 8
    for still, frame in zip(stills, listed["images"], strict=True):
        name = frame["file_name"]
        assert still["imageName"] == name and (folder / "images" / name).is_file()
        assert (act / "images" / name).is_file()
        assert np.array(still["gt_keypoint_2d"]).shape == (24, 3)
        assert np.array(still["pose3d"]).shape == (24, 4)
        corners = (act / "joint_pc" / "player_0" / name).with_suffix(".obj").read_text()
        read = np.array([line.split()[1:] for line in corners.splitlines()], float)
        # The trainer takes the first 23 and number 37.
        taken = np.concatenate([read[:23], read[[37]]])
        assert np.allclose(taken * 100, np.array(still["pose3d"])[:, :3], atol=1e-4)


def test_lanes_lie_where_their_label_has_them(tmp_path: Path) -> None:
    folder = generate("lanes", "PaddleDetection", tmp_path, 4, 64)
    for line in (folder / "list" / "train_gt.txt").read_text().splitlines():
        picture, label, *exist = line.split()
        assert exist == ["1"] * 4 and (folder / picture[1:]).is_file()
        content = (folder / label[1:]).read_bytes()
        (length,) = struct.unpack(">I", content[33:37])
        rows = np.frombuffer(zlib.decompress(content[41 : 41 + length]), np.uint8)
        numbers = rows.reshape(64, 1 + 64)[:, 1:]
        assert set(numbers.flat) == {0, 1, 2, 3, 4}
        lines = (folder / picture[1:]).with_suffix(".lines.txt").read_text().splitlines()
        for lane, text in enumerate(lines):
            x, y = np.array(text.split(), int).reshape(-1, 2).T
            assert len(x) > 8 and (np.diff(y) > 0).all()
            # Where two lanes meet, the later one covers the other.
            assert (numbers[y, x] >= lane + 1).all()


def test_followed_objects_of_a_class_are_counted_from_one(tmp_path: Path) -> None:
    folder = generate("class-tracks", "PaddleDetection", tmp_path, 24, 64)
    rows = [path.read_text().split("\n")[:-1] for path in (folder / "labels_with_ids").iterdir()]
    seen = {tuple(map(int, row.split()[:2])) for frame in rows for row in frame}
    assert seen == {(label, number) for label in (0, 1) for number in (1, 2, 3)}


def test_voc_names_its_pictures_and_classes(tmp_path: Path) -> None:
    folder = generate("detection-voc", "PaddleYOLO", tmp_path, 8, 64)
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
    folder = generate("skeletons", "PaddleVideo", tmp_path, 4, 8)
    assert np.load(folder / "data.npy").shape == (4, 3, 8, 25, 2)
    assert np.load(folder / "label.npy").tolist() == [0, 1, 2, 3]


def test_a_kitti_label_lies_where_the_camera_sees_it(tmp_path: Path) -> None:
    """Trainers project a label's place and drop it where that is outside the picture."""
    training = generate("points", "Paddle3D", tmp_path, 6, 64) / "training"
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


def test_a_laser_sees_cars_and_houses_where_they_are_labelled(tmp_path: Path) -> None:
    """The trainer draws a scan between 25 degrees below the horizon and three above it."""
    sequences = generate("scans", "Paddle3D", tmp_path, 2, 64) / "sequences"
    assert [path.name for path in sorted(sequences.iterdir())] == ["00", "08"]
    assert len(list((sequences / "00" / "velodyne").iterdir())) == 2
    for file in (sequences / "00" / "velodyne").iterdir():
        points = np.fromfile(file, dtype=np.float32).reshape(-1, 4)
        labels = np.fromfile(sequences / "00" / "labels" / f"{file.stem}.label", dtype=np.uint32)
        far = np.linalg.norm(points[:, :3], axis=1)
        pitch = np.degrees(np.arcsin(points[:, 2] / far))
        assert pitch.min() > -25.01 and pitch.max() < 3.01
        assert set(labels) == {10, 40, 50, 70}
        assert np.allclose(far[labels == 10], 8) and np.allclose(far[labels == 50], 20)
        assert np.allclose(points[labels == 40][:, 2], -1.7, atol=1e-3)


def test_digits_can_be_read_by_hundreds(tmp_path: Path) -> None:
    folder = generate("digits", "PaddleGAN", tmp_path, 101, 28)
    images = gzip.decompress((folder / "images.gz").read_bytes())
    labels = gzip.decompress((folder / "labels.gz").read_bytes())
    assert struct.unpack(">IIII", images[:16]) == (2051, 200, 28, 28)
    assert len(images) == 16 + 200 * 28 * 28
    assert struct.unpack(">II", labels[:8]) == (2049, 200)
    assert list(labels[8:]) == [number % 10 for number in range(200)]


def test_every_tag_and_word_is_listed(tmp_path: Path) -> None:
    folder = generate("tagged", "PaddleNLP", tmp_path, 8, 12)
    lists = {name: (folder / f"{name}.dic").read_text().split() for name in ("word", "tag")}
    lines = (folder / "train.tsv").read_text().splitlines()
    assert len(lines) == 8
    for line in lines:
        words, tags = (part.split("\x02") for part in line.split("\t"))
        assert len(words) == len(tags)
        assert set(words) <= set(lists["word"])
        assert set(tags) <= set(lists["tag"])


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_a_tiny_model_fits_its_vocabulary(kind: str, tmp_path: Path) -> None:
    write_model(Samples(tmp_path, 1, 8, 0), ".", kind)
    config = json.loads((tmp_path / "config.json").read_text())
    lines = [line.split("\t") for line in (tmp_path / "vocab.txt").read_text().splitlines()]
    words = [line[0] for line in lines]
    numbers = [str(number) for number in range(len(words))] if kind == "unimo" else []
    assert [line[1] for line in lines if line[1:]] == numbers
    assert config["model_type"] == kind
    assert len(words) == len(set(words)) <= config["vocab_size"]
    if not MODELS[kind].embedding:
        assert not (tmp_path / "model.safetensors").exists()
        return
    content = (tmp_path / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + length])
    (entry,) = (entry for name, entry in header.items() if name != "__metadata__")
    values = np.frombuffer(content[8 + length :], "<f4").reshape(entry["shape"])
    assert values.shape == (config["vocab_size"], config["hidden_size"])
    assert 0.01 < values.std() < 0.03


def test_pieces_are_numbered_as_the_words_are(tmp_path: Path) -> None:
    write_model(Samples(tmp_path, 1, 8, 0), ".", "llama")
    content = (tmp_path / "sentencepiece.bpe.model").read_bytes()
    pieces = []
    while content:
        # Each entry: its length, then the text with its own, a score of five bytes, a kind of two.
        assert content[0] == 0x0A and content[2] == 0x0A
        size, text = content[1], content[4 : 4 + content[3]]
        assert size == 2 + len(text) + 5 + 2
        pieces.append((text.decode(), content[1 + size]))
        content = content[2 + size :]
    config = json.loads((tmp_path / "config.json").read_text())
    words = (tmp_path / "vocab.txt").read_text().split()
    assert [text.lstrip("\u2581") for text, _ in pieces] == words
    assert pieces[config["bos_token_id"]] == ("<s>", 3)
    assert pieces[config["pad_token_id"]] == ("<pad>", 3)
    assert pieces[0] == ("<unk>", 2) and pieces[-1] == ("\u2581w194", 1)


def test_answers_stand_in_their_texts(tmp_path: Path) -> None:
    rows = _lines(
        generate("answers", "PaddleNLP", tmp_path / "answers", 16, 12) / "clue" / "train.jsonl"
    )
    for row in rows:
        (text,), (start,) = row["answers"]["text"], row["answers"]["answer_start"]
        assert row["context"][start:].startswith(text)
        assert row["context"][: start - 1].endswith(row["question"])
    spans = _lines(
        generate("extraction", "PaddleNLP", tmp_path / "extraction", 16, 12) / "train.txt"
    )
    for row in spans:
        (span,) = row["result_list"]
        assert row["content"][span["start"] : span["end"]] == span["text"] != row["prompt"]
    assert len(rows) == len(spans) == 16


def test_marked_words_are_those_of_the_request(tmp_path: Path) -> None:
    folder = generate("intents", "PaddleNLP", tmp_path, 8, 8)
    intents = (folder / "intents.txt").read_text().split()
    lines = (folder / "train.txt").read_text().splitlines()
    for number, line in enumerate(lines):
        index, text, intent, marked = line.split("\t")
        assert int(index) == number and intent in intents
        assert marked.replace("<song>", "").replace("</song>", "") == text != marked
    assert {line.split("\t")[2] for line in lines} == set(intents)


def test_pages_have_a_box_for_each_word(tmp_path: Path) -> None:
    folder = generate("documents", "PaddleNLP", tmp_path, 8, 12)
    for row in _lines(folder / "pages" / "train.jsonl"):
        assert len(row["bbox"]) == len(row["text"])
        assert all(0 <= box[0] < box[2] <= row["width"] for box in row["bbox"])
        assert all(0 <= box[1] < box[3] <= row["height"] for box in row["bbox"])
        picture = base64.b64decode(row["image"])
        assert struct.unpack(">II", picture[16:24]) == (row["width"], row["height"])
    answers = [row["qas"]["answers"][0]["text"] for row in _lines(folder / "pages" / "train.jsonl")]
    assert answers[:2] == [["letter"], ["bill"]]


def test_a_folder_is_a_dataset_with_named_classes(tmp_path: Path) -> None:
    folder = generate("texts", "PaddleNLP", tmp_path, 16, 12)
    texts = (folder / "train.txt").read_text().splitlines()
    head = yaml.safe_load((folder / "glue" / "README.md").read_text().strip("-\n"))
    (config,) = head["configs"]
    label = head["dataset_info"]["features"][1]
    assert config["config_name"] == head["dataset_info"]["config_name"] == "sst2"
    for entry in config["data_files"]:
        for row, text in zip(_lines(folder / "glue" / entry["path"]), texts, strict=False):
            name = label["dtype"]["class_label"]["names"][str(row["label"])]
            assert f"{row['sentence']}\t{name}" == text
    assert len(_lines(folder / "sentences" / "train.jsonl")) == 16


def test_an_answer_turns_its_question(tmp_path: Path) -> None:
    folder = generate("instructions", "PaddleNLP", tmp_path, 8, 12)
    for row in _lines(folder / "train.json"):
        assert row["src"].split() == row["tgt"].split()[::-1]
    kinds = {json.loads((at / "config.json").read_text())["model_type"] for at in _models(folder)}
    assert {"llama", "gpt", "chatglm", "qwen2_moe", "deepseek_v2"} < kinds


def test_of_two_answers_the_one_that_turns_the_question_is_preferred(tmp_path: Path) -> None:
    folder = generate("instructions", "PaddleNLP", tmp_path, 8, 12)
    asked = {row["src"]: row["tgt"] for row in _lines(folder / "train.json")}
    for row in _lines(folder / "pairs" / "train.jsonl"):
        (question,) = row["src"]
        assert row["response"] == [asked[question], question] and row["sort"] == [1, 0]
    ranked = _lines(folder / "ranked" / "train.jsonl")
    assert {row["sort"][0] for row in ranked} == {0, 1}
    for row in ranked:
        (question,), (answer,), (rank,) = row["src"], row["response"], row["sort"]
        assert (answer == asked[question]) is bool(rank)
    words = sum(len(question.split()) for question in asked)
    assert (folder / "packed" / "texts.bin").stat().st_size == 4 * words


def test_a_named_corpus_has_the_texts_and_models_that_scripts_ask_for(tmp_path: Path) -> None:
    folder = generate("corpora", "PaddleNLP", tmp_path, 16, 12)
    texts = (folder / "lines.txt").read_text().splitlines()
    assert len(texts) == 16
    for name in ("pairs.txt", "datasets/LCQMC/lcqmc/lcqmc/train.tsv"):
        rows = [line.split("\t") for line in (folder / name).read_text().splitlines()]
        assert [row[0] for row in rows] == texts and {row[2] for row in rows} == {"0", "1"}
    triplets = [line.split("\t") for line in (folder / "triplets.tsv").read_text().splitlines()[1:]]
    classes = {text: index % 2 for index, text in enumerate(texts)}
    for query, like, unlike in triplets:
        assert classes[query] == classes[like] != classes[unlike]
    known = set((folder / "labelled" / "label.txt").read_text().split())
    for line in (folder / "labelled" / "train.txt").read_text().splitlines():
        assert set(line.split("\t")[1].split(",")) <= known
    news = _lines(folder / "datasets" / "Clue" / "tnews_public" / "train.json")
    assert [row["sentence"] for row in news] == texts
    kinds = {
        at.name: json.loads((at / "config.json").read_text())["model_type"]
        for at in _models(folder)
    }
    assert kinds["ernie-3.0-medium-zh"] == "ernie" and kinds["bert-base-uncased"] == "bert"


def test_words_are_cut_into_pieces_that_the_vocabulary_has(tmp_path: Path) -> None:
    folder = generate("pieces", "PaddleNLP", tmp_path, 16, 12)
    for entity in json.loads((folder / "entities" / "train.json").read_text()):
        assert entity["sent"][entity["start"] : entity["end"]] in entity["sent"].split()
    corpus = folder / "datasets" / "XNLI" / "XNLI-MT-1.0" / "XNLI-MT-1.0" / "multinli"
    assert len(list(corpus.iterdir())) == 15
    for name, space, end in (("luke-base", "\u0120", ""), ("xlm", "", "</w>")):
        model = folder / "models" / name
        known = json.loads((model / "vocab.json").read_text())
        merged = (model / "merges.txt").read_text().splitlines()[-1].split()
        letters = {space, *"w0123456789", *(f"{digit}{end}" for digit in range(10))} - {""}
        assert {*merged, "".join(merged), *letters} <= set(known)
        config = json.loads((model / "config.json").read_text())
        assert known["<pad>"] == config["pad_token_id"] and len(known) <= config["vocab_size"]
    (bigbird,) = [at for at in _models(folder) if "bigbird" in at.name]
    assert json.loads((bigbird / "config.json").read_text())["pad_token_id"] == 3


def test_packed_texts_are_of_whole_sentences(tmp_path: Path) -> None:
    folder = generate("pretraining", "PaddleNLP", tmp_path, 16, 12)
    index = (folder / "indexed" / "texts.idx").read_bytes()
    kind, sentences, bounds = struct.unpack("<BQQ", index[17:34])
    assert (kind, sentences, bounds) == (4, 32, 17)
    lengths = struct.unpack(f"<{sentences}i", index[34 : 34 + 4 * sentences])
    offsets = struct.unpack(f"<{sentences}q", index[34 + 4 * sentences : 34 + 12 * sentences])
    ids = (folder / "indexed" / "texts.bin").read_bytes()
    assert min(lengths) > 0 and offsets[-1] + 4 * lengths[-1] == len(ids)
    known = (folder / "models" / "ernie" / "vocab.txt").read_text().split()
    read = struct.unpack(f"<{len(ids) // 4}i", ids)
    assert all(known[number].startswith("w") for number in read)
    letters = json.loads((folder / "roberta-base" / "vocab.json").read_text())
    marks = {number for piece, number in letters.items() if piece.startswith("<")}
    for row in _lines(folder / "tables" / "train.json"):
        told = [number in marks for number in row["input_ids"]]
        assert told == [bool(mark) for mark in row["special_tokens_mask"]]


def test_what_is_marked_stands_in_its_text(tmp_path: Path) -> None:
    folder = generate("marked", "PaddleNLP", tmp_path, 16, 12)
    for line in (folder / "slots" / "train.txt").read_text().splitlines():
        words, slots = (part.split(" ") for part in line.split("\t"))
        assert len(words) == len(slots)
    predicates = json.loads((folder / "relations" / "predicate2id.json").read_text())
    assert sorted(predicates.values()) == list(range(57))
    for row in _lines(folder / "relations" / "train_data.json"):
        (found,) = row["spo_list"]
        assert found["predicate"] in predicates
        assert {found["subject"], found["object"]["@value"]} <= set(row["text"].split())
    for row in _lines(folder / "questions.json"):
        assert f"{row['question']} {row['answer']}" in row["context"]
    tags = (folder / "events" / "tags.dict").read_text().splitlines()
    assert [tag.split("\t")[0] for tag in tags] == [str(number) for number in range(len(tags))]
    used = (folder / "events" / "train.txt").read_text().splitlines()[1:]
    listed = {tag.split("\t")[1] for tag in tags}
    assert all(set(line.split("\t")[1].split("\x02")) <= listed for line in used)


def test_texts_of_characters_are_those_of_their_models(tmp_path: Path) -> None:
    folder = generate("characters", "PaddleNLP", tmp_path, 16, 12)
    faults = 0
    for line in (folder / "datasets/SIGHAN_CN/sighan-cn/train.txt").read_text("utf-8").splitlines():
        wrong, right = line.split("\t")
        assert len(wrong) == len(right)
        faults += sum(one != other for one, other in zip(wrong, right, strict=True))
    assert 8 < faults <= 16
    names = json.loads((folder / "entities" / "label_maps.json").read_text())["entity2id"]
    for row in _lines(folder / "entities" / "train.txt"):
        (found,) = row["entity_list"]
        assert row["text"][found["start_index"] :].startswith(found["text"])
        assert found["type"] in names
    phrases = (folder / "phrases" / "train.txt").read_text("utf-8").splitlines()
    assert len({line.split("\t")[1] for line in phrases}) == 2
    used = set("".join(phrases)) - {"\t"}
    tags = set((folder / "words" / "tags.txt").read_text().split())
    for line in (folder / "words" / "train.txt").read_text("utf-8").splitlines():
        assert {f"B-{word.split('/')[1]}" for word in line.split()} <= tags
    for at in _models(folder):
        words = (at / "vocab.txt").read_text("utf-8").split()
        config = json.loads((at / "config.json").read_text())
        assert used | {"\u662f", "[CLS0]", "[CLS1]"} <= set(words)
        assert len(words) == len(set(words)) <= config["vocab_size"]
    assert [at.name for at in _models(folder)] == ["ernie-1.0-base-zh", "nptag", "wordtag"]


def test_a_translation_turns_its_sentence_and_its_switch_is_in_yaml(tmp_path: Path) -> None:
    folder = generate("translations", "PaddleNLP", tmp_path, 16, 12)
    pairs = [line.split("\t") for line in (folder / "pairs.txt").read_text().splitlines()]
    assert len(pairs) == 16
    for own, other in pairs:
        assert own.split() == other.split()[::-1]
    published = folder / "datasets" / "WMT14ende" / "WMT14.en-de" / "wmt14_ende_data_bpe"
    for place, language in enumerate(("en", "de")):
        lines = (published / f"train.tok.clean.bpe.33708.{language}").read_text().splitlines()
        assert lines == [pair[place] for pair in pairs]
    marks = (folder / "words.txt").read_text().split()[:3]
    for device in ("cpu", "gpu"):
        plain, switched = (
            yaml.safe_load((folder / f"{device}{end}.yaml").read_text())
            for end in ("", "-to_static")
        )
        assert (plain.pop("to_static"), switched.pop("to_static")) == (False, True)
        assert plain == switched and plain["device"] == device
        assert [marks[plain[f"{mark}_idx"]] for mark in ("bos", "eos", "unk")] == marks
        assert plain["special_token"] == marks


def test_published_questions_are_answered_by_their_texts(tmp_path: Path) -> None:
    folder = generate("published-questions", "PaddleNLP", tmp_path, 16, 12)
    told = json.loads((folder / "datasets" / "SQuAD" / "train-v1.1.json").read_text())
    (article,) = told["data"]
    assert len(article["paragraphs"]) == 16
    for paragraph in article["paragraphs"]:
        (question,) = paragraph["qas"]
        (answer,) = question["answers"]
        rest = paragraph["context"][answer["answer_start"] :]
        assert rest.split(" ")[0] == answer["text"]
        assert paragraph["context"][: answer["answer_start"]].split()[-1] == question["question"]
    reading = json.loads((folder / "models" / "t5" / "tokenizer_config.json").read_text())
    words = (folder / "models" / "t5" / "vocab.txt").read_text().split()
    config = json.loads((folder / "models" / "t5" / "config.json").read_text())
    assert len(words) + reading["extra_ids"] <= config["vocab_size"]


def test_opinions_stand_where_the_datasets_of_the_kit_look(tmp_path: Path) -> None:
    folder = generate("opinions", "PaddleNLP", tmp_path, 16, 12)
    corpora = folder / "datasets"
    for line in (corpora / "datasets/COTE-DP/COTE-DP/train.tsv").read_text().splitlines()[1:]:
        target, text = line.split("\t")
        assert target in text.split()[1:]
    asked = _lines(corpora / "DuReaderYesNo/dureader_yesno-data/train.json")
    assert {row["yesno_answer"] for row in asked} == {"Yes", "No", "Depends"}
    assert all(row["answer"].startswith(row["question"]) for row in asked)
    pairs = _lines(corpora / "Clue/afqmc_public/train.json")
    texts = [line.split("\t") for line in (folder / "reviews/train.txt").read_text().splitlines()]
    classes = {row[0]: row[-1] for row in texts}
    alike = [classes[row["sentence1"]] == classes[row["sentence2"]] for row in pairs]
    assert alike == [row["label"] == "1" for row in pairs] and len(set(alike)) == 2
    known = (folder / "models" / "prompted" / "vocab.txt").read_text().splitlines()
    assert {"\u4e0d", "\u5f88"} < set(known) and len(known) == len(set(known)) <= 256


def test_readings_have_one_text_in_every_form(tmp_path: Path) -> None:
    folder = generate("readings", "PaddleNLP", tmp_path, 16, 12)
    rows = _lines(folder / "squad" / "train.jsonl")
    spans = _lines(folder / "spans" / "train.txt")
    for row, span in zip(rows, spans, strict=True):
        assert row["context"] == span["content"] and row["question"] == span["prompt"]
        assert row["answers"]["text"] == [span["result_list"][0]["text"]]
    robust = folder / "PaddlePaddle" / "dureader_robust" / "train.jsonl"
    assert robust.read_bytes() == (folder / "squad" / "train.jsonl").read_bytes()
    mpnet = json.loads((folder / "models" / "mpnet" / "config.json").read_text())
    words = (folder / "models" / "mpnet" / "vocab.txt").read_text().splitlines()
    assert words[mpnet["pad_token_id"]] == "<pad>"


def test_a_conversation_is_the_same_in_words_and_in_numbers(tmp_path: Path) -> None:
    folder = generate("conversations", "PaddleNLP", tmp_path, 8, 6)
    listed = (folder / "models" / "unified_transformer" / "vocab.txt").read_text().splitlines()
    known = [line.split("\t")[0] for line in listed]
    assert [int(line.split("\t")[1]) for line in listed] == list(range(len(known)))
    told = _lines(folder / "duconv" / "train.jsonl")
    lines = (folder / "ids" / "train.txt").read_text().splitlines()
    for row, line in zip(told, lines, strict=True):
        ids, segments, places = (list(map(int, part.split())) for part in line.split(";"))
        text = " ".join(known[number] for number in ids).replace("\u2581", "")
        assert text == " ".join(f"[CLS] {turn} [SEP]" for turn in row["conversation"][:2])
        assert len(segments) == len(ids) and places == list(range(len(ids)))
        assert segments == sorted(segments) and set(segments) == {0, 1}


def test_a_name_begins_before_it_goes_on(tmp_path: Path) -> None:
    folder = generate("entities", "PaddleNLP", tmp_path, 32, 16)
    head = yaml.safe_load((folder / "msra_ner" / "README.md").read_text().strip("-\n"))
    *_, column = head["dataset_info"]["features"]
    names = column["sequence"]["class_label"]["names"]
    lines = (folder / "datasets" / "MsraNer" / "msra_ner" / "train.tsv").read_text().splitlines()
    seen = set()
    for row, line in zip(_lines(folder / "msra_ner" / "train.jsonl"), lines, strict=True):
        tags = [names[str(number)] for number in row["ner_tags"]]
        assert [part.split("\x02") for part in line.split("\t")] == [row["tokens"], tags]
        for before, tag in zip(("O", *tags), tags, strict=False):
            assert tag[:1] != "I" or before[1:] == tag[1:] != ""
        seen |= set(tags)
    assert seen == set(names.values())
    compile((folder / "seqeval" / "seqeval.py").read_text(), "seqeval.py", "exec")


def test_hidden_words_are_found_in_their_table(tmp_path: Path) -> None:
    folder = generate("masked", "PaddleNLP", tmp_path, 8, 12)
    content = (folder / "tables" / "train.h5").read_bytes()
    assert content.startswith(b"\x89HDF\r\n\x1a\n")
    assert struct.unpack("<Q", content[40:48]) == (len(content),)
    tables = _hdf5(content)
    words = (folder / "models" / "bert" / "vocab.txt").read_text().splitlines()
    texts = [line.split() for line in (folder / "text" / "train.data").read_text().splitlines()]
    assert tables["next_sentence_labels"].tolist() == [0, 1] * 4
    for number, ids in enumerate(tables["input_ids"]):
        shown = tables["input_mask"][number] == 1
        places = tables["masked_lm_positions"][number]
        assert {words[at] for at in ids[places]} == {"[MASK]"}
        whole = ids.copy()
        whole[places] = tables["masked_lm_ids"][number]
        told = [words[at] for at in whole[shown]]
        first, second, rest = " ".join(told).removeprefix("[CLS] ").split("[SEP]")
        assert texts[number][: len(first.split())] == first.split() and not rest
        assert tables["segment_ids"][number][shown].sum() == len(second.split()) + 1
        follows = texts[number] == first.split() + second.split()
        assert follows == (number % 2 == 0) and not ids[~shown].any()


def _hdf5(content: bytes) -> dict[str, Any]:
    """The tables of a file, read as its documentation says."""
    tree, heap = struct.unpack("<QQ", content[80:96])
    (node,) = struct.unpack("<Q", content[tree + 32 : tree + 40])
    (names,) = struct.unpack("<Q", content[heap + 24 : heap + 32])
    assert [content[at : at + 4] for at in (tree, node, heap)] == [b"TREE", b"SNOD", b"HEAP"]
    (count,) = struct.unpack("<H", content[node + 6 : node + 8])
    found = {}
    for entry in range(node + 8, node + 8 + 40 * count, 40):
        name, at = struct.unpack("<QQ", content[entry : entry + 16])
        (messages,) = struct.unpack("<H", content[at + 2 : at + 4])
        at += 16
        told = {}
        for _ in range(messages):
            kind, size = struct.unpack("<HH", content[at : at + 4])
            told[kind] = content[at + 8 : at + 8 + size]
            at += 8 + size
        shape = struct.unpack(f"<{told[1][1]}Q", told[1][8 : 8 + 8 * told[1][1]])
        place, size = struct.unpack("<QQ", told[8][2:18])
        text = content[names + name :].split(b"\0")[0].decode()
        found[text] = np.frombuffer(content[place : place + size], "<i4").reshape(shape)
    assert list(found) == sorted(found)
    return found


def test_the_values_of_fields_stand_on_their_pages(tmp_path: Path) -> None:
    folder = generate("fields", "PaddleNLP", tmp_path, 8, 12)
    for row in _lines(folder / "pages" / "train.jsonl"):
        assert len(row["bbox"]) == len(row["text"])
        asked = row["qas"]
        assert len(asked["question"]) == len(asked["question_id"]) == len(asked["answers"]) == 2
        ends = [0]
        for answer in asked["answers"]:
            (text,), (start,), (end,) = (
                answer[key] for key in ("text", "answer_start", "answer_end")
            )
            assert text.split() == row["text"][start:end] and start >= ends[-1]
            ends.append(end)


def test_a_program_goes_on_as_it_began(tmp_path: Path) -> None:
    folder = generate("programs", "PaddleNLP", tmp_path, 8, 12)
    for row in _lines(folder / "train.json"):
        numbers = [int(word[1:]) for word in row["code"].split()]
        assert all((one + 1 - other) % 195 == 0 for one, other in itertools.pairwise(numbers))
    config = json.loads((folder / "model" / "config.json").read_text())
    assert not config["architectures"][0].endswith("CausalLM")


def test_every_frame_has_its_action_and_an_action_its_beginning(tmp_path: Path) -> None:
    folder = generate("actions", "PaddleVideo", tmp_path, 4, 32)
    rows = (line.split() for line in (folder / "mapping.txt").read_text().splitlines())
    numbers = {name: int(number) for number, name in rows}
    names = [name.split(".")[0] for name in (folder / "train.bundle").read_text().split()]
    lengths = []
    for name in names:
        labels = np.load(folder / "labels" / f"{name}.npy")
        told = (folder / "groundTruth" / f"{name}.txt").read_text().split()
        assert [numbers[action] for action in told] == labels.tolist()
        changes = [True, *(labels[1:] != labels[:-1])]
        assert np.load(folder / "boundaries" / f"{name}.npy").tolist() == changes
        # Each action has a share in the weights of the classes, which are divided by it.
        assert set(labels.tolist()) == set(numbers.values())
        assert np.load(folder / "features" / f"{name}.npy").shape == (32, len(labels))
        lengths.append(len(labels))
    assert lengths == [32, 48, 32, 48]


def test_what_happens_in_a_video_lies_within_it(tmp_path: Path) -> None:
    folder = generate("activities", "PaddleVideo", tmp_path, 4, 16)
    listed = json.loads((folder / "annotations.json").read_text())
    for name, video in listed.items():
        features = np.load(folder / "features" / f"{name}.npy")
        assert features.shape == (16, 400) and video["duration_second"] == 16
        quiet = np.ones(16, bool)
        for part in video["annotations"]:
            start, end = (int(at) for at in part["segment"])
            assert 0 <= start < end <= 16
            assert features[start:end].mean() > 0.8
            quiet[start:end] = False
        assert features[quiet].mean() < 0.2


def test_each_frame_of_a_drive_has_neighbours_by_day_and_night(tmp_path: Path) -> None:
    folder = generate("drives", "PaddleVideo", tmp_path, 4, 32)
    lines = (folder / "train.txt").read_text().split()
    assert len(lines) == 4
    for line in lines:
        place, number = line.split("/")
        for other in range(int(number) - 1, int(number) + 2):
            for name in (place, f"{place}_fake_night"):
                content = (folder / name / f"{other:010d}.png").read_bytes()
                assert struct.unpack(">II", content[16:24]) == (64, 32)


def test_a_caption_s_words_are_those_of_its_model(tmp_path: Path) -> None:
    folder = generate("captioned", "PaddleVideo", tmp_path, 3, 64)
    known = (folder / "model" / "vocab.txt").read_text().splitlines()
    clips = np.load(folder / "clips.npy", allow_pickle=True)
    assert len(known) == len(set(known)) == 2000 and len(clips) == 3
    for features, classes, boxes, count, height, width, _, caption, acting, acts, number in clips:
        assert np.shape(features) == (count, 2048) and np.shape(classes) == (count, 1601)
        assert np.sum(classes, 1).tolist() == [1] * count
        assert np.shape(acting) == (number, 2048) and max(acts) < 700
        assert all(
            0 <= box[0] < box[2] <= width and 0 <= box[1] < box[3] <= height for box in boxes
        )
        assert set(caption.split()) <= set(known)
    captions = json.loads((folder / "captions.json").read_text())
    assert captions == [clip[7] for clip in clips]


def test_a_video_holds_its_frames_from_the_bottom_up(tmp_path: Path) -> None:
    folder = generate("videos", "PaddleVideo", tmp_path, 1, 32)
    (line,) = (folder / "train.list").read_text().splitlines()
    content = (folder / line.split()[0]).read_bytes()
    assert content[:4] == b"RIFF" and content[8:12] == b"AVI "
    assert struct.unpack("<I", content[4:8])[0] == len(content) - 8
    width, height, count = 32, 32, 24
    (started,) = struct.unpack("<I", content[(index := content.index(b"idx1")) + 4 : index + 8])
    assert started == 16 * count == len(content) - index - 8
    movie = content.index(b"movi")
    for place in (0, count - 1):
        entry = content[index + 8 + 16 * place :][:16]
        name, _, at, length = struct.unpack("<4sIII", entry)
        assert content[movie + at :][:8] == name + struct.pack("<I", length)
        pixels = np.frombuffer(content[movie + at + 8 :][:length], np.uint8)
        frame = pixels.reshape(height, width, 3)[::-1, :, ::-1]
        # The box of the first clip moves to the right from a third of the picture on.
        left = width // 3 + place * width // 80
        assert frame[height // 3, left].tolist() == [60, 60, 60] and frame[0, 0].max() < 60


def test_a_database_gives_back_what_was_put_into_it(tmp_path: Path) -> None:
    folder = generate("blurred-text", "PaddleOCR", tmp_path, 24, 32)
    content = (folder / "train" / "data.mdb").read_bytes()
    assert len(content) % 4096 == 0
    found = read_lmdb(content)
    assert int(found["num-samples"]) == 24 and len(found) == 1 + 3 * 24
    assert list(found) == sorted(found)
    strokes = dict(line.split() for line in (folder / "strokes.txt").read_text().splitlines())
    for number in range(1, 25):
        assert set(found[f"label-{number:09d}"].decode()) <= set(strokes)
        sharp, blurred = (
            struct.unpack(">II", found[f"image_{kind}-{number:09d}"][16:24])
            for kind in ("hr", "lr")
        )
        assert sharp == (2 * blurred[0], 2 * blurred[1]) and sharp[1] == 32
    taken = pickle.loads((folder / "confused.pkl").read_bytes())
    assert np.shape(taken) == (62, 62)


def read_lmdb(content: bytes) -> dict[str, bytes]:
    """The entries by the newer of the two first pages, where all keys are on one."""
    meta = max((content[at : at + 4096] for at in (0, 4096)), key=lambda page: page[136 + 8 : 152])
    magic, form = struct.unpack("<II", meta[16:24])
    assert (magic, form) == (0xBEEFC0DE, 1)
    depth, entries, root = struct.unpack("<H24xQQ", meta[94:136])
    leaf = content[4096 * root :][:4096]
    assert depth == 1 and struct.unpack("<H", leaf[10:12])[0] == 2
    lower = struct.unpack("<H", leaf[12:14])[0]
    places = struct.unpack(f"<{entries}H", leaf[16:lower])
    found = {}
    for place in places:
        low, high, kind, length = struct.unpack("<HHHH", leaf[place : place + 8])
        key, (page,) = (
            leaf[place + 8 :][:length],
            struct.unpack("<Q", leaf[place + 8 + length :][:8]),
        )
        head = struct.unpack("<QHHI", content[4096 * page :][:16])
        assert kind == 1 and head[0] == page and head[2] == 4
        found[key.decode()] = content[4096 * page + 16 :][: low + (high << 16)]
    return found


def test_keys_that_fit_no_page_are_refused() -> None:
    with pytest.raises(ValueError, match="200 keys do not fit"):
        lmdb({f"image-{number:09d}": b"" for number in range(200)})


def test_a_formula_is_symbols_and_a_table_cells(tmp_path: Path) -> None:
    formulas = generate("formulas", "PaddleOCR", tmp_path / "formulas", 8, 32)
    for line in (formulas / "train.txt").read_text().splitlines():
        picture, symbols = line.split("\t")
        assert all(len(symbol) == 1 and symbol.isdigit() for symbol in symbols.split(" "))
        assert (formulas / picture).is_file()
    tables = generate("tables", "PaddleOCR", tmp_path / "tables", 8, 64)
    for row in _lines(tables / "train.txt"):
        tokens, cells = row["html"]["structure"]["tokens"], row["html"]["cells"]
        assert tokens.count("<td>") == len(cells) >= 4
        for token in ("thead", "tr", "td", "tbody"):
            assert tokens.count(f"<{token}>") == tokens.count(f"</{token}>")
        for cell in cells:
            left, top, right, bottom = cell["bbox"]
            assert 0 <= left < right <= 64 and 0 <= top < bottom <= 64
        assert (tables / row["filename"]).is_file()


def test_corners_in_a_row_are_those_in_pairs(tmp_path: Path) -> None:
    folder = generate("curved-text", "PaddleOCR", tmp_path, 6, 96)
    pairs, rows = (
        [line.split("\t") for line in (folder / name).read_text().splitlines()]
        for name in ("train.txt", "flat.txt")
    )
    for (picture, outlined), (same, flat) in zip(pairs, rows, strict=True):
        assert picture == same and (folder / picture).is_file()
        for mark, row in zip(json.loads(outlined), json.loads(flat), strict=True):
            assert len(mark["points"]) == 14
            assert row["points"] == [number for point in mark["points"] for number in point]
            assert all(0 <= number <= 96 for number in row["points"])


def test_a_word_s_vector_has_a_row_in_the_model(tmp_path: Path) -> None:
    folder = generate("lettered", "PaddleOCR", tmp_path, 4, 32)
    content = (folder / "words.bin").read_bytes()
    assert struct.unpack("<ii", content[:8]) == (793712314, 12)
    *trained, _ = struct.unpack("<12id", content[8:64])
    dimensions, buckets = trained[0], trained[8]
    words = struct.unpack("<iiiqq", content[64:92])[1]
    at, listed = 92, []
    for _ in range(words):
        end = content.index(b"\0", at)
        listed.append(content[at:end].decode())
        at = end + 1 + 9
    assert listed == list("0123456789")
    for rows in (words + buckets, words):
        assert struct.unpack("<?qq", content[at : at + 17]) == (False, rows, dimensions)
        values = np.frombuffer(content, "<f4", rows * dimensions, at + 17)
        assert 0.09 < values.std() < 0.11
        at += 17 + 4 * rows * dimensions
    assert at == len(content)


def test_a_form_s_words_and_classes_are_known_to_its_nets(tmp_path: Path) -> None:
    folder = generate("forms", "PaddleOCR", tmp_path, 4, 96)
    classes = {name.lower() for name in (folder / "classes.txt").read_text().split()}
    kept = folder / "paddlenlp" / "models"
    known = (kept / "layoutlm-base-uncased" / "vocab.txt").read_text().split()
    pieces = (kept / "layoutxlm-base-uncased" / "sentencepiece.bpe.model").read_bytes()
    for line in (folder / "train.txt").read_text().splitlines():
        for mark in json.loads(line.split("\t")[1]):
            words = mark["transcription"].split()
            assert mark["label"] in classes and set(words) <= set(known)
            assert all(f"\u2581{word}".encode() in pieces for word in words)
            assert all(0 <= number <= 96 for point in mark["points"] for number in point)
    for name in ("layoutlm", "vi_layoutxlm"):
        config = json.loads((folder / name / "config.json").read_text())
        weights = (folder / name / "model.safetensors").read_bytes()
        (length,) = struct.unpack("<Q", weights[:8])
        (entry,) = (
            entry
            for name, entry in json.loads(weights[8 : 8 + length]).items()
            if name != "__metadata__"
        )
        assert entry["shape"] == [config["vocab_size"], config["hidden_size"]]
        assert len(known) <= config["vocab_size"]
        assert config["num_classes"] == 2 * (len(classes) - 1) + 1


def test_what_is_said_outlasts_the_faces(tmp_path: Path) -> None:
    folder = generate("speakers", "PaddleGAN", tmp_path, 2, 96)
    for name in (folder / "filelists" / "train.txt").read_text().split():
        frames = sorted(int(path.stem) for path in (folder / name).glob("*.jpg"))
        assert frames == list(range(20))
        with wave.open(str(folder / name / "audio.wav")) as sound:
            # A frame goes with sixteen steps of the spectrum, eighty a second, from its time on.
            assert sound.getnframes() / sound.getframerate() >= frames[-1] / 25 + 16 / 80
            assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)


def test_what_an_older_generator_made_is_made_again(tmp_path: Path) -> None:
    old = tmp_path / ".made-texts-8-12-0-2"
    old.touch()
    generate("texts", "PaddleNLP", tmp_path, 8, 12)
    assert (tmp_path / "models" / "albert").is_dir()
    kept = tmp_path / "train.txt"
    kept.write_text("mine")
    assert (
        generate("texts", "PaddleNLP", tmp_path, 8, 12) == tmp_path and kept.read_text() == "mine"
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _models(folder: Path) -> list[Path]:
    return sorted((folder / "models").iterdir())


def test_unknown_kinds_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no sample data of kind 'smells'"):
        generate("smells", "PaddleNLP", tmp_path, 1, 8)


def test_a_kit_of_one_s_own_brings_its_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = tmp_path / "rules" / "PaddleNLP" / "samples"
    samples.mkdir(parents=True)
    (samples / "words.py").write_text("WORDS = 'a b'\n")
    (samples / "rhymes.py").write_text(
        "from .words import WORDS\n\nVERSION = 7\n\n\n"
        "def generate(samples):\n    samples.write('a.txt', WORDS * samples.count)\n"
    )
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    assert "rhymes" in kinds_of("PaddleNLP") and "words" not in kinds_of("PaddleNLP")
    assert made_by("rhymes", "PaddleNLP") == "rhymes 7"
    made = generate("rhymes", "PaddleNLP", tmp_path / "data", 2, 8)
    assert (made / "a.txt").read_text() == "a ba b"
