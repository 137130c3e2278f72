"""PaddleNLP: the transformers' classes on tiny random configurations, fed token ids by keyword.

The kit has no config a model: scripts name a class and load its weights. So a model here is a
family's `modeling.py`, and what is built is its pre-training or generating class where it has one.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from typing import Any, Callable

import numpy as np
from probe_inside.subject import Subject, listed, model, tensors
from probe_inside.train import Refused

VERSION = 5
# The model zoo's GPT-3 has layers of its own.
_FLEET = "slm/model_zoo/gpt-3"
_FLEET_GPT = _FLEET + "/ppfleetx/models/language_model/gpt/dygraph/single_model.py"
_ERNIE_GEN = "paddlenlp/transformers/ernie_gen/modeling.py"
CONFIGS = ["paddlenlp/transformers/*/modeling.py", _FLEET_GPT]
NOTE: list[str] = []
BATCH = 2
LENGTH = 16
VOCABULARY = 120
PICTURE = 32
# Letters that ChineseBERT reads for each character.
PINYIN = 8
# Steps of the text before that ERNIE-Doc remembers.
_MEMORY = 16
# Names in a text, for LUKE; bands of a spectrum, and numbers of a voice, for SpeechT5.
ENTITIES = 3
_MELS = 80
_SPEAKER = 512
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
    "ForTextToSpeech",
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
_LATENT_ATTENTION = {
    "kv_lora_rank": 16,
    "q_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 64},
}
# What some families' own arguments must be beside these, or where no default is.
_OWN: dict[str, dict[str, Any]] = {
    "qwen": {"seq_length": LENGTH},
    "ernie_doc": {"memory_len": _MEMORY},
    # Without it there is no head.
    "glm": {"output_predict": True},
    "nezha": {"use_relative_position": True},
    # With as many as a head has, nothing is left to pass by, as in no real one.
    "codegen": {"rotary_dim": 4},
    "gptj": {"pad_token_id": 0, "rotary_dim": 4},
    # Six positions of a box side by side make the hidden size.
    "layoutxlm": {"hidden_size": 24, "coordinate_size": 4, "use_visual_backbone": False},
    "luke": {"entity_vocab_size": VOCABULARY, "entity_emb_size": 16},
    "xlm": {"emb_dim": 32, "n_layers": 2, "n_heads": 4},
    # The rotary embedding without scaling has two dimensions too many for what calls it.
    "deepseek_v2": _LATENT_ATTENTION,
    "deepseek_v3": _LATENT_ATTENTION,
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
    """Import the checkout's transformers; NOTE tells what of Paddle they miss."""
    if lacking := _lacking():
        NOTE.append("placeholders for what this Paddle lacks: {}".format(", ".join(lacking)))


def _lacking() -> list[str]:
    """The names of Paddle that the checkout imports and that the Paddle in use does not have."""
    own: Any = importlib.import_module("placeholders")
    own.imported("paddlenlp.transformers", Refused)
    return list(own.LACKING)


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
        name = _PLAIN[config][0] if config in _PLAIN else _classes(config)[0].__name__
        family = "gpt-3" if config == _FLEET_GPT else _family(config)
        attempts: list[dict[str, Any]] = [
            {"decoder": False},
            {"decoder": True},
            {"decoder": False, "named": True},
        ]
        if config not in _PLAIN and "labels" in _wants(_classes(config)[0]):
            attempts = [{**attempt, "loss": "kit"} for attempt in attempts] + attempts
        if lacking := _lacking():
            attempts = [{**attempt, "placeholders": len(lacking)} for attempt in attempts]
        # Tiny values can be ones that an architecture does not allow.
        return model(config, name, family, config, attempts, exact=False)

    return listed(configs, describe)


def _wants(built: Any) -> Any:
    return inspect.signature(built.forward).parameters


def _family(config: str) -> str:
    return os.path.basename(os.path.dirname(config))


def _fleet_gpt() -> Any:
    """The model zoo's GPT-3: a net made from a model."""
    sys.path.insert(0, os.path.abspath(_FLEET))
    path = os.path.relpath(_FLEET_GPT, _FLEET)[: -len(".py")].replace(os.sep, ".")
    own: Any = importlib.import_module(path)
    names = inspect.signature(own.GPTModel.__init__).parameters
    return own.GPTForPretraining(
        own.GPTModel(**{key: value for key, value in _TINY.items() if key in names})
    )


def _ernie_gen() -> Any:
    """ERNIE-GEN, which is made from a mapping."""
    own: Any = importlib.import_module("paddlenlp.transformers.ernie_gen.modeling")
    names = {"hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu"}
    return own.ErnieForGeneration(
        {**_TINY, **names, "type_vocab_size": 4, "initializer_range": 0.02, "pad_token_id": 0}
    )


