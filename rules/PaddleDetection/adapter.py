"""PaddleDetection: the kit's own reader on generated pictures, `create(architecture)`, its loss.

Losses lie inside of the nets here, so batches must be right to the last key; the kit's reader makes
them, with the sizes that its transforms name made smaller. `stand_ins.py` has what the kit builds
from CUDA sources.
"""

from __future__ import annotations

import importlib
import itertools
import os
from typing import Any, Iterator

import numpy as np
from probe_inside.subject import BatchesByStep, Subject, data_folder, listed, model, tensors
from probe_inside.train import Refused

VERSION = 3
NOTE = ["the overlap of turned boxes, built from CUDA sources, is that of what stands around them"]
BATCH = 2
# The generated pictures show objects of four classes.
CLASSES = 4
_DATASETS = (
    "COCODataSet",
    "VOCDataSet",
    "Objects365Dataset",
    "SniperCOCODataSet",
    "SemiCOCODataSet",
    "WIDERFaceDataSet",
)
# By the kind of samples that has their key points.
_KEYPOINTS = {
    "KeypointTopDownCocoDataset": "keypoints",
    "KeypointBottomUpCocoDataset": "keypoints",
    "KeypointTopDownCocoWholeBodyHandDataset": "hands",
}
_TRACKS = "MOTDataSet"
_CLASS_TRACKS = "MCMOTDataSet"
_POSES = "Pose3DDataset"
_FRAMES = "Keypoint3DMultiFramesDataset"
_LANES = "CULaneDataSet"
# Datasets that look for their files as soon as they are made, which is while a config is read.
_EAGER = ("WIDERFaceValDataset", _FRAMES)
# Semi-supervised trainers by the name that configs give them.
_DENSE_TEACHER, _SEMI_RTDETR = "DenseTeacher", "Semi_RTDETR"
# Trackers around a net that the kit applies and does not train: it is probed alone, on what a
# detector would have cut out, height and width.
_APPLYING = "DeepSORT"
_CUT_OUT = (192, 64)
# Architectures that read the names of the files while they are trained.
_NAMING = ("PETR",)
# Backbones that fetch weights where they are given none.
_FETCHING = ("SwinTransformer", "FocalNet")
_SIZES = (
    "target_size",
    "target_dim",
    "input_dim",
    "input_h",
    "input_w",
    "size",
    "short_side_sizes",
    "scales",
)
# An operation of readers that is not told the number of classes by the kit's reader.
_UNTOLD = "Gt2CenterTrackTarget"
# One that cuts off the black sides of wide frames, which ours have not.
_CROPPING = "CropAndFlipImages"
# What two configs of one model may differ in.
_NOT_MODEL = frozenset(
    [
        "TrainDataset",
        "EvalDataset",
        "TestDataset",
        "TrainReader",
        "EvalReader",
        "TestReader",
        "LearningRate",
        "OptimizerBuilder",
        "epoch",
        "weights",
        "pretrain_weights",
        "snapshot_epoch",
        "log_iter",
        "save_dir",
        "print_flops",
        "num_classes",
        "metric",
        "worker_num",
        "use_ema",
        "ema_decay",
        "norm_type",
    ]
)


def prepare() -> None:
    """Import all modules, as the trainer does: they register themselves."""
    importlib.import_module("stand_ins").install()
    for name in ("ppdet.core.workspace", "ppdet.data", "ppdet.modeling"):
        importlib.import_module(name)
    yaml: Any = importlib.import_module("yaml")
    for name in _EAGER:
        yaml.add_constructor("!" + name, _fields)


def _fields(loader: Any, node: Any) -> dict[str, Any]:
    """A dataset that a config has as a tag, as the mapping that others have in its place."""
    return {"name": node.tag[1:], **loader.construct_mapping(node, deep=True)}


def _workspace() -> Any:
    return importlib.import_module("ppdet.core.workspace")


def _load(config: str) -> Any:
    """One config with its bases, and nothing of those that were read before it.

    The kit's own function lays a config's first base over the global configuration.
    """
    workspace = _workspace()
    whole = workspace.global_config
    workspace.global_config = workspace.AttrDict()
    try:
        return workspace._load_config_with_base(config)
    finally:
        workspace.global_config = whole


