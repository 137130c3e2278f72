"""PaddleVideo: `build_model` on a config's MODEL, called as the trainer calls it, with its loss."""

from __future__ import annotations

import importlib
import os
import tempfile
from typing import Any

import numpy as np
from probe_inside.subject import Subject, listed, model, tensors
from probe_inside.train import Refused

VERSION = 2
BATCH = 2
CLASSES = 8
# Steps in time of skeletons and features: fewer than in the kit, for time alone.
LENGTH = 16
# Sides of the frames whose depth is estimated.
_HEIGHT, _WIDTH = 64, 128
_PICTURES = ("Recognizer2D", "RecognizerDistillation", "MoViNetRecognizerFrame")
_JOINTS = 25


def prepare() -> None:
    """Import all modules, as the trainer does: they register themselves."""
    for name in ("paddlevideo.modeling.builder", "paddlevideo.utils"):
        importlib.import_module(name)


def _prune(value: Any, key: str = "") -> Any:
    """No weights from elsewhere, and few classes."""
    if isinstance(value, dict):
        return type(value)((name, _prune(item, str(name))) for name, item in value.items())
    if isinstance(value, list):
        return [_prune(item) for item in value]
    if key.startswith("pretrained") and isinstance(value, str):
        return None
    return CLASSES if key in ("num_classes", "class_num") else value


def _load(config: str) -> Any:
    content = importlib.import_module("paddlevideo.utils").get_config(config, show=False)
    return {**content, "MODEL": _prune(content["MODEL"])} if "MODEL" in content else None


def _parts(arch: Any) -> Any:
    """The mapping that has `backbone` and `head`; of a distillation, the student's."""
    return next(iter(arch["models"][-1].values())) if "models" in arch else arch


def _crop(content: Any) -> int:
    """The side of the pictures that the config trains on."""
    steps = ((content.get("PIPELINE") or {}).get("train") or {}).get("transform") or []
    found = 0
    for step in steps if isinstance(steps, list) else [steps]:
        for fields in step.values():
            size = fields.get("target_size") if isinstance(fields, dict) else None
            found = size if isinstance(size, int) else found
    return found or 224


def _model(config: str) -> dict[str, Any] | None:
    content = _load(config)
    if content is None:
        return None
    arch = content["MODEL"]
    parts = _parts(arch)
    backbone = (parts.get("backbone") or parts.get("head") or {}).get("name", "")
    framework = str(arch["framework"])
    name = "{}({})".format(framework, backbone)
    own = int((parts.get("backbone") or {}).get("img_size") or _crop(content))
    fixed = "img_size" in (parts.get("backbone") or {}) or framework not in _PICTURES
    sizes = [own] if fixed else [64, own]
    attempts = [{"size": size, "loss": "kit"} for size in dict.fromkeys(sizes)]
    # Labels are plain here, where many configs mix those of two clips.
    return model(config, name, backbone or framework, arch, attempts, exact=False)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a MODEL."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The whole framework, which the kit hooks and calls with `mode="train"`."""
    arch = _load(config)["MODEL"]
    maker = _maker(arch, attempt["size"])
    if arch["framework"] == "ASRF":
        arch["loss"].update(_labels())
    if arch["framework"] == "DepthEstimator":
        arch["backbone"].update(height=_HEIGHT, width=_WIDTH, batch_size=BATCH)
    net = importlib.import_module("paddlevideo.modeling.builder").build_model(arch)

    def forward(step: int) -> Any:
        return net(tensors(maker(np.random.RandomState(step))), mode="train")

    return Subject([net], forward, lambda outputs, step: outputs["loss"])


def _maker(arch: Any, size: int) -> Any:
    """What makes the arrays of one batch from a random state, by framework.

    Raises Refused for a framework whose batches it does not know.
    """
    framework, backbone = str(arch["framework"]), _parts(arch).get("backbone") or {}
    if framework == "BMNLocalizer":
        return lambda random: _proposals(random, backbone)
    if framework == "MSTCN":
        return lambda random: [
            _normal(random, [1, int(backbone["dim"]), LENGTH]),
            random.randint(0, CLASSES, [1, LENGTH]).astype("int64"),
        ]
    if framework in _OWN:
        return lambda random: _OWN[framework](random, arch)
    if framework == "CFBI":
        raise Refused("The kit has no training for CFBI, only its test.")
    shapes = _shapes(framework, backbone, size)
    if shapes is None:
        raise Refused("The adapter has no batch for {}.".format(framework))
    return lambda random: [
        *(_normal(random, shape) for shape in shapes),
        random.randint(0, CLASSES, [BATCH, 1]).astype("int64"),
    ]


