"""PaddleOCR: `build_model` with the heads sized as its trainer sizes them, batches by algorithm."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import sys
import types
from typing import Any, Iterator

import numpy as np
from probe_inside.subject import Subject, image_attempts, listed, model, tensors
from probe_inside.train import Refused

VERSION = 2
BATCH = 2
CHARACTERS = 40
# Multi-heads decode with extra symbols: SAR has two, NRTR three.
_EXTRA = {"CTCLabelDecode": 0, "SARLabelDecode": 2, "NRTRLabelDecode": 3}
# Words of a page and their pieces, as models of forms read them.
_TOKENS, _ENTITIES = 16, 4
# What `from_pretrained` reads from a file for models of forms, made small.
_TINY_FORM = {
    "hidden_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 120,
    "coordinate_size": 16,
    "shape_size": 16,
}
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
    "CPPD": ("ended", "nodes", "indices", "length"),
    "SRN": ("label", "length", "places", "text_places", "bias", "bias"),
    "DRRG": (*("mask",) * 3, *("map",) * 4, "components"),
    "SEED": ("label", "length", "vector"),
    "TableAttn": ("structure", "boxes", "masks", "shape"),
    "TableMaster": ("structure", "boxes", "masks", "shape"),
    **dict.fromkeys(("SLANet", "SLANeXt"), ("longer", "longboxes", "longmasks", "length", "shape")),
}
# The same of those whose net takes the image alone: the rest is for the loss.
_TARGETS = {
    **dict.fromkeys(("DB", "DB++"), ("map", "mask", "mask", "mask")),
    "EAST": ("quarter1", "quarter9", "quarter1"),
    "SAST": ("quarter1", "quarter5", "quarter1", "quarter9", "quarter3"),
    "PSE": ("mask", "kernels", "mask"),
    "FCE": ("fourier8", "fourier16", "fourier32"),
    "CT": (*("marks",) * 5, "distances"),
    **dict.fromkeys(("CRNN", "Rosetta", "STARNet", "RARE"), ("label", "length")),
    "ViTSTR": ("longer", "length"),
    "ABINet": ("ended", "length"),
    "PREN": ("label",),
    "CLS": ("turned",),
    "PGNet": (),
}
_LONG_FORMULAS = (
    "UniMERNet",
    *("PP-FormulaNet{}".format(one) for one in ("-S", "-L", "_plus-S", "_plus-M", "_plus-L")),
)
# Fed beside the image just what their readers give.
_EXACT = frozenset({"CAN", "ParseQ"})


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
    own = arch.get("algorithm") in ("CAN", *_LONG_FORMULAS)
    if own or arch.get("model_type") in ("det", "cls", "kie", "sr"):
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
            # What follows the letters is counted from the kit's own alphabet in these.
            head["out_channels"] = max(CHARACTERS, int(head.get("padding_idx", 0)) + 1)
    return arch


def _image(arch: Any, content: Any) -> list[int]:
    """Channels, height and width of what a recognizer is fed."""
    ops = content["Train"]["dataset"].get("transforms") or []
    for item in ops:
        for op, fields in item.items():
            shape = (fields or {}).get("image_shape") if isinstance(fields, dict) else None
            if shape and op.endswith(("ResizeImg", "ResizeImgForTest")):
                if len(shape) == 2:
                    # Width and height of a grey picture.
                    shape = [int(arch.get("in_channels", 1)), shape[1], shape[0]]
                # Of a range of widths, the last.
                return [int(size) for size in (*shape[:2], shape[-1])]
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
    square = arch.get("model_type") in ("det", "e2e")
    sizes: list[Any] = [64, 160, 640] if square else [_image(arch, content)]
    if algorithm == "SLANeXt":
        # Its picture is of one size, for the places in it are counted.
        sizes = [[3, 512, 512]]
    attempts = image_attempts(sizes, own_loss=bool(content.get("Loss")))
    # Shapes are right for the image; the rest of a batch follows the readers' lists.
    exact = algorithm in _TARGETS or algorithm in _EXACT
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
    if not any(algorithm in known for known in (_DATA, _TARGETS, _WHOLE)):
        raise Refused("The adapter has no batch for the algorithm {}.".format(algorithm))
    with _stand_ins(algorithm):
        net = importlib.import_module("ppocr.modeling.architectures").build_model(arch)
    size = attempt["size"]
    shape = [3, size, size] if isinstance(size, int) else size
    longest = int(content["Global"].get("max_text_length") or 25)
    boxes = int((_parts(arch)[0].get("Head") or {}).get("loc_reg_num", 4))

    def batch(step: int) -> list[Any]:
        random = np.random.RandomState(step)
        if algorithm in _WHOLE:
            return list(tensors(_WHOLE[algorithm](random, content)))
        # Readers of texts bring pixels between -1 and 1, which SPIN takes powers of.
        image = random.uniform(-1, 1, [BATCH, *shape]).astype("float32")
        kinds = _DATA.get(algorithm) or _TARGETS[algorithm]
        made = [_field(kind, random, longest, boxes, shape) for kind in kinds]
        return list(tensors([image, *made]))

    def forward(step: int) -> Any:
        made = batch(step)
        if algorithm in _WHOLE:
            # CAN is fed three of the four.
            return net(made[:3] if algorithm == "CAN" else made)
        return net(made[0]) if algorithm in _TARGETS else net(made[0], data=made[1:])

    kit: list[Any] = []

    def loss(outputs: Any, step: int) -> Any:
        if not kit:
            kit.append(importlib.import_module("ppocr.losses").build_loss(content["Loss"]))
        return kit[0](outputs, batch(step))["loss"]

    return Subject([net], forward, loss)


def _field(kind: str, random: Any, longest: int, boxes: int, shape: list[int]) -> Any:
    """One array of a batch: labels are padded with zeros after a text of random length."""
    if kind in _MAPS:
        return _map(kind, random, *shape[-2:])
    length = random.randint(3, max(4, longest - 3), [BATCH])
    if kind in _TEXTS:
        width = longest + _TEXTS[kind]
        label = random.randint(1, 26, [BATCH, width])
        label[np.arange(width)[None, :] >= length[:, None]] = 0
        return label.astype("int64")
    if kind in ("boxes", "longboxes", "masks", "longmasks"):
        last = 1 if "masks" in kind else boxes
        return random.uniform(0, 1, [BATCH, longest + 2, last]).astype("float32")
    if kind == "bias":
        # Each of eight heads looks at the letters before, or at those after.
        ahead = np.triu(np.ones([BATCH, 8, longest, longest]), 1)
        return (ahead * -1e9).astype("float32")
    simple: dict[str, Any] = {
        "length": lambda: length.astype("int64"),
        "index": lambda: random.randint(0, 3, [BATCH]).astype("int64"),
        "ratio": lambda: random.uniform(0.5, 1, [BATCH]).astype("float64"),
        "positions": lambda: np.tile(np.arange(longest), (BATCH, 1)).astype("int64"),
        "counts": lambda: random.randint(0, 2, [BATCH, CHARACTERS]).astype("float64"),
        "vector": lambda: random.standard_normal([BATCH, 300]).astype("float32"),
        "shape": lambda: np.tile([64.0, 64, 1, 1, 64, 64], (BATCH, 1)).astype("float64"),
        "nodes": lambda: random.randint(0, 2, [BATCH, CHARACTERS + longest + 1]).astype("int64"),
        "indices": lambda: np.tile(np.arange(CHARACTERS), (BATCH, 1)).astype("int64"),
        "places": lambda: np.tile(np.arange(256)[:, None], (BATCH, 1, 1)).astype("int64"),
        "text_places": lambda: np.tile(np.arange(longest)[:, None], (BATCH, 1, 1)).astype("int64"),
        "turned": lambda: random.randint(0, 2, [BATCH]).astype("int64"),
        "components": lambda: _components(random),
    }
    return simple[kind]()


# Texts as numbers: how many symbols that begin or end one are counted beside its letters.
_TEXTS = {"label": 0, "ended": 1, "longer": 2, "structure": 2}
# Maps that say of each point of a picture where texts are: how many of them, how many of its points
# are one of theirs, and the type that their numbers are rounded to, if they are.
_MAPS = {
    "map": (0, 1, ""),
    "mask": (0, 1, "float32"),
    "marks": (0, 1, "int64"),
    "kernels": (6, 1, "float32"),
    "distances": (2, 1, ""),
    **{"quarter{}".format(count): (count, 4, "") for count in (3, 5, 9)},
    "quarter1": (1, 4, "float32"),
    # Three masks, and the real and imaginary parts of eleven coefficients.
    **{"fourier{}".format(points): (25, points, "float32") for points in (8, 16, 32)},
}


def _map(kind: str, random: Any, height: int, width: int) -> Any:
    count, points, rounded = _MAPS[kind]
    sides = [BATCH, *([count] if count else []), height // points, width // points]
    drawn = random.uniform(0, 1, sides)
    return drawn.round().astype(rounded) if rounded else drawn.astype("float32")


def _components(random: Any) -> Any:
    """Parts of two texts: their number, centre, height, width, direction, and whose each is."""
    number = 20
    made = np.zeros([BATCH, 600, 8], "float32")
    angle = random.uniform(-0.5, 0.5, [BATCH, number])
    made[:, :, 0] = number
    made[:, :number, 1:3] = random.uniform(8, 56, [BATCH, number, 2])
    made[:, :number, 3:5] = random.uniform(4, 12, [BATCH, number, 2])
    made[:, :number, 5], made[:, :number, 6] = np.cos(angle), np.sin(angle)
    made[:, :number, 7] = 1 + np.arange(number) // (number // 2)
    return made


def _kept(content: Any) -> list[str]:
    """What the reader's last operation keeps of a sample, in its order."""
    ops = content["Train"]["dataset"]["transforms"]
    return next(op["KeepKeys"]["keep_keys"] for op in ops if "KeepKeys" in op)