def _model(config: str) -> dict[str, Any] | None:
    content = _load(config)
    if "architecture" not in content or "TrainReader" not in content:
        return None
    key = {name: value for name, value in content.items() if name not in _NOT_MODEL}
    family = "{}/{}".format(os.path.basename(os.path.dirname(config)), content["architecture"])
    name = os.path.splitext(os.path.basename(config))[0]
    attempts = [{"size": 128, "loss": "kit"}, {"size": 320, "loss": "kit"}]
    if content["architecture"] == _APPLYING:
        attempts = [{"size": max(_CUT_OUT), "loss": "general"}]
    # The pictures are ours, and neither attempt has the config's own size.
    return model(config, name, family, key, attempts, exact=False)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with an architecture and a training reader."""
    return listed(configs, _model)


def _shrink(value: Any, size: int) -> Any:
    """A transform's numbers, each side of a picture made `size` wide."""
    if isinstance(value, dict):
        return {key: _shrunk(key, item, size) for key, item in value.items()}
    return [_shrink(item, size) for item in value] if isinstance(value, list) else value


def _shrunk(key: str, item: Any, size: int) -> Any:
    def every(value: Any) -> Any:
        if isinstance(value, list):
            # Scales to choose from all become the same, and one of them is enough.
            whole = [every(part) for part in value]
            return whole[:1] if whole and isinstance(whole[0], list) else whole
        return size if isinstance(value, int) and value >= 64 else value

    if key in _SIZES:
        return every(item)
    if key == "max_size" and isinstance(item, int):
        return 2 * size
    if key == "min_size" and isinstance(item, int) and item >= 64:
        # The least of a random crop, which is larger than a small picture.
        return size // 2
    return _shrink(item, size)


