"""PaddleGAN: the kit's own `train_iter` on made batches, or a generator alone.

Where a batch of a model's is known, its whole training is built: all nets, criteria and optimizers,
and the hook is the code of `rule.yaml` itself. Else the generator alone is fed, with a placeholder
loss. Weights that nets fetch for a part of theirs are left out; that part starts from random ones.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import sys
from pathlib import Path
from typing import Any, Iterator

import numpy as np
from probe_inside.kit_step import Training
from probe_inside.subject import Subject, listed, model
from probe_inside.train import Refused

VERSION = 6
NOTE = ["without a step of the kit's, the generator alone; discriminators are then not probed"]
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
# Models whose `train_iter` is run, with the sides of pictures to try.
_STEPS = {
    **dict.fromkeys(("BaseSRModel", "RCANModel", "PReNetModel"), (24, 48)),
    **dict.fromkeys(("MPRModel", "NAFNetModel", "SwinIRModel"), (64, 128)),
    **dict.fromkeys(("BasicVSRModel", "EDVRModel"), (64,)),
    **dict.fromkeys(("DCGANModel", "GANModel", "StarGANv2Model"), (0,)),
    **dict.fromkeys(
        ("LapStyleDraModel", "LapStyleRevFirstModel", "LapStyleRevSecondModel"), (128,)
    ),
    **dict.fromkeys(("Pix2PixModel", "CycleGANModel", "UGATITModel"), (256,)),
}
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
    own = _steps(config)
    if own:
        attempts = [{"size": size, "loss": "step"} for size in own]
        return model(config, name, name, _content(config)["model"], attempts)
    sizes = _PICTURE.get(name) or _CLIP.get(name) or (0,)
    attempts = [{"size": size, "loss": "general"} for size in sizes]
    # The loss is ours, and a picture of one size stands for what a crop of any would be.
    return model(config, name, name, arch, attempts, exact=False)


def _content(config: str) -> Any:
    return importlib.import_module("ppgan.utils.config").get_config(config, show=False)


def _steps(config: str) -> tuple[int, ...]:
    """The sizes at which the kit's own step is run, none where its batch is not known.

    Nets that are freed later are hooked then, thousands of steps on.
    """
    nets = _content(config)["model"]
    freed = nets.get("fix_iter") or nets.get("tsa_iter")
    return () if freed else _STEPS.get(str(nets["name"]), ())


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each config with a generator."""
    return listed(configs, _model)


def build(config: str, attempt: dict[str, Any]) -> Subject | Training:
    """The kit's own training, or the generator of `build_generator`."""
    if config == _PARSER:
        return _parsed(attempt["size"])
    if attempt["loss"] == "step":
        return _training(config, attempt["size"])
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
        if key.startswith("ppgan.m") and hasattr(module, "get_path_from_url")
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


def _training(config: str, size: int) -> Training:
    """The model of `build_model` with its optimizers, one `train_iter` a step."""
    content = _content(config)
    own = content["model"]
    with _without_weights():
        made = importlib.import_module("ppgan.models.builder").build_model(own)
    schedule = dict(content["lr_scheduler"])
    if "iters_per_epoch" in schedule:
        schedule["iters_per_epoch"] = 2
    easy: Any = importlib.import_module("ppgan.utils.config").AttrDict
    made.setup_lr_schedulers(easy(schedule))
    optimizers = made.setup_optimizers(made.lr_scheduler, content["optimizer"])
    made.set_total_iter(100)
    made.setup_train_mode(is_train=True)
    batches = [_batch(made, own, size, np.random.RandomState(number)) for number in range(_LONGEST)]

    def step(number: int) -> None:
        made.setup_input(batches[number % _LONGEST])
        made.train_iter(optimizers)
        rates = made.lr_scheduler
        for rate in rates.values() if isinstance(rates, dict) else (rates,):
            rate.step()

    # WGAN trains its generator in every fifth step alone.
    steps = int(own.get("disc_iters", 1)) + 1
    return Training(_layers(made), lambda make: _hooked(content, made, make), step, steps)


_LONGEST = 2


