"""Paddle3D: `Config.model`; SMOKE on the kit's KITTI reader, SqueezeSegV3 on random range views.

Others are refused: most voxelize or gather points with operators that are built from CUDA sources.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.subject import Subject, data_folder, listed, model, tensors
from probe_inside.train import Refused

VERSION = 1
BATCH = 2
# Width and height of the generated pictures as SMOKE's targets want them.
_INPUT = [192, 64]
_NORMAL = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


def prepare() -> None:
    """Import what finds the kit's classes by name."""
    importlib.import_module("paddle3d.apis.config")


def _load(config: str) -> Any:
    """The kit's configuration, without weights from elsewhere."""
    content = importlib.import_module("paddle3d.apis.config").Config(path=config)
    content.dic["model"] = _prune(content.dic["model"])
    return content


def _prune(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if key == "pretrained" else _prune(item) for key, item in value.items()}
    return [_prune(item) for item in value] if isinstance(value, list) else value


def _model(config: str) -> dict[str, Any] | None:
    arch = _prune(importlib.import_module("paddle3d.apis.config").Config(path=config).dic["model"])
    kind = str(arch["type"])
    backbone = arch.get("backbone")
    inner = backbone.get("type", "") if isinstance(backbone, dict) else ""
    name = "{}({})".format(kind, inner) if inner else kind
    return model(config, name, kind, arch, [{"size": 64, "loss": "kit"}], exact=False)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a `model`."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The model, which takes a batch of samples and gives its losses."""
    content = _load(config)
    kind = content.dic["model"]["type"]
    makers = {"SMOKE": _monocular, "SqueezeSegV3": _range_view}
    if kind not in makers:
        raise Refused("The adapter has no batch for {}.".format(kind))
    batch = makers[kind](content, attempt["size"])
    net = content.model

    def forward(step: int) -> Any:
        return net(batch(step))

    return Subject([net], forward, lambda outputs, step: outputs["loss"])


def _monocular(content: Any, size: int) -> Any:
    """Batches of the kit's own reader on generated scenes, with the targets that it computes."""
    classes = int(content.dic["model"]["head"]["num_classes"])
    content.dic["train_dataset"] = {
        "type": "KittiMonoDataset",
        "dataset_root": data_folder(),
        "mode": "train",
        "transforms": [
            {"type": "LoadImage", "reader": "pillow", "to_chw": False},
            {
                "type": "Gt2SmokeTarget",
                "mode": "train",
                "num_classes": classes,
                "input_size": _INPUT,
            },
            {"type": "Normalize", **_NORMAL},
        ],
    }
    dataset = content.train_dataset

    def batch(step: int) -> Any:
        first = BATCH * step
        return tensors(dataset.collate_fn([dataset[first + i] for i in range(BATCH)]))

    return batch


def _range_view(content: Any, size: int) -> Any:
    """Range, position and remission of a scan, and a class for each of its pixels."""
    classes = int(content.dic["model"]["num_classes"])
    channels = int(content.dic["model"]["backbone"]["in_channels"])

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        view = random.standard_normal([BATCH, channels, size // 4, size]).astype("float32")
        labels = random.randint(0, classes, [BATCH, 1, size // 4, size]).astype("int64")
        return tensors({"data": list(view), "labels": list(labels)})

    return batch
