"""PaddleOCR: `build_model` with the heads sized as its trainer sizes them, batches by algorithm."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.subject import Subject, listed, model
from probe_inside.train import Refused

VERSION = 1
BATCH = 2
CHARACTERS = 40
# Multi-heads decode with extra symbols: SAR has two, NRTR three.
_EXTRA = {"CTCLabelDecode": 0, "SARLabelDecode": 2, "NRTRLabelDecode": 3}
# What follows the image in a training batch, by algorithm (the readers' KeepKeys).
_DATA = {
    "NRTR": ("label", "length"),
    "SVTR": ("label", "length"),
    "SVTR_LCNet": ("label", "label", "length", "ratio"),
    "SVTR_HGNet": ("label", "label", "length", "ratio"),
    "SAR": ("label", "ratio"),
    "SATRN": ("label", "ratio"),
    "RobustScanner": ("label", "ratio", "positions"),
    "SPIN": ("longer", "length"),
    "ParseQ": ("label", "length"),
    "VisionLAN": ("label", "label", "label", "index", "length"),
    "RFL": ("label", "length", "counts"),
    "SEED": ("label", "length", "vector"),
    "TableAttn": ("structure", "boxes", "masks", "shape"),
    "TableMaster": ("structure", "boxes", "masks", "shape"),
    "SLANet": ("longer", "longboxes", "longmasks", "length", "shape"),
}
_IMAGE_ONLY = frozenset(
    {
        *("DB", "DB++", "EAST", "SAST", "PSE", "FCE", "CT", "PGNet"),
        *("CRNN", "Rosetta", "STARNet", "PREN", "ViTSTR", "ABINet", "CLS", "RARE"),
    }
)


def prepare() -> None:
    """Import the kit's models."""
    for name in ("ppocr.modeling.architectures", "yaml"):
        importlib.import_module(name)


def _load(config: str) -> Any:
    yaml: Any = importlib.import_module("yaml")
    with open(config, encoding="utf-8") as file:
        return yaml.safe_load(file)


def _prune(value: Any) -> Any:
    """No weights from elsewhere."""
    if isinstance(value, dict):
        return {k: _weightless(k, item) for k, item in value.items()}
    return [_prune(item) for item in value] if isinstance(value, list) else value


def _weightless(key: Any, item: Any) -> Any:
    if key == "pretrained" and not isinstance(item, dict):
        return False if isinstance(item, bool) else None
    return _prune(item)


def _parts(arch: Any) -> list[Any]:
    return list(arch["Models"].values()) if "Models" in arch else [arch]


def _sized(arch: Any, content: Any) -> Any:
    """Heads for a small alphabet, as `tools/train.py` sets them from the decoder's."""
    arch = _prune(arch)
    if arch.get("model_type") in ("det", "cls", "kie", "sr"):
        return arch
    for part in _parts(arch):
        head = part.get("Head")
        if not head or arch.get("model_type") == "table":
            continue
        if head["name"] == "MultiHead":
            text = str(content.get("Loss", {}))
            names = ["CTCLabelDecode", "SARLabelDecode" if "SARLoss" in text else "NRTRLabelDecode"]
            head["out_channels_list"] = {name: CHARACTERS + _EXTRA[name] for name in names}
        else:
            head["out_channels"] = CHARACTERS
    return arch


def _image(arch: Any, content: Any) -> list[int]:
    """Channels, height and width of what a recognizer is fed."""
    ops = content["Train"]["dataset"].get("transforms") or []
    for item in ops:
        for op, fields in item.items():
            shape = (fields or {}).get("image_shape") if isinstance(fields, dict) else None
            if shape and op.endswith(("ResizeImg", "ResizeImgForTest")) and len(shape) == 3:
                return [int(size) for size in shape]
    return [3, 32, 100]


def _algorithm(arch: Any) -> str:
    return str(_parts(arch)[0].get("algorithm") or arch.get("algorithm"))


def _model(config: str) -> dict[str, Any] | None:
    content = _load(config)
    arch = content.get("Architecture") if isinstance(content, dict) else None
    if not arch:
        return None
    arch = _sized(arch, content)
    algorithm = _algorithm(arch)
    family = "{}/{}".format(arch.get("model_type"), algorithm)
    part = _parts(arch)[0]
    backbone = (part.get("Backbone") or {}).get("name", "")
    name = "{}({})".format(algorithm, backbone)
    if "Models" in arch:
        name = "Distillation({})".format(name)
        family = "distillation/" + algorithm
    if arch.get("model_type") in ("det", "e2e"):
        attempts: list[dict[str, Any]] = [{"size": size} for size in (64, 160, 640)]
    else:
        attempts = [{"size": _image(arch, content)}]
    # Shapes are right for the image; the rest of a batch follows the readers' lists.
    exact = algorithm in _IMAGE_ONLY
    return model(
        config, name, family, [arch, content["Global"].get("max_text_length")], attempts, exact
    )


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with an architecture."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The model, and batches of the image and what its algorithm wants beside it."""
    content = _load(config)
    arch = _sized(content["Architecture"], content)
    algorithm = _algorithm(arch)
    if algorithm not in _DATA and algorithm not in _IMAGE_ONLY:
        raise Refused("The adapter has no batch for the algorithm {}.".format(algorithm))
    net = importlib.import_module("ppocr.modeling.architectures").build_model(arch)
    size = attempt["size"]
    shape = [3, size, size] if isinstance(size, int) else size
    longest = int(content["Global"].get("max_text_length") or 25)
    boxes = int((_parts(arch)[0].get("Head") or {}).get("loc_reg_num", 4))

    def forward(step: int) -> Any:
        paddle: Any = importlib.import_module("paddle")
        random = np.random.RandomState(step)
        image = paddle.to_tensor(random.standard_normal([BATCH, *shape]).astype("float32"))
        if algorithm in _IMAGE_ONLY:
            return net(image)
        made = [_field(kind, random, longest, boxes) for kind in _DATA[algorithm]]
        return net(image, data=[paddle.to_tensor(array) for array in made])

    return Subject([net], forward)


def _field(kind: str, random: Any, longest: int, boxes: int) -> Any:
    """One array of a batch: labels are padded with zeros after a text of random length."""
    length = random.randint(3, max(4, longest - 3), [BATCH])
    if kind in ("label", "longer", "structure"):
        width = longest if kind == "label" else longest + 2
        label = random.randint(1, 26, [BATCH, width])
        label[np.arange(width)[None, :] >= length[:, None]] = 0
        return label.astype("int64")
    if kind in ("boxes", "longboxes", "masks", "longmasks"):
        last = 1 if "masks" in kind else boxes
        return random.uniform(0, 1, [BATCH, longest + 2, last]).astype("float32")
    simple: dict[str, Any] = {
        "length": lambda: length.astype("int64"),
        "index": lambda: random.randint(0, 3, [BATCH]).astype("int64"),
        "ratio": lambda: random.uniform(0.5, 1, [BATCH]).astype("float64"),
        "positions": lambda: np.tile(np.arange(longest), (BATCH, 1)).astype("int64"),
        "counts": lambda: random.randint(0, 2, [BATCH, CHARACTERS]).astype("float64"),
        "vector": lambda: random.standard_normal([BATCH, 300]).astype("float32"),
        "shape": lambda: np.tile([64.0, 64, 1, 1, 64, 64], (BATCH, 1)).astype("float64"),
    }
    return simple[kind]()
