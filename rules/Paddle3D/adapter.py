"""Paddle3D: `Config.model` on scenes of our own, with fewer voxels and smaller pictures.

Operators that the kit builds from CUDA sources are replaced by those of `stand_ins.py`; a model
that needs one that has no stand-in is refused with its name.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.kit_step import Training
from probe_inside.subject import data_folder, listed, model, tensors
from probe_inside.train import Refused

VERSION = 5
NOTE = ["operators built from CUDA sources are replaced by ones of Paddle's own operators"]
BATCH = 2
# Points of a scan, boxes in it, and voxels along each side of the ground.
_POINTS, _BOXES, _SIDE = 1024, 4, 64
# Height and width of pictures with boxes in them; cameras around a car, theirs, and their moments.
_PICTURE = (128, 256)
# Steps of the training that a schedule is made for.
_ITERATIONS = 100
# Where a config names weights from elsewhere.
_WEIGHTS = ("pretrained", "load_img_from", "load_cam_from", "load_lidar_from")
_CAMERAS, _VIEW, _TIMES = 6, (64, 160), 3
# Queries, regions, and sides of the ground seen from above, of nets that take many of them.
_MOST = {
    "num_query": 32,
    "roi_per_image": 16,
    **dict.fromkeys(("bev_h", "bev_w", "row_num_embed", "col_num_embed"), 16),
}
# Width and height of the generated pictures as SMOKE's targets want them.
_INPUT = [192, 64]
_NORMAL = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


def prepare() -> None:
    """Import what finds the kit's classes by name, with our operators in the place of its own."""
    importlib.import_module("stand_ins").install()
    importlib.import_module("paddle3d.apis.config")


def _load(config: str) -> Any:
    """The kit's configuration, without weights from elsewhere."""
    content = importlib.import_module("paddle3d.apis.config").Config(path=config)
    arch = _prune(content.dic["model"])
    whole, voxel = _grid(arch)
    if whole:
        arch = _replaced(arch, whole, _area(whole, voxel))
    content.dic["model"] = _lighter(arch)
    return content


def _grid(arch: Any) -> tuple[Any, Any]:
    """The range of a model's voxels and their size; nothing where it has none."""
    voxelizer, frustum = arch.get("voxelizer") or {}, arch.get("f2v_cfg") or {}
    if "voxel_size" in voxelizer:
        return voxelizer["point_cloud_range"], voxelizer["voxel_size"]
    return frustum.get("pc_range"), frustum.get("voxel_size")


def _area(whole: Any, size: Any) -> list[float]:
    """A part of the range x, y, z to x, y, z with as many voxels as we have on each side."""
    wide, deep = _SIDE * size[0], _SIDE * size[1]
    return [whole[0], -deep / 2, whole[2], whole[0] + wide, deep / 2, whole[5]]


def _replaced(value: Any, old: Any, new: Any) -> Any:
    """The same with `new` wherever `old` was."""
    if value == old:
        return list(new)
    if isinstance(value, dict):
        return {key: _replaced(item, old, new) for key, item in value.items()}
    return [_replaced(item, old, new) for item in value] if isinstance(value, list) else value


def _lighter(value: Any, key: str = "") -> Any:
    """Less of what is many, and no second forward to save memory, which changes no number."""
    if isinstance(value, dict):
        return {
            name: list(_VIEW) if name == "final_dim" else _lighter(item, name)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_lighter(item) for item in value]
    if key in _MOST:
        return min(int(value), _MOST[key])
    if key == "grid":
        # Metres of a cell of the ground.
        return max(float(value), 2.0)
    return False if key in ("use_recompute", "use_checkpoint") else value


def _prune(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if key in _WEIGHTS else _prune(item) for key, item in value.items()}
    return [_prune(item) for item in value] if isinstance(value, list) else value


