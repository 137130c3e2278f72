"""Which hazard is named for which evidence, and the place in the kit that it leads to."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.base.files.data_folder import table_beside
from codemod.hazards.catalog import CATALOG, TEXTS
from codemod.judging import words
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.explain import CURES, cured_by, cures_of, failed_at, hazard_behind
from codemod.judging.judge import judge
from codemod.training.inject.parity_recorder.values.digests import Sparse
from codemod.training.record import Record
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.judging.verdict import Explanation

NET = """import numpy as np
import random


class Net:
    def __init__(self):
        self.seen = 0
        self.a, self.b = make(), make()

    def forward(self, x):
        self.seen += 1
        scale = random.random()
        print(x.mean())
        return self.a(x) * scale


net = paddle.jit.to_static(Net())
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    (tmp_path / "net.py").write_text(NET)
    return tmp_path


def layers(kit: Path) -> tuple[dict[str, Any], ...]:
    """What the recorder writes of the classes of `Net` and its layer of Paddle's."""
    classes = [["Net", str(kit / "net.py")], ["Linear", "paddle.nn.layer.common"]]
    return ({"classes": classes, "layers": {"Net": 0, "Net.a": 1}},)


def failed(kit: Path, error: str, message: str) -> Record:
    """A run that ended by an error in the kit's line 17, before its first step."""
    trace = f'File "{kit}/net.py", line 17\nFile "/env/lib/site-packages/paddle/nn.py", line 3'
    end = {"error": error, "message": message, "traceback": trace}
    return replace(record([]), outcome="fails", end=end)


def explained(
    kit: Path, static: Record, paddle: str = "2.6.2", mode: str = "ast"
) -> Explanation | None:
    dynamic = record(plain(), layers=layers(kit))
    hooks = ({"file": str(kit / "net.py"), "line": 17, "target": "Net"},)
    static = replace(static, start={"paddle": paddle}, hooks=static.hooks and hooks)
    case = Comparison(mode, dynamic, static, dynamic)
    return hazard_behind(case, judge(case), kit)


@pytest.mark.parametrize(
    ("message", "hazard"),
    [
        ("AttributeError: 'Variable' object has no attribute 'tolist'", "D-06"),
        ("RuntimeError: super(): __class__ cell not found", "D-50"),
        ("`forward()` requires `x` arguments, but not found in input `args`: []", "D-48"),
        ("The decorated function `forward` requires 0 arguments: [], but received 2", "D-46"),
        ("AttributeError: 'Name' object has no attribute '__p'", "P-10"),
        ("'paddle.base.libpaddle.pir.Value' object has no attribute 'set_value'", "D-30"),
        ("(InvalidArgument) The variable middle_0 should exist (at pir_adaptor_util.cc)", "D-14"),
        ("We don't support to define layer with parameters in the function decorated by", "D-58"),
    ],
)
def test_messages_of_paddle(kit: Path, message: str, hazard: str) -> None:
    text = f'In transformed code:\n\n    File "{kit}/net.py", line 11, in forward\n    {message}'
    text += '\n    File "/env/lib/site-packages/paddle/base/framework.py", line 2626, in set_value'
    end = {"error": "ValueError", "message": text, "traceback": f'File "{kit}/net.py", line 17'}
    static = replace(record(plain(1), caught=True), outcome="fails", end=end)
    found = explained(kit, static)
    assert found is not None
    assert (found.id, found.file, found.line) == (hazard, "net.py", 11)


def test_an_error_that_nobody_knows_is_not_explained(kit: Path) -> None:
    case = Comparison("ast", record(plain()), failed(kit, "KeyError", "'lr'"))
    assert hazard_behind(case, judge(case), kit) is None
    assert failed_at(case, judge(case), kit) == "net.py:17"


def test_the_place_of_a_failure_with_the_hook_off(kit: Path) -> None:
    dynamic = failed(kit, "ValueError", "use inspect.signature()")
    case = Comparison("ast", dynamic, dynamic)
    assert failed_at(case, judge(case), kit) == "net.py:17"
    passed = Comparison("ast", record(plain()), record(plain(), caught=True))
    assert failed_at(passed, judge(passed), kit) is None


