"""Every kit's own trainer, started as a run starts it: the device that it asks Paddle for.

The trainers are real, with their packages, and end where they name a device; Paddle is a CPU build
that says it was built with CUDA wherever a card was asked for.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from codemod.base.files.workspace import Workspace
from codemod.kits.sources import resolve
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.launch import Setting, commands
from codemod.training.recipes import known_kits, read_recipe
from codemod.training.run_spec import RunSpec
from codemod.training.runner import RunRequest, environment
from tests.training.changed_paddle import changed_paddle

if TYPE_CHECKING:
    from pathlib import Path

MIRROR = os.environ.get("CODEMOD_MIRROR")
PADDLE = "3.3.1"
# A trainer that names no device would train on.
LIMIT_S = 90
TRAINERS = [
    ("PaddleClas", "ppcls/configs/ImageNet/PPLCNet/PPLCNet_x0_25.yaml"),
    ("PaddleNLP", "slm/examples/lexical_analysis/train.py"),
    ("PaddleNLP", "slm/applications/text_classification/multi_class/train.py"),
    ("PaddleSeg", "configs/fastscnn/fastscnn_cityscapes_1024x1024_160k.yml"),
    ("PaddleSeg", "Matting/configs/modnet/modnet-mobilenetv2.yml"),
    ("PaddleDetection", "configs/picodet/picodet_xs_320_coco_lcnet.yml"),
    ("Paddle3D", "configs/smoke/smoke_dla34_no_dcn_kitti.yml"),
    ("PaddleOCR", "configs/cls/cls_mv3.yml"),
    ("PaddleRec", "models/rank/dnn/config.yaml"),
    ("PaddleRec", "models/rank/autofis/config.yaml"),
    ("PaddleGAN", "configs/dcgan_mnist.yaml"),
    ("PaddleVideo", "configs/recognition/stgcn/stgcn_fsd.yaml"),
    ("PaddleYOLO", "configs/yolov3/yolov3_mobilenet_v1_270e_coco.yml"),
]
ENDS_AT_THE_DEVICE = changed_paddle("""
    cuda = os.environ["CODEMOD_DEVICE"] != "cpu"
    home = os.path.dirname(paddle.__file__)

    def asked(name):
        print("ASKED", name, flush=True)
        os._exit(0)

    def as_on_a_card(told, really):
        # Paddle itself goes on knowing what it is: it has no kernels for a card.
        def answer():
            inside = sys._getframe(1).f_code.co_filename.startswith(home)
            return told if cuda and not inside else really()

        return answer

    for owner in (paddle, paddle.device):
        owner.is_compiled_with_cuda = as_on_a_card(True, owner.is_compiled_with_cuda)
        owner.get_device = as_on_a_card("gpu:0", owner.get_device)
        owner.set_device = asked
    if cuda:
        paddle.get_cudnn_version = lambda: 90500
        paddle.distributed.ParallelEnv._device_id = 0
        paddle.CUDAPinnedPlace = paddle.CPUPlace
""")


def test_no_kit_is_left_out() -> None:
    assert {kit for kit, _ in TRAINERS} == set(known_kits())


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize(("kit", "config"), TRAINERS)
def test_a_trainer_asks_for_the_run_s_device(
    kit: str,
    config: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CODEMOD_MIRROR", MIRROR or "")
    workspace = Workspace.at(tmp_path_factory.getbasetemp() / "kits")
    source = resolve(kit, None, workspace)
    recipe = read_recipe(kit, config)
    python = ensure(EnvSpec(PADDLE, recipe.python, recipe.requirements))
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(ENDS_AT_THE_DEVICE)
    asked = {}
    for device in ("cpu", "gpu:0"):
        spec = RunSpec(kit, config, 2, device=device)
        setting = Setting(spec, source.root, tmp_path / "runs", python, device, 2, kit)
        command, _ = commands(recipe, setting, tmp_path / "data")
        wanted = RunRequest("device", "dynamic", 2)
        env = environment(wanted, tmp_path / "none", device, command.env, tmp_path / "home")
        env["PYTHONPATH"] = f"{tmp_path / 'watch'}{os.pathsep}{command.env.get('PYTHONPATH', '')}"
        done = subprocess.run(
            command.argv,
            cwd=command.cwd,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )
        told = [line.split()[-1] for line in done.stdout.splitlines() if "ASKED" in line]
        assert told, done.stdout[-3000:]
        asked[device] = told[0].partition(":")[0]
    assert asked == {"cpu": "cpu", "gpu:0": "gpu"}