def _model(config: str) -> dict[str, Any] | None:
    arch = _prune(importlib.import_module("paddle3d.apis.config").Config(path=config).dic["model"])
    kind = str(arch["type"])
    backbone = arch.get("backbone")
    inner = backbone.get("type", "") if isinstance(backbone, dict) else ""
    name = "{}({})".format(kind, inner) if inner else kind
    return model(config, name, kind, arch, [{"size": 64, "loss": "step"}], exact=False)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a `model`."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Training:
    """The model with the config's optimizer, and one `training_step` of the kit a step.

    The model is hooked as a whole. Hooks that it has itself are for pictures and scans of one size,
    which ours have not.
    """
    content = _load(config)
    kind = content.dic["model"]["type"]
    if kind not in _MAKERS:
        raise Refused("The adapter has no batch for {}.".format(kind))
    net = content.model
    batch = _MAKERS[kind](content, attempt["size"], net)

    optimizer = content.optimizer
    if hasattr(optimizer, "before_run"):
        # Its schedule runs over the whole training, as the kit's trainer tells it.
        optimizer.before_run(max_iters=_ITERATIONS)
    kit_step = importlib.import_module("paddle3d.apis.pipeline").training_step

    def step(number: int) -> None:
        kit_step(net, optimizer, batch(number), number + 1)

    return Training({"model": net}, lambda to_static: to_static(net), step)


def _monocular(content: Any, size: int, net: Any) -> Any:
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