def _form(random: Any, content: Any) -> list[Any]:
    """A page with the words on it: their boxes, the parts of a form, and which belong together."""
    corner = random.randint(0, 500, [BATCH, _TOKENS, 2])
    entities = np.full([BATCH, _TOKENS + 1, 3], -1)
    entities[:, 0] = _ENTITIES
    for number in range(_ENTITIES):
        # Questions and answers take turns.
        entities[:, 1 + number] = [2 * number, 2 * number + 2, 1 + number % 2]
    relations = np.full([BATCH, _TOKENS * _TOKENS + 1, 2], -1)
    relations[:, 0] = 1
    relations[:, 1] = [0, 1]
    whole = {
        "input_ids": random.randint(4, 120, [BATCH, _TOKENS]),
        "bbox": np.concatenate([corner, corner + 50], axis=-1),
        "attention_mask": np.ones([BATCH, _TOKENS]),
        "token_type_ids": np.zeros([BATCH, _TOKENS]),
        "labels": random.randint(0, 7, [BATCH, _TOKENS]),
        "entities": entities,
        "relations": relations,
    }
    made: dict[str, Any] = {key: value.astype("int64") for key, value in whole.items()}
    made["image"] = random.standard_normal([BATCH, 3, 224, 224]).astype("float32")
    return [made[key] for key in _kept(content)]


