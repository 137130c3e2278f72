"""PaddleNLP: the transformers' classes on tiny random configurations, fed token ids by keyword.

The kit has no config a model: scripts name a class and load its weights. So a model here is a
family's `modeling.py`, and what is built is its pre-training or generating class where it has one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
from typing import Any

import numpy as np
from probe_inside.subject import Subject, listed, model
from probe_inside.train import Refused

VERSION = 3
CONFIGS = ["paddlenlp/transformers/*/modeling.py"]
NOTE: list[str] = []
BATCH = 2
LENGTH = 16
VOCABULARY = 120
PICTURE = 32
# Letters that ChineseBERT reads for each character.
PINYIN = 8
# The first class with such a name is taken: what is trained from scratch before what is fine-tuned.
_PREFERRED = (
    "ForCausalLM",
    "LMHeadModel",
    "ForPretraining",
    "ForPreTraining",
    "ForMaskedLM",
    "ForConditionalGeneration",
    "ForSequenceClassification",
    "ForTokenClassification",
    "Model",
)
_TINY = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "embedding_size": 32,
    "d_model": 32,
    "n_embd": 32,
    "dim": 32,
    "num_hidden_layers": 2,
    "num_layers": 2,
    "n_layer": 2,
    "num_encoder_layers": 2,
    "num_decoder_layers": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_heads": 4,
    "n_head": 4,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "d_kv": 8,
    "kv_channels": 8,
    "head_dim": 8,
    "d_head": 8,
    "intermediate_size": 64,
    "ffn_hidden_size": 64,
    "d_inner": 64,
    "d_ff": 64,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
    "num_experts": 4,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "max_position_embeddings": 64,
    "n_positions": 64,
    "seq_length": LENGTH,
    "max_sequence_length": 64,
    "word_embed_proj_dim": 32,
    "use_cache": False,
}
# Models of text and pictures hold a configuration for each.
_TINY_PICTURES = {**_TINY, "image_size": PICTURE, "patch_size": 8, "num_channels": 3}
_NESTED = {
    "text_config": _TINY,
    "vision_config": _TINY_PICTURES,
    "qformer_config": {**_TINY, "encoder_hidden_size": 32},
}
# What some families' own arguments must be beside these, or where no default is.
_OWN: dict[str, dict[str, Any]] = {
    "qwen": {"seq_length": LENGTH},
    "nezha": {"use_relative_position": True},
    "reformer": {
        "axial_pos_shape": [4, 4],
        "axial_pos_embds_dim": [16, 16],
        "attention_head_size": 8,
        "attn_layers": ["local", "lsh"],
        "local_attn_chunk_length": 8,
        "lsh_attn_chunk_length": 8,
        "num_buckets": 2,
        "is_decoder": False,
    },
}


def prepare() -> None:
    """Import the transformers: the checkout's, or where no Paddle here imports them, the package's.

    Newest revisions read names that neither Paddle 2.6 nor 3.3 has; NOTE then tells what was used.
    """
    try:
        importlib.import_module("paddlenlp.transformers")
    except (ImportError, AttributeError) as error:
        NOTE.append("paddlenlp of the checkout: {}; the package was used".format(error))
        here = os.path.realpath(os.getcwd())
        sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") != here]
        for name in [name for name in sys.modules if name.split(".")[0] == "paddlenlp"]:
            del sys.modules[name]
        sys.path.insert(0, _apart("paddlenlp"))
        importlib.import_module("paddlenlp.transformers")


def _apart(package: str) -> str:
    """A folder that leads to the package from elsewhere.

    SOT of Paddle 2.6 leaves dynamic what is installed beside it under a name that begins with its
    own. A checkout, which is what this stands for, lies elsewhere.
    """
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ImportError("{} is not installed".format(package))
    origin = os.path.dirname(found.origin)
    mark = hashlib.sha256(origin.encode()).hexdigest()[:12]
    folder = os.path.join(tempfile.gettempdir(), "codemod-{}-{}".format(os.getuid(), mark))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.symlink(origin, os.path.join(folder, package))
    return folder


def _classes(config: str) -> tuple[Any, Any]:
    """The class to build and the class of its configuration.

    Raises Refused where a family has no configuration of today's kind.
    """
    path = os.path.dirname(config).replace("/", ".")
    modeling: Any = importlib.import_module(path + ".modeling")
    own = [
        item
        for _, item in inspect.getmembers(modeling, inspect.isclass)
        if item.__module__ == modeling.__name__ and hasattr(item, "from_pretrained")
    ]
    for ending in _PREFERRED:
        for item in own:
            wanted = getattr(item, "config_class", None)
            if item.__name__.endswith(ending) and wanted is not None:
                return item, wanted
    raise Refused("{} has no class that is built from a configuration.".format(path))


def _arguments(wanted: Any, family: str) -> dict[str, Any]:
    """Tiny values for those arguments that this configuration has, and what the family needs."""
    names: set[str] = set()
    for item in inspect.getmro(wanted):
        maker = vars(item).get("__init__")
        if maker is not None:
            names |= set(inspect.signature(maker).parameters)
        if item.__name__ == "PretrainedConfig":
            break
    tiny = {key: value for key, value in {**_TINY, **_NESTED}.items() if key in names}
    return {**tiny, **_OWN.get(family, {})}


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each family."""

    def describe(config: str) -> dict[str, Any]:
        built, _ = _classes(config)
        family = os.path.basename(os.path.dirname(config))
        attempts = [{"decoder": False}, {"decoder": True}, {"decoder": False, "named": True}]
        # Tiny values can be ones that an architecture does not allow.
        return model(config, built.__name__, family, config, attempts, exact=False)

    return listed(configs, describe)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The class with tiny values; ids, and ids for the decoder where the attempt says so."""
    built, wanted = _classes(config)
    paddle: Any = importlib.import_module("paddle")
    family = os.path.basename(os.path.dirname(config))
    net = built(wanted(**_arguments(wanted, family)))

    wants = inspect.signature(net.forward).parameters

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)

        def ids() -> Any:
            return paddle.to_tensor(random.randint(4, VOCABULARY, [BATCH, LENGTH]).astype("int64"))

        batch = {"input_ids": ids()}
        if attempt["decoder"]:
            batch["decoder_input_ids"] = ids()
        if "pixel_values" in wants:
            pixels = random.standard_normal([BATCH, 3, PICTURE, PICTURE]).astype("float32")
            batch["pixel_values"] = paddle.to_tensor(pixels)
        if "pinyin_ids" in wants:
            spelt = random.randint(1, 26, [BATCH, LENGTH * PINYIN]).astype("int64")
            batch["pinyin_ids"] = paddle.to_tensor(spelt)
        if "bbox" in wants:
            corner = random.randint(0, 20, [BATCH, LENGTH, 2])
            boxes = np.concatenate([corner, corner + 10], axis=-1).astype("int64")
            batch["bbox"] = paddle.to_tensor(boxes)
        if attempt.get("named"):
            # Some read their parts' outputs by name without asking for names.
            batch["return_dict"] = True
        if family == "chatglm":
            causal = np.tril(np.ones([BATCH, 1, LENGTH, LENGTH], dtype="bool"))
            batch["attention_mask"] = paddle.to_tensor(causal)
        return net(**{key: value for key, value in batch.items() if key in wants})

    return Subject([net], forward)