def _range_view(content: Any, size: int, net: Any) -> Any:
    """Range, position and remission of a scan, and a class for each of its pixels.

    No pixel has class 0, which the kit ignores: the mean of `nll_loss` over pictures writes beyond
    its one number for each ignored pixel on the CPU.
    """
    classes = int(content.dic["model"]["num_classes"])
    channels = int(content.dic["model"]["backbone"]["in_channels"])

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        view = random.standard_normal([BATCH, channels, size // 4, size]).astype("float32")
        labels = random.randint(1, classes, [BATCH, 1, size // 4, size]).astype("int64")
        return tensors({"data": list(view), "labels": list(labels)})

    return batch


def _scan(random: Any, area: Any, number: int = _POINTS) -> Any:
    """Points [N, 4] in a range: x, y, z and how much is reflected; some stand close together."""
    low, high = np.array(area[:3]), np.array(area[3:])
    middle = random.uniform(low, high, [_BOXES, 3]).repeat(number // (2 * _BOXES), axis=0)
    near = middle + random.standard_normal(middle.shape) * 0.3
    far = random.uniform(low, high, [number - len(near), 3])
    places = np.clip(np.concatenate([near, far]), low + 1e-3, high - 1e-3)
    return np.concatenate([places, random.uniform(0, 1, [number, 1])], axis=1).astype("float32")


def _pillars(content: Any, size: int, net: Any) -> Any:
    """Voxels of two scans, and what each anchor is: nothing, to be ignored, or a box."""
    arch = content.dic["model"]
    area = arch["voxelizer"]["point_cloud_range"]
    most = int(arch["voxelizer"]["max_num_points_in_voxel"])
    voxelize = importlib.import_module("stand_ins").hard_voxelize
    paddle: Any = importlib.import_module("paddle")
    anchors = int(net.anchor_generator.anchors.shape[0])

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        made: list[list[Any]] = []
        for number in range(BATCH):
            scan = paddle.to_tensor(_scan(random, area))
            found = voxelize(scan, arch["voxelizer"]["voxel_size"], area, most, _POINTS)
            voxels, places, counts = found[:3]
            whose = paddle.full([places.shape[0], 1], number, dtype=places.dtype)
            made.append([voxels, paddle.concat([whose, places], axis=1), counts])
        voxels, places, counts = (paddle.concat(list(part), axis=0) for part in zip(*made))
        labels = random.choice([-1, 0, 0, 0, 1], [BATCH, anchors]).astype("int32")
        targets = random.standard_normal([BATCH, anchors, 7]).astype("float32")
        return {
            "data": [0] * BATCH,
            "voxels": voxels,
            "coords": places,
            "num_points_per_voxel": counts,
            **tensors({"labels": labels, "reg_targets": targets}),
        }

    return batch


def _centres(content: Any, size: int, net: Any) -> Any:
    """Scans, and for each task where the centres of boxes are, and the boxes."""
    arch = content.dic["model"]
    area = arch["voxelizer"]["point_cloud_range"]
    side = _SIDE // int(arch["test_cfg"]["down_ratio"])
    moving = "vel" in arch["bbox_head"]["common_heads"]
    more = int(arch["voxel_encoder"].get("in_channels", 4)) - 4

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        scans = [_scan(random, area) for _ in range(BATCH)]
        made: dict[str, Any] = {
            "data": [np.pad(scan, ((0, 0), (0, more))) for scan in scans],
            **{key: [] for key in ("heat_map", "target_bbox", "center_idx")},
            **{key: [] for key in ("target_mask", "target_label")},
        }
        for task in arch["bbox_head"]["tasks"]:
            classes = int(task["num_class"])
            heat = random.uniform(0, 0.9, [BATCH, classes, side, side])
            places = random.randint(0, side * side, [BATCH, _BOXES])
            labels = random.randint(0, classes, [BATCH, _BOXES])
            for number in range(BATCH):
                heat[number, labels[number], places[number] // side, places[number] % side] = 1
            boxes = random.standard_normal([BATCH, _BOXES, 10 if moving else 8])
            made["heat_map"].append(heat.astype("float32"))
            made["target_bbox"].append(boxes.astype("float32"))
            made["center_idx"].append(places.astype("int64"))
            made["target_mask"].append(np.ones([BATCH, _BOXES], "uint8"))
            made["target_label"].append(labels.astype("int64"))
        return tensors(made)

    return batch


def _cloud(content: Any, size: int, net: Any) -> Any:
    """The points of one thing each, and what it is."""

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        points = random.standard_normal([BATCH, 2 * size, 3]).astype("float32")
        return tensors({"data": points, "labels": random.randint(0, 40, [BATCH]).astype("int64")})

    return batch


def _points(content: Any, size: int, net: Any) -> Any:
    """Points of two scans with the scan that each is of, and the boxes in them."""
    area = [0.0, -6.0, -2.0, 12.0, 6.0, 1.0]

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        scans = [_scan(random, area) for _ in range(BATCH)]
        whose = [np.full([_POINTS, 1], number, "float32") for number in range(BATCH)]
        boxes = np.zeros([BATCH, _BOXES, 8], "float32")
        for number, scan in enumerate(scans):
            # A box around each place where points stand close together.
            boxes[number, :, :3] = scan[: _POINTS // 2, :3].reshape([_BOXES, -1, 3]).mean(axis=1)
        boxes[..., 3:6] = [3.9, 1.6, 1.56]
        boxes[..., 6] = random.uniform(-1, 1, [BATCH, _BOXES])
        boxes[..., 7] = random.randint(1, 4, [BATCH, _BOXES])
        data = np.concatenate([np.concatenate(whose), np.concatenate(scans)], axis=1)
        return {**tensors({"data": data, "bboxes_3d": boxes}), "batch_size": BATCH}

    return batch


def _seen_boxes(content: Any, size: int, net: Any) -> Any:
    """Pictures with their camera, and boxes in the picture and in space."""
    height, width = _PICTURE
    classes = int(content.dic["model"]["num_classes"])
    camera = np.array([[200, 0, width / 2], [0, 200, height / 2], [0, 0, 1]], "float32")

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        corner = random.uniform(0, 64, [BATCH, _BOXES, 2])
        turn = random.standard_normal([BATCH, _BOXES, 4])
        turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
        place = random.uniform([-2, -1, 5], [2, 1, 20], [BATCH, _BOXES, 3])
        boxes = np.concatenate([turn, place, random.uniform(1, 3, [BATCH, _BOXES, 3])], axis=-1)
        made = {
            "data": random.uniform(0, 255, [BATCH, 3, height, width]).astype("float32"),
            "bboxes_2d": np.concatenate([corner, corner + 48], axis=-1).astype("float32"),
            "bboxes_3d": boxes.astype("float32"),
            "labels": random.randint(0, classes, [BATCH, _BOXES]).astype("int64"),
            "meta": {"camera_intrinsic": np.stack([camera] * BATCH)},
        }
        return tensors(made)

    return batch


def _around(content: Any, size: int, net: Any) -> Any:
    """What the cameras around one car see, how each of them stands, and the boxes."""
    paddle: Any = importlib.import_module("paddle")
    head = content.dic["model"].get("pts_bbox_head") or {}
    # Heads that tell how fast things move see two moments, one after the other.
    cameras = _cameras(2 if head.get("with_time") else 1)

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        number, (height, width) = len(cameras["timestamp"]), _VIEW
        pictures = random.standard_normal([1, number, 3, height, width]).astype("float32")
        targets = _seen_around(random)
        made = {"img": pictures, **{name: [array] for name, array in targets.items()}}
        # Heads that are trained to remove noise take the boxes from here.
        targets["gt_labels_3d"] = paddle.to_tensor(targets["gt_labels_3d"])
        return {**tensors(made), "meta": [{**cameras, **targets}]}

    return batch


def _cameras(moments: int = 1) -> dict[str, Any]:
    """How the cameras around a car stand at each moment, by the names of the kit's readers."""
    height, width = _VIEW
    turns = []
    seen = np.eye(4, dtype="float32")
    seen[:3, :3] = [[100.0, 0.0, width / 2], [0.0, 100.0, height / 2], [0.0, 0.0, 1.0]]
    for number in range(_CAMERAS):
        angle = 2 * np.pi * number / _CAMERAS
        turned = np.eye(4)
        turned[:3, :3] = [
            [np.cos(angle), np.sin(angle), 0],
            [0, 0, -1],
            [-np.sin(angle), np.cos(angle), 0],
        ]
        turns.append(turned)
    # Half a second lies between two moments.
    return {
        "timestamp": [0.5 * moment for moment in range(moments) for _ in turns],
        "pad_shape": [(height, width, 3)] * (moments * _CAMERAS),
        "img_shape": [(height, width, 3)] * (moments * _CAMERAS),
        "lidar2img": [(seen @ turned).astype("float32") for turned in turns * moments],
        "extrinsics": [np.linalg.inv(turned).T.astype("float32") for turned in turns * moments],
        "intrinsics": [seen] * (moments * _CAMERAS),
    }


def _seen_around(random: Any) -> dict[str, Any]:
    """Boxes [N, 9] around a car, and their classes [N]."""
    boxes = random.uniform(-20, 20, [_BOXES, 9])
    boxes[:, 3:6] = random.uniform(1, 4, [_BOXES, 3])
    boxes[:, 6:] = random.uniform(-1, 1, [_BOXES, 3])
    return {
        "gt_bboxes_3d": boxes.astype("float32"),
        "gt_labels_3d": random.randint(0, 10, [_BOXES]).astype("int64"),
    }


def _lifted(content: Any, size: int, net: Any) -> Any:
    """What the cameras around one car see, its scan where the model reads one, and the boxes."""
    paddle: Any = importlib.import_module("paddle")
    voxelizer = content.dic["model"].get("pts_voxel_layer")
    around = _around(content, size, net)
    meta = {**_cameras(), "box_type_3d": "LiDAR"}
    meta["lidar2img"] = [paddle.to_tensor(matrix) for matrix in meta["lidar2img"]]

    def batch(step: int) -> Any:
        made = around(step)
        made["img_metas"] = [meta]
        if voxelizer is not None:
            scan = _scan(np.random.RandomState(step), voxelizer["point_cloud_range"])
            made["points"] = [paddle.to_tensor(scan)]
        return made

    return batch


def _driven(content: Any, size: int, net: Any) -> Any:
    """What the cameras around one car saw at three times, how it moved, and the boxes at last."""
    cameras, (height, width) = _cameras(), _VIEW

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        shape = [1, _TIMES, _CAMERAS, 3, height, width]
        pictures = random.standard_normal(shape).astype("float32")
        moved = random.uniform(-1, 1, [_TIMES, 18]).astype("float32")
        # The model writes into these.
        seen = {
            time: {**cameras, "can_bus": moved[time], "prev_bev_exists": time > 0}
            for time in range(_TIMES)
        }
        targets = {name: [array] for name, array in _seen_around(random).items()}
        return {**tensors({"img": pictures, **targets}), "meta": [seen]}

    return batch


def _scans(content: Any, size: int, net: Any) -> Any:
    """Two scans with more points than are sampled, and the boxes in them with their classes."""
    area = content.dic["model"]["voxelizer"]["point_cloud_range"]

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        made = {
            "data": [_scan(random, area, 4 * _POINTS) for _ in range(BATCH)],
            "gt_boxes": _boxes(random, area),
        }
        return {**tensors(made), "batch_size": BATCH}

    return batch


def _boxes(random: Any, area: Any) -> Any:
    """Cars [B, N, 8] within a range: centre, length, width, height, turn, class."""
    boxes = np.empty([BATCH, _BOXES, 8])
    boxes[..., :3] = random.uniform(area[:3], area[3:], [BATCH, _BOXES, 3])
    boxes[..., 3:6] = (3.9, 1.6, 1.56)
    boxes[..., 6] = random.uniform(-1, 1, [BATCH, _BOXES])
    boxes[..., 7] = 1
    return boxes.astype("float32")


def _depths(content: Any, size: int, net: Any) -> Any:
    """Pictures with the depth of their pixels, the camera, and the boxes seen."""
    height, width = _PICTURE
    arch = content.dic["model"]
    area = arch["f2v_cfg"]["pc_range"]
    less = int(arch["ffe_cfg"]["downsample_factor"])
    # Forward, left and up of the scan are depth, left and up of the camera.
    turned = np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]], "float32")
    camera = np.array([[200, 0, width / 2, 0], [0, 200, height / 2, 0], [0, 0, 1, 0]], "float32")

    def batch(step: int) -> Any:
        random = np.random.RandomState(step)
        corner = random.uniform(0, 64, [BATCH, _BOXES, 2])
        depth = random.uniform(2, 40, [BATCH, height // less, width // less])
        made = {
            "images": random.uniform(0, 1, [BATCH, 3, height, width]).astype("float32"),
            "image_shape": np.tile(np.array([height, width], "int32"), (BATCH, 1)),
            "depth_maps": depth.astype("float32"),
            "gt_boxes": _boxes(random, area),
            "gt_boxes2d": np.concatenate([corner, corner + 48], axis=-1).astype("float32"),
            "trans_lidar_to_cam": np.stack([turned] * BATCH),
            "trans_cam_to_img": np.stack([camera] * BATCH),
        }
        return {**tensors(made), "batch_size": BATCH}

    return batch


_MAKERS = {
    "SMOKE": _monocular,
    "SqueezeSegV3": _range_view,
    "PointPillars": _pillars,
    "CenterPoint": _centres,
    "PAConv": _cloud,
    "IASSD": _points,
    "DD3D": _seen_boxes,
    "Petr3D": _around,
    "CAPE": _around,
    "BEVFormer": _driven,
    "BEVFFasterRCNN": _lifted,
    "CADDN": _depths,
    "PVRCNN": _scans,
    "VoxelRCNN": _scans,
}
