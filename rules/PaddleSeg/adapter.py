"""PaddleSeg: `SegBuilder` on the config as the kit reads it; its models take one image tensor.

Those of `Matting/` take a mapping, those of `contrib/MedicalSeg/` volumes; they and those of
`contrib/Panoptic*` are found by their folders.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import tempfile
from types import SimpleNamespace
from typing import Any

import numpy as np
from probe_inside.subject import Subject, image_attempts, listed, model, tensors

VERSION = 4
NOTE: list[str] = []
# Folders that are no part of the package: what registers their models once it is imported.
_APART = {
    "Matting": "ppmatting.models",
    "contrib/PanopticDeepLab": "models",
    "contrib/PanopticSeg": "paddlepanseg.models",
    "contrib/MedicalSeg": "medicalseg.models",
}
# Its training script imports backbones that take the places of the package's own of these names.
_REMOTE_SENSING = "contrib/RSSegBenchmark/configs/"
_MATTING = "Matting/"
_PANOPTIC = "contrib/PanopticSeg/"
_MEDICAL = "contrib/MedicalSeg/"
# Channels, depth, height and width of its nets' inputs: as small as their strides allow. Those that
# have a size among their arguments take theirs, but UNETR is made for a smaller one.
_VOLUMES = {
    "VNet": (1, 32, 32, 32),
    "VNetDeepSup": (1, 32, 32, 12),
    "UNETR": (4, 32, 32, 32),
    "TransUNet": (1, 1, 224, 224),
    "SwinUNet": (1, 1, 224, 224),
    "nnFormer": (1, 14, 160, 160),
}
# nnU-Net reads its layers from a plan that the kit draws up of the data: this is a small one.
_POOLED = 3
_PLANNED = 32
# Nets whose layers are as wide as the number of classes allows: too few leave a layer empty.
_CLASSES_OF_ITS_OWN = ("ESPNetV1",)
# RVM has no config: its net takes three stages of its backbone and the last convolution.
_RVM = "Matting/ppmatting/models/rvm.py"
_RVM_STAGES = [0, 2, 4]
_WEIGHTS = ("pretrained", "pretrained_path")
# Backbones that read a file of weights whatever the config says.
_READING = ("VisionTransformer", "CAE", "ViT_large_patch16_384")
BATCH = 2
CLASSES = 4


def prepare() -> None:
    """Import the kit's models."""
    for name in ("paddleseg.models", "paddleseg.cvlibs.builder", "paddleseg.core.train"):
        importlib.import_module(name)


def _register(config: str) -> None:
    """Import the models of the folder apart that the config lies in."""
    for folder, module in _APART.items():
        if config.startswith(folder + "/"):
            if folder + "/" == _PANOPTIC:
                _collating()
            sys.path.insert(0, os.path.abspath(folder))
            root = os.getcwd()
            # MedicalSeg reads a file of its own by a path from its folder.
            os.chdir(folder)
            try:
                importlib.import_module(module)
            finally:
                os.chdir(root)


def _collating() -> None:
    """PanopticSeg looks for this function where Paddle had it until 2.4, unless Paddle is 2.5."""
    name = "paddle.fluid.dataloader.collate"
    if name not in sys.modules:
        sys.modules[name] = importlib.import_module("paddle.io.dataloader.collate")
        NOTE.append("paddle.fluid's collate taken from paddle.io")


def _load(config: str) -> Any:
    """The kit's configuration, its data replaced by four classes of generated pictures."""
    if config.startswith(_MATTING):
        content = importlib.import_module("ppmatting.utils.config").Config(config)
        content.dic["model"] = _prune(content.dic["model"])
        return content
    library: Any = importlib.import_module("paddleseg.cvlibs.config")
    content = library.Config(config)
    # The builder hands a dataset's own number of classes to models that name none.
    if content.dic["train_dataset"]["type"] != "Dataset":
        content.dic["model"].setdefault("num_classes", CLASSES)
    dataset = {"type": "Dataset", "mode": "train", "num_classes": CLASSES, "img_channels": 3}
    content.dic["train_dataset"] = {**content.dic["train_dataset"], **dataset}
    content.dic["model"] = _prune(content.dic["model"])
    arch = content.dic["model"]
    if "num_classes" in arch and arch["type"] not in _CLASSES_OF_ITS_OWN:
        arch["num_classes"] = CLASSES
    return content