def _enlarged(random: Any, content: Any) -> list[Any]:
    """A small picture of a text, the same large, and the text: as letters or as strokes."""
    made: dict[str, Any] = {
        "img_lr": random.uniform(-1, 1, [BATCH, 3, 16, 64]).astype("float32"),
        "img_hr": random.uniform(-1, 1, [BATCH, 3, 32, 128]).astype("float32"),
        "length": np.full([BATCH], 8, "int64"),
        "input_tensor": random.randint(1, 10, [BATCH, 8]).astype("int64"),
        "label": ["some", "words"],
    }
    return [made[key] for key in _kept(content)]


def _formula(random: Any, content: Any) -> list[Any]:
    """A grey picture, where it is no padding, a formula's symbols, and which of them count."""
    shape = [BATCH, 1, 32, 96]
    longest = int(content["Architecture"]["Head"]["max_text_length"])
    label = random.randint(1, 26, [BATCH, min(8, longest)]).astype("int64")
    picture = random.standard_normal(shape).astype("float32")
    return [picture, np.ones(shape, "float32"), label, np.ones_like(label)]


def _long_formula(random: Any, content: Any) -> list[Any]:
    """A grey picture of the size that its encoder counts on, a formula's symbols, which count."""
    ops = content["Train"]["dataset"]["transforms"]
    size = next(op["UniMERNetImgDecode"]["input_size"] for op in ops if "UniMERNetImgDecode" in op)
    picture = random.standard_normal([BATCH, 1, *size]).astype("float32")
    label = random.randint(4, 120, [BATCH, 12]).astype("int64")
    label[:, 0], label[:, -1] = 0, 2
    return [picture, label, np.ones_like(label)]


