"""PaddleYOLO: the fork's trainer; a standing hook stays, its flag is set on losses that have one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.base.changeset import Status
from codemod.cli.main import run
from tests.each_kit.ppdet_kit import FLAG, KIT, MAIN, TRAINER

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from codemod.base.changeset import ChangeSet

# As the fork does it: the warm-up stands between build and loop, an alias serves as teacher.
DISTILLED = TRAINER.replace(
    "            self.model = self.cfg.model\n",
    "            self.model = self.cfg.model\n"
    "        if cfg.get('self_distill', False):\n"
    "            self.teacher_model = self.model\n",
)
HOOK = """\
        model = self.model
        if self.cfg.get('to_static', False):
            model = apply_to_static(self.cfg, model)
            if self.cfg.architecture == 'YOLOv5':
                model.yolo_head.loss.to_static = True
"""
HELPER = """\
import paddle

TO_STATIC_SPEC = {'yolov5_l_300e_coco': None}


def apply_to_static(config, model):
    spec = TO_STATIC_SPEC.get(config.get('filename', None), None)
    return paddle.jit.to_static(model, input_spec=spec)
"""
HOOKED = {
    **KIT,
    "ppdet/engine/trainer.py": TRAINER.replace("        model = self.model\n", HOOK).replace(
        "from ppdet.utils", "from .export_utils import apply_to_static\nfrom ppdet.utils", 1
    ),
    "ppdet/engine/export_utils.py": HELPER,
    "tools/train.py": MAIN.replace("    args = parser", FLAG + "    args = parser"),
}


def test_option_reaches_the_hook(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    root = applied("PaddleYOLO", {**KIT, "ppdet/engine/trainer.py": DISTILLED})
    on = start(root, "tools/train.py", "-c", "configs/net.yml", "-o", "to_static=true", "ranks=2")
    off = start(root, "tools/train.py", "-c", "configs/net.yml", "-o", "self_distill=true")
    assert on.stdout.splitlines() == ["static YOLOv3", "wrap YOLOv3", "forward YOLOv3"], on.stderr
    assert off.stdout.splitlines() == ["forward YOLOv3"], off.stderr


def test_the_human_hook_and_its_flag_stay(plan: Callable[..., ChangeSet]) -> None:
    change_set = plan("PaddleYOLO", HOOKED)
    assert [change.path for change in change_set.changes] == [
        "tools/train.py",
        "ppdet/engine/trainer.py",
    ]
    trainer = change_set.changes[1].new.decode()
    assert (
        "            if self.cfg.architecture == 'YOLOv5' and hasattr(\n"
        "                    model.yolo_head, 'loss'):\n"
        "                model.yolo_head.loss.to_static = True\n"
    ) in trainer
    assert [(h.status, h.scope, h.gate) for h in change_set.hooks] == [
        (Status.PRESENT, "Trainer.train", "self.cfg.get('to_static', False)")
    ]


def test_the_human_hook_is_reached_by_flag_option_and_yaml(
    applied: Callable[..., Path], start: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """merge_args copied the flag's default over the YAML."""
    root = applied("PaddleYOLO", HOOKED)
    for words, lines in (
        (["configs/net.yml", "--to_static"], ["static YOLOv3", "forward YOLOv3"]),
        (["configs/net.yml", "-o", "to_static=true"], ["static YOLOv3", "forward YOLOv3"]),
        (["configs/static.yml"], ["static YOLOv3", "forward YOLOv3"]),
        (["configs/net.yml"], ["forward YOLOv3"]),
    ):
        result = start(root, "tools/train.py", "-c", *words)
        assert result.stdout.splitlines() == lines, result.stderr


def test_check_names_the_configs_whose_head_has_no_such_loss_and_apply_mends_them(
    plan: Callable[..., ChangeSet], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = "architecture: YOLOv5\nTrainReader: {}\nTrainDataset: {}\nepoch: 1\nYOLOv5:\n"
    files = {
        "configs/yolov5/yolov5_s.yml": config + "  yolo_head: YOLOv5Head\n",
        "configs/yolov5u/yolov5u_s.yml": config + "  yolo_head: YOLOv8Head\n",
    }
    plan("PaddleYOLO", {**HOOKED, **files})
    code = run(["check", "PaddleYOLO", "--path", str(tmp_path / "kit"), "--json"])
    rows = {row["config"]: row for row in json.loads(capsys.readouterr().out)["configs"]}
    assert code == 1
    assert rows["configs/yolov5/yolov5_s.yml"]["blocked"] is None
    mended = rows["configs/yolov5u/yolov5u_s.yml"]
    assert "a loss that this head does not have" in mended["blocked"]
    assert mended["blocked_after"] is None
