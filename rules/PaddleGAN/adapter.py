"""PaddleGAN: the generator that a config names, built by the kit's builder, on random pictures.

Discriminators and criteria are left out: many criteria fetch the weights of another network.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from probe_inside.subject import Subject, listed, model
from probe_inside.train import Refused

VERSION = 2
NOTE = ["the generator alone; discriminators are not probed"]
BATCH = 2
# What a generator reads, and the sides of pictures to try, the last one its own.
_PICTURE = {
    **dict.fromkeys(("RRDBNet", "PAN", "RCAN", "LESRCNNGenerator", "DRNGenerator"), (24, 48)),
    **dict.fromkeys(("MPRNet", "NAFNet", "PReNet", "SwinIR"), (32, 64, 128)),
    **dict.fromkeys(("ResnetGenerator", "UnetGenerator", "AnimeGenerator"), (64, 256)),
    **dict.fromkeys(("ResnetUGATITGenerator", "ResnetUGATITP2CGenerator"), (64, 256)),
    "GPENGenerator": (256,),
}
_CLIP = {"EDVRNet": (32, 64)}
# These fetch the weights of another network when they are built.
_FETCHING = ("BasicVSRNet", "BasicVSRPlusPlus", "IconVSR", "MSVSR")
_NOISE = ("DCGenerator", "DeepConvGenerator", "ConditionalDeepConvGenerator")


def prepare() -> None:
    """Import the kit's generators: they register themselves."""
    for name in ("ppgan.models.generators", "ppgan.utils.config"):
        importlib.import_module(name)


def _generator(config: str) -> Any:
    """The config's generator; None for one that has no single one."""
    content = importlib.import_module("ppgan.utils.config").get_config(config, show=False)
    return (content.get("model") or {}).get("generator")


def _model(config: str) -> dict[str, Any] | None:
    arch = _generator(config)
    if arch is None:
        return None
    name = str(arch["name"])
    sizes = _PICTURE.get(name) or _CLIP.get(name) or (0,)
    attempts = [{"size": size, "loss": "general"} for size in sizes]
    # The loss is ours, and a picture of one size stands for what a crop of any would be.
    return model(config, name, name, arch, attempts, exact=False)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a generator."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The generator of `build_generator`."""
    arch = _generator(config)
    name, size = str(arch["name"]), attempt["size"]
    if name in _FETCHING:
        raise Refused("{} fetches the weights of SPyNet.".format(name))
    if name not in _PICTURE and name not in _CLIP and name not in _NOISE:
        raise Refused("The adapter has no batch for {}.".format(name))
    net = importlib.import_module("ppgan.models.generators.builder").build_generator(arch)
    paddle: Any = importlib.import_module("paddle")

    def arrays(random: Any) -> list[Any]:
        if name == "DCGenerator":
            return [random.standard_normal([BATCH, arch["input_nz"], 1, 1])]
        if name in _NOISE:
            noise = random.standard_normal([BATCH, arch["latent_dim"]])
            labels = random.randint(0, int(arch.get("n_class", 1)), [BATCH])
            return [noise, labels] if "n_class" in arch else [noise]
        frames = [int(arch.get("nframes", 3))] if name in _CLIP else []
        return [random.uniform(0, 1, [BATCH, *frames, 3, size, size])]

    def forward(step: int) -> Any:
        made = arrays(np.random.RandomState(step))
        fed = [item.astype("int64" if item.dtype.kind == "i" else "float32") for item in made]
        return net(*(paddle.to_tensor(item) for item in fed))

    return Subject([net], forward)