def _shapes(framework: str, backbone: Any, size: int) -> list[list[int]] | None:
    """The shapes of what is fed before the label."""
    frames = int(backbone.get("num_seg") or 8)
    if framework in _PICTURES:
        return [[BATCH, frames, 3, size, size]]
    if framework == "RecognizerTransformer":
        return [[BATCH, 3, frames, size, size]]
    if framework == "RecognizerGCN":
        # The kit's figure skating set has two coordinates of one person, NTU's three of two.
        whole = "in_channels" in backbone
        people = int(backbone.get("num_person") or (2 if whole else 1))
        return [[BATCH, 3 if whole else 2, LENGTH, _JOINTS, people]]
    if backbone.get("name") == "ResNet3dSlowOnly":
        return [[BATCH, int(backbone["in_channels"]), 8, 56, 56]]
    if backbone.get("name") == "ResNetSlowFast" and framework == "Recognizer3D":
        fast = 32
        return [
            [BATCH, 3, fast // int(backbone["alpha"]), size, size],
            [BATCH, 3, fast, size, size],
        ]
    return None


def _normal(random: Any, shape: list[int]) -> Any:
    return random.standard_normal(shape).astype("float32")


def _proposals(random: Any, backbone: Any) -> list[Any]:
    """Features, and how well each span, start and end fits."""
    length, spans = int(backbone["tscale"]), int(backbone["dscale"])
    fits = [random.uniform(0, 1, shape) for shape in ([spans, length], [length], [length])]
    whole = [np.stack([fit] * BATCH).astype("float32") for fit in fits]
    return [_normal(random, [BATCH, 400, length]), *whole]


def _segments(random: Any, arch: Any) -> list[Any]:
    """Features of a video, the class of each of its steps, and where one ends."""
    features = _normal(random, [1, int(arch["backbone"]["in_channel"]), LENGTH])
    classes = random.randint(0, CLASSES, [1, LENGTH]).astype("int64")
    return [features, classes, random.randint(0, 2, [1, 1, LENGTH]).astype("float32")]


def _labels() -> dict[str, str]:
    """Files of labels from which ASRF's loss counts how often each class is."""
    folder = tempfile.mkdtemp(prefix="probe-")
    random = np.random.RandomState(0)
    for name, high in (("classes", CLASSES), ("boundaries", 2)):
        os.makedirs(os.path.join(folder, name))
        labels = np.concatenate([np.arange(high), random.randint(0, high, [LENGTH])])
        np.save(os.path.join(folder, name, "video.npy"), labels)
    with open(os.path.join(folder, "videos"), "w", encoding="utf-8") as file:
        file.write("video.txt\n")
    paths = {"file_path": "videos", "label_path": "classes", "boundary_path": "boundaries"}
    return {key: os.path.join(folder, name) for key, name in paths.items()}


def _heard(random: Any, arch: Any) -> list[Any]:
    """Features of pictures and of sound with their lengths and masks, and the labels."""
    made: list[Any] = []
    for size in arch["head"]["feature_dims"]:
        made.append(_normal(random, [BATCH, LENGTH, size]))
        made.append(np.full([BATCH], LENGTH, "int64"))
        made.append(np.ones([BATCH, LENGTH, size], "float32"))
    labels = random.randint(0, 2, [BATCH, int(arch["head"]["num_classes"])])
    return [*made, labels.astype("float32")]


def _modal(random: Any, arch: Any) -> list[Any]:
    """Words, actions and regions of a picture, each with its mask and what is to be told of it."""
    words, actions, regions = 12, 5, 8

    def whole(shape: list[int], high: int) -> Any:
        return random.randint(0, high, shape).astype("int64")

    target = random.uniform(0, 1, [BATCH, regions, 1601]).astype("float32")
    return [
        whole([BATCH, words], 30522),
        _normal(random, [BATCH, actions, 2048]),
        _normal(random, [BATCH, regions + 1, 2048]),
        random.uniform(0, 1, [BATCH, regions + 1, 5]).astype("float32"),
        whole([BATCH, words], 2),
        np.ones([BATCH, words], "int64"),
        np.ones([BATCH, regions + 1], "int64"),
        np.ones([BATCH, actions], "int64"),
        whole([BATCH, words], 30522),
        whole([BATCH, actions], 700),
        whole([BATCH], 2),
        np.ones([BATCH, regions], "int64"),
        target / target.sum(2, keepdims=True),
    ]


def _depths(random: Any, arch: Any) -> list[Any]:
    """Three frames by day and by night in four sizes, and the camera that saw them."""
    made: dict[Any, Any] = {}
    for scale in range(4):
        height, width = _HEIGHT >> scale, _WIDTH >> scale
        camera = np.eye(4, dtype="float32")
        camera[0, 0], camera[1, 1], camera[0, 2], camera[1, 2] = (
            width,
            height,
            width / 2,
            height / 2,
        )
        made["K", scale] = np.stack([camera] * BATCH)
        made["inv_K", scale] = np.stack([np.linalg.inv(camera)] * BATCH).astype("float32")
        for frame in arch["backbone"]["frame_ids"]:
            for name in ("color", "color_aug", "color_n", "color_n_aug"):
                picture = random.uniform(0, 1, [BATCH, 3, height, width])
                made[name, frame, scale] = picture.astype("float32")
    return [made, "day_and_night"]


# Frameworks whose batches are more than arrays and a label.
_OWN = {"ASRF": _segments, "Recognizer1D": _heard, "ActBert": _modal, "DepthEstimator": _depths}
