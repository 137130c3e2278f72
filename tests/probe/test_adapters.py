"""What adapters make of configs before anything of a kit is built."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import yaml

from codemod.experiments.probe.server import INSIDE
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import ADAPTER, kit_file, kits_with

if TYPE_CHECKING:
    from pathlib import Path

if str(INSIDE) not in sys.path:
    sys.path.append(str(INSIDE))


def adapter(kit: str) -> Any:
    file = kit_file(kit, ADAPTER)
    assert file is not None
    spec = importlib.util.spec_from_file_location(f"adapter_of_{kit}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Refused: Any = importlib.import_module("probe_inside.train").Refused


@pytest.mark.parametrize("kit", kits_with(ADAPTER))
def test_every_adapter_has_what_the_server_asks_for(kit: str) -> None:
    module = adapter(kit)
    assert isinstance(module.VERSION, int)
    assert all(callable(getattr(module, name)) for name in ("prepare", "models", "build"))


def test_adapters_are_of_kits_that_we_know() -> None:
    assert set(kits_with(ADAPTER)) <= set(load_kits())


def test_readers_of_detectors_make_smaller_pictures() -> None:
    shrink = adapter("PaddleDetection")._shrink
    transforms = [
        {"RandomResize": {"target_size": [[640, 1333], [800, 1333]], "keep_ratio": True}},
        {"Resize": {"target_size": 640, "interp": 2}},
        {"PadGT": {"size_divisor": 32}},
    ]
    assert shrink(transforms, 128) == [
        {"RandomResize": {"target_size": [[128, 128]], "keep_ratio": True}},
        {"Resize": {"target_size": 128, "interp": 2}},
        {"PadGT": {"size_divisor": 32}},
    ]


def test_scales_to_choose_between_become_one_small_one() -> None:
    shrink = adapter("PaddleDetection")._shrink
    transforms = [
        {"RandomShortSideRangeResize": {"scales": [[400, 1400], [1400, 1400]]}},
        {"RandomSizeCrop": {"min_size": 384, "max_size": 600}},
    ]
    assert shrink(transforms, 128) == [
        {"RandomShortSideRangeResize": {"scales": [[128, 128]]}},
        {"RandomSizeCrop": {"min_size": 64, "max_size": 256}},
    ]


def test_a_detector_s_batches_go_round_the_set() -> None:
    class Reader:
        _sample_transforms, kwargs = object(), {"scale": 2}

        @staticmethod
        def _batch_transforms(samples: list[int]) -> list[int]:
            return samples

    class Set(list[int]):
        def __init__(self) -> None:
            super().__init__([10, 11, 12])
            self.told: list[str] = []

        def check_or_download_dataset(self) -> None:
            self.told.append("checked")

        def parse_dataset(self) -> None:
            self.told.append("parsed")

        def set_transform(self, transform: Any) -> None:
            self.told.append("transform" if transform is Reader._sample_transforms else "other")

        def set_kwargs(self, scale: int) -> None:
            self.told.append(f"scale {scale}")

    pictures = Set()
    batches = adapter("PaddleDetection")._batches(Reader(), pictures)
    assert [next(batches) for _ in range(3)] == [[10, 11], [12, 10], [11, 12]]
    assert pictures.told == ["checked", "parsed", "transform", "scale 2"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("KeypointTopDownCocoDataset", "keypoints"),
        ("KeypointTopDownCocoWholeBodyHandDataset", "hands"),
        ("MOTDataSet", "tracks"),
        ("MCMOTDataSet", "class-tracks"),
        ("Pose3DDataset", "poses"),
    ],
)
def test_a_detector_s_dataset_reads_samples_of_its_kind(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    module = adapter("PaddleDetection")
    monkeypatch.setattr(module, "data_folder", lambda kind="": f"/{kind}")
    wanted = type(name, (), {})()
    assert module._dataset(wanted) is wanted
    assert wanted.dataset_dir == f"/{kind}"


def test_a_dataset_that_looks_for_its_files_is_not_made_while_a_config_is_read() -> None:
    module = adapter("PaddleDetection")

    class Loader(yaml.SafeLoader): ...

    Loader.add_constructor("!Eager", module._fields)
    read = yaml.load("EvalDataset: !Eager {image_dir: images, fields: [a]}", Loader)
    assert read == {"EvalDataset": {"name": "Eager", "image_dir": "images", "fields": ["a"]}}


@pytest.mark.parametrize("trainer", ["DenseTeacher", "Semi_RTDETR"])
def test_semi_supervised_nets_are_fed_as_their_trainers_feed_them(
    monkeypatch: pytest.MonkeyPatch, trainer: str
) -> None:
    module = adapter("PaddleDetection")
    made: dict[str, Any] = {"SemiTrainReader": None}

    class Net:
        def __init__(self) -> None:
            self.fed: Any = None
            self.teacher = self

        def eval(self) -> None:
            made["still"] = True

        def __call__(self, batch: Any) -> None:
            self.fed = batch

    class Workspace:
        @staticmethod
        def create(name: str) -> Any:
            return made.setdefault(name, Net())

    halves = {"image": np.zeros([2, 3])}, {"image": np.ones([2, 3])}
    monkeypatch.setattr(module, "_workspace", Workspace)
    monkeypatch.setattr(module, "tensors", lambda value: value)
    monkeypatch.setattr(module, "_batches", lambda reader, dataset, of: iter([halves]))
    subject = module._semi({"architecture": "FCOS", "SSOD": "DETR_SSOD"}, None, trainer)
    subject.forward(0)
    if trainer == "DenseTeacher":
        assert made["FCOS"].fed["image"].tolist() == [[1.0] * 3] * 2 + [[0.0] * 3] * 2
        return
    *fed, step = made["DETR_SSOD"].fed
    assert [half["image"].max() for half in fed] == [0, 1, 0, 1]
    assert step == 1 and made["still"]


def test_video_models_lose_their_weights_and_get_few_classes() -> None:
    prune = adapter("PaddleVideo")._prune
    arch = {
        "backbone": {"name": "Net", "pretrained": "data/net.pdparams", "pretrained_2d": "x"},
        "models": [{"Student": {"head": {"num_classes": 400, "in_channels": 8}}}],
    }
    assert prune(arch) == {
        "backbone": {"name": "Net", "pretrained": None, "pretrained_2d": None},
        "models": [{"Student": {"head": {"num_classes": 8, "in_channels": 8}}}],
    }


@pytest.mark.parametrize(
    ("arch", "shapes"),
    [
        ({"framework": "Recognizer2D", "backbone": {"num_seg": 4}}, [[2, 4, 3, 64, 64], [2, 1]]),
        ({"framework": "RecognizerTransformer"}, [[2, 3, 8, 64, 64], [2, 1]]),
        ({"framework": "RecognizerGCN", "backbone": {}}, [[2, 2, 16, 25, 1], [2, 1]]),
        (
            {"framework": "RecognizerGCN", "backbone": {"in_channels": 3}},
            [[2, 3, 16, 25, 2], [2, 1]],
        ),
        ({"framework": "MSTCN", "backbone": {"dim": 20}}, [[1, 20, 16], [1, 16]]),
        (
            {"framework": "BMNLocalizer", "backbone": {"tscale": 6, "dscale": 5}},
            [[2, 400, 6], [2, 5, 6], [2, 6], [2, 6]],
        ),
        (
            {
                "framework": "Recognizer3D",
                "backbone": {"name": "ResNetSlowFast", "alpha": 8},
            },
            [[2, 3, 4, 64, 64], [2, 3, 32, 64, 64], [2, 1]],
        ),
    ],
)
def test_video_batches_have_the_framework_s_shapes(arch: Any, shapes: list[list[int]]) -> None:
    maker = adapter("PaddleVideo")._maker(arch, 64)
    made = maker(np.random.RandomState(0))
    assert [list(array.shape) for array in made] == shapes


@pytest.mark.parametrize(
    ("framework", "words"), [("Unknown", "no batch for Unknown"), ("CFBI", "no training for CFBI")]
)
def test_what_has_no_batch_is_refused(framework: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        adapter("PaddleVideo")._maker({"framework": framework}, 64)


@pytest.mark.parametrize(
    ("kit", "path", "name"),
    [
        ("PaddleGAN", "ppgan/faceutils/mask/face_parser.py", "BiSeNet"),
        ("PaddleVideo", "applications/Ma-Net/train_stage1.py", "IntVOS"),
        ("PaddleVideo", "applications/T2VLAD/train.py", "CENet"),
        ("PaddleVideo", "paddlevideo/modeling/backbones/cfbi.py", "CFBI's backbone"),
        ("PaddleSeg", "Matting/ppmatting/models/rvm.py", "RVM"),
    ],
)
def test_code_is_a_model_where_a_kit_has_no_config(kit: str, path: str, name: str) -> None:
    listed = adapter(kit).models([path])
    assert [(line["config"], line["model"]) for line in listed] == [(path, name)]
    assert not listed[0]["exact"], "what is fed is ours"


def test_a_script_s_settings_are_laid_over_its_base(tmp_path: Path) -> None:
    module = adapter("PaddleVideo")
    sizes = {"rgb": {"type": "embed", "feat_dims": {"embed": 2048}}}
    base = {
        "experts": {"text_dim": 768, "modalities": []},
        "arch": {
            "args": {"mimic": 0, "vlad_clusters": {"rgb": 16, "text": 16}, "ghost_clusters": {}}
        },
        "data_loader": {"args": {"feat_aggregation": sizes}},
    }
    own = {
        "experts": {"modalities": ["rgb"]},
        "arch": {"args": {"mimic": 1, "vlad_clusters": {"text": 9}, "ghost_clusters": {"rgb": 1}}},
    }
    (tmp_path / "configs").mkdir()
    for name, content in zip(module._SETTINGS, (base, own), strict=True):
        (tmp_path / "configs" / f"{name}.json").write_text(json.dumps(content))
    arch, experts, long = module._laid_over(str(tmp_path))
    assert arch == {
        "mimic": 1,
        "vlad_clusters": {"rgb": 16, "text": 9},
        "ghost_clusters": {"rgb": 1},
    }
    assert experts == {"text_dim": 768, "modalities": ["rgb"]}
    assert long == {"rgb": 2048}


def test_a_range_view_has_a_class_for_each_pixel(monkeypatch: pytest.MonkeyPatch) -> None:
    module = adapter("Paddle3D")
    monkeypatch.setattr(module, "tensors", lambda value: value)

    class Content:
        dic = {"model": {"num_classes": 5, "backbone": {"in_channels": 3}}}  # noqa: RUF012

    made = module._range_view(Content(), 64, None)(0)
    assert [item.shape for item in made["data"]] == [(3, 16, 64)] * 2
    assert [item.shape for item in made["labels"]] == [(1, 16, 64)] * 2
    assert set(np.unique(made["labels"])) == {1, 2, 3, 4}, "none of the class that is ignored"


def test_a_family_s_own_arguments_lie_over_the_tiny_ones() -> None:
    module = adapter("PaddleNLP")

    class PretrainedConfig:
        def __init__(self, hidden_size: int = 768, **others: object) -> None: ...

    class QWenConfig(PretrainedConfig):
        def __init__(self, vision_config: object = None, **others: object) -> None: ...

    assert module._arguments(PretrainedConfig, "bert") == {"hidden_size": 32}
    given = module._arguments(QWenConfig, "qwen")
    assert given["seq_length"] == module.LENGTH and given["hidden_size"] == 32
    assert given["vision_config"]["image_size"] == module.PICTURE


def test_texts_are_fed_in_the_shape_that_their_reader_gives() -> None:
    module = adapter("PaddleOCR")

    def image(arch: Any, op: str, shape: list[int]) -> Any:
        ops = [{"DecodeImage": {"img_mode": "BGR"}}, {op: {"image_shape": shape}}]
        return module._image(arch, {"Train": {"dataset": {"transforms": ops}}})

    assert image({}, "RecResizeImg", [3, 48, 320]) == [3, 48, 320]
    assert image({}, "RobustScannerRecResizeImg", [3, 48, 48, 160]) == [3, 48, 160]
    assert image({"in_channels": 1}, "GrayRecResizeImg", [100, 32]) == [1, 32, 100]
    assert image({}, "Other", [1, 2, 3]) == [3, 32, 100]


def test_a_form_is_fed_in_the_order_that_its_reader_keeps() -> None:
    module = adapter("PaddleOCR")
    kept = ["input_ids", "bbox", "entities", "image", "relations"]
    content = {"Train": {"dataset": {"transforms": [{"KeepKeys": {"keep_keys": kept}}]}}}
    made = module._form(np.random.RandomState(0), content)
    length = module._TOKENS
    shapes = [[length], [length, 4], [length + 1, 3], [3, 224, 224], [length * length + 1, 2]]
    assert [list(array.shape) for array in made] == [[module.BATCH, *shape] for shape in shapes]
    entities, relations = made[2][0], made[4][0]
    assert entities[0, 0] == module._ENTITIES
    assert entities[1 + relations[1, 0], 2] == 1, "a relation leads from a question"
    assert entities[1 + relations[1, 1], 2] == 2, "to an answer"


def test_parts_of_turned_texts_lie_in_the_picture() -> None:
    module = adapter("PaddleOCR")
    made = module._field("components", np.random.RandomState(0), 25, 4, [3, 64, 64])
    number = int(made[0, 0, 0])
    parts = made[:, :number]
    assert ((parts[..., 1:3] > 0) & (parts[..., 1:3] < 64)).all()
    assert np.allclose(parts[..., 5] ** 2 + parts[..., 6] ** 2, 1)
    assert set(parts[0, :, 7]) == {1, 2}


@pytest.mark.parametrize(
    ("kind", "shape", "values"),
    [
        ("mask", [2, 64, 96], {0, 1}),
        ("marks", [2, 64, 96], {0, 1}),
        ("kernels", [2, 6, 64, 96], {0, 1}),
        ("distances", [2, 2, 64, 96], None),
        ("quarter1", [2, 1, 16, 24], {0, 1}),
        ("quarter9", [2, 9, 16, 24], None),
        ("fourier32", [2, 25, 2, 3], {0, 1}),
    ],
)
def test_what_a_loss_of_texts_compares_with_is_of_the_picture_s_size(
    kind: str, shape: list[int], values: set[int] | None
) -> None:
    made = adapter("PaddleOCR")._field(kind, np.random.RandomState(0), 25, 4, [3, 64, 96])
    assert list(made.shape) == shape
    assert ((made >= 0) & (made <= 1)).all()
    assert values is None or set(np.unique(made)) == values
    assert made.dtype == ("int64" if kind == "marks" else "float32")


def test_texts_have_room_for_what_begins_and_ends_them() -> None:
    field = adapter("PaddleOCR")._field
    made = {
        kind: field(kind, np.random.RandomState(0), 25, 4, [3, 32, 96])
        for kind in ("label", "ended", "longer")
    }
    assert [array.shape for array in made.values()] == [(2, 25), (2, 26), (2, 27)]
    assert all((array[:, 0] > 0).all() and (array[:, -1] == 0).all() for array in made.values())


def test_classes_of_a_picture_end_where_its_edges_are() -> None:
    label, edge = adapter("PaddleSeg")._labels(0, 64)
    assert label.shape == (2, 64, 64)
    assert edge.shape == (2, 1, 64, 64)
    assert set(np.unique(label)) == {0, 1, 2, 3, 255}
    across = label[:, :, 1:] != label[:, :, :-1]
    down = label[:, 1:] != label[:, :-1]
    assert (edge[:, 0, :, 1:][across] == 1).all()
    assert (edge[:, 0, 1:][down] == 1).all()
    assert edge.sum() < edge.size / 2


@pytest.mark.parametrize(
    ("config", "wanted"),
    [
        ("configs/fcn/fcn.yml", True),
        ("Matting/configs/modnet.yml", True),
        ("contrib/PanopticSeg/configs/mask2former.yml", False),
    ],
)
def test_losses_of_segmentation_are_the_kit_s_where_its_trainer_is(
    config: str, wanted: bool
) -> None:
    assert adapter("PaddleSeg")._own_loss(config) is wanted


@pytest.mark.parametrize("wrapped", [lambda one: one, lambda one: (one, 2), lambda one: [one]])
def test_a_forward_s_own_loss_is_what_it_returns_first(wrapped: Any) -> None:
    one = np.ones([1], "float32")
    assert adapter("PaddleNLP")._returned_loss(wrapped(one), 0) is one


@pytest.mark.parametrize("outputs", [{"loss": np.ones([1])}, {"loss": np.array(2.0), "logits": 1}])
def test_a_forward_s_own_loss_is_taken_by_name(outputs: dict[str, Any]) -> None:
    assert adapter("PaddleNLP")._returned_loss(outputs, 0) is outputs["loss"]


@pytest.mark.parametrize("outputs", [np.ones([2, 3]), (np.ones([2]), 1), {"logits": np.ones([1])}])
def test_what_is_no_single_number_is_no_loss(outputs: Any) -> None:
    with pytest.raises(Refused):
        adapter("PaddleNLP")._returned_loss(outputs, 0)


def test_a_scene_has_few_voxels_and_its_boxes_lie_in_it() -> None:
    module = adapter("Paddle3D")
    whole, size = [0, -39.68, -3, 69.12, 39.68, 1], [0.16, 0.16, 4]
    arch = {
        "voxelizer": {"point_cloud_range": whole, "voxel_size": size},
        "head": {"ranges": [whole], "num_query": 900, "bev_h": 50, "bev_w": 8},
        "backbone": {"use_recompute": True},
    }
    area = module._area(*module._grid(arch))
    assert [round((area[i + 3] - area[i]) / size[i]) for i in range(3)] == [64, 64, 1]
    made = module._lighter(module._replaced(arch, whole, area))
    assert made["head"] == {"ranges": [area], "num_query": 32, "bev_h": 16, "bev_w": 8}
    assert made["voxelizer"]["point_cloud_range"] == area
    assert made["backbone"] == {"use_recompute": False}
    random = np.random.RandomState(0)
    scan, boxes = module._scan(random, area), module._boxes(random, area)
    assert scan.shape == (module._POINTS, 4)
    for points in (scan, boxes):
        assert (points[..., :3] >= area[:3]).all()
        assert (points[..., :3] < area[3:]).all()
    assert module._grid({"f2v_cfg": {"pc_range": whole, "voxel_size": size}}) == (whole, size)
    assert module._grid({"backbone": {}}) == (None, None)


def test_pictures_and_cells_of_the_ground_are_made_small() -> None:
    module = adapter("Paddle3D")
    made = module._lighter({"grid": 0.5, "img_neck": {"final_dim": [900, 1600]}})
    assert made == {"grid": 2.0, "img_neck": {"final_dim": list(module._VIEW)}}
    assert module._prune({"load_img_from": "a.pdparams", "depth": 50})["load_img_from"] is None


def test_cut_outs_say_where_it_is_not_known_what_is_in_front() -> None:
    made = adapter("PaddleSeg")._cut_out(np.random.RandomState(0), [2, 3, 8, 8])
    assert {name: array.shape for name, array in made.items()} == {
        **dict.fromkeys(("img", "fg", "bg"), (2, 3, 8, 8)),
        **dict.fromkeys(("alpha", "trimap", "semantic"), (2, 1, 8, 8)),
    }
    alpha, trimap, semantic = (made[name] for name in ("alpha", "trimap", "semantic"))
    assert set(np.unique(trimap)) == {0, 128, 255}
    assert ((alpha > 0) & (alpha < 1) == (trimap == 128)).all()
    assert set(np.unique(semantic[alpha == 1])) == {2}


def test_invdn_is_fed_as_much_noise_as_it_loses_detail() -> None:
    arrays = adapter("PaddleGAN")._arrays("InvDN", {"down_num": 2}, 64, np.random.RandomState(0))
    assert [list(array.shape) for array in arrays] == [[2, 3, 64, 64], [2, 45, 64, 64]]


@pytest.mark.parametrize(
    ("crop", "wanted"), [(512, 512), ([1024, 512], 1024), ([[320, 320], [640, 640]], 640)]
)
def test_a_config_s_own_size_is_its_largest_side(crop: Any, wanted: int) -> None:
    class Content:
        train_dataset_cfg = {"transforms": [{"type": "LoadImages"}, {"crop_size": crop}]}  # noqa: RUF012

    assert adapter("PaddleSeg")._size(Content()) == wanted