# Algorithms whose net takes the batch as one list.
_WHOLE = {
    **dict.fromkeys(_LONG_FORMULAS, _long_formula),
    **dict.fromkeys(("LayoutXLM", "LayoutLM", "LayoutLMv2"), _form),
    **dict.fromkeys(("Telescope", "Gestalt"), _enlarged),
    "CAN": _formula,
}


@contextlib.contextmanager
def _stand_ins(algorithm: str) -> Iterator[None]:
    """What is built or fetched from elsewhere, replaced where it is not what is judged."""
    if algorithm == "DRRG":
        # Its operator has no source but CUDA's.
        sys.modules["ppocr.ext_op"] = types.ModuleType("ppocr.ext_op")
        setattr(sys.modules["ppocr.ext_op"], "RoIAlignRotated", _rotated_pooling())  # noqa: B010
        # It joins the boxes that were found, and is built from C++ that the index does not have.
        sys.modules["lanms"] = types.ModuleType("lanms")
        setattr(sys.modules["lanms"], "merge_quadrangle_n9", None)  # noqa: B010
    if not algorithm.startswith("Layout"):
        yield
        return
    base: Any = importlib.import_module("paddlenlp.transformers.model_utils").PretrainedModel
    fetched = vars(base)["from_pretrained"]
    base.from_pretrained = classmethod(_untrained)
    try:
        yield
    finally:
        base.from_pretrained = fetched


def _untrained(cls: Any, name: str, /, **options: Any) -> Any:
    """A model of forms with random weights, which reads the page's picture unless it is a `vi`."""
    names = inspect.signature(cls.config_class.__init__).parameters
    given = {key: value for key, value in _TINY_FORM.items() if key in names}
    if "use_visual_backbone" in names:
        given["use_visual_backbone"] = not name.startswith("vi-")
    return cls(cls.config_class(**given, num_labels=options.get("num_classes", 2)))


def _rotated_pooling() -> Any:
    """A layer that pools turned boxes (picture, centre, width, height, angle), a point a bin."""
    paddle: Any = importlib.import_module("paddle")

    class RotatedPooling(paddle.nn.Layer):  # type: ignore[misc]
        def __init__(self, size: Any, scale: float) -> None:
            super().__init__()
            self.size, self.scale = size, scale

        def forward(self, features: Any, boxes: Any) -> Any:
            height, width = self.size
            down, across = paddle.meshgrid(
                (paddle.arange(height, dtype="float32") + 0.5) / height - 0.5,
                (paddle.arange(width, dtype="float32") + 0.5) / width - 0.5,
            )
            x, y, wide, high, turn = (
                part.reshape([-1, 1, 1]) for part in paddle.unbind(boxes[:, 1:], axis=1)
            )
            right, low = across * wide, down * high
            at_x = x + right * paddle.cos(turn) - low * paddle.sin(turn)
            at_y = y + right * paddle.sin(turn) + low * paddle.cos(turn)
            sides = [self.scale / side for side in (features.shape[3], features.shape[2])]
            grid = paddle.stack([2 * at_x * sides[0] - 1, 2 * at_y * sides[1] - 1], axis=-1)
            whole = features.expand([boxes.shape[0], -1, -1, -1])
            return paddle.nn.functional.grid_sample(whole, grid, align_corners=False)

    return RotatedPooling