def test_hook_after_a_wrapper_leads_to_the_hook(kit: Path) -> None:
    end = {"error": "ValueError", "message": "`forward` requires 0 arguments: []", "traceback": ""}
    hooks = ({"file": str(kit / "net.py"), "line": 17, "target": "DataParallel"},)
    case = Comparison(
        "sot",
        record(plain()),
        Record("fails", {"paddle": "3.3.1"}, (), hooks=hooks, end=end),
    )
    found = hazard_behind(case, judge(case), kit)
    assert found is not None
    assert (found.id, found.line) == ("P-03", 17)


def test_frozen_state_and_randomness(kit: Path) -> None:
    loss = [replace(one, losses=(2.0,) if one.number else one.losses) for one in plain()]
    counted = [replace(one, state={"Net.seen": "4"}) for one in loss]
    found = explained(kit, record(counted, caught=True))
    assert found is not None
    assert (found.id, found.line) == ("D-25", 11)
    drawn = [replace(one, random={**one.random, "python": "z"}) for one in loss]
    found = explained(kit, record(drawn, caught=True))
    assert found is not None
    assert (found.id, found.line) == ("D-43", 12)


def stateful(
    kit: Path, name: str, owner: str = "paddle.nn.layer.norm", control: str = "0"
) -> Explanation | None:
    """What explains another loss from step 1 on, where the runs saw `name` differ from then on."""
    classes = [["Net", str(kit / "net.py")], ["Norm", owner]]
    known = ({"classes": classes, "layers": {"Net": 0, "Net.norm": 1}},)
    dynamic = [replace(one, state={name: "0"}) for one in plain()]
    static = [
        replace(one, state={name: "1"}, losses=(2.0,)) if one.number else one for one in dynamic
    ]
    again = [replace(one, state={name: control if one.number else "0"}) for one in dynamic]
    hooks = ({"file": str(kit / "net.py"), "line": 17, "target": "Net"},)
    case = Comparison(
        "ast",
        record(dynamic, layers=known),
        replace(record(static, caught=True), start={"paddle": "2.6.2"}, hooks=hooks),
        record(again, layers=known),
    )
    return hazard_behind(case, judge(case), kit)


@pytest.mark.parametrize(
    ("name", "hazard", "line"),
    [
        ("Net.seen", "D-25", 11),
        ("Net.a", "D-26", 8),
        ("Net.training", "D-33", None),
        ("Net.norm.training", "D-33", None),
        ("Net.norm._epsilon", "D-27", None),
        ("Nowhere.seen", "D-26", None),
    ],
)
def test_frozen_state_is_told_by_whose_it_is(
    kit: Path, name: str, hazard: str, line: int | None
) -> None:
    found = stateful(kit, name)
    assert found is not None
    assert (found.id, found.line) == (hazard, line)


def test_state_that_differs_between_dynamic_runs_explains_nothing(kit: Path) -> None:
    assert stateful(kit, "Net.seen", control="7") is None


def test_an_error_is_told_by_itself_not_by_the_source_above_it(kit: Path) -> None:
    text = (
        f'In transformed code:\n\n    File "{kit}/net.py", line 11, in forward\n'
        "        y = x.tolist()\n"
    )
    for last, hazard in (("    KeyError: 'lr'", None), ("    AttributeError: no tolist", "D-06")):
        end = {"error": "ValueError", "message": text + last, "traceback": ""}
        static = replace(record(plain(1), caught=True), outcome="fails", end=end)
        found = explained(kit, static)
        assert (found and found.id) == hazard
    # Without a named error the whole message but its frames counts.
    end = {"error": "ValueError", "message": text, "traceback": ""}
    found = explained(kit, replace(record(plain(1), caught=True), outcome="fails", end=end))
    assert found is not None
    assert found.id == "D-06"


