"""PaddleRec: each model folder's own `DygraphModel`, fed by its own reader on its sample data."""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from typing import Any

from probe_inside.subject import BatchesByStep, Subject, listed, model

VERSION = 2
NOTE = ["KIM's titles are split by a pattern where nltk's table of abbreviations cannot be fetched"]
BATCH = 4


def prepare() -> None:
    """Import what all models share; a model's own modules have the same names in every folder."""
    # tools/trainer.py puts this folder first, and imports `utils` from it.
    sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
    for name in ("paddle", "utils.utils_single"):
        importlib.import_module(name)


def models(configs: list[str]) -> list[dict[str, Any]]:
    """One model for each folder with a dynamic model; others are pure static-graph trainers."""

    def describe(config: str) -> dict[str, Any] | None:
        folder = os.path.dirname(config)
        if not os.path.isfile(os.path.join(folder, "dygraph_model.py")):
            return None
        name = os.path.basename(folder)
        # Some models have their batch size in their shapes; zero stands for the config's own.
        attempts = [{"loss": "kit", "size": BATCH}, {"loss": "kit", "size": 0}]
        # Few steps of a trainer that each model folder may bend are not surely its own.
        return model(config, name, os.path.dirname(folder), folder, attempts, exact=False)

    return listed(configs, describe)


def build(config: str, attempt: dict[str, Any]) -> Subject:
    """The layer of `create_model`; the step is `train_forward` on batches of the kit's loader."""
    utils: Any = importlib.import_module("utils.utils_single")
    paddle: Any = importlib.import_module("paddle")
    folder = os.path.abspath(os.path.dirname(config))
    os.chdir(folder)
    content = utils.load_yaml(os.path.basename(config))
    content["config_abs_dir"] = folder
    if attempt["size"]:
        content["runner.train_batch_size"] = attempt["size"]
    content["runner.num_workers"] = 0
    own = utils.load_dy_model_class(folder)
    _tokenizer(folder)
    net = own.create_model(content)
    loader = utils.create_data_loader(config=content, place=paddle.set_device("cpu"))
    # The trainer looks whether there is a batch before it trains; some readers need the look.
    any(loader())
    batches = BatchesByStep(itertools.cycle(list(itertools.islice(loader(), 4))))
    metrics, _ = own.create_metrics()

    def forward(step: int) -> Any:
        batch = batches.of(step)
        # Some steps write into the list that they are given, and this one comes again.
        batch = list(batch) if isinstance(batch, list) else batch
        return own.train_forward(net, metrics, batch, content)[0]

    # `train_forward` is forward and loss in one.
    return Subject([net], forward, lambda loss, step: loss)


def _tokenizer(folder: str) -> None:
    """Let the reader of titles do without a table that nltk fetches from the network."""
    if not os.path.isfile(os.path.join(folder, "mind_reader.py")):
        return
    nltk: Any = importlib.import_module("nltk")
    nltk.download = lambda *_names, **_options: False
    try:
        nltk.tokenize.word_tokenize("a b")
    except LookupError:
        nltk.tokenize.word_tokenize = nltk.tokenize.wordpunct_tokenize
