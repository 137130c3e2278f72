"""TIPC chains that claim static training: each fault in a small kit, and none in a sound one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.audit.reach import Reach
from codemod.audit.tipc_claims import audit_tipc, claims
from codemod.base.changeset import Source
from codemod.base.reason import Reason
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

PARSER = """\
line_num=`grep -n -w "to_static_train_benchmark_params" $FILENAME`
to_static_key=$(func_parser_key "${lines[line_num]}")
to_static_trainer=$(func_parser_value "${lines[line_num]}")
run_train="${norm_trainer} ${to_static_trainer}"
echo ${to_static_key}
"""
CHAIN = """\
===train_params===
trainer:norm_train
norm_train:tools/train.py -c configs/net.yml -o a=1
===to_static_train_benchmark_params===
to_static_train:to_static=True
"""
ENGINE = """\
import paddle


def fit(config):
    model = build(config["m"])
    if config.get("to_static", False):
        model = paddle.jit.to_static(model)
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for x in config["data"]:
        loss = model(x)
        loss.backward()
"""
FILES = {
    "tools/train.py": "from kit.engine import fit\n\nfit(load())\n",
    "kit/__init__.py": "from kit.engine import fit\n",
    "kit/engine.py": ENGINE,
    "configs/net.yml": "m: net\n",
    "test_tipc/test_train_inference_python.sh": PARSER,
    "test_tipc/configs/net/train_infer_python.txt": CHAIN,
}
TXT = "test_tipc/configs/net/train_infer_python.txt"
SH = "test_tipc/test_train_inference_python.sh"


def found(root: Path, changed: dict[str, str], reach: tuple[Reach, ...] = ()) -> list[str]:
    for name, text in {**FILES, **changed}.items():
        if text:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
    tree = Tree(root)
    change_set = plan_change(Source(None, root, None)).change_set()
    return [f"{one.id} {one.line}" for one in audit_tipc(Project(tree), change_set, reach)]


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({}, []),
        ({TXT: CHAIN.replace("===train", "\n===train")}, ["tipc-not-read 6"]),
        ({TXT: CHAIN.replace("_benchmark_params", "_old")}, ["tipc-not-read 5"]),
        ({TXT: CHAIN.replace("tools/train.py", "tools/gone.py")}, ["tipc-no-script 3"]),
        ({TXT: CHAIN.replace("tools/train.py -c configs/net.yml", "null")}, ["tipc-no-script 3"]),
        ({TXT: CHAIN.replace("net.yml", "gone.yml")}, ["tipc-no-config 3"]),
        ({TXT: CHAIN.replace("to_static=True", "d2s=True")}, ["tipc-no-gate 5"]),
        ({TXT: CHAIN.replace(" -o a=1", "")}, ["tipc-no-option 5"]),
        ({TXT: CHAIN.replace("to_static=True", "to_static=False")}, []),
        ({TXT: CHAIN.replace("to_static=True", "null")}, []),
        # The package is imported, and the hooked function with it, but never named.
        ({"tools/train.py": "import kit\n\nkit.other()\n"}, ["tipc-no-code 5"]),
        ({SH: PARSER + "set_to_static=${to_static_trainer}\n"}, ["tipc-unused 6"]),
    ],
)
def test_claims(tmp_path: Path, changed: dict[str, str], wanted: list[str]) -> None:
    assert found(tmp_path, changed) == wanted


def test_a_config_that_reaches_no_hook(tmp_path: Path) -> None:
    row = Reach("configs/net.yml", "Net", Reason.said("no list holds it"), None)
    assert found(tmp_path, {}, (row,)) == ["tipc-blocked 5"]


def test_the_fixed_line_of_older_parsers(tmp_path: Path) -> None:
    fixed = 'to_static_key=$(func_parser_key "${lines[2]}")\necho ${to_static_key}\n'
    chain = (
        "trainer:norm_train\nnorm_train:tools/train.py -o a=1\n\nto_static_train:to_static=True\n"
    )
    assert found(tmp_path, {SH: fixed, TXT: chain}) == []
    (claim,) = claims(Tree(tmp_path))
    assert (claim.line, claim.read) == (4, True)
    other = chain.replace("\n\n", "\nepoch:1\n")
    assert found(tmp_path, {SH: fixed, TXT: other}) == ["tipc-not-read 4"]