def test_a_failure_outside_of_the_kit_leads_to_the_hook(kit: Path) -> None:
    trace = 'File "/env/lib/site-packages/paddle/nn.py", line 3'
    end = {"error": "AttributeError", "message": "no tolist", "traceback": trace}
    static = replace(record(plain(1), caught=True), outcome="fails", end=end)
    found = explained(kit, static)
    assert found is not None
    assert (found.id, found.file, found.line) == ("D-06", "net.py", 17)
    case = Comparison("ast", record(plain()), static)
    assert failed_at(case, judge(case), kit) is None
    # Outside of a kit there are no places to name.
    found = hazard_behind(case, judge(case), None)
    assert found is not None
    assert (found.id, found.file, found.line) == ("D-06", None, None)


def test_a_break_explains_no_other_loss_and_nothing_in_whole_programs(kit: Path) -> None:
    item = {"kind": "BreakGraphError", "reason": "print", "place": [str(kit / "net.py"), 13]}
    lost = [step(n, {**gradients(n), "a": None}) for n in range(4)]
    found = explained(kit, record(lost, caught=True, breaks=(item,)), "2.6.2", "ast")
    assert found is not None
    assert found.id == "D-63"
    other = [replace(one, losses=(2.0,)) if one.number else one for one in plain()]
    found = explained(kit, record(other, caught=True, breaks=(item,)), "2.6.2", "sot")
    assert found is None


@pytest.mark.parametrize(("paddle", "hazard"), [("2.6.2", "D-63"), ("3.3.1", "D-18")])
def test_missing_gradients(kit: Path, paddle: str, hazard: str) -> None:
    lost = [step(n, {**gradients(n), "a": None}) for n in range(4)]
    found = explained(kit, record(lost, caught=True), paddle)
    assert found is not None
    assert found.id == hazard


def test_a_lost_sparse_gradient_leads_to_the_table(kit: Path) -> None:
    sparse = Sparse(np.array([2]), np.ones((1, 4), "f4"), 9)
    dynamic = record([step(0, {"Net.a.weight": sparse})], layers=layers(kit))
    static = record([step(0, {"Net.a.weight": None})], caught=True)
    case = Comparison("ast", dynamic, replace(static, start={"paddle": "2.6.2"}), dynamic)
    found = hazard_behind(case, judge(case), kit)
    assert found is not None
    assert (found.id, found.file, found.line) == ("P-01", "net.py", 8)


def test_graph_breaks(kit: Path) -> None:
    reason = {"kind": "BreakGraphError", "reason": "Not support builtin function: print"}
    item = {**reason, "place": [str(kit / "net.py"), 13]}
    partial = record(plain(), caught=True, breaks=(item,))
    found = explained(kit, partial, "3.3.1", "sot")
    assert found is not None
    assert (found.id, found.file, found.line) == ("D-07", "net.py", 13)
    nowhere = record(plain(), caught=True, breaks=({**reason, "place": []},))
    assert explained(kit, nowhere, "3.3.1", "sot") is None


def test_a_break_explains_lost_gradients_on_paddle_2_only(kit: Path) -> None:
    item = {"kind": "BreakGraphError", "reason": "print", "place": [str(kit / "net.py"), 13]}
    lost = [step(n, {**gradients(n), "a": None}) for n in range(4)]
    broken = record(lost, caught=True, breaks=(item,))
    old, new = explained(kit, broken, "2.6.2", "sot"), explained(kit, broken, "3.3.1", "sot")
    assert old is not None
    assert new is not None
    assert (old.id, old.line, new.id) == ("D-07", 13, "D-18")


def test_nothing_static(kit: Path) -> None:
    never = record(plain(), hooks=({},))
    unreached = explained(kit, record(plain()))
    uncalled = explained(kit, never)
    assert unreached is not None
    assert uncalled is not None
    assert (unreached.id, uncalled.id, uncalled.line) == ("P-05", "P-12", 17)


def test_a_copy_of_the_hooked_layer_explains_what_was_never_called(kit: Path) -> None:
    twins = ({"classes": [["Net", str(kit / "net.py")]], "layers": {"Net#0": 0, "Net#1": 0}},)
    never = record(plain(), hooks=({},), layers=twins)
    old, new = explained(kit, never), explained(kit, never, "3.3.1")
    assert old is not None
    assert new is not None
    assert (old.id, new.id) == ("P-04", "P-12")


