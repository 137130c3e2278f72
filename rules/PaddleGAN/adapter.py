"""PaddleGAN: the generator that a config names, built by the kit's builder, on random inputs.

Discriminators and criteria are left out: many criteria fetch the weights of another network. So are
weights that generators fetch for a part of theirs; that part starts from random ones here.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from typing import Any, Iterator

import numpy as np
from probe_inside.subject import Subject, listed, model
from probe_inside.train import Refused

VERSION = 4
NOTE = ["the generator alone; discriminators are not probed"]
BATCH = 2
# What a generator reads, and the sides of pictures to try, the last one its own.
_PICTURE = {
    **dict.fromkeys(("RRDBNet", "PAN", "RCAN", "LESRCNNGenerator", "DRNGenerator"), (24, 48)),
    **dict.fromkeys(("MPRNet", "NAFNet", "PReNet", "SwinIR"), (32, 64, 128)),
    **dict.fromkeys(("ResnetGenerator", "UnetGenerator", "AnimeGenerator"), (64, 256)),
    **dict.fromkeys(("ResnetUGATITGenerator", "ResnetUGATITP2CGenerator"), (64, 256)),
    "GPENGenerator": (256,),
    "InvDN": (64,),
    "FirstOrderGenerator": (128,),
}
# Frames of a clip that a generator reads; those that align frames want 64 pixels at least.
_CLIP = {
    "EDVRNet": (32, 64),
    **dict.fromkeys(("BasicVSRNet", "BasicVSRPlusPlus", "IconVSR", "MSVSR"), (64,)),
}
_FRAMES = {"BasicVSRNet": 3, "BasicVSRPlusPlus": 3, "IconVSR": 6, "MSVSR": 3}
_NOISE = ("DCGenerator", "DeepConvGenerator", "ConditionalDeepConvGenerator")
_OTHER = (
    "GeneratorPSGANAttention",
    "InpaintGenerator",
    "StarGANv2Generator",
    "StyleGANv2Generator",
    "Wav2Lip",
)
# A net that the kit applies and does not train: it has no config.
_PARSER = "ppgan/faceutils/mask/face_parser.py"
_PARTS_OF_A_FACE = 19
# The first two nets of a config without `generator`: a frozen encoder and what is trained.
_CODED = ("generator_encode", "generator_decode")


def prepare() -> None:
    """Import the kit's generators: they register themselves."""
    for name in ("ppgan.models.generators", "ppgan.models.discriminators", "ppgan.utils.config"):
        importlib.import_module(name)


def _generator(config: str) -> Any:
    """The config's generator; None for one that has none that can be built by itself."""
    content = importlib.import_module("ppgan.utils.config").get_config(config, show=False)
    nets = content.get("model") or {}
    if all(name in nets for name in _CODED):
        return {"name": nets[_CODED[1]]["name"], **{name: nets[name] for name in _CODED}}
    arch = nets.get("generator")
    if arch is not None and arch["name"] == "FirstOrderGenerator":
        # What the kit's model hands on to its generator.
        own = {name: nets[name] for name in ("common_params", "train_params", "discriminator")}
        return {**arch, **own}
    return arch


def _model(config: str) -> dict[str, Any] | None:
    if config == _PARSER:
        attempts = [{"size": size, "loss": "general"} for size in (64, 512)]
        return model(config, "BiSeNet", "BiSeNet", config, attempts, exact=False)
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
    if config == _PARSER:
        return _parsed(attempt["size"])
    arch = _generator(config)
    name, size = str(arch["name"]), attempt["size"]
    if _CODED[0] in arch:
        return _coded(arch)
    if name == "FirstOrderGenerator":
        return _moved(arch, size)
    if name not in (*_PICTURE, *_CLIP, *_NOISE, *_OTHER):
        raise Refused("The adapter has no batch for {}.".format(name))
    with _without_weights():
        net = _made(arch)

    def forward(step: int) -> Any:
        return net(*_fed(_arrays(name, arch, size, np.random.RandomState(step))))

    return Subject([net], forward)


def _made(arch: Any) -> Any:
    return importlib.import_module("ppgan.models.generators.builder").build_generator(arch)


@contextlib.contextmanager
def _without_weights() -> Iterator[None]:
    """Give generators that fetch weights for a part of theirs an empty state instead."""
    paddle: Any = importlib.import_module("paddle")
    load, nowhere = paddle.load, "no weights"
    fetching = [
        module
        for key, module in list(sys.modules.items())
        if key.startswith("ppgan.models.generators.") and hasattr(module, "get_path_from_url")
    ]
    before = [module.get_path_from_url for module in fetching]
    for module in fetching:
        setattr(module, "get_path_from_url", lambda *_args, **_options: nowhere)  # noqa: B010
    paddle.load = lambda path, **options: {} if path == nowhere else load(path, **options)
    try:
        yield
    finally:
        paddle.load = load
        for module, own in zip(fetching, before):
            setattr(module, "get_path_from_url", own)  # noqa: B010


