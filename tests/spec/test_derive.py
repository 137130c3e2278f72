"""One spec over all calls, or the reason why there is none."""

from __future__ import annotations

from codemod.experiments.spec.derive import Derived, derive
from codemod.experiments.spec.nodes import Constant, Dictionary, Node, Opaque, Sequence, Tensor
from codemod.experiments.spec.observed import Call
from codemod.experiments.spec.render import SpecSource


def tensor(*shape: int, dtype: str = "float32") -> Tensor:
    return Tensor(shape, dtype)


def calls(*values: tuple[bool, Node]) -> list[Call]:
    return [Call(training, (("x", value),)) for training, value in values]


def kinds(derived: Derived) -> list[str]:
    return [note.kind for note in derived.notes]


def test_what_varies_is_none_and_says_where() -> None:
    derived = derive(
        calls(
            (True, tensor(4, 3, 32, 100)),
            (True, tensor(2, 3, 32, 80)),
            (False, tensor(1, 3, 48, 80)),
        )
    )
    (node,) = derived.spec
    assert isinstance(node, Tensor)
    assert node.shape == (None, 3, None, None)
    assert tuple(map(str, node.why)) == (
        "batch",
        "fixed",
        "only in evaluation: 48 (training: 32)",
        "varies: 80, 100",
    )
    assert derived.fits
    assert derived.varies


def test_a_batch_that_never_varied_is_none_all_the_same() -> None:
    (node,) = derive(calls((True, tensor(4, 3)), (True, tensor(4, 3)))).spec
    assert isinstance(node, Tensor)
    assert node.shape == (None, 3)


def test_a_list_of_another_length_in_evaluation_leaves_the_training_spec() -> None:
    two = Sequence((tensor(4, 3), tensor(4)))
    one = Sequence((tensor(4, 3),))
    derived = derive(calls((True, two), (False, one)))
    assert not derived.fits
    assert derived.fits_training
    assert SpecSource("S").line(derived.spec) == '[[S([None, 3], "float32"), S([None], "float32")]]'
    assert kinds(derived) == ["length"]


def test_a_tensor_fed_with_a_gradient_and_without_is_named() -> None:
    fake = Tensor((4, 3), "float32", gradient=True)
    derived = derive(calls((True, fake), (True, tensor(4, 3)), (False, tensor(2, 3))))
    assert [note.kind for note in derived.notes] == ["gradient"]
    assert derived.fits
    assert derive(calls((True, fake), (False, tensor(2, 3)))).notes == ()
    assert SpecSource("S").line(derived.spec) == '[S([None, 3], "float32")]'


def test_a_list_of_names_that_varies_is_left_out_of_a_dictionary() -> None:
    values = [
        Dictionary({"image": tensor(size, 3), "path": Sequence((Constant("a"),) * size)})
        for size in (4, 2)
    ]
    derived = derive(calls(*((True, value) for value in values)))
    assert [(note.kind, note.path) for note in derived.notes] == [("retrace", 'x["path"]')]
    assert SpecSource("S").line(derived.spec) == '[{"image": S([None, 3], "float32")}]'
    before = [Call(True, (("n", v.items["path"]), ("x", v.items["image"]))) for v in values]
    assert kinds(derive(before)) == ["retrace", "middle"]


def test_a_label_that_evaluation_leaves_out_says_so() -> None:
    values = ((True, tensor(4, 17)), (True, tensor(4, 15)), (False, Constant(None)))
    derived = derive(calls(*values))
    assert derived.fits_training
    (note,) = derived.notes
    assert note.to_json()["text"] == "is a tensor in training, None in evaluation"
    assert note.what.text("zh") == "的取值：训练时 张量，评估时 None"


def test_a_list_that_varies_in_training_has_no_spec() -> None:
    derived = derive(calls((True, Sequence((tensor(4, 3),))), (True, Sequence(()))))
    assert not derived.fits_training


def test_a_key_that_only_training_has_stops_the_spec_if_it_is_a_tensor() -> None:
    train = Dictionary({"image": tensor(4, 3), "label": tensor(4)})
    derived = derive(calls((True, train), (False, Dictionary({"image": tensor(4, 3)}))))
    assert not derived.fits
    assert [(note.kind, note.path) for note in derived.notes] == [("structure", 'x["label"]')]


def test_a_number_that_only_training_has_does_not() -> None:
    train = Dictionary({"image": tensor(4, 3), "epoch": Constant(1)})
    derived = derive(calls((True, train), (False, Dictionary({"image": tensor(2, 3)}))))
    assert derived.fits
    assert SpecSource("S").line(derived.spec) == '[{"image": S([None, 3], "float32")}]'


def test_a_counter_is_named_and_left_out_of_a_dictionary() -> None:
    values = [Dictionary({"image": tensor(4, 3), "step": Constant(n)}) for n in range(3)]
    derived = derive(calls(*((True, value) for value in values)))
    assert [note.path for note in derived.retraces] == ['x["step"]']
    assert SpecSource("S").line(derived.spec) == '[{"image": S([None, 3], "float32")}]'


def test_a_counter_before_a_tensor_has_no_spec() -> None:
    rows = [Call(True, (("step", Constant(n)), ("x", tensor(4, 3)))) for n in range(2)]
    derived = derive(rows)
    assert kinds(derived) == ["retrace", "middle"]
    assert not derived.fits_training


def test_a_placeholder_stays_and_what_stands_behind_the_last_tensor_goes() -> None:
    row = (("x", tensor(4, 3)), ("mask", Constant(None)), ("y", tensor(4)), ("mode", Constant("a")))
    derived = derive([Call(True, row)])
    assert derived.names == ("x", "mask", "y")
    assert (
        SpecSource("S").line(derived.spec)
        == '[S([None, 3], "float32"), None, S([None], "float32")]'
    )


def test_ranks_dtypes_classes_and_keywords() -> None:
    assert not derive(calls((True, tensor(4, 3)), (True, tensor(4, 3, 1)))).fits
    dtypes = derive(calls((True, tensor(4)), (True, tensor(4, dtype="int64"))))
    assert kinds(dtypes) == ["dtype"]
    assert kinds(derive(calls((True, Dictionary({"a": tensor(4)}, "BatchEncoding"))))) == ["class"]
    assert not derive([Call(True, (("x", tensor(4)),), ("labels",))]).fits
    assert kinds(derive(calls((True, Opaque("Boxes"))))) == ["object"]


def test_a_long_spec_goes_over_several_lines_that_say_the_same() -> None:
    spec = (tensor(1, 2), Sequence((tensor(3, 4, dtype="int64"), tensor(5)), "tuple"))
    text = SpecSource("InputSpec").wrapped(spec, 70)
    assert text.count("\n") > 2
    flat = "".join(text.split()).replace(",)", ")").replace(",]", "]")
    assert flat == "".join(SpecSource("InputSpec").line(spec).split())


def test_what_varies_in_training_is_told_with_or() -> None:
    ranks = derive(calls((True, tensor(4, 3)), (True, tensor(4)), (True, tensor(4, 3, 1))))
    (note,) = ranks.notes
    assert note.what.text().endswith(
        "[4, 3] float32, tensor [4] float32 or tensor [4, 3, 1] float32"
    )
    assert note.what.text("zh").endswith(" 或 tensor [4, 3, 1] float32")