def test_a_package_that_is_taken_for_paddles_own(kit: Path) -> None:
    classes = [["Net", "/env/lib/python3.10/site-packages/paddlenlp/transformers/net.py"]]
    dynamic = record(plain(), hooks=({},), layers=({"classes": classes, "layers": {"Net": 0}},))
    old, new = explained(kit, dynamic, mode="sot"), explained(kit, dynamic, "3.3.1", "sot")
    assert old is not None
    assert (old.id, new and new.id) == ("P-14", "P-12")


def test_a_pass_needs_no_explanation(kit: Path) -> None:
    assert explained(kit, record(plain(), caught=True)) is None


@pytest.mark.parametrize(
    ("line", "hazard"),
    [
        ("with paddle.no_grad():", "D-40"),
        ("with paddle.amp.auto_cast(level='O2'):", "D-41"),
        ("with paddle.amp.auto_cast(enable=False):", "D-74"),
        ("with paddle.static.amp.fp16_guard():", "D-74"),
    ],
)
def test_a_with_block_has_the_name_that_the_catalogue_gives_it(
    tmp_path: Path, line: str, hazard: str
) -> None:
    (tmp_path / "net.py").write_text(f"def forward(self, x):\n    {line}\n        return x\n")
    item = {"kind": "BreakGraphError", "reason": "SETUP_WITH", "place": [f"{tmp_path}/net.py", 2]}
    found = explained(tmp_path, record(plain(), caught=True, breaks=(item,)), "2.6.2", "sot")
    entry = next(one for one in CATALOG if one.id == hazard)
    assert found is not None
    assert (found.id, found.name, found.remedy) == (hazard, entry.name, entry.remedy)


def test_the_signs_name_known_hazards_by_valid_patterns() -> None:
    signs = table_beside(words.__file__, "signs.yaml")["signs"]
    assert {sign["hazard"] for sign in signs} <= set(TEXTS)
    for sign in signs:
        assert set(sign) > {"hazard"}
        for key, pattern in sign.items():
            re.compile(str(pattern))
            assert key == "hazard" or isinstance(pattern, str)


def off_by(factor: float, buffers: bool) -> list[Any]:
    """The plain steps with gradient or buffer `b` off by a factor from the second step on."""
    steps = []
    for one in plain():
        grads = gradients(one.number)
        moved = {**grads, "b": grads["b"] * np.float32(factor if one.number else 1.0)}
        made = step(one.number, grads if buffers else moved)
        steps.append(replace(made, buffers=step(0, moved).grads if buffers else {}))
    return steps


@pytest.mark.parametrize("buffers", [False, True])
@pytest.mark.parametrize(
    ("field", "hazard"), [("in_order", "P-08"), ("out_of_place", "P-13"), ("copied", "D-63")]
)
def test_a_cause_is_named_only_where_the_run_without_it_agrees(
    field: str, hazard: str, buffers: bool
) -> None:
    case = Comparison(
        "ast", record(off_by(1.0, buffers)), record(off_by(1.5, buffers), caught=True), None
    )
    verdict = judge(case)
    assert verdict.first is not None
    assert (verdict.first.name, verdict.first.step) == ("b", 1)

    for paddle, tried in (("2.6.2", set(CURES)), ("3.3.1", set(CURES) - {"copied"})):
        with_paddle = replace(case.dynamic, start={"paddle": paddle})
        assert set(cures_of(replace(case, dynamic=with_paddle), verdict)) == tried
    assert set(CURES) <= {one.name for one in fields(Comparison)}

    def named(without: list[Any]) -> str | None:
        made: dict[str, Any] = {field: record(without)}
        tried = replace(case, **made)
        found, cured = hazard_behind(tried, verdict, None), cured_by(tried, verdict)
        assert cured is None or cured == found
        return cured.id if cured is not None else None

    assert named(off_by(1.0, buffers)) == hazard
    assert named(off_by(1.00001, buffers)) == hazard, "rounding"
    assert named(off_by(1.5, buffers)) is None
    assert named(off_by(1.0, buffers)[:1]) is None, "it did not come as far as the difference"
