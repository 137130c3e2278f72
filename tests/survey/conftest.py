"""A small kit in PaddleSeg's manner: a trainer, base files, a second root, a broken config."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import ChangeSet, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.kits.catalogue import find_kit
from codemod.kits.folder import adapter_version
from codemod.reports.survey.kit_survey import survey_kit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey

REVISION = "d" * 40
TRAIN = """\
import paddle


def train(model, train_dataset, iters=1, to_static_training=False):
    model.train()
    if to_static_training:
        model = paddle.jit.to_static(model)
    for images in train_dataset:
        loss = model(images)
        loss.backward()
"""
NETS = """\
import paddle.nn as nn
from paddleseg.cvlibs import manager


@manager.MODELS.add_component
class ANN(nn.Layer):
    def __init__(self, num_classes=2):
        super().__init__()
        self.conv = nn.Conv2D(3, num_classes, 1)

    def forward(self, x):
        return [self.conv(x)]


@manager.MODELS.add_component
class Odd(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(3, 2, 1)

    def forward(self, x):
        y = self.conv(x)
        return [y * float(y.numpy().mean())]
"""
FILES = {
    "paddleseg/core/train.py": TRAIN,
    "paddleseg/models/nets.py": NETS,
    "paddleseg/cvlibs/manager.py": "MODELS = object()\n",
    "configs/_base_/data.yml": "train_dataset: {type: Cityscapes}\n",
    "configs/ann/ann_a.yml": "_base_: ../_base_/data.yml\nmodel: {type: ANN}\n",
    "configs/ann/ann_b.yml": "_base_: ann_a.yml\nbatch_size: 4\n",
    "configs/odd/odd.yml": "_base_: ../_base_/data.yml\nmodel: {type: Odd}\n",
    "configs/lost/lost.yml": "_base_: nowhere.yml\nmodel: {type: ANN}\n",
    "Matting/configs/dim/dim.yml": "model: {type: DIM}\ntrain_dataset: {type: MattingDataset}\n",
    "Matting/configs/rvm/README.md": "See https://github.com/A/B/tree/release/1.0/rvm for it.\n",
    "EISeg/eiseg/app.py": "import paddle\n",
    "README.md": "# Kit\n\nSegNeXt: [there](https://example.com/segnext)\n\nUNet and more\n",
}


@pytest.fixture
def segkit(tmp_path: Path) -> Path:
    """The kit's folder."""
    root = tmp_path / "PaddleSeg"
    for path, text in FILES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def surveyed(segkit: Path, tmp_path: Path, shipped: Path) -> Callable[[], KitSurvey]:
    """Survey the kit, whose trainer has a hook, with the results in `tmp_path/ws` alone."""
    hook = Hook(
        "t", Status.PRESENT, "paddleseg/core/train.py", "train", 7, "model", "g", Reason.said("r")
    )
    made = ChangeSet(Source("PaddleSeg", segkit, REVISION), (hook,))
    return lambda: survey_kit(find_kit("PaddleSeg"), made, tmp_path / "ws")


# A probe of another version of the adapter says nothing of this code.
ADAPTER = adapter_version("PaddleSeg")


@pytest.fixture
def keep(tmp_path: Path) -> Callable[..., Path]:
    """Keep a result in the workspace, as parity or a probe would."""

    def write(folder: str, name: str, config: str, **fields: Any) -> Path:
        file = tmp_path / "ws" / folder / "PaddleSeg" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "kit": "PaddleSeg",
            "config": config,
            "revision": REVISION,
            "paddle": "2.6.2",
            "edited": {},
            "modes": {
                "ast": {"verdict": "pass", "reason": ""},
                "sot": {"verdict": "pass", "reason": ""},
            },
            "dynamic": {"outcome": "ok"},
            **({"built": True, "adapter": ADAPTER, "own_loss": True} if folder == "probes" else {}),
            **fields,
        }
        file.write_text(json.dumps(content), encoding="utf-8")
        return file

    return write