def _weightless(value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "pretrained" and not isinstance(item, dict):
                value[key] = False if isinstance(item, bool) else None
            else:
                _weightless(item)


def _dataset(wanted: Any) -> Any:
    """The kit's reader of COCO files on ours, with the fields that the config's own would give."""
    # YAML gives an object of the class where it has the class as a tag, else a mapping.
    fields = wanted if isinstance(wanted, dict) else {"name": type(wanted).__name__, **vars(wanted)}
    name = fields.get("name")
    if name in _KEYPOINTS:
        wanted.dataset_dir, wanted.image_dir = data_folder(_KEYPOINTS[name]), "images"
        wanted.img_prefix = os.path.join(wanted.dataset_dir, "images")
        wanted.anno_path = "annotations/train.json"
        wanted.ann_file = os.path.join(wanted.dataset_dir, wanted.anno_path)
        return wanted
    if name in (_TRACKS, _CLASS_TRACKS):
        kind = "tracks" if name == _TRACKS else "class-tracks"
        wanted.dataset_dir, wanted.image_lists = data_folder(kind), ["own.train"]
        return wanted
    if name == _POSES:
        wanted.dataset_dir, wanted.image_dirs = data_folder("poses"), ["images"]
        wanted.anno_list = ["pose3d.json"]
        return wanted
    if name == _FRAMES:
        frames: Any = importlib.import_module("ppdet.data.source.pose3d_cmb")
        given = {key: value for key, value in fields.items() if key != "name"}
        given["dataset_dir"] = os.path.join(data_folder("poses"), "frames")
        return frames.Keypoint3DMultiFramesDataset(**given)
    if name == _LANES:
        return _lanes()
    if name not in _DATASETS:
        raise Refused("The adapter has no data for {}.".format(name))
    own: Any = importlib.import_module("ppdet.data.source.coco").COCODataSet
    return own(
        dataset_dir=data_folder(),
        image_dir="images",
        anno_path="annotations/train.json",
        data_fields=fields.get("data_fields") or ["image"],
    )


def _lanes() -> Any:
    """The kit's reader of lanes on ours."""
    # imgaug asks for a name that NumPy took out, and draws by itself.
    vars(np).setdefault("bool", bool)
    importlib.import_module("imgaug").seed(0)
    own: Any = importlib.import_module("ppdet.data.source.culane").CULaneDataSet
    made = own(dataset_dir=data_folder("lanes"), cut_height=0, list_path="list/train_gt.txt")
    with open(made.list_path) as lines:
        made.data_infos = [made.load_annotation(line.split()) for line in lines]
    # It would keep what it parsed in the checkout, and take that for another folder's.
    made.parse_dataset = lambda: None
    return made


def _batches(reader: Any, dataset: Any, of: str = "") -> Iterator[Any]:
    """What the reader's loader gives, without its thread: that hangs when an operation fails.

    `of` is the end of its transforms' names, where the reader has more than one kind.
    """
    dataset.check_or_download_dataset()
    dataset.parse_dataset()
    dataset.set_transform(getattr(reader, "_sample_transforms" + of))
    dataset.set_kwargs(**reader.kwargs)
    for step in itertools.count():
        indices = [(BATCH * step + number) % len(dataset) for number in range(BATCH)]
        yield getattr(reader, "_batch_transforms" + of)([dataset[index] for index in indices])


def _semi(content: Any, dataset: Any, trainer: str) -> Subject:
    """What semi-supervised trainers train, on labelled pictures with little and with much change.

    To `DenseTeacher` the net is an ordinary one until the unlabelled pictures come in; the other
    hands all four kinds to a net that holds teacher and student, and takes labels away itself.
    """
    workspace = _workspace()
    reader = workspace.create("SemiTrainReader")
    batches = BatchesByStep(_batches(reader, dataset, "_label"))
    net = workspace.create(content["SSOD" if trainer == _SEMI_RTDETR else "architecture"])

    def forward(step: int) -> Any:
        weak, strong = batches.of(step)
        if trainer == _SEMI_RTDETR:
            halves = [{**tensors(half), "epoch_id": 0} for half in (weak, strong) * 2]
            # As the trainer has it, whose steps count from one.
            net.teacher.eval()
            return net([*halves, step + 1])
        both = {key: np.concatenate([half, weak[key]]) for key, half in strong.items()}
        return net({**tensors(both), "epoch_id": 0})

    return Subject([net], forward, lambda outputs, step: outputs["loss"])


def _embedding(net: Any) -> Subject:
    """What tells one person from another, on pictures of them."""

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        return net(tensors(random.standard_normal([BATCH, 3, *_CUT_OUT]).astype("float32")))

    return Subject([net], forward)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """Dataset, reader and net as `Trainer.__init__` makes them."""
    workspace = _workspace()
    content = workspace.load_config(config)
    if content["architecture"] == _APPLYING:
        _weightless(content)
        return _embedding(workspace.create(content[_APPLYING]["reid"]))
    dataset = _dataset(content["TrainDataset"])
    _weightless(content)
    for name in _FETCHING:
        if name in content:
            content[name]["pretrained"] = False
    # Some operations of readers know their config's number of classes by another name. A tracker
    # of people learns one class, and some trackers refuse more.
    own = int(content.get("num_classes") or 0)
    classes = own if type(dataset).__name__ == _TRACKS else max(CLASSES, own)
    workspace.merge_config({"use_gpu": False, "num_classes": classes, "worker_num": 0})
    if type(dataset).__name__ == _CLASS_TRACKS:
        dataset.parse_dataset()
        content["FairMOTEmbeddingHead"]["num_identities_dict"] = dataset.num_identities_dict
    trainer = content.get("ssod_method")
    if trainer in (_DENSE_TEACHER, _SEMI_RTDETR):
        content["SemiTrainReader"].update(_shrink(content["SemiTrainReader"], attempt["size"]))
        return _semi(content, dataset, trainer)
    reader = content["TrainReader"]
    for key in ("sample_transforms", "batch_transforms"):
        # The net of frames counts on the size of its pictures.
        if reader.get(key) and type(dataset).__name__ != _FRAMES:
            reader[key] = _shrink(reader[key], attempt["size"])
    for operation in reader.get("sample_transforms") or []:
        if _UNTOLD in operation:
            operation[_UNTOLD]["num_classes"] = classes
        if _CROPPING in operation:
            operation[_CROPPING]["crop_range"] = [0, None]
    reader["batch_size"] = BATCH
    reader["use_shared_memory"] = False
    batches = BatchesByStep(_batches(workspace.create("TrainReader"), dataset))
    net = workspace.create(content["architecture"])

    def forward(step: int) -> Any:
        batch = tensors(batches.of(step))
        # The trainer counts epochs in the batch, and takes file names out for a static net.
        batch["epoch_id"] = 0
        if content["architecture"] not in _NAMING:
            batch.pop("image_file", None)
        return net(batch)

    return Subject([net], forward, lambda outputs, step: outputs["loss"])
