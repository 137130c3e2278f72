"""PaddleSeg: `SegBuilder` on the config as the kit reads it; every model takes one image tensor."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.subject import Subject, image_attempts, listed, model

VERSION = 2
BATCH = 2
CLASSES = 4


def prepare() -> None:
    """Import the kit's models."""
    for name in ("paddleseg.models", "paddleseg.cvlibs.builder", "paddleseg.core.train"):
        importlib.import_module(name)


def _load(config: str) -> Any:
    """The kit's configuration, its data replaced by four classes of generated pictures."""
    library: Any = importlib.import_module("paddleseg.cvlibs.config")
    content = library.Config(config)
    # The builder hands a dataset's own number of classes to models that name none.
    if content.dic["train_dataset"]["type"] != "Dataset":
        content.dic["model"].setdefault("num_classes", CLASSES)
    dataset = {"type": "Dataset", "mode": "train", "num_classes": CLASSES, "img_channels": 3}
    content.dic["train_dataset"] = {**content.dic["train_dataset"], **dataset}
    content.dic["model"] = _prune(content.dic["model"])
    if "num_classes" in content.dic["model"]:
        content.dic["model"]["num_classes"] = CLASSES
    return content


def _prune(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if key == "pretrained" else _prune(item) for key, item in value.items()}
    return [_prune(item) for item in value] if isinstance(value, list) else value


def _size(content: Any) -> int:
    for item in content.train_dataset_cfg.get("transforms") or []:
        size = item.get("crop_size") or (item.get("target_size") if len(item) > 1 else None)
        if size:
            return int(max(size)) if isinstance(size, (list, tuple)) else int(size)
    return 512


def _model(config: str) -> dict[str, Any] | None:
    library: Any = importlib.import_module("paddleseg.cvlibs.config")
    raw = library.parse_from_yaml(config)
    if "model" not in raw:
        return None
    content = _load(config)
    arch = content.model_cfg
    backbone = arch.get("backbone")
    inner = backbone.get("type", "") if isinstance(backbone, dict) else ""
    name = "{}({})".format(arch["type"], inner) if inner else str(arch["type"])
    sizes = [64, 128, min(512, _size(content))]
    # A model whose own size is larger than what a CPU can do is not surely judged.
    exact = _size(content) <= 512
    return model(config, name, arch["type"], arch, image_attempts(sizes, False), exact)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a `model`."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The model of `SegBuilder`; losses of this kit lie outside of the net."""
    content = _load(config)
    net = importlib.import_module("paddleseg.cvlibs.builder").SegBuilder(content).model
    paddle: Any = importlib.import_module("paddle")

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        image = random.standard_normal([BATCH, 3, attempt["size"], attempt["size"]])
        return net(paddle.to_tensor(image.astype("float32")))

    return Subject([net], forward)