def _layers(made: Any) -> dict[str, Any]:
    """Every layer that the model holds, itself or in a dictionary: nets, averages, criteria."""
    layer: Any = importlib.import_module("paddle").nn.Layer
    found: dict[str, Any] = {}
    for name, value in sorted(vars(made).items()):
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in inner:
            if isinstance(one, layer) and not any(one is other for other in found.values()):
                found[".".join(word for word in (name, key) if word)] = one
    return found


def _hooked(content: Any, made: Any, to_static: Any) -> None:
    """Run the hook that the rule puts into the kit's trainer, as it stands there."""
    yaml: Any = importlib.import_module("yaml")
    types: Any = importlib.import_module("types")
    rule = yaml.safe_load(Path(__file__).with_name("rule.yaml").read_text(encoding="utf-8"))
    trainer_rule = rule["trainers"][0]
    _told(made, trainer_rule["extras"])
    code = trainer_rule["hook"].replace("$LOG(", "print(")
    paddle = types.SimpleNamespace(jit=types.SimpleNamespace(to_static=to_static))
    trainer = types.SimpleNamespace(model=made)
    exec(code, {"self": trainer, "cfg": content, "paddle": paddle})  # noqa: S102


def _told(made: Any, extras: list[dict[str, Any]]) -> None:
    """Run what the rule adds to the model's constructor: which of its nets stay dynamic."""
    constructor = type(made).__name__ + ".__init__"
    source = inspect.getsource(type(made))
    for extra in extras:
        if extra.get("scopes") == [constructor] and extra.get("unless", "") not in source:
            exec(extra["code"], {"self": made})  # noqa: S102


def _batch(made: Any, own: Any, size: int, random: Any) -> Any:
    """What the kit's reader hands to `setup_input`."""
    name = str(own["name"])
    if name == "StarGANv2Model":
        return _starred(own, random)
    if name in ("MPRModel", "NAFNetModel", "SwinIRModel"):
        return [_fed(random.uniform(0, 1, [BATCH, 3, size, size])) for _ in range(2)]
    if name.startswith("LapStyle"):
        pictures = {key: _fed(random.uniform(0, 1, [1, 3, size, size])) for key in ("ci", "si")}
        return {**pictures, "ci_path": ["a"]}
    if name in ("Pix2PixModel", "CycleGANModel", "UGATITModel"):
        sides = {key: _fed(random.uniform(-1, 1, [1, 3, size, size])) for key in "AB"}
        return {**sides, "A_path": ["a"], "B_path": ["b"], "A_paths": ["a"], "B_paths": ["b"]}
    if name in ("DCGANModel", "GANModel"):
        return _drawn(own, random)
    return _restored(made, own, size, random)


def _starred(own: Any, random: Any) -> Any:
    """Pictures of two domains, with another two to take the style from."""
    side, domains = int(own["generator"]["img_size"]), int(own["mapping"]["num_domains"])
    pictures = {key: random.uniform(-1, 1, [1, 3, side, side]) for key in ("src", "ref", "ref2")}
    labels = {key: random.randint(0, domains, [1]) for key in ("src_cls", "ref_cls")}
    return {key: _fed(value) for key, value in {**pictures, **labels}.items()}


def _drawn(own: Any, random: Any) -> Any:
    """Pictures of the size that the generator makes, with their class where it asks for one."""
    arch = own["generator"]
    channels = int(arch.get("output_nc", arch.get("img_channels", 1)))
    side = int(arch.get("img_size", 64))
    batch = {"img": _fed(random.uniform(-1, 1, [BATCH, channels, side, side]))}
    if "n_class" in arch:
        batch["class_id"] = _fed(random.randint(0, int(arch["n_class"]), [BATCH]))
    return batch


def _restored(made: Any, own: Any, size: int, random: Any) -> Any:
    """A small picture or clip, and one of the size that the generator makes of it."""
    paddle: Any = importlib.import_module("paddle")
    (small,) = _arrays(str(own["generator"]["name"]), own["generator"], size, random)
    small = _fed(small)
    net = made.nets["generator"]
    net.eval()
    with paddle.no_grad():
        seen = net(small)
    net.train()
    shape = [int(side) for side in (seen[-1] if isinstance(seen, (list, tuple)) else seen).shape]
    if str(own["name"]) == "EDVRModel":
        shape[1:1] = [1]
    return {"lq": small, "gt": _fed(random.uniform(0, 1, shape)), "lq_path": ["a"]}
