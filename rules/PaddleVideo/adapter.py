"""PaddleVideo: `build_model` on a config's MODEL, called as the trainer calls it, with its loss.

MA-Net and T2VLAD have scripts that build and feed their nets; CFBI has code alone.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from typing import Any

import numpy as np
from probe_inside.subject import Subject, listed, model, tensors
from probe_inside.train import Refused

VERSION = 3
NOTE = [
    "where a net asks for a GPU by name, its tensors stay on the CPU",
    "a small encoder stands in for the BERT whose weights T2VLAD fetches",
]
BATCH = 2
CLASSES = 8
# Steps in time of skeletons and features: fewer than in the kit, for time alone.
LENGTH = 16
# Sides of the frames whose depth is estimated.
_HEIGHT, _WIDTH = 64, 128
_PICTURES = ("Recognizer2D", "RecognizerDistillation", "MoViNetRecognizerFrame")
_JOINTS = 25
# Trains MA-Net: its nets lie beside it, and its settings are read from the command line.
_MANET = "applications/Ma-Net/train_stage1.py"
_OBJECTS = 2
# Trains T2VLAD, with settings and the ones that they are laid over.
_T2VLAD = "applications/T2VLAD/train.py"
_SETTINGS = ("base_config_transformers", "msrvtt_transformers")
_WORDS = 100
# What CFBI takes from each frame; the kit tests with it and has no training.
_CFBI = "paddlevideo/modeling/backbones/cfbi.py"


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
    if config == _MANET:
        return model(config, "IntVOS", "IntVOS", config, [{"size": 64, "loss": "kit"}], exact=False)
    if config == _T2VLAD:
        return model(config, "CENet", "CENet", config, [{"size": 0, "loss": "kit"}], exact=False)
    if config == _CFBI:
        attempts = [{"size": size, "loss": "general"} for size in (64, 128)]
        return model(config, "CFBI's backbone", "CFBI", config, attempts, exact=False)
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
    if config == _MANET:
        return _interactive(attempt["size"])
    if config == _T2VLAD:
        return _retrieved()
    if config == _CFBI:
        return _embedded(attempt["size"])
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


def _interactive(size: int) -> Subject:
    """MA-Net as its first stage trains it: three frames, a scribble, the labels of the last one."""
    paddle: Any = importlib.import_module("paddle")
    sys.path.insert(0, os.path.abspath(os.path.dirname(_MANET)))
    # Its settings are what its parser makes of no arguments.
    given, sys.argv = sys.argv, sys.argv[:1]
    try:
        settings = importlib.import_module("config").cfg
    finally:
        sys.argv = given
    paddle.Tensor.cuda = lambda tensor, *_args, **_options: tensor
    extractor = importlib.import_module("networks.deeplab").DeepLab(backbone="resnet")
    net = importlib.import_module("networks.IntVOS").IntVOS(settings, extractor)
    criterion = importlib.import_module("networks.loss").Added_CrossEntropyLoss(
        settings.TRAIN_TOP_K_PERCENT_PIXELS, settings.TRAIN_HARD_MINING_STEP
    )
    names = ["video{}".format(number) for number in range(BATCH)]

    def labels(random: Any) -> Any:
        return random.randint(0, _OBJECTS + 1, [BATCH, 1, size, size]).astype("int64")

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        frames = _normal(random, [3 * BATCH, 3, size, size])
        objects = np.full([BATCH], _OBJECTS, "int64")
        frames, scribble, before, objects = tensors(
            [frames, labels(random), labels(random), objects]
        )
        return net(frames, scribble, before, seq_names=names, gt_ids=objects, k_nearest_neighbors=1)

    def loss(outputs: Any, step: int) -> Any:
        now = tensors(labels(np.random.RandomState(1000 + step)))
        seen = {
            name: paddle.nn.functional.interpolate(
                outputs[name], size=[size, size], mode="bilinear", align_corners=True
            )
            for name in names
        }
        return criterion(seen, dict(zip(names, now)), step) / BATCH

    return Subject([net], forward, loss)


def _retrieved() -> Subject:
    """T2VLAD: eight kinds of features of each video, and the words of its caption."""
    folder = os.path.abspath(os.path.dirname(_T2VLAD))
    sys.path.insert(0, folder)
    arch, experts, sizes = _laid_over(folder)
    nets: Any = importlib.import_module("model.model")
    wide, shared = int(experts["text_dim"]), int(experts["ce_shared_dim"])
    nets.BertModel = _encoder(wide)
    net = nets.CENet(
        text_dim=wide,
        expert_dims={
            kind: (size * int(arch["vlad_clusters"][kind]), shared) for kind, size in sizes.items()
        },
        feat_aggregation={},
        ce_shared_dim=shared,
        **arch,
    )
    criterion = importlib.import_module("model.loss").ContrastiveLoss(margin=0.2, topk=1)

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        words = random.randint(1, _WORDS, [BATCH, 1, LENGTH]).astype("int64")
        seen = {kind: _normal(random, [BATCH, 4, size]) for kind, size in sizes.items()}
        fed = {
            "experts": seen,
            "ind": {kind: np.ones([BATCH], "float32") for kind in sizes},
            "cap_id": words,
            "att_mask": np.ones([BATCH, 1, LENGTH], "float32"),
            "text": _normal(random, [BATCH, 1, LENGTH, wide]),
        }
        return net(**tensors(fed))

    return Subject(
        [net], forward, lambda outputs, step: criterion(outputs["cross_view_conf_matrix"])
    )


def _laid_over(folder: str) -> tuple[Any, Any, dict[str, int]]:
    """The script's settings of net and features, and how long each kind of features is."""
    base, own = (_json(os.path.join(folder, "configs", name + ".json")) for name in _SETTINGS)
    arch = {**base["arch"]["args"], **own["arch"]["args"]}
    for key in ("vlad_clusters", "ghost_clusters"):
        arch[key] = {**base["arch"]["args"][key], **own["arch"]["args"][key]}
    known = base["data_loader"]["args"]["feat_aggregation"]
    sizes = {
        kind: int(known[kind]["feat_dims"][known[kind]["type"]])
        for kind in own["experts"]["modalities"]
    }
    return arch, {**base["experts"], **own["experts"]}, sizes


def _json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _encoder(wide: int) -> Any:
    """A class in BERT's place: it makes a net of random weights and one layer."""
    paddle: Any = importlib.import_module("paddle")

    class Encoder(paddle.nn.Layer):  # type: ignore[misc]
        @classmethod
        def from_pretrained(cls, _name: str) -> Any:
            return cls()

        def __init__(self) -> None:
            super().__init__()
            self.words = paddle.nn.Embedding(_WORDS, wide)
            self.layer = paddle.nn.TransformerEncoderLayer(wide, 4, wide, dropout=0.0)

        def forward(self, words: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            # Where the mask is 0 a word is not looked at.
            return [self.layer(self.words(words), (attention_mask - 1) * 1e4)]

    return Encoder


def _embedded(size: int) -> Subject:
    """CFBI's backbone on single frames."""
    net = importlib.import_module("paddlevideo.modeling.backbones.cfbi").CFBI()

    def forward(step: int) -> Any:
        return net(tensors(_normal(np.random.RandomState(step), [BATCH, 3, size, size])))

    return Subject([net], forward)


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
