"""A folder that Hugging Face's `datasets.load_dataset` reads as a dataset with splits.

A JSON object a line in train.jsonl, and fewer of them in validation.jsonl and test.jsonl. The head
of README.md names the splits, and the types of the columns where they are given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from codemod.training.samples.making import Samples

SPLITS = ("train", "validation", "test")


def write_dataset(
    samples: Samples,
    folder: str,
    config: str,
    rows: Sequence[Mapping[str, object]],
    columns: Mapping[str, str | tuple[str, ...]] | None = None,
) -> None:
    """The rows under the configuration `config`.

    A column is the name of a type, or the names of the classes that its numbers stand for; without
    `columns` the library finds the types itself.
    """
    lines = [json.dumps(row) for row in rows]
    for split in SPLITS:
        kept = lines if split == "train" else lines[: max(2, len(lines) // 8)]
        samples.write_lines(f"{folder}/{split}.jsonl", kept)
    files = [{"split": split, "path": f"{split}.jsonl"} for split in SPLITS]
    head: dict[str, object] = {"configs": [{"config_name": config, "data_files": files}]}
    if columns:
        features = [{"name": name, "dtype": _type(kind)} for name, kind in columns.items()]
        head["dataset_info"] = {"config_name": config, "features": features}
    # JSON is YAML too.
    samples.write(f"{folder}/README.md", f"---\n{json.dumps(head, indent=1)}\n---\n")


def _type(kind: str | tuple[str, ...]) -> object:
    if isinstance(kind, str):
        return kind
    names = {str(number): label for number, label in enumerate(kind)}
    return {"class_label": {"names": names}}
