"""PaddleClas: `ppcls.arch.build_model`, one image tensor, with the label for recognition models."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.subject import Subject, image_attempts, listed, model

VERSION = 1
BATCH = 2
CLASSES = 16


def prepare() -> None:
    """Import the kit's models and losses."""
    for name in ("ppcls.arch", "ppcls.loss", "ppcls.utils.config"):
        importlib.import_module(name)
    # Models and losses write to a log that the trainer opens.
    importlib.import_module("ppcls.utils.logger").init_logger()


def _load(config: str) -> Any:
    return importlib.import_module("ppcls.utils.config").parse_config(config)


def _prune(value: Any, feature: bool = False) -> Any:
    """The architecture without pretrained weights, and with few classes where they are classes.

    What a neck makes is a `feature`, and so is what a backbone makes for a head: as many as they
    are made for.
    """
    if isinstance(value, dict):
        kept = {}
        for key, item in value.items():
            if key in ("use_ssld", "pretrained_list"):
                continue
            if key == "pretrained":
                item = False
            elif key == "class_num" and not feature:
                item = CLASSES
            below = feature or key == "Neck" or (key == "Backbone" and "Head" in value)
            kept[key] = _prune(item, below)
        return type(value)(kept)
    if isinstance(value, list):
        return [_prune(item, feature) for item in value]
    return value


def _shape(config: Any) -> list[int]:
    """Height and width of training images: the last crop's, else the shape for export."""
    ops = config.get("DataLoader", {}).get("Train", {}).get("dataset", {}).get("transform_ops", [])
    for item in reversed(ops or []):
        crop = item.get("RandCropImage") or item.get("ResizeImage") if item else None
        if crop and crop.get("size"):
            size = crop["size"]
            return [int(side) for side in (size if isinstance(size, (list, tuple)) else [size] * 2)]
    return [int(side) for side in (config["Global"].get("image_shape") or [3, 224, 224])[-2:]]


def _sizes(config: Any) -> list[Any]:
    """Sides of pictures to try. What is made for a band of text takes no square."""
    shape = [int(side) for side in config["Global"]["image_shape"][-2:]]
    if shape[0] != shape[1]:
        return [shape]
    own = max(*_shape(config), *shape)
    return [size for size in (64, 224, own) if size <= own]


def _family(arch: Any) -> str:
    zoo = importlib.import_module("ppcls.arch")
    name = arch["name"]
    if name == "RecModel":
        return "RecModel/" + _family(arch["Backbone"])
    if name == "DistillationModel":
        students = [next(iter(item.values())) for item in arch["models"]]
        return "DistillationModel/" + _family(students[-1])
    return str(getattr(zoo, name).__module__.rpartition(".")[2])


def _name(arch: Any) -> str:
    if arch["name"] == "RecModel":
        return "RecModel({})".format(_name(arch["Backbone"]))
    if arch["name"] == "DistillationModel":
        parts = [_name(next(iter(item.values()))) for item in arch["models"]]
        return "DistillationModel({})".format(", ".join(parts))
    return str(arch["name"])


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config that has an architecture."""
    return listed(configs, _model)


def _model(config: str) -> dict[str, Any]:
    content = _load(config)
    arch = _prune(content["Arch"])
    attempts = image_attempts(_sizes(content), bool(content.get("Loss", {}).get("Train")))
    return model(config, _name(arch), _family(arch), arch, attempts)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The model as `Engine` builds it, and batches as its loader would make them."""
    content = _load(config)
    content["Arch"] = _prune(content["Arch"])
    content["Global"]["device"] = "cpu"
    paddle: Any = importlib.import_module("paddle")
    arch = content["Arch"]
    is_rec = "Head" in arch or arch.get("is_rec", False)
    net = importlib.import_module("ppcls.arch").build_model(content, "train")
    several = bool(content["Global"].get("use_multilabel", False))
    # Some readers add a channel of zeros.
    channels = int(content["Global"].get("image_channel", 3))
    batches: dict[int, tuple[Any, Any]] = {}

    def batch(step: int) -> tuple[Any, Any]:
        if step not in batches:
            random = np.random.RandomState(step)
            size = attempt["size"]
            sides = size if isinstance(size, list) else [size, size]
            image = random.standard_normal([BATCH, channels, *sides])
            if several:
                label = random.randint(0, 2, [BATCH, CLASSES]).astype("float32")
            else:
                # Two of each class, as losses over pairs need them.
                label = np.repeat(random.permutation(CLASSES)[: BATCH // 2], 2).reshape(-1, 1)
            batches[step] = (
                paddle.to_tensor(image.astype("float32")),
                paddle.to_tensor(label if several else label.astype("int64")),
            )
        return batches[step]

    def forward(step: int) -> Any:
        image, label = batch(step)
        return net(image, label) if is_rec else net(image)

    made: list[Any] = []

    def loss(outputs: Any, step: int) -> Any:
        if not made:
            made.append(importlib.import_module("ppcls.loss").build_loss(content["Loss"]["Train"]))
        return made[0](outputs, batch(step)[1])["loss"]

    return Subject([net], forward, loss)