def _fed(value: Any) -> Any:
    """Arrays as tensors of Paddle's own kinds, in the same lists."""
    paddle: Any = importlib.import_module("paddle")
    if isinstance(value, list):
        return [_fed(item) for item in value]
    return paddle.to_tensor(value.astype("int64" if value.dtype.kind == "i" else "float32"))


def _arrays(name: str, arch: Any, size: int, random: Any) -> list[Any]:
    """The arguments of one call."""
    if name == "DCGenerator":
        return [random.standard_normal([BATCH, arch["input_nz"], 1, 1])]
    if name in _NOISE:
        noise = random.standard_normal([BATCH, arch["latent_dim"]])
        labels = random.randint(0, int(arch.get("n_class", 1)), [BATCH])
        return [noise, labels] if "n_class" in arch else [noise]
    if name == "StyleGANv2Generator":
        return [[random.standard_normal([BATCH, int(arch["style_dim"])])]]
    if name == "StarGANv2Generator":
        side = int(arch["img_size"])
        picture = random.uniform(-1, 1, [BATCH, 3, side, side])
        return [picture, random.standard_normal([BATCH, int(arch["style_dim"])])]
    if name == "Wav2Lip":
        # A mel spectrogram of sixteen frames, and a face beside another one of the same person.
        return [
            random.standard_normal([BATCH, 1, 80, 16]),
            random.uniform(0, 1, [BATCH, 6, 96, 96]),
        ]
    if name == "InpaintGenerator":
        # A picture, and in the fourth channel where its hole is.
        hole = (random.uniform(0, 1, [BATCH, 1, 64, 64]) > 0.5).astype("float64")
        return [np.concatenate([random.uniform(-1, 1, [BATCH, 3, 64, 64]), hole], axis=1)]
    if name == "GeneratorPSGANAttention":
        return _makeup(random)
    if name == "InvDN":
        # A noisy picture, and what stands for the details that are lost in halving it.
        down = int(arch["down_num"])
        noise = [BATCH, 3 * 4**down - 3, size, size]
        return [random.uniform(0, 1, [BATCH, 3, size, size]), random.standard_normal(noise)]
    if name in _CLIP:
        frames = int(arch.get("nframes", _FRAMES.get(name, 3)))
        return [random.uniform(0, 1, [1 if name in _FRAMES else BATCH, frames, 3, size, size])]
    return [random.uniform(0, 1, [BATCH, 3, size, size])]


def _makeup(random: Any) -> list[Any]:
    """Two faces with the distances of their pixels to landmarks, and masks of three parts."""
    faces = [random.uniform(-1, 1, [1, 3, 256, 256]) for _ in range(2)]
    places = [random.standard_normal([1, 136, 64, 64]) for _ in range(2)]
    agree = random.randint(0, 2, [1, 64, 64])
    masks = [(random.uniform(0, 1, [1, 3, 256, 256]) > 0.5).astype("float64") for _ in range(2)]
    return [*faces, *places, agree, *masks]


def _coded(arch: Any) -> Subject:
    """A decoder on what the frozen encoder of its config makes of two pictures."""
    paddle: Any = importlib.import_module("paddle")
    with _without_weights():
        encoder, decoder = (_made(arch[name]) for name in _CODED)
    encoder.eval()

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        with paddle.no_grad():
            seen = [encoder(_fed(random.uniform(0, 1, [BATCH, 3, 64, 64]))) for _ in range(2)]
        return decoder(*seen)

    return Subject([decoder], forward)


def _parsed(size: int) -> Subject:
    """The net that tells the parts of a face, on random faces, its backbone with random weights."""
    module: Any = importlib.import_module("ppgan.faceutils.mask.model")
    backbone = module.resnet18
    module.resnet18 = lambda **_options: backbone()
    try:
        net = module.BiSeNet(n_classes=_PARTS_OF_A_FACE)
    finally:
        module.resnet18 = backbone

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        return net(_fed(random.standard_normal([BATCH, 3, size, size])))

    return Subject([net], forward)


def _moved(arch: Any, size: int) -> Subject:
    """Generator and key points of a picture that moves as another, with the discriminator's word.

    The perceptual loss is left out: the weights of its network are fetched.
    """
    arch = dict(arch)
    judge = arch.pop("discriminator")
    shared = {name: arch[name] for name in ("common_params", "train_params")}
    weights = shared["train_params"]["loss_weights"]
    weights["perceptual"] = [0] * len(weights["perceptual"])
    net = _made({**arch, "dis_scales": judge["discriminator_cfg"]["scales"]})
    builder: Any = importlib.import_module("ppgan.models.discriminators.builder")
    opponent = builder.build_discriminator({**judge, **shared}).discriminator

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)
        pictures = [_fed(random.uniform(0, 1, [1, 3, size, size])) for _ in range(2)]
        for picture in pictures:
            # On the CPU the backward of grid_sample writes this gradient, asked for or not.
            picture.stop_gradient = False
        return net(dict(zip(("source", "driving"), pictures)), opponent)

    return Subject([net], forward)
