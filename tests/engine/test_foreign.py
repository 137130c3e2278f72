"""Trainers of unknown repositories that are left alone for what their models are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
import argparse

{imports}


def main(args):
    model = Net()
    optimizer = optim.Adam(parameters=model.parameters())
    for graph in graphs(args.path):
        loss = model(graph)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--path")
    main(parser.parse_args())
"""


@pytest.mark.parametrize(
    ("imports", "code"),
    [
        ("import paddle\nimport pgl", "engine.graph-objects"),
        ("import paddle\nfrom pgl.utils.data import Dataloader", "engine.graph-objects"),
        ("import torch", "engine.pytorch"),
        ("import paddle", ""),
        ("import paddle\nimport torch", ""),
    ],
)
def test_graphs_and_pytorch_are_left_alone_with_the_reason(
    imports: str, code: str, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(TRAINER.format(imports=imports))
    made = plan_change(Source(None, tmp_path, None)).change_set()
    assert bool(made.changes) is not bool(code)
    if code:
        (skip,) = made.skipped
        assert code in (skip.reason.code, getattr(skip.reason["why"], "code", ""))