def _prune(value: Any) -> Any:
    if isinstance(value, dict):
        own = _no_weights() if value.get("type") in _READING else None
        return {key: own if key in _WEIGHTS else _prune(item) for key, item in value.items()}
    return [_prune(item) for item in value] if isinstance(value, list) else value


def _no_weights() -> str:
    """A file of weights with none in it."""
    paddle: Any = importlib.import_module("paddle")
    file = os.path.join(tempfile.mkdtemp(), "none.pdparams")
    paddle.save({}, file)
    return file


def _size(content: Any) -> int:
    for item in content.train_dataset_cfg.get("transforms") or []:
        size = item.get("crop_size") or (item.get("target_size") if len(item) > 1 else None)
        if size:
            # One number, two, or pairs to choose from.
            return int(np.max(size))
    return 512


def _medical(config: str) -> Any:
    """The configuration of MedicalSeg, with a plan for nnU-Net and without weights."""
    importlib.import_module("nnunet")
    library: Any = importlib.import_module("medicalseg.cvlibs")

    class Config(library.Config):  # type: ignore[misc] # the kit's own class
        @property
        def train_dataset(self) -> Any:
            # All that losses ask of it.
            return SimpleNamespace(ignore_index=255)

    content = Config(config)
    arch = content.dic["model"] = _prune(content.dic["model"])
    if arch["type"] == "UNETR":
        arch["img_shape"] = str(_VOLUMES["UNETR"][1:])
    if "plan_path" in arch:
        arch["plan_path"] = _plan(int(arch.get("stage") or 0), flat="plans_2D" in arch["plan_path"])
        for loss in content.dic["loss"]["types"]:
            loss["plan_path"] = arch["plan_path"]
    return content


def _plan(stage: int, *, flat: bool) -> str:
    """The path of a plan for pictures or for volumes."""
    axes = 2 if flat else 3
    layers = {
        "num_pool_per_axis": [_POOLED] * axes,
        "patch_size": [_PLANNED] * axes,
        "pool_op_kernel_sizes": [[2] * axes] * _POOLED,
        "conv_kernel_sizes": [[3] * axes] * (_POOLED + 1),
    }
    plan = {
        "plans_per_stage": {stage: layers},
        "base_num_features": 8,
        "num_modalities": 1,
        "all_classes": list(range(1, CLASSES)),
        "num_classes": CLASSES - 1,
    }
    with tempfile.NamedTemporaryFile(suffix=".pkl", delete=False) as file:
        pickle.dump(plan, file)
    return file.name


def _medical_subject(config: str) -> Subject:
    """A net of MedicalSeg and the sum that its trainers make of the config's losses."""
    content = _medical(config)
    net, arch = content.model, content.dic["model"]
    utils: Any = importlib.import_module("medicalseg.utils")
    if arch["type"] == "NNUNet":
        channels, size = net.num_input_channels, [_PLANNED] * len(net.patch_size)
    else:
        channels, *size = _VOLUMES[arch["type"]]
        if "kernel_size" in arch:
            # Those of spines halve the last axis less often.
            size = [*size[:2], _VOLUMES["VNetDeepSup"][3]]

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        return net(tensors(random.standard_normal([BATCH, channels, *size]).astype("float32")))

    def loss(outputs: Any, step: int) -> Any:
        random = np.random.RandomState(step)
        if isinstance(outputs[0], (list, tuple)):
            # A picture of classes for each size that the net gives.
            shapes = [[BATCH, 1, *output.shape[2:]] for output in outputs[0]]
            labels: Any = [tensors(random.randint(0, CLASSES, s).astype("int64")) for s in shapes]
        else:
            classes = int(outputs[0].shape[1])
            labels = tensors(random.randint(0, classes, [BATCH, *size]).astype("int32"))
        return sum(utils.loss_computation(outputs, labels, content.loss)[0])

    return Subject([net], forward, loss)


