"""The spec goes into the call, and no other byte changes."""

from __future__ import annotations

import pytest

from codemod.base.errors import UsageError
from codemod.experiments.spec.change import _with_key
from codemod.experiments.spec.nodes import Sequence, Tensor
from codemod.experiments.spec.write import with_spec

PICTURE = (Tensor((None, 3, None, None), "float32"),)
CODE = b"""\
import paddle\r
\r
\r
def main(net):\r
\tif on:\r
\t\tnet = paddle.jit.to_static(net)\r
"""


def test_the_call_gets_its_spec_and_the_rest_stays() -> None:
    new = with_spec(CODE, 6, {"Net": (Tensor((None,), "int64"),)})
    call = b'(net, input_spec=[paddle.static.InputSpec([None], "int64")])\r'
    assert new == CODE.replace(b"(net)\r", call)


def test_the_files_own_name_and_quotes_are_used() -> None:
    code = b"from paddle.static import InputSpec\nfrom paddle.jit import to_static\na = 'b'\nto_static(a, build_strategy=None)\n"
    new = with_spec(code, 4, {"Net": PICTURE}).decode().splitlines()[-1]
    assert (
        new
        == "to_static(a, build_strategy=None, input_spec=[InputSpec([None, 3, None, None], 'float32')])"
    )


def test_a_missing_import_is_added_behind_paddles() -> None:
    code = b'"""Doc."""\nimport os\nfrom paddle.jit import to_static\nimport sys\n\nto_static(a)\n'
    lines = with_spec(code, 6, {"Net": PICTURE}).decode().splitlines()
    assert lines[3] == "from paddle.static import InputSpec"
    assert lines[-1].startswith("to_static(a, input_spec=[InputSpec(")


def test_several_nets_of_one_call_get_a_table() -> None:
    code = b"import paddle\nfor net in nets:\n    net = paddle.jit.to_static(net)\n"
    new = with_spec(code, 3, {"Maker": PICTURE, "Judge": PICTURE}).decode()
    compile(new, "kit", "exec")
    assert new.rstrip().endswith("}.get(type(net).__name__))")
    assert '"Judge": [paddle.static.InputSpec(' in new


def test_a_trainer_that_hooks_other_nets_too_gives_them_no_spec() -> None:
    code = b"from paddle.static import InputSpec\nif on:\n    to_static(net)\n"
    new = with_spec(code, 3, {"Maker": (Tensor((None,), "int64"),)}, shared=True)
    table = b'{"Maker": [InputSpec([None], "int64")]}.get(type(net).__name__)'
    assert new == code.replace(b"(net)", b"(net, input_spec=" + table + b")", 1)
    more = with_spec(new, 3, {"Judge": PICTURE}, shared=True).decode()
    compile(more, "kit", "exec")
    assert '"Maker": [InputSpec([None], "int64")],\n' in more
    assert '"Judge": [InputSpec([None, 3, None, None], "float32")],\n' in more
    with pytest.raises(UsageError, match="already passes a spec"):
        with_spec(more.encode(), 3, {"Maker": PICTURE}, shared=True)


def test_many_equal_specs_are_written_once_and_stay_objects_of_their_own() -> None:
    spec = (Sequence(tuple(Tensor((None, 1), "int64") for _ in range(26))),)
    code = b"from paddle.static import InputSpec\nto_static(net)\n"
    call = b'[[InputSpec([None, 1], "int64") for _ in range(26)]]'
    new = with_spec(code, 2, {"Net": spec})
    assert new == code.replace(b"(net)", b"(net, input_spec=" + call + b")")


def test_a_long_spec_over_several_lines_compiles() -> None:
    spec = (Sequence(tuple(Tensor((None, 25), "int64") for _ in range(6))),)
    new = with_spec(CODE, 6, {"Net": spec})
    compile(new, "kit", "exec")
    assert new.count(b"\r\n") == new.count(b"\n") == CODE.count(b"\n") + 7
    assert b"input_spec=[[\r\n\t\t\tpaddle.static.InputSpec" in new


def test_a_spec_of_its_own_is_kept_unless_it_is_to_be_replaced() -> None:
    code = b"import paddle\npaddle.jit.to_static(net, input_spec=specs)\n"
    for own in (b"specs", b"made()", b"kit.made()", b"table.get(type(net))"):
        with pytest.raises(UsageError, match="already passes a spec: "):
            with_spec(code.replace(b"specs", own), 2, {"Net": PICTURE}, shared=True)
    assert b"specs)" not in with_spec(code, 2, {"Net": PICTURE}, replace=True)
    empty = code.replace(b"=specs", b"=None")
    assert b"InputSpec(" in with_spec(empty, 2, {"Net": PICTURE})


NAMED = b"""\
from paddle.static import InputSpec
def main(net):
    specs = None
    net = to_static(net, input_spec=specs)
    print(specs)
"""


def test_a_name_that_holds_none_gets_the_spec() -> None:
    spec = b'[InputSpec([None, 3, None, None], "float32")]'
    new = with_spec(NAMED, 4, {"Net": PICTURE})
    assert new == NAMED.replace(b"specs = None", b"specs = " + spec)
    shared = with_spec(NAMED, 4, {"Net": PICTURE}, shared=True).decode()
    compile(shared, "kit", "exec")
    assert "    specs = {\n" in shared
    assert "    }.get(type(net).__name__)\n    net = to_static(net, input_spec=specs)\n" in shared


@pytest.mark.parametrize(
    "other",
    [
        b"    if on:\n        specs = [1]\n",
        b"    for specs in many:\n        pass\n",
        b"    specs += more\n",
        b"    specs: list = []\n",
    ],
)
def test_a_name_that_holds_more_than_none_is_kept(other: bytes) -> None:
    lines = NAMED.splitlines(keepends=True)
    code = b"".join([*lines[:3], other, *lines[3:]])
    with pytest.raises(UsageError, match="already passes a spec: specs"):
        with_spec(code, 4 + other.count(b"\n"), {"Net": PICTURE})


def test_no_spec_at_all_takes_the_calls_own_out() -> None:
    code = b"from paddle.jit import to_static\nto_static(net, input_spec=[specs])\n"
    bare = with_spec(code, 2, {}, replace=True)
    assert bare == code.replace(b"[specs]", b"None")
    assert with_spec(CODE, 6, {}, replace=True) == CODE


def test_where_it_has_no_effect_it_is_refused() -> None:
    code = b"import paddle\npaddle.jit.to_static(net, full_graph=False)\n"
    with pytest.raises(UsageError, match="no effect"):
        with_spec(code, 2, {"Net": PICTURE})
    with pytest.raises(UsageError, match="no to_static call at line 1"):
        with_spec(code, 1, {"Net": PICTURE})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Global:\n  a: 1\n\nTrain:\n  b: 2\n",
            "Global:\n  a: 1\n  d2s_train_image_shape: [3, 32, -1]\n\nTrain:\n  b: 2\n",
        ),
        (
            "Global:\n  d2s_train_image_shape: [3, 48, 320] # old\n  a: 1\n",
            "Global:\n  d2s_train_image_shape: [3, 32, -1] # old\n  a: 1\n",
        ),
    ],
)
def test_the_config_gets_its_key(before: str, after: str) -> None:
    assert _with_key(before.encode(), "[3, 32, -1]", "rec.yml").decode() == after


def test_a_config_without_the_block_is_refused() -> None:
    with pytest.raises(UsageError, match="no Global block"):
        _with_key(b"Arch: 1\n", "[3]", "rec.yml")
