"""What a run shows, and which program on file has the same cause. No Paddle is needed."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from codemod.experiments.reduce import signature as signature_room
from codemod.experiments.reduce.known import known_causes, same_cause
from codemod.experiments.reduce.signature import RunEnd, Signature, signature, template

PROGRAMS = Path(__file__).parents[2] / "docs" / "paddle-issues"


def tensor(value: float) -> dict[str, Any]:
    return {"digest": str(value), "norm": abs(value), "projected": [value] * 3}


def told(loss: float = 1.0, grad: dict[str, Any] | None = None, **more: Any) -> RunEnd:
    content = {"losses": [tensor(loss)], "gradients": [{"w": grad}], "state": {}, **more}
    return RunEnd(content)


def dense(value: float) -> dict[str, Any]:
    return {"form": "dense", **tensor(value)}


def error(message: str, inside: str = "f", program: bool = False) -> dict[str, Any]:
    return {"class": "ValueError", "message": message, "inside": [inside], "program": program}


def test_equal_runs_show_nothing() -> None:
    assert signature(told(1.0, dense(2.0)), told(1.0, dense(2.0))) is None


def test_an_object_in_a_message_is_the_same_in_a_program() -> None:
    said = "ObjectVariable(<kit.moves.Move object at 0x7fcb>, object_7, resume_3_stack_0) has no a"
    again = "ObjectVariable(<program.Move object at 0x55>, object_12, self) has no a"
    assert template(said) == template(again) == "ObjectVariable(<Move object>) has no a"
    assert template("<kit.Stay object at 0x1>") == "<Stay object>"


def test_a_gradient_of_rounding_alone_is_no_difference() -> None:
    def run(weight: float, bias: float) -> RunEnd:
        return RunEnd({**told().content, "gradients": [{"w": dense(weight), "b": dense(bias)}]})

    assert signature(run(1.0, 1e-17), run(1.0, -1e-17)) is None
    assert signature(run(1.0, 1e-5), run(1.0, -1e-5)) == Signature("gradient")
    assert signature(run(1e-17, 1e-17), run(-1e-17, 1e-17)) == Signature("gradient")


def test_rounding_is_no_difference() -> None:
    assert signature(told(1.0), told(1.0 + 1e-12)) is None
    assert signature(told(1.0), told(1.0 + 1e-12), noise=0.0) == Signature("loss")


@pytest.mark.parametrize(
    ("static", "kind", "detail"),
    [
        (told(2.0, dense(2.0)), "loss", ""),
        (told(1.0, None), "gradient's form", ""),
        (told(1.0, {"form": "sparse"}), "gradient's form", ""),
        (told(1.0, dense(3.0)), "gradient", ""),
        (RunEnd({}, late=True), "hang", ""),
        (RunEnd({}, code=-11), "crash", "SIGSEGV"),
        (RunEnd({"error": error("shape 12")}), "error", "ValueError: shape 0"),
        (
            RunEnd(
                {
                    "error": error(
                        "In code:\n ValueError: no bool\n\n For more info, please refer to x"
                    )
                }
            ),
            "error",
            "ValueError: no bool",
        ),
        (
            RunEnd({"error": error("no int\nFor more info, please refer to x")}),
            "error",
            "ValueError: no int",
        ),
    ],
)
def test_what_is_told_apart(static: RunEnd, kind: str, detail: str) -> None:
    found = signature(told(1.0, dense(2.0)), static)
    assert found is not None
    assert (found.kind, found.detail) == (kind, detail)


def test_the_forms_of_a_gradient_are_told() -> None:
    found = signature(told(1.0, dense(2.0)), told(1.0, {"form": "sparse"}))
    assert found == Signature("gradient's form", forms=("dense", "sparse"))
    assert str(found) == "gradient's form: dense becomes sparse"


def test_numbers_of_a_net_that_passes_its_input_on_are_another_fault() -> None:
    passing = told(1.0, dense(2.0), passes=True)
    found = signature(passing, told(1.0, dense(3.0)))
    assert found == Signature("gradient", passes=True)
    assert found != signature(told(1.0, dense(2.0)), told(1.0, dense(3.0)))
    # What an error says is the same, whatever the net gives back.
    failing = RunEnd({"error": error("a")})
    assert signature(passing, failing) == signature(told(1.0, dense(2.0)), failing)


def test_where_dynamic_mode_fails_nothing_is_said() -> None:
    failing = RunEnd({"error": error("a")})
    assert signature(failing, RunEnd({"error": error("b")})) is None
    assert signature(told(float("nan")), told(1.0)) is None


def test_an_error_of_the_program_itself_is_not_paddle_s() -> None:
    assert signature(told(), RunEnd({"error": error("a", program=True)})) is None


def test_the_same_message_at_another_place_is_another_fault() -> None:
    one = signature(told(), RunEnd({"error": error("File /a/b.py, shape 3", "concat")}))
    same = signature(told(), RunEnd({"error": error("File /c.py, shape 44", "concat")}))
    other = signature(told(), RunEnd({"error": error("File /a/b.py, shape 3", "split")}))
    assert one == same != other


def test_a_function_s_file_of_ast_is_another_one_in_each_run() -> None:
    one, same = (
        signature(told(), RunEnd({"error": error(f"no binding for 'x' ({name}.py, line 7)")}))
        for name in ("forwardk47_usb9", "forwardo0xq-w2e")
    )
    assert one == same == Signature("error", "ValueError: no binding for 'x'", "f")


def test_a_crash_is_known_by_its_operator() -> None:
    log = "1 void phi::GridSampleGradKernel<float>()"
    found = signature(told(), RunEnd({}, code=-11, log=log))
    assert found == Signature("crash", "SIGSEGV", "GridSampleGradKernel")


def test_known_causes_are_programs_on_file() -> None:
    names = {row.program for row in known_causes()}
    assert names <= {file.stem for file in PROGRAMS.glob("*.py")}
    assert len(names) == len(known_causes())


@pytest.mark.parametrize("row", known_causes(), ids=lambda row: row.program)
def test_a_program_on_file_has_its_own_marks(row: Any) -> None:
    text = (PROGRAMS / f"{row.program}.py").read_text(encoding="utf-8")
    assert all(re.search(mark, text) for mark in row.marks)


def test_the_same_cause_needs_code_mode_and_kind() -> None:
    text, crash = "y = paddle.triu(x)\n", Signature("crash", "SIGABRT")
    assert same_cause(text, "sot", "2.6.2", crash) == "triu_abort.py"
    assert same_cause(text, "ast", "2.6.2", crash) == ""
    assert same_cause(text, "sot", "2.6.2", Signature("loss")) == ""
    assert same_cause("y = x\n", "sot", "2.6.2", crash) == ""
    # It was mended; a release that is not known is taken for the newest.
    assert same_cause(text, "sot", "3.0.0", crash) == ""
    assert same_cause(text, "sot", "9.9.9", crash) == ""


def test_a_gradient_of_what_forward_hands_on_is_told_from_that_of_its_last_output() -> None:
    text = "    def forward(self, x, memory):\n        y = self.body(x)\n        return y, {}\n"
    lost = Signature("gradient")
    handed, derived = text.format("memory"), text.format("memory * 2")
    assert same_cause(handed, "ast", "2.6.2", lost) == "returned_input.py"
    assert same_cause(derived, "ast", "2.6.2", lost) == "last_output_gradient.py"
    assert same_cause(handed, "sot", "2.6.2", lost) != "returned_input.py"
    assert same_cause(handed, "ast", "3.3.1", lost) != "returned_input.py"
    bare = "    def forward(self, x):\n        return x\n"
    assert same_cause(bare, "ast", "2.6.2", lost) == "returned_input.py"


@pytest.mark.parametrize(
    ("program", "inside", "behind"),
    [
        ("return_in_try", "            return y\n", "        return y\n"),
        ("loop_else", "            y = y\n        else:\n", "            y = y\n    else:\n"),
        (
            "nested_break",
            "            for z in y:\n                break\n",
            "        for z in y:\n            break\n",
        ),
    ],
)
def test_what_stands_behind_a_block_is_not_in_it(program: str, inside: str, behind: str) -> None:
    row = next(row for row in known_causes() if row.program == program)
    head = "    if x:\n        {}:\n            y = x\n"
    block = head.format("with x" if program == "return_in_try" else "for x in y")
    assert all(re.search(mark, block + inside) for mark in row.marks)
    assert not any(re.search(mark, block + behind) for mark in row.marks)


def test_an_error_of_a_wrong_rank_alone_is_of_a_squeeze_of_unknown_length() -> None:
    text = "kept = paddle.nonzero(x).squeeze(1)\n"
    ranks = Signature("error", "InnerError: IndexError: list index out of range")
    empty = Signature("error", "ValueError: [Hint: Expected tensor.defined() && tensor.is_de")
    assert same_cause(text, "sot", "3.3.1", ranks) == "squeeze_unknown.py"
    assert same_cause(text, "sot", "2.6.2", empty) == "empty_output.py"
    assert same_cause(text, "sot", "3.3.1", empty) == ""
    # Without an axis, only axes of length 1 go.
    assert same_cause(text.replace("(1)", "()"), "sot", "3.3.1", ranks) == ""


def test_an_error_is_told_by_where_the_first_one_was_raised() -> None:
    file = Path(signature_room.__file__).parent / "inside" / "reduce_inside" / "telling.py"
    telling = runpy.run_path(str(file))
    paddles: dict[str, Any] = {}
    source = (
        "def reads():\n    [][0]\n\n\ndef translates():\n    try:\n        reads()\n"
        "    except IndexError as error:\n        raise RuntimeError(str(error)) from error\n"
    )
    exec(compile(source, "/site-packages/paddle/jit/sot.py", "exec"), paddles)
    with pytest.raises(RuntimeError) as caught:
        paddles["translates"]()
    told = telling["error_told"](caught.value)
    assert (told["class"], told["inside"][-1]) == ("RuntimeError", "reads")
    assert not told["program"]
