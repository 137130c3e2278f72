"""Run a training script of the kit with the kit's own package, whatever names Paddle lacks.

`python launch.py SCRIPT [ARGUMENT ...]`, with the kit's root on PYTHONPATH. Placeholders stand for
what the package imports and Paddle 2.6.2 or 3.3.1 lacks; see placeholders.py. Where SAMPLES names a
folder, what the kit would fetch is taken from there: SAMPLES/datasets/CLASS holds the files of a
dataset, by its class, and SAMPLES/models/NAME a model, by the name that a script asks for. Where
FRESH is set, the script begins in an empty folder: some cannot read what an earlier start left.
What a script loads from the disk as a saved table is read from JSON lines, train.json.
"""

from __future__ import annotations

import importlib
import os
import runpy
import shutil
import sys
import tempfile
from typing import Any


def main(arguments: list[str]) -> None:
    """Hold the places, then run the script as Python would."""
    if "FRESH" in os.environ:
        os.chdir(tempfile.mkdtemp(dir=os.getcwd()))
    # Python puts this file's folder first on the path.
    placeholders: Any = importlib.import_module("placeholders")
    placeholders.hold_known()
    if placeholders.LACKING:
        listed = ", ".join(placeholders.LACKING)
        print("placeholders for what this Paddle lacks: {}".format(listed))
    if "SAMPLES" in os.environ:
        take_datasets_from(os.path.join(os.environ["SAMPLES"], "datasets"))
        take_models_from(os.path.join(os.environ["SAMPLES"], "models"), placeholders)
        if os.path.isdir(os.path.join(os.environ["SAMPLES"], "tables")):
            take_tables()
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")


def take_datasets_from(samples: str) -> None:
    """Give samples to the datasets of the package wherever these would fetch their files.

    They fetch a file that is not of the published checksum, so that samples laid in its place
    would be fetched over. Done before the package is imported, which binds the function by name.
    """
    download: Any = importlib.import_module("paddle.utils.download")

    def lay(url: str, root_dir: str, *_args: Any, **_options: Any) -> str:
        given = os.path.join(samples, os.path.basename(root_dir))
        if not os.path.isdir(given):
            raise FileNotFoundError("no samples for {} in {}".format(url, samples))
        shutil.copytree(given, root_dir, dirs_exist_ok=True)
        return os.path.join(root_dir, os.path.basename(url))

    download.get_path_from_url = lay


def take_tables() -> None:
    """Read JSON lines where a script loads a table that the package `datasets` saved."""
    datasets: Any = importlib.import_module("datasets")

    def read(folder: str) -> Any:
        files = {"train": os.path.join(folder, "train.json")}
        return datasets.load_dataset("json", data_files=files)

    datasets.load_from_disk = read


def take_models_from(samples: str, placeholders: Any) -> None:
    """Read the folder of that name wherever a model or a tokenizer is asked for by its name.

    In the working directory the kit would find a folder of that name too, but not read its
    configuration: that of a published name is in the package.
    """
    readers = (
        ("auto.modeling", "_BaseAutoModelClass", "_from_pretrained"),
        ("auto.tokenizer", "AutoTokenizer", "from_pretrained"),
        ("model_utils", "PretrainedModel", "from_pretrained"),
        ("tokenizer_utils_base", "PretrainedTokenizerBase", "from_pretrained"),
    )
    for module, owner, name in readers:
        kind: Any = getattr(placeholders.imported("paddlenlp.transformers." + module), owner)
        setattr(kind, name, classmethod(_reading(vars(kind)[name].__func__, samples)))


def _reading(inner: Any, samples: str) -> Any:
    def read(cls: Any, asked: Any, *args: Any, **options: Any) -> Any:
        folder = os.path.join(samples, str(asked))
        return inner(cls, folder if os.path.isdir(folder) else asked, *args, **options)

    return read


if __name__ == "__main__":
    main(sys.argv[1:])
