"""Which branches a training step can take."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from codemod.hazards.reach.live import ends, returns, truth

ON = ["True", "1", "'text'", "self.training", "is_train", "cfg.is_training", "m.train_mode"]
ON += ["model.in_training", "x.foo_training"]
OFF = ["False", "0", "''", "None", "export", "self.export_model", "in_export", "exporting"]
OFF += ["for_export_v2", "is_export_v2", "deploy_mode", "onnx_export", "tensorrt", "cfg.trt"]
OFF += ["use_trt", "is_inference", "inference_mode", "self.infer", "is_test", "is_eval"]
OFF += ["eval_mode", "test_mode", "predict_only", "self.sequence_parallel", "is_distributed"]
OFF += ["use_distributed", "_infer"]
OPEN = ["x", "self.flag", "trained", "pretraining_done", "x.mean() > 0", "call()", "expo"]
OPEN += ["paddle.export", "reinfer", "a.test", "my_sequence_parallel_x", "training_steps", "x[0]"]


@pytest.mark.parametrize(
    ("texts", "wanted"), [(ON, True), (OFF, False), (OPEN, None)], ids=["on", "off", "open"]
)
def test_names_and_constants(texts: list[str], wanted: bool | None) -> None:
    assert {text: known(text) for text in texts} == dict.fromkeys(texts, wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("not self.training", False),
        ("not is_test", True),
        ("not x", None),
        ("-1", None),
        ("self.training and x", None),
        ("self.training and not is_test", True),
        ("is_test and x", False),
        ("x and is_test", False),
        ("self.training or x", True),
        ("x or self.training", True),
        ("is_test or x", None),
        ("is_test or not self.training", False),
        ("x and y", None),
    ],
)
def test_logic(text: str, wanted: bool | None) -> None:
    assert known(text) is wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("self.training is True", True),
        ("self.training == False", False),
        ("self.training is not True", False),
        ("self.training != False", True),
        ("is_test is False", True),
        ("x is True", None),
        ("self.training < True", None),
        ("self.training == x", None),
        ("mode == 'train'", True),
        ("self.mode == 'Training'", True),
        ("mode != 'train'", False),
        ("phase == 'infer'", False),
        ("cfg.stage == 'eval_all'", False),
        ("mode == 'EXPORT'", False),
        ("mode != 'val'", True),
        ("mode == 'both'", None),
        ("mode == 'pretrain'", None),
        ("mode in 'train'", None),
        ("mode == 'retest'", None),
        ("name == 'train'", None),
        ("name == 'test'", None),
        ("mode() == 'train'", None),
        ("mode == None", None),
        ("world_size > 1", False),
        ("self.nranks == 1", True),
        ("dist.get_world_size() <= 1", True),
        ("dist.get_world_size() < 1", False),
        ("cfg.mp_degree >= 1", True),
        ("cfg.tensor_parallel_degree != 1", False),
        ("cfg.sep_parallel_degree > 1", False),
        ("context_parallel_degree > 1", False),
        ("get_size_or_one() > 1", False),
        ("parallel_size > 1", False),
        ("world_size > 2", None),
        ("world_size == True", None),
        ("world_sizes > 1", None),
        ("count > 1", None),
        ("1 < world_size < 3", None),
        ("self.training == True == x", None),
    ],
)
def test_comparisons(text: str, wanted: bool | None) -> None:
    assert known(text) is wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("return a\nreturn b", ["a"]),
        ("return\nreturn b", []),
        ("x = 1\nreturn b", ["b"]),
        ("if x:\n    return a\nreturn b", ["a", "b"]),
        ("if x:\n    return a\nelse:\n    return b\nreturn c", ["a", "b"]),
        ("if x:\n    return a\nelse:\n    pass\nreturn c", ["a", "c"]),
        ("if self.training:\n    return a\nreturn b", ["a"]),
        ("if self.training:\n    return a\nelse:\n    return b", ["a"]),
        ("if is_test:\n    return a\nreturn b", ["b"]),
        ("if is_test:\n    return a\nelse:\n    return b\nreturn c", ["b"]),
        ("if self.training:\n    pass\nelse:\n    return b\nreturn c", ["c"]),
        ("for i in x:\n    return a\nelse:\n    return b\nreturn c", ["a", "b", "c"]),
        ("with x:\n    return a", ["a"]),
        (
            "try:\n    return a\nexcept E:\n    return b\nelse:\n    return c\nfinally:\n    return d",
            ["a", "c", "b", "d"],
        ),
        ("def inner():\n    return a\nreturn b", ["b"]),
        ("async def inner():\n    return a\nreturn b", ["b"]),
        ("class Inner:\n    if x:\n        def f(self): return a\nreturn b", ["b"]),
    ],
)
def test_what_a_block_returns(text: str, wanted: list[str]) -> None:
    assert [ast.unparse(value) for value in returns(block(text))] == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("return a", True),
        ("raise E", True),
        ("for i in x:\n    continue", False),
        ("x = 1", False),
        ("return a\nx = 1", False),
        ("if x:\n    return a\nelse:\n    raise E", True),
        ("if x:\n    return a", False),
        ("if x:\n    pass\nelse:\n    return a", False),
        ("with x:\n    return a", True),
        ("with x:\n    pass", False),
        ("if x:\n    with y:\n        return a\nelse:\n    if z:\n        raise E", False),
    ],
)
def test_whether_a_block_ends(text: str, wanted: bool) -> None:
    assert ends(block(text)) is wanted


@pytest.mark.parametrize("word", ["break", "continue"])
def test_a_loop_s_block_ends(word: str) -> None:
    (loop,) = ast.parse(f"for i in x:\n    {word}").body
    assert isinstance(loop, ast.For)
    assert ends(loop.body)


def test_an_empty_block_does_not_end() -> None:
    assert ends([]) is False


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("mask is None", True),
        ("mask is not None", False),
        ("mask == None", True),
        ("mask", False),
        ("not mask", True),
        ("mask is not None and mask.ndim == 2", False),
        ("x is None", None),
        ("mask.shape is None", None),
        ("self.mask is not None", None),
        ("mask is x", None),
    ],
)
def test_a_name_that_holds_none(text: str, wanted: bool | None) -> None:
    assert known(text, "mask") is wanted


def known(text: str, *absent: str) -> bool | None:
    return truth(ast.parse(text, mode="eval").body, absent)


def block(text: str) -> list[ast.stmt]:
    (function,) = ast.parse(
        "def f():\n" + "\n".join(f"    {x}" for x in dedent(text).split("\n"))
    ).body
    assert isinstance(function, ast.FunctionDef)
    return function.body
