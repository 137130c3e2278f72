"""The kit's own spec against what is fed."""

from __future__ import annotations

from codemod.experiments.spec.nodes import Constant, Dictionary, Node, Sequence, Tensor
from codemod.experiments.spec.observed import Layer, ObservedHook
from codemod.experiments.spec.spec_result import compare


def kinds(kit: Node, *fed: Node) -> list[str]:
    hook = ObservedHook(0, "Net", "arch.py", 9, kit)
    layer = Layer("Net", "net.py", 1, 10, hook, ())
    names = tuple(f"a{number}" for number in range(len(fed)))
    return [f"{one.kind} {one.path} {one.line}" for one in compare(layer, fed, names)]


def test_dims_and_dtypes_name_the_line_of_the_spec() -> None:
    kit = Sequence((Tensor((None, 3, 32), "float32", place=("arch.py", 5)),))
    assert kinds(kit, Tensor((None, 3, None), "int64")) == ["dim a0 5", "dtype a0 5"]
    assert kinds(kit, Tensor((None, 3, 32), "float32")) == []
    assert kinds(kit, Tensor((None, 3), "float32")) == ["rank a0 5"]


def test_a_wider_spec_is_no_fault() -> None:
    kit = Sequence((Tensor((None, None), "float32"),))
    assert kinds(kit, Tensor((None, 3), "float32")) == ["wider a0 9"]


def test_structure() -> None:
    one = Tensor((None,), "int64", place=("arch.py", 7))
    assert kinds(Sequence((one,)), one, one) == ["structure a1 9"]
    assert kinds(Sequence((one, one)), one) == ["structure forward 9"]
    assert kinds(Sequence((one,)), Dictionary({"a": one})) == ["structure a0 9"]
    keys = Dictionary({"a": one, "b": one})
    assert kinds(Sequence((keys,)), Dictionary({"a": one})) == ['structure a0["b"] 7']
    longer = Sequence((one, one))
    assert kinds(Sequence((longer,)), Sequence((one,))) == ["structure a0 7"]


def test_a_constant_behind_the_last_tensor_may_be_named() -> None:
    one = Tensor((None,), "int64")
    assert kinds(Sequence((one, Constant(None))), one) == []