# What has no configuration of today's kind: the class, and what makes it.
_PLAIN: dict[str, tuple[str, Callable[[], Any]]] = {
    _FLEET_GPT: ("GPTForPretraining", _fleet_gpt),
    _ERNIE_GEN: ("ErnieForGeneration", _ernie_gen),
}


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The class with tiny values; ids, and ids for the decoder where the attempt says so."""
    paddle: Any = importlib.import_module("paddle")
    family = _family(config)
    if config in _PLAIN:
        net = _PLAIN[config][1]()
    else:
        built, wanted = _classes(config)
        net = built(wanted(**_arguments(wanted, family)))

    wants = _wants(net)
    # ERNIE-Doc's ids have a dimension of their own.
    shape = [BATCH, LENGTH, 1] if family == "ernie_doc" else [BATCH, LENGTH]

    def forward(step: int) -> Any:
        random = np.random.RandomState(step)

        def ids() -> Any:
            return paddle.to_tensor(random.randint(4, VOCABULARY, shape).astype("int64"))

        if config == _ERNIE_GEN:
            return net(ids())
        batch = {"input_ids": ids()}
        if attempt["decoder"]:
            batch["decoder_input_ids"] = ids()
        for name, make in _BESIDE.items():
            if name in wants:
                batch[name] = paddle.to_tensor(make(random))
        for name, array in _own_batch(family).items():
            batch[name] = tensors(array)
        if attempt.get("named"):
            # Some read their parts' outputs by name without asking for names.
            batch["return_dict"] = True
        if attempt.get("loss") == "kit":
            # A text has one class; its words have one each.
            alone = type(net).__name__.endswith("ForSequenceClassification")
            sides = [BATCH] if alone else shape[:2]
            batch["labels"] = tensors(random.randint(0, 2 if alone else VOCABULARY, sides))
        return net(**{key: value for key, value in batch.items() if key in wants})

    return Subject([net], forward, _returned_loss)


def _returned_loss(outputs: Any, _step: int) -> Any:
    """What a forward that was given labels returns first, or by that name.

    Raises Refused where that is no single number.
    """
    if isinstance(outputs, dict):
        found = outputs.get("loss")
    else:
        found = outputs[0] if isinstance(outputs, (list, tuple)) else outputs
    if found is None or np.prod(found.shape) != 1:
        raise Refused("Given labels, the forward returns no loss.")
    return found


def _pixels(random: Any) -> Any:
    return random.standard_normal([BATCH, 3, PICTURE, PICTURE]).astype("float32")


def _spelt(random: Any) -> Any:
    return random.randint(1, 26, [BATCH, LENGTH * PINYIN]).astype("int64")


def _boxes(random: Any) -> Any:
    corner = random.randint(0, 20, [BATCH, LENGTH, 2])
    return np.concatenate([corner, corner + 10], axis=-1).astype("int64")


# What is fed beside ids, where a forward takes it.
_BESIDE = {"pixel_values": _pixels, "pinyin_ids": _spelt, "bbox": _boxes}


def _own_batch(family: str) -> dict[str, Any]:
    """What a family's forward wants beside ids, or cannot make from ids of so few words."""
    if family == "ernie_doc":
        far = np.arange(2 * LENGTH + _MEMORY - 1, -1, -1).reshape([1, -1, 1])
        column = np.zeros([BATCH, LENGTH, 1], "int64")
        return {
            "memories": [np.zeros([BATCH, _MEMORY, 32], "float32")] * 2,
            "token_type_ids": column,
            "position_ids": np.tile(far, (BATCH, 1, 1)),
            "attn_mask": np.ones([BATCH, LENGTH, 1], "float32"),
        }
    if family in ("unimo", "unified_transformer"):
        # What they make themselves from the padding takes an operator that no CPU has.
        return {"position_ids": np.tile(np.arange(LENGTH), (BATCH, 1))}
    if family == "reformer":
        # Its backward returns a gradient for the mask too.
        return {"attention_mask": np.ones([BATCH, LENGTH], "int64")}
    if family == "luke":
        return {
            "entity_ids": np.tile(np.arange(1, ENTITIES + 1), (BATCH, 1)),
            "entity_position_ids": np.tile(np.arange(ENTITIES * 2), (BATCH, 1)).reshape(
                [BATCH, ENTITIES, 2]
            ),
        }
    if family == "speecht5":
        return {
            "decoder_input_values": np.ones([BATCH, LENGTH, _MELS], "float32"),
            "speaker_embeddings": np.ones([BATCH, _SPEAKER], "float32"),
        }
    if family in ("chatglm", "glm"):
        # Both place a token in the text and in the part to be filled in.
        places = np.stack([np.arange(LENGTH), np.zeros(LENGTH, "int64")])
        causal = np.tril(np.ones([BATCH, 1, LENGTH, LENGTH], "bool"))
        return {
            "position_ids": np.tile(places, (BATCH, 1, 1)).astype("int64"),
            "attention_mask": causal if family == "chatglm" else causal.astype("float32"),
        }
    return {}