def _model(config: str) -> dict[str, Any] | None:
    if config == _RVM:
        return model(config, "RVM", "RVM", config, [{"size": 64, "loss": "general"}], exact=False)
    _register(config)
    library: Any = importlib.import_module("paddleseg.cvlibs.config")
    raw = library.parse_from_yaml(config)
    if "model" not in raw:
        return None
    if config.startswith(_MEDICAL):
        arch = raw["model"]
        attempts = [{"size": 0, "loss": "kit"}]
        return model(config, arch["type"], arch["type"], arch, attempts, exact=False)
    content = _load(config)
    arch = content.model_cfg
    backbone = arch.get("backbone")
    inner = backbone.get("type", "") if isinstance(backbone, dict) else ""
    name = "{}({})".format(arch["type"], inner) if inner else str(arch["type"])
    sizes = [64, 128, min(512, _size(content))]
    # A model whose own size is larger than what a CPU can do is not surely judged.
    exact = _size(content) <= 512
    attempts = image_attempts(sizes, _own_loss(config))
    return model(config, name, arch["type"], arch, attempts, exact)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a `model`."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The model of the kit's builder, and the losses that its trainer makes of the outputs."""
    _register(config)
    if config.startswith(_REMOTE_SENSING):
        sys.path.insert(0, os.path.abspath(os.path.dirname(_REMOTE_SENSING.rstrip("/"))))
        importlib.import_module("backbones")
    if config.startswith(_MEDICAL):
        return _medical_subject(config)
    net = _net(config)
    if config.startswith(_MATTING):
        loss: Any = _matting_loss
    else:
        loss = _training_loss(net, config, attempt["size"]) if _own_loss(config) else None

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        shape = [BATCH, 3, attempt["size"], attempt["size"]]
        if config.startswith(_MATTING):
            return net(tensors(_cut_out(random, shape)))
        return net(tensors(random.standard_normal(shape).astype("float32")))

    return Subject([net], forward, loss)


def _own_loss(config: str) -> bool:
    """Whether its losses are known here; panoptic segmentation has trainers of its own."""
    return config.startswith(_MATTING) or not config.startswith(tuple(_APART))


def _training_loss(net: Any, config: str, size: int) -> Any:
    """The sum that the kit's trainer makes of the config's losses, on drawn classes and edges."""
    made: list[Any] = []

    def loss(outputs: Any, step: int) -> Any:
        if not made:
            builder: Any = importlib.import_module("paddleseg.cvlibs.builder")
            made.append(builder.SegBuilder(_load(config)).loss)
        label, edge = (tensors(array) for array in _labels(step, size))
        if hasattr(net, "loss_computation"):
            return sum(net.loss_computation(outputs, made[0], {"label": label, "edge": edge}))
        train: Any = importlib.import_module("paddleseg.core.train")
        return sum(train.loss_computation(outputs, label, edge, made[0]))

    return loss


def _labels(step: int, size: int) -> tuple[Any, Any]:
    """Classes in squares of eight, some of them left out, and where one ends beside another."""
    squares = np.random.RandomState(step).randint(0, CLASSES + 1, [BATCH, size // 8, size // 8])
    squares[squares == CLASSES] = 255
    label = squares.repeat(8, axis=1).repeat(8, axis=2)
    ends = np.zeros_like(label)
    ends[:, 1:] |= label[:, 1:] != label[:, :-1]
    ends[:, :, 1:] |= label[:, :, 1:] != label[:, :, :-1]
    return label.astype("int64"), ends[:, None].astype("int64")


def _matting_loss(outputs: Any, _step: int) -> Any:
    """The one of the losses that the kit trains on: the net returns its parts beside their sum."""
    return outputs[1]["all"]


def _net(config: str) -> Any:
    if config == _RVM:
        models: Any = importlib.import_module("ppmatting.models")
        backbone = models.MobileNetV3_large_x1_0_os16
        return models.RVM(backbone=backbone(out_index=_RVM_STAGES, return_last_conv=True))
    if config.startswith(_MATTING):
        library: Any = importlib.import_module("ppmatting.utils.config")
        return library.MatBuilder(_load(config)).model
    if config.startswith(_PANOPTIC):
        # Its models stand in a register of their own.
        panoptic: Any = importlib.import_module("paddlepanseg.cvlibs.config")
        return panoptic.PanSegBuilder(_load(config)).model
    return importlib.import_module("paddleseg.cvlibs.builder").SegBuilder(_load(config)).model


def _cut_out(random: Any, shape: list[int]) -> dict[str, Any]:
    """A picture, what is in front and behind, how much of each, and where that is not known."""
    alone = [shape[0], 1, *shape[2:]]
    alpha = np.clip(random.uniform(-0.5, 1.5, alone), 0, 1)
    unsure = (alpha > 0) & (alpha < 1)
    made = {name: random.uniform(-1, 1, shape) for name in ("img", "fg", "bg")}
    trimap = np.where(unsure, 128.0, 255.0 * alpha)
    made.update(alpha=alpha, trimap=trimap, semantic=np.where(unsure, 1.0, 2 * alpha))
    return {name: array.astype("float32") for name, array in made.items()}
