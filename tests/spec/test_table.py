"""A row goes into the kit's own table of specs by config; no other byte changes."""

from __future__ import annotations

import pytest

from codemod.base.errors import UsageError
from codemod.experiments.spec.nodes import Dictionary, Tensor
from codemod.experiments.spec.table import with_row

CODE = b"""\
import paddle\r
\r
SPECS = {\r
    'big': [paddle.static.InputSpec([None], 'int64')],\r
    'small': None,\r
}\r
\r
\r
def apply(config, model):\r
    spec = SPECS.get(config['name'], None)\r
    model = paddle.jit.to_static(model, input_spec=spec)\r
    return model\r
"""
SPEC = (Dictionary({"im_id": Tensor((None, 1), "int64"), "scale": Tensor((None, 2), "float32")}),)
ROW = b"""\
    'tiny': [{\r
        'im_id': paddle.static.InputSpec([None, 1], 'int64'),\r
        'scale': paddle.static.InputSpec([None, 2], 'float32'),\r
    }],\r
"""


def test_a_row_more() -> None:
    new = with_row(CODE, 11, "tiny", SPEC, {"big"}.__contains__)
    assert new == CODE.replace(b"None,\r\n}", b"None,\r\n" + ROW + b"}")


def test_a_row_that_says_none_is_filled() -> None:
    new = with_row(CODE, 11, "small", SPEC, {"big"}.__contains__)
    assert new == CODE.replace(b"    'small': None,\r\n", ROW.replace(b"tiny", b"small"))


def test_the_last_row_gets_its_comma() -> None:
    bare = CODE.replace(b"None,\r\n}", b"None\r\n}")
    assert with_row(bare, 11, "tiny", SPEC, {"big"}.__contains__) == with_row(
        CODE, 11, "tiny", SPEC, {"big"}.__contains__
    )


def test_what_is_no_table_by_config_is_left_alone() -> None:
    known = {"big"}.__contains__
    assert with_row(CODE, 11, "big", SPEC, known) is None
    assert with_row(CODE, 11, "tiny", SPEC, {"other"}.__contains__) is None
    assert with_row(CODE.replace(b"SPECS.get", b"OTHER.get"), 11, "tiny", SPEC, known) is None
    assert with_row(CODE.replace(b"=spec)", b"=[x])"), 11, "tiny", SPEC, known) is None
    subscript = CODE.replace(b"SPECS.get(config['name'], None)", b"SPECS[config['name']]")
    assert with_row(subscript, 11, "tiny", SPEC, known) is not None
    typed = CODE.replace(b"SPECS =", b"SPECS: dict =")
    assert with_row(typed, 11, "tiny", SPEC, known) is not None


def test_a_table_on_one_line_is_refused() -> None:
    code = CODE.replace(b"    'small': None,\r\n}", b"    'small': None}")
    with pytest.raises(UsageError, match="ends in the middle of line 5"):
        with_row(code, 10, "tiny", SPEC, {"big"}.__contains__)
